package mlreg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/report"
)

// Predictor is a fit that can predict.
type Predictor interface {
	Predict(d *Design) ([]float64, error)
}

// CVSettings are the options of CrossValidate, FitLassoCV, FitElasticNetCV,
// FitRidgeCV, FitLogisticCV and FitMultinomialCV.
type CVSettings struct {
	// Loss is what a prediction costs. Nil is the squared error, and for
	// FitLogisticCV, where y is 1 for the second class and 0 for the first, and yhat
	// the probability of the second, it is DevianceLoss; ClassError is another. For
	// several classes see FitMultinomialCV.
	Loss func(y, yhat float64) float64
	// AUC has the loss of a fold be 1 - AUC instead, AUC the area under the ROC curve
	// of its predictions (see ROCCurve; rows count as often as their weight says): the
	// cross-validation chooses the largest area. The response is one of two classes,
	// also in CrossValidate, whose fits then predict a score that is larger for the
	// second. Every fold has rows of both classes (ErrLabels), see StratifiedKFold. The
	// mean is 1 less that of cv.glmnet with type.measure = "auc". Not together with
	// Loss (ErrSetting).
	AUC bool
	// Standardize, if not nil, has the training rows of every fold standardized,
	// on themselves; a column that is constant there is only centered. A design
	// that has a Scaling is taken back to raw units first and standardized anew in
	// every fold, with the defaults if Standardize is nil: the rows held out take
	// no part in it. Where FitLassoCV and the like are given no folds, nil is
	// standardized, with Weighted if there are weights and ScaleOnly without an intercept.
	Standardize *StandardizeSettings
	// SameLambda has the path of FitLassoCV and the like use
	// every lambda as it is in each fold. The default is lambda times the fold's
	// part of the weight of all rows: the same penalty per observation.
	SameLambda bool
	// ResponseScale has the L2 part of every fold's penalty, the whole of it for
	// FitRidgeCV, multiplied by the standard deviation of the response over all rows
	// divided by that over the training rows. cv.glmnet does so for alpha < 1, since
	// it divides the response of every fold by its own deviation: see FromGlmnet. It
	// is not for classes (ErrSetting).
	ResponseScale bool
	// Progress, if not nil, is told after every fold how many are done, one call
	// at a time. An error from it stops the cross-validation and is returned,
	// together with the result over the folds done by then.
	Progress func(done, total float64) error

	measure string // what the mean of Loss is
	classes bool   // of the response are any number
}

// CV is the result of a cross-validation of some candidates, in order from the
// simplest to the most complex. It does not change.
type CV struct {
	stored[CV, cvState]
}

type cvState struct {
	Measure           string // what Mean is of
	Folds, Candidates int
	Planned           int
	Loss              []float64 // mean of each fold, a row for each
	Weight            []float64 // of the rows of each fold
	RowErr            []float64 // standard errors of the mean over rows, if there is one fold
}

// NewCV returns a cross-validation of one's own: loss (K x candidates) has a row for each fold,
// the mean losses of all candidates from the simplest to the most complex, weight (K) what the
// rows of the fold weigh, and measure says what the losses are of. Planned is the number of
// folds, K unless some were left out. Errors: ErrNoData for no fold or candidate, ErrShape for
// other lengths, ErrSetting for fewer planned and a weight that is not positive, ErrNotFinite for
// a loss that is NaN.
func NewCV(measure string, planned int, loss mat.Matrix, weight []float64) (*CV, error) {
	if err := args.Given("the matrix of losses", loss); err != nil {
		return nil, err
	}
	folds, candidates := loss.Dims()
	c := &CV{store[CV](cvState{Measure: measure, Folds: folds, Candidates: candidates, Planned: planned, Weight: slices.Clone(weight)})}
	switch {
	case folds == 0 || candidates == 0:
		return nil, fmt.Errorf("%w: the losses are %d x %d", ErrNoData, folds, candidates)
	case len(weight) != folds:
		return nil, fmt.Errorf("%w: %d weights of %d folds", ErrShape, len(weight), folds)
	case planned < folds:
		return nil, fmt.Errorf("%w: %d folds are done, and %d were planned", ErrSetting, folds, planned)
	}
	for k, w := range weight {
		if !(w > 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("%w: fold %d weighs %v; a weight is positive and finite", ErrSetting, k, w)
		}
		for j := range candidates {
			if math.IsNaN(loss.At(k, j)) {
				return nil, fmt.Errorf("%w: the loss of candidate %d in fold %d", ErrNotFinite, j, k)
			}
			c.s.Loss = append(c.s.Loss, loss.At(k, j))
		}
	}
	if folds == 1 {
		c.s.RowErr = slices.Repeat([]float64{math.NaN()}, candidates)
	}
	return c, nil
}

// CrossValidate estimates the prediction error of candidates: for every fold, fit
// is given the other rows and returns a fit for each candidate, always the same
// number in the same order, from the simplest to the most complex; these predict
// the rows of the fold. Folds are taken at the same time, so that fit must not
// change what it shares. Errors: ErrShape if the folds are of another number of
// rows or fit returns another number of candidates, ErrNoData, and those of fit,
// with the number of the fold.
func CrossValidate[P Predictor](d *Design, folds *Folds, fit func(train *Design) ([]P, error), settings *CVSettings) (*CV, error) {
	c, err := settings.folds(d, folds)
	if err != nil {
		return nil, err
	}
	if fit == nil {
		return nil, fmt.Errorf("%w: the function that fits is nil", ErrNoData)
	}
	if c.raw == nil {
		return nil, fmt.Errorf("%w: these folds are sums (MomentFolds), which FitLassoCV and the like take", ErrNeedsRows)
	}
	return c.validateRows(func(k int) (*mat.Dense, error) {
		train, err := c.standardized(c.train(k))
		if err != nil {
			return nil, err
		}
		fits, err := fit(train)
		if err != nil {
			return nil, err
		}
		if len(fits) == 0 {
			return nil, fmt.Errorf("%w: fit returned no candidate", ErrNoData)
		}
		test := c.test(k)
		yhat := mat.NewDense(test.NObs(), len(fits), nil)
		for c, f := range fits {
			if err := args.Given(fmt.Sprintf("candidate %d", c), f); err != nil {
				return nil, err
			}
			values, err := f.Predict(test)
			if err != nil {
				return nil, err
			}
			yhat.SetCol(c, values)
		}
		return yhat, nil
	})
}

// prepare checks a design and settings, and takes the design to the units that
// folds start from.
func (s *CVSettings) prepare(d *Design, folds *Folds) (*Design, *CVSettings, error) {
	check := d.checkFit
	if s != nil && s.classes {
		check = d.checkTraining
	}
	if err := check(); err != nil {
		return nil, nil, err
	}
	if err := folds.checkRows(d); err != nil {
		return nil, nil, err
	}
	if d.PositiveRows() < d.NObs() { // the others are predicted
		if err := d.checkFinite(); err != nil {
			return nil, nil, err
		}
	}
	var set CVSettings
	if s != nil {
		set = *s
	}
	if set.measure == "" {
		set.measure = "mean loss"
	}
	switch {
	case set.AUC && set.Loss != nil:
		return nil, nil, fmt.Errorf("%w: CVSettings.AUC and CVSettings.Loss are both set; the loss is one of them", ErrSetting)
	case set.AUC:
		set.measure = "1 - AUC"
	case set.Loss == nil:
		set.measure = "mean squared error"
		set.Loss = func(y, yhat float64) float64 { return (y - yhat) * (y - yhat) }
	}
	if d.Scaling != nil && set.Standardize == nil {
		set.Standardize = &StandardizeSettings{}
	}
	raw, err := d.Rescale(nil)
	return raw, &set, err
}

// standardized returns the training rows in the units of the fit.
func (s *CVSettings) standardized(train *Design) (*Design, error) {
	if s.Standardize == nil {
		return train, nil
	}
	scaling, err := looseScaling(train, *s.Standardize)
	if err != nil {
		return nil, err
	}
	return train.Rescale(scaling)
}

// looseScaling is what Standardize would scale by, and 1 for a constant column.
func looseScaling(d *Design, s StandardizeSettings) (*Scaling, error) {
	if err := s.check(d); err != nil {
		return nil, err
	}
	p := d.NTerms()
	scaling := &Scaling{Center: make([]float64, p), Scale: make([]float64, p)}
	gram.Each(p, func(j int) {
		mean, sd, largest := s.deviation(d, mat.Col(nil, j, d.X))
		scaling.Scale[j] = 1
		if !s.ScaleOnly {
			scaling.Center[j] = mean
		}
		if !s.CenterOnly && sd > largest*1e-15 {
			scaling.Scale[j] = sd
		}
	})
	return scaling, nil
}

// foldLoss is the mean loss of every candidate over the rows of a fold, with its
// standard error if the fold were the only one.
type foldLoss struct {
	mean, stderr []float64
	weight       float64
}

// newFoldLoss averages losses of the i-th of the given rows, of positive weight, by the candidate j.
func newFoldLoss(d *Design, rows []int, candidates int, loss func(i, row, j int) float64) (*foldLoss, error) {
	f := &foldLoss{mean: make([]float64, candidates), stderr: make([]float64, candidates)}
	squares := make([]float64, candidates)
	for i, row := range rows {
		w := d.Weight(row)
		f.weight += w
		for j := range candidates {
			l := loss(i, row, j)
			if math.IsNaN(l) {
				return nil, fmt.Errorf("%w: the loss of row %d", ErrNotFinite, row+1)
			}
			f.mean[j] += w * l
			squares[j] += w * l * l
		}
	}
	for j := range candidates {
		f.mean[j] /= f.weight
		variance := math.Max(squares[j]/f.weight-f.mean[j]*f.mean[j], 0)
		f.stderr[j] = math.Sqrt(variance / float64(len(rows)-1))
	}
	return f, nil
}

// areaLoss is 1 - AUC of every column of scores of the given rows, of which class
// is 1 for the second class.
func areaLoss(d *Design, rows []int, class []float64, scores *mat.Dense) (*foldLoss, error) {
	f := &foldLoss{}
	positive := make([]bool, len(rows))
	for i, row := range rows {
		positive[i] = class[row] == 1
		f.weight += d.Weight(row)
	}
	_, candidates := scores.Dims()
	for j := range candidates {
		r, err := newROC(tied(mat.Col(nil, j, scores)), positive, func(i int) float64 { return d.Weight(rows[i]) })
		if err != nil {
			return nil, err
		}
		f.mean, f.stderr = append(f.mean, 1-r.AUC), append(f.stderr, r.StdErr)
	}
	return f, nil
}

// tied has scores that differ by rounding alone be one: terms of which each is as good as another
// have coefficients that are the same but for rounding, which the order of rows decides.
func tied(scores []float64) []float64 {
	const rounding = 1e-9
	largest := floats.Norm(scores, math.Inf(1))
	order := gram.NumbersTo(len(scores))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	out := slices.Clone(scores)
	for k := 1; k < len(order); k++ {
		if i, last := order[k], order[k-1]; scores[i]-scores[last] <= rounding*largest {
			out[i] = out[last]
		}
	}
	return out
}

// newCV collects the losses of folds, nil for one that is not done.
func newCV(losses []*foldLoss) (*CV, error) {
	c := &CV{store[CV](cvState{Planned: len(losses)})}
	for k, f := range losses {
		switch {
		case f == nil:
			continue
		case c.s.Folds == 0:
			c.s.Candidates = len(f.mean)
		case len(f.mean) != c.s.Candidates:
			return nil, fmt.Errorf("%w: %d candidates in the first fold and %d in fold %d", ErrShape, c.s.Candidates, len(f.mean), k)
		}
		c.s.Folds++
		c.s.Weight = append(c.s.Weight, f.weight)
		c.s.Loss = append(c.s.Loss, f.mean...)
	}
	if c.s.Folds == 1 {
		f := losses[slices.IndexFunc(losses, func(f *foldLoss) bool { return f != nil })]
		c.s.RowErr = f.stderr
	}
	return c, nil
}

// Len returns the number of candidates.
func (c *CV) Len() int { return c.s.Candidates }

// Folds returns the number of folds that the result is over.
func (c *CV) Folds() int { return c.s.Folds }

// Planned returns the number of folds that the rows were divided into. Some of them are
// missing if CVSettings.Progress stopped the cross-validation.
func (c *CV) Planned() int { return c.s.Planned }

// Measure says what Mean is: "mean squared error", "mean deviance", "1 - AUC" or, of
// a Loss that the settings gave, "mean loss".
func (c *CV) Measure() string { return c.s.Measure }

// FoldLoss returns the mean loss of every fold (rows) for every candidate
// (columns).
func (c *CV) FoldLoss() *mat.Dense {
	return mat.NewDense(c.s.Folds, c.s.Candidates, slices.Clone(c.s.Loss))
}

// Mean returns the mean loss of every candidate over all rows held out, weighted
// as the rows are:
//
//	m = sum_k v_k m_k,
//
// m_k the mean of fold k and v_k its part of the weight of all folds. For squared
// errors its root is the RMSE.
func (c *CV) Mean() []float64 {
	mean := make([]float64, c.s.Candidates)
	for k, v := range c.parts() {
		for j := range mean {
			mean[j] += v * c.s.Loss[k*c.s.Candidates+j]
		}
	}
	return mean
}

func (c *CV) parts() []float64 {
	var total float64
	for _, w := range c.s.Weight {
		total += w
	}
	v := make([]float64, c.s.Folds)
	for k, w := range c.s.Weight {
		v[k] = w / total
	}
	return v
}

// StdErr returns the standard error of Mean for every candidate: over K folds
//
//	sqrt(sum_k v_k (m_k - m)^2 / (K - 1)),
//
// as in glmnet, and for a single validation set that of a mean over its rows, or of
// its AUC (ROCCurve); NaN if NewCV was given no other fold. It
// takes folds for independent, which they are not quite.
func (c *CV) StdErr() []float64 {
	if c.s.Folds == 1 {
		return slices.Clone(c.s.RowErr)
	}
	se, mean := make([]float64, c.s.Candidates), c.Mean()
	for k, v := range c.parts() {
		for j := range se {
			se[j] += v * gram.Square(c.s.Loss[k*c.s.Candidates+j]-mean[j]) / float64(c.s.Folds-1)
		}
	}
	for j, v := range se {
		se[j] = math.Sqrt(v)
	}
	return se
}

// Min returns the candidate of least mean loss, the simplest if there are
// several.
func (c *CV) Min() int { return leastOf(c.Mean()) }

// leastOf returns the candidate of least mean loss, the first if there are several.
func leastOf(mean []float64) int {
	best := 0
	for j, m := range mean {
		if m < mean[best] {
			best = j
		}
	}
	return best
}

// OneSE returns the simplest candidate whose mean loss is at most one standard
// error (that of Min) above the least. (Breiman, Friedman, Olshen and Stone,
// Classification and Regression Trees, section 3.4.3.)
func (c *CV) OneSE() int { return withinOneSE(c.Mean(), c.StdErr()) }

// withinOneSE returns the first candidate within a standard error of the least mean loss.
func withinOneSE(mean, stderr []float64) int {
	best := leastOf(mean)
	limit := mean[best] + stderr[best]
	for j := range best {
		if mean[j] <= limit {
			return j
		}
	}
	return best
}

// describe is the table of a cross-validation: the candidate of least loss, and the
// simplest within a standard error of it, with the lambda, the degrees of freedom and
// the slopes that a path has for each.
func (c *CV) describe(p path) *report.Table {
	mean, se := c.Mean(), c.StdErr()
	chosen := []int{c.Min(), c.OneSE()}
	pick := func(v []float64) []float64 { return format.Each(chosen, func(k int) float64 { return v[k] }) }
	t := &report.Table{Title: "Cross-validation", Columns: []report.Column{report.TextColumn("", "least loss", "one standard error")}}
	if p == nil {
		t.Columns = append(t.Columns, report.IntColumn("candidate", chosen[0]+1, chosen[1]+1))
	} else {
		t.Columns = append(t.Columns, report.NumberColumn("λ", pick(p.Lambda()), 0))
	}
	t.Columns = append(t.Columns, report.NumberColumn("loss", pick(mean), 0), report.NumberColumn(format.StdErr, pick(se), 3))
	if p != nil {
		t.Columns = append(t.Columns, report.DecimalColumn(format.DoF, pick(p.DoF()), 2), nonzeroColumn(p.Slopes(), chosen))
	}
	t.Notes = []string{fmt.Sprintf("%s, %d candidates", format.HeldOut(c.Folds(), c.Planned()), len(mean))}
	return t
}

// Describe returns the candidate of least loss, and the one that the rule of one
// standard error takes, as a table.
func (c *CV) Describe() *report.Table { return c.describe(nil) }

// String writes the two candidates as text.
func (c *CV) String() string { return c.Describe().String() }
