package mlreg

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/descent"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// PathCV is a path with its cross-validation: the candidates are the lambdas of the
// path, in its order.
type PathCV[P FitPath[F], F PathFit[F]] struct {
	*CV
	// Path is the path of all rows.
	Path P
}

// FitPath is a path of such fits: *Path or *RidgePath.
type FitPath[F any] interface {
	Lambda() []float64
	Slopes() *mat.Dense
	DoF() []float64
	Fit(k int) F
}

// LassoCV and the like are paths of one kind of fit, with their cross-validation.
type (
	ElasticNetCV = PathCV[*ElasticNetPath, *ElasticNet]
	LassoCV      = ElasticNetCV // whose L2 is zero
	RidgeCV      = PathCV[*RidgePath, *Ridge]
	LogisticCV   = PathCV[*LogisticPath, *SparseLogistic]
	// MultinomialCV is of FitMultinomialCV.
	MultinomialCV = PathCV[*MultinomialPath, *SparseMultinomial]
)

// Lambda returns the lambdas of the candidates, those of Path.
func (c *PathCV[P, F]) Lambda() []float64 { return c.Path.Lambda() }

// LambdaMin returns the lambda of least mean loss.
func (c *PathCV[P, F]) LambdaMin() float64 { return c.Lambda()[c.Min()] }

// LambdaOneSE returns the largest lambda whose mean loss is within a standard
// error of the least, see CV.OneSE.
func (c *PathCV[P, F]) LambdaOneSE() float64 { return c.Lambda()[c.OneSE()] }

// FitMin returns the fit of all rows at LambdaMin.
func (c *PathCV[P, F]) FitMin() F { return c.Path.Fit(c.Min()) }

// FitOneSE returns the fit of all rows at LambdaOneSE.
func (c *PathCV[P, F]) FitOneSE() F { return c.Path.Fit(c.OneSE()) }

// GobEncode implements gob.GobEncoder.
func (c *PathCV[P, F]) GobEncode() ([]byte, error) {
	return stream.Encode(c, c.CV, c.Path)
}

// GobDecode implements gob.GobDecoder.
func (c *PathCV[P, F]) GobDecode(b []byte) error {
	return gobDecode(b, c, &c.CV, &c.Path)
}

// FitLassoCV fits the path of all rows, and cross-validates it on its grid of
// lambdas: in every fold the path of the other rows is fitted, with lambda in
// proportion to their weight (see CVSettings.SameLambda), and predicts the rows of
// the fold. The path of all rows is in the units of d, or standardized if
// CVSettings.Standardize says so; every fold is standardized on its own.
//
// Cross-products are computed once if there are more rows than terms: those of a
// fold's training rows are the total less the fold's.
//
// The data are a *Design and folds of its rows. If the folds are MomentFolds, rows are not
// needed: data is not used and may be nil, and the loss is the squared error
// (ErrNeedsRows for another).
//
// Nil folds are DefaultFolds, ten at random, and the columns are then standardized unless the
// design is, or CVSettings.Standardize says otherwise, as by default in cv.glmnet: of a design of any
// formula
//
//	cv, err := mlreg.FitLassoCV(d, nil, nil, nil)
//
// is all, and cv.FitOneSE() predicts rows that are not standardized; its Raw has the coefficients in the
// units of the data.
//
// Nil path and cv are the defaults. Errors are those of FitLassoPath and
// CrossValidate. If some gap was not reached, the result is returned together with
// a *ConvergenceError.
func FitLassoCV(data Data, folds *Folds, path *PathSettings, cv *CVSettings) (*LassoCV, error) {
	return fitPathCV(data, elasticPenalty{l1: 1}, folds, path, cv)
}

// FitElasticNetCV is FitLassoCV for the penalty of FitElasticNetPath, with its
// share, 0 < share <= 1 (ErrSetting).
func FitElasticNetCV(data Data, share float64, folds *Folds, path *PathSettings, cv *CVSettings) (*ElasticNetCV, error) {
	if err := checkShare(share, "FitRidgeCV"); err != nil {
		return nil, err
	}
	return fitPathCV(data, elasticPenalty{l1: share, l2: 1 - share}, folds, path, cv)
}

func fitPathCV(data Data, pen elasticPenalty, folds *Folds, path *PathSettings, cv *CVSettings) (*ElasticNetCV, error) {
	c, err := cv.foldsOfPath(data, folds)
	if err != nil {
		return nil, err
	}
	fold, err := c.penalizedFolds(pen, path)
	if err != nil {
		return nil, err
	}
	fit := func(all Data) (*ElasticNetPath, error) { return fitPath(all, pen, path) }
	return validatePath(c, fit, (*ElasticNetPath).Predict, func(grid []float64, k int) (*ElasticNetPath, error) {
		s, err := fold(grid, k)
		return newPath[*ElasticNet](s), err
	})
}

// penalizedFolds returns what fits the path without fold k, given the lambdas of that of all rows.
func (c *cvFolds) penalizedFolds(pen elasticPenalty, path *PathSettings) (func(grid []float64, k int) (*pathState, error), error) {
	foldData, err := c.penalties()
	if err != nil {
		return nil, err
	}
	return func(grid []float64, k int) (*pathState, error) {
		data, err := foldData(k)
		if err != nil {
			return nil, err
		}
		own := pen
		if own.l2, err = c.foldL2(pen.l2, k); err != nil {
			return nil, err
		}
		return penalizedPath(data, own, c.foldPath(path, grid, k))
	}, nil
}

// validatePath fits the path of all data and cross-validates it on its grid; fold fits that of the data without a fold, and
// predict says what of its prediction of rows the loss is of. If some gap was not
// reached, on all data or without a fold, the result is returned with the error.
func validatePath[F PathFit[F]](c *cvFolds, fit func(all Data) (*Path[F], error),
	predict func(*Path[F], *Design) (*mat.Dense, error), fold func(grid []float64, k int) (*Path[F], error),
) (*PathCV[*Path[F], F], error) {
	all, err := c.all()
	if err != nil {
		return nil, err
	}
	full, failed := fit(all)
	if !best(failed) {
		return nil, failed // also if PathSettings.Progress stopped the path
	}
	grid := full.Lambda()
	short := make([]error, c.of.Len())
	result, err := c.validate(func(k int) (*foldLoss, error) {
		path, err := fold(grid, k)
		if path == nil {
			return nil, err
		}
		short[k] = err
		return c.loss(k, &path.s, func(test *Design) (*mat.Dense, error) { return predict(path, test) })
	})
	if result == nil {
		return nil, err
	}
	for k, err := range short {
		if err != nil && failed == nil {
			failed = fmt.Errorf("fold %d: %w", k, err)
		}
	}
	if err != nil {
		failed = errors.Join(err, failed)
	}
	return &PathCV[*Path[F], F]{CV: result, Path: full}, failed
}

// foldPath returns the settings of the path without fold k, given the lambdas of that of all rows.
func (c *cvFolds) foldPath(path *PathSettings, grid []float64, k int) *PathSettings {
	s := args.OrDefaults(path)
	s.Lambda, s.Progress = c.foldGrid(grid, k), nil
	return &s
}

// foldGrid returns the lambdas of the path without fold k.
func (c *cvFolds) foldGrid(grid []float64, k int) []float64 {
	if c.SameLambda {
		return grid
	}
	return scaledGrid(grid, c.part(k))
}

// foldL2 returns the factor of the L2 penalty without fold k, given that for all rows.
func (c *cvFolds) foldL2(l2 float64, k int) (float64, error) {
	if !c.ResponseScale || l2 == 0 {
		return l2, nil
	}
	all, train, err := c.allAndTrain(k)
	if err != nil {
		return 0, err
	}
	_, whole, err := responseScale(all)
	if err != nil {
		return 0, err
	}
	_, own, err := responseScale(train)
	if err != nil {
		return 0, err
	}
	if own == 0 {
		return 0, fmt.Errorf("%w: the response, over the training rows", ErrConstant)
	}
	return l2 * whole / own, nil
}

func scaledGrid(grid []float64, part float64) []float64 {
	out := make([]float64, len(grid))
	for k, l := range grid {
		out[k] = l * part
	}
	return out
}

// penalties returns what gives the data without a fold, in raw units with the penalty of
// standardized ones.
func (c *cvFolds) penalties() (func(k int) (*penaltyData, error), error) {
	raw, standardize := c.raw, c.Standardize
	switch {
	case raw == nil:
	case standardize != nil && raw.Weights != nil:
		// Standardize need not use weights, the sums below do.
		return func(k int) (*penaltyData, error) {
			train := c.train(k)
			scaling, err := looseScaling(train, *standardize)
			if err != nil {
				return nil, err
			}
			data, err := newPenaltyData(train)
			if err != nil {
				return nil, err
			}
			data.deviation = scaling.Scale
			return data, nil
		}, nil
	case preferRows(raw.NObs(), raw.NTerms()):
		return rowFolds(raw, c.of, standardize)
	}
	sums, err := c.foldSums()
	if err != nil {
		return nil, err
	}
	return func(k int) (*penaltyData, error) {
		m, err := sums.train(k)
		if err != nil {
			return nil, err
		}
		data, err := newPenaltyData(m)
		if err != nil {
			return nil, err
		}
		if standardize != nil {
			scaling, err := m.scaling(*standardize, true)
			if err != nil {
				return nil, err
			}
			data.deviation = scaling.Scale
		}
		return data, nil
	}, nil
}

// part returns the part of the given rows in the weight of all.
func (d *Design) part(rows []int) float64 {
	var w float64
	for _, i := range rows {
		w += d.Weight(i)
	}
	return w / d.sumWeights()
}

// standardize sets the deviations of the columns, given their centered sums of
// squares.
func (d *penaltyData) standardize(s *StandardizeSettings, squares func(j int) float64) error {
	if s == nil || s.CenterOnly {
		return nil
	}
	if s.DDoF < 0 || s.DDoF >= d.N {
		return fmt.Errorf("%w: DDoF = %d with %d rows; it is 0 or more, and less than the rows", ErrSetting, s.DDoF, d.N)
	}
	d.deviation = make([]float64, d.Terms())
	for j := range d.deviation {
		d.deviation[j] = math.Sqrt(squares(j) / float64(d.N-s.DDoF))
		if d.deviation[j] == 0 {
			d.deviation[j] = 1 // constant: its slope is zero whatever the penalty
		}
	}
	return nil
}

// rowFolds shares one copy of the columns, rows in the order of the folds, among
// all folds.
func rowFolds(raw *Design, folds *Folds, standardize *StandardizeSettings) (func(k int) (*penaltyData, error), error) {
	order := folds.rows(func(fold int) bool { return fold < 0 })
	from := make([]int, folds.Len()+1)
	for k := range folds.Len() {
		from[k] = len(order)
		order = append(order, folds.Test(k)...)
	}
	from[folds.Len()] = len(order)
	all, err := preparedRows(raw, order)
	if err != nil {
		return nil, err
	}
	var root []float64 // of the weights; the intercept is their multiple
	for _, i := range order {
		root = append(root, math.Sqrt(raw.Weight(i)))
	}
	return func(k int) (*penaltyData, error) {
		train := folds.Train(k)
		rows, meanX, meanY := descent.NewFold(all.columns(), from[k], from[k+1], root, !raw.NoIntercept)
		fold := penaltyData{prepared: *all, predictors: 1, src: rows}
		fold.N = 0
		for _, i := range train {
			if raw.Weight(i) > 0 {
				fold.N++
			}
		}
		if fold.N == 0 {
			return nil, fmt.Errorf("%w: every training row has weight zero", ErrNoData)
		}
		fold.MeanX = make([]float64, len(meanX))
		for j, m := range meanX {
			fold.MeanX[j] = all.MeanX[j] + all.XUnit[j].Out(m)
		}
		fold.MeanY = all.MeanY + all.YUnit.Out(meanY)
		err := fold.standardize(standardize, func(j int) float64 { return (2 * all.XUnit[j]).Out(rows.Square(j)) })
		return &fold, err
	}, nil
}

// FitRidgeCV is FitLassoCV for ridge regression, with the errors of FitRidgePath
// and CrossValidate, beside which are the folds done if Progress stopped it. For leave-one-out there is RidgePath.LOO, in closed form.
func FitRidgeCV(data Data, folds *Folds, path *RidgePathSettings, cv *CVSettings) (*RidgeCV, error) {
	c, err := cv.foldsOfPath(data, folds)
	if err != nil {
		return nil, err
	}
	all, err := c.all()
	if err != nil {
		return nil, err
	}
	full, err := FitRidgePath(all, path)
	if err != nil {
		return nil, err
	}
	train := func(k int) (Data, error) { return c.standardized(c.train(k)) }
	if c.raw == nil || c.raw.Weights == nil && c.raw.NObs() > 2*c.raw.NTerms() {
		sums, err := c.foldSums()
		if err != nil {
			return nil, err
		}
		train = func(k int) (Data, error) {
			m, err := sums.train(k)
			if err != nil || c.Standardize == nil {
				return m, err
			}
			scaling, err := m.scaling(*c.Standardize, true)
			if err != nil {
				return nil, err
			}
			return m.Rescale(scaling)
		}
	}
	result, err := c.validate(func(k int) (*foldLoss, error) {
		data, err := train(k)
		if err != nil {
			return nil, err
		}
		grid := c.foldGrid(full.Lambda(), k)
		ratio, err := c.foldL2(1, k)
		if err != nil {
			return nil, err
		}
		if ratio != 1 {
			grid = scaledGrid(grid, ratio)
		}
		fold, err := FitRidgePath(data, &RidgePathSettings{Lambda: grid})
		if err != nil {
			return nil, err
		}
		return c.loss(k, &fold.s, fold.Predict)
	})
	if result == nil {
		return nil, err
	}
	return &RidgeCV{CV: result, Path: full}, err
}

// Describe returns the lambda of least loss, and the one that the rule of one standard
// error takes, as a table.
func (c *PathCV[P, F]) Describe() *report.Table { return c.describe(c.Path) }

// String writes the two lambdas as text.
func (c *PathCV[P, F]) String() string { return c.Describe().String() }
