package mlreg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
)

// cvFolds are the data of a cross-validation by folds, in raw units: rows, or, of
// MomentFolds, sums.
type cvFolds struct {
	*CVSettings
	of     *Folds
	raw    *Design   // nil for sums
	sums   *foldSums // nil for rows
	scaled *Scaling  // of the sums, nil if they are raw
	given  *Design   // the rows as they were given
}

// folds checks data and settings, and takes them to the units that folds start from.
// The data of MomentFolds are not looked at.
func (s *CVSettings) folds(data Data, folds *Folds) (*cvFolds, error) {
	if folds != nil && folds.sums != nil {
		return s.moments(folds)
	}
	if data == nil {
		return nil, errNilDesign
	}
	d, ok := data.(*Design)
	if !ok {
		return nil, noRowsToDivide(data)
	}
	raw, set, err := s.prepare(d, folds)
	if err != nil {
		return nil, err
	}
	return &cvFolds{CVSettings: set, of: folds, raw: raw, given: d}, nil
}

// foldsOfPath is folds for a path, which takes DefaultFolds if there are none, and then columns that are
// standardized unless the settings, which may be nil, say otherwise.
func (s *CVSettings) foldsOfPath(data Data, folds *Folds) (*cvFolds, error) {
	d, ok := data.(*Design)
	if folds != nil || !ok {
		return s.folds(data, folds)
	}
	folds, err := DefaultFolds(d)
	if err != nil {
		return nil, err
	}
	set := args.OrDefaults(s)
	if set.Standardize == nil && d.Scaling == nil {
		set.Standardize = &StandardizeSettings{Weighted: d.Weights != nil, ScaleOnly: d.NoIntercept}
	}
	return set.folds(d, folds)
}

// moments is folds for MomentFolds.
func (s *CVSettings) moments(folds *Folds) (*cvFolds, error) {
	set := args.OrDefaults(s)
	if set.Loss != nil || set.AUC || set.classes {
		return nil, fmt.Errorf("%w: these folds are sums (MomentFolds), which give the squared error alone; leave out CVSettings.Loss and AUC, or give folds of rows, such as those of KFold", ErrNeedsRows)
	}
	set.measure = "mean squared error"
	c := &cvFolds{CVSettings: &set, of: folds}
	sums, err := newFoldSums(nil, folds)
	if err != nil {
		return nil, err
	}
	if c.scaled = sums.total.s.Scaling; c.scaled != nil {
		if set.Standardize == nil {
			set.Standardize = &StandardizeSettings{}
		}
		if sums.total, err = sums.total.Rescale(nil); err != nil {
			return nil, err
		}
		held := make([]*Moments, len(sums.held))
		for k, m := range sums.held {
			if held[k], err = m.Rescale(nil); err != nil {
				return nil, err
			}
		}
		sums.held = held
	}
	c.sums = sums
	return c, nil
}

// all returns the data of all folds in the units of their path: those that they were
// given in if they were scaled, and else standardized as the settings say.
func (c *cvFolds) all() (Data, error) {
	switch {
	case c.raw != nil:
		return c.rows()
	case c.scaled != nil:
		return c.sums.total.Rescale(c.scaled)
	case c.Standardize == nil:
		return c.sums.total, nil
	}
	scaling, err := c.sums.total.scaling(*c.Standardize, true)
	if err != nil {
		return nil, err
	}
	return c.sums.total.Rescale(scaling)
}

// rows is all for folds of rows.
func (c *cvFolds) rows() (*Design, error) {
	if c.given.Scaling != nil {
		return c.given, nil
	}
	return c.standardized(c.raw)
}

// foldSums returns the sums of the folds.
func (c *cvFolds) foldSums() (*foldSums, error) {
	if c.sums != nil {
		return c.sums, nil
	}
	return newFoldSums(c.raw, c.of)
}

// train and test return the rows outside fold k, and those held out.
func (c *cvFolds) train(k int) *Design { return c.raw.Rows(c.of.Train(k)...) }
func (c *cvFolds) test(k int) *Design  { return c.raw.Rows(c.held(k)...) }

// held returns the rows of fold k of positive weight. The others cost nothing, and may have
// values of which a prediction is none.
func (c *cvFolds) held(k int) []int {
	return slices.DeleteFunc(c.of.Test(k), func(row int) bool { return c.raw.Weight(row) == 0 })
}

// part returns the part of the weight of all that is outside fold k.
func (c *cvFolds) part(k int) float64 {
	if c.raw != nil {
		return c.raw.part(c.of.Train(k))
	}
	return (c.sums.total.s.W - c.sums.held[k].s.W) / c.sums.total.s.W
}

// allAndTrain returns all data, and those outside fold k, in raw units.
func (c *cvFolds) allAndTrain(k int) (all, train Data, err error) {
	if c.raw != nil {
		return c.raw, c.train(k), nil
	}
	m, err := c.sums.train(k)
	return c.sums.total, m, err
}

// validate collects the losses of the folds.
func (c *cvFolds) validate(loss func(k int) (*foldLoss, error)) (*CV, error) {
	losses, halted, err := door.Each("fold", c.of.Len(), door.Progress("CVSettings.Progress", c.Progress), func(k int) (*foldLoss, error) {
		if c.raw != nil && len(c.held(k)) == 0 {
			return nil, fmt.Errorf("%w: every row has weight zero", ErrNoData)
		}
		return loss(k)
	})
	if err != nil {
		return nil, err
	}
	cv, err := newCV(losses)
	if err != nil {
		return nil, err
	}
	cv.s.Measure = c.measure
	return cv, halted
}

// validateRows collects the losses of predictions of the rows of every fold, a column for
// every candidate.
func (c *cvFolds) validateRows(predict func(k int) (*mat.Dense, error)) (*CV, error) {
	return c.validate(func(k int) (*foldLoss, error) {
		yhat, err := predict(k)
		if err != nil {
			return nil, err
		}
		return c.rowsLoss(k, yhat)
	})
}

func init() {
	door.ValidateRows = func(design, folds, settings any, predict func(train, test []int) (*mat.Dense, error)) (any, error) {
		c, err := settings.(*CVSettings).folds(design.(*Design), folds.(*Folds))
		if err != nil {
			return (*CV)(nil), err
		}
		if c.raw == nil {
			return (*CV)(nil), fmt.Errorf("%w: the folds are sums (MomentFolds)", ErrNeedsRows)
		}
		return c.validateRows(func(k int) (*mat.Dense, error) { return predict(c.of.Train(k), c.held(k)) })
	}
}

// rowsLoss averages the loss of predictions over the rows of fold k.
func (c *cvFolds) rowsLoss(k int, yhat *mat.Dense) (*foldLoss, error) {
	if c.AUC {
		_, class, err := c.raw.binaryLabels()
		if err != nil {
			return nil, err
		}
		return areaLoss(c.raw, c.held(k), class, yhat)
	}
	_, candidates := yhat.Dims()
	return newFoldLoss(c.raw, c.held(k), candidates, func(i, row, j int) float64 { return c.Loss(c.raw.Y[row], yhat.At(i, j)) })
}

// loss has the mean losses over fold k of the fits of a path, which predict rows.
func (c *cvFolds) loss(k int, path *pathState, predict func(test *Design) (*mat.Dense, error)) (*foldLoss, error) {
	if c.sums == nil && !c.AUC {
		return c.lossByBlocks(k, len(path.Points), predict)
	}
	if c.sums == nil { // the area is of all scores
		yhat, err := predict(c.test(k))
		if err != nil {
			return nil, err
		}
		return c.rowsLoss(k, yhat)
	}
	held, err := c.sums.held[k].Rescale(path.L.Scaling)
	if err != nil {
		return nil, err
	}
	loss := &foldLoss{weight: held.s.W}
	for _, p := range path.Points {
		loss.mean = append(loss.mean, held.squares(&linear{p.linear(path.L)})/held.s.W)
	}
	return loss, nil
}

// lossByBlocks has predictions of some rows of the fold at a time.
func (c *cvFolds) lossByBlocks(k, candidates int, predict func(test *Design) (*mat.Dense, error)) (*foldLoss, error) {
	const size = 256
	rows := c.held(k)
	var yhat *mat.Dense
	var failed error
	loss, err := newFoldLoss(c.raw, rows, candidates, func(i, row, j int) float64 {
		if i%size == 0 && j == 0 {
			yhat, failed = predict(c.raw.Rows(rows[i:min(i+size, len(rows))]...))
		}
		if failed != nil {
			return math.NaN()
		}
		return c.Loss(c.raw.Y[row], yhat.At(i%size, j))
	})
	return loss, cmp.Or(failed, err)
}

// MeanSquaredError returns the weighted mean of (y_i - yhat_i)^2 over the rows whose
// moments are m, for a fit of a linear predictor to other rows; its terms are found by
// name, in any scaling. Differences far smaller than the response drown in the rounding of
// the sums. Errors: ErrNoData (nil), ErrShape for a missing term, ErrCoding.
func (m *Moments) MeanSquaredError(fit CoefFit) (float64, error) {
	if err := args.Given("the fit", fit); err != nil {
		return 0, err
	}
	if m == nil || m.s.N == 0 {
		return 0, fmt.Errorf("%w: the moments are of no rows", ErrNoData)
	}
	f, err := linearOf(fit)
	if err != nil {
		return 0, err
	}
	if err := f.l.Coding.check(m.s.Coding, f.l.Names); err != nil {
		return 0, err
	}
	own, err := m.Select(f.l.Names...)
	if err != nil {
		return 0, err
	}
	if own, err = own.Rescale(f.l.Scaling); err != nil {
		return 0, err
	}
	return own.squares(f) / own.s.W, nil
}
