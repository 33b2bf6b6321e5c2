package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/descent"
)

// LogisticPath is a path of logistic regressions of two classes with an L1 or
// elastic net penalty, over descending lambda. It holds no data and does not
// change.
type LogisticPath struct {
	c logitState
	s elasticNetPathState // of the deviance, with twice the penalty
}

// FitLogisticPath minimises
//
//	sum_i w_i log(1 + exp(-s_i eta_i)) + lambda sum_j f_j (share |b_j| + (1 - share) b_j^2)
//
// for every lambda of a grid, 0 < share <= 1, with eta and s as in FitLogistic; the
// f_j are 1 unless the settings have others, and the intercept is not penalised.
// share = 1 is the lasso. There is no factor of 1/n or 1/2, and slopes are in the
// units of the design: Design.Standardize first if terms have different units. For
// the lasso glmnet's lambda is lambda/n on the same columns, with
// standardize = FALSE, and the C of scikit-learn's LogisticRegression is 1/lambda.
//
// Each fit starts from the one before, and each has its certificate, as those of
// FitLassoPath have, with NullDeviance/2 in place of the residual sum of squares of
// the null model: Gap, KKT. The grid, and what the settings say of it, is that of
// FitLassoPath; from LambdaMax on all penalised slopes are zero. If the gap is not
// reached at some lambda, the path is returned together with a *ConvergenceError
// about the first of them.
//
// Errors are those of FitLogistic on labels and of FitLassoPath on settings.
// Classes that terms without a penalty separate are not looked for: the path then
// ends in a *ConvergenceError.
//
// Friedman, Hastie and Tibshirani, Journal of Statistical Software 33 (2010),
// section 3. Method: coordinate descent and Newton steps on a working set, for
// quadratic models of the likelihood.
func FitLogisticPath(d *Design, share float64, settings *PathSettings) (*LogisticPath, error) {
	if !(share > 0 && share <= 1) {
		return nil, fmt.Errorf("%w: share = %v; the part of L1 is above 0, and at most 1; for L2 alone use FitLogistic", ErrSetting, share)
	}
	return logisticPath(d, elasticPenalty{l1: share, l2: 1 - share}, settings)
}

// logisticPath goes through lambdas, of which pen are the parts.
func logisticPath(d *Design, pen elasticPenalty, settings *PathSettings) (*LogisticPath, error) {
	var s PathSettings
	if settings != nil {
		s = *settings
	}
	each := s.each()
	if err := errors.Join(s.check(), each.check()); err != nil {
		return nil, err
	}
	data, c, err := logisticData(d)
	if err != nil {
		return nil, err
	}
	run, err := runOn(data, elasticPenalty{l1: 2 * pen.l1, l2: 2 * pen.l2}, each)
	if err != nil {
		return nil, err
	}
	grid, err := s.grid(run)
	if err != nil {
		return nil, err
	}
	path, err := run.path(grid, s.Progress)
	if path == nil {
		return nil, err
	}
	return &LogisticPath{*c, path.s}, err
}

// FitLogisticElasticNet minimises
//
//	sum_i w_i log(1 + exp(-s_i eta_i)) + l1 sum_j f_j |b_j| + l2 sum_j f_j b_j^2.
//
// All else is as for FitLogisticPath, of which it is a point; l1 is above 0, since
// FitLogistic does l1 = 0.
func FitLogisticElasticNet(d *Design, l1, l2 float64, settings *LassoSettings) (*SparseLogistic, error) {
	if !(l1 > 0) || math.IsInf(l1, 0) || !(l2 >= 0) || math.IsInf(l2, 0) {
		return nil, fmt.Errorf("%w: l1 = %v, l2 = %v; l1 is above 0, l2 not negative, both finite; for l1 = 0 use FitLogistic", ErrSetting, l1, l2)
	}
	s := PathSettings{}
	if settings != nil {
		s.PenaltyFactor, s.AlwaysIn, s.NonNegative = settings.PenaltyFactor, settings.AlwaysIn, settings.NonNegative
		s.Gap, s.Sweeps = settings.Gap, settings.Sweeps
	}
	lambda := l1 + l2
	s.Lambda = []float64{lambda}
	path, err := logisticPath(d, elasticPenalty{l1: l1 / lambda, l2: l2 / lambda}, &s)
	if path == nil {
		return nil, err
	}
	return path.Fit(0), err
}

// logisticData brings a design to the form that the solver wants.
func logisticData(d *Design) (*penaltyData, *logitState, error) {
	if err := d.checkTraining(); err != nil {
		return nil, nil, err
	}
	classes, y, err := d.binaryLabels()
	if err != nil {
		return nil, nil, err
	}
	rows := d.WithResponse(d.Response, y)
	var weights []float64
	var order []int
	for i, w := range d.Weights {
		if w > 0 {
			order, weights = append(order, i), append(weights, w)
		}
	}
	if len(order) < len(d.Weights) {
		rows = rows.Rows(order...)
	}
	rows = rows.withoutWeights()
	columns, data, err := designColumns(rows, nil)
	if err != nil {
		return nil, nil, err
	}
	copy(columns.Y(), rows.Y)
	data.MeanY, data.YExp = 0, 0
	data.scale()
	data.logistic = &descent.LogisticData{Columns: columns, Weights: weights, Intercept: !d.NoIntercept}
	return data, &logitState{Classes: slices.Clone(classes)}, nil
}

// Classes returns the names of the two classes; probabilities are of the second.
func (p *LogisticPath) Classes() []string { return slices.Clone(p.c.Classes) }

// net views the path as one of least squares.
func (p *LogisticPath) net() *ElasticNetPath { return &ElasticNetPath{p.s} }

// Len returns the number of lambdas.
func (p *LogisticPath) Len() int { return len(p.s.Points) }

// NObs returns the number of observations; rows of weight zero do not count.
func (p *LogisticPath) NObs() int { return p.s.N }

// Terms returns the p names of the terms; the intercept is not one.
func (p *LogisticPath) Terms() []string { return p.net().Terms() }

// Response returns the name of the response.
func (p *LogisticPath) Response() string { return p.s.L.Response }

// Scaling returns the scaling of the design fitted, nil if its columns were raw.
func (p *LogisticPath) Scaling() *Scaling { return p.s.L.Scaling.clone() }

// Coding returns how the columns of the design were computed, nil if they were
// given.
func (p *LogisticPath) Coding() *Coding { return p.s.L.Coding }

// Share returns the part of L1 in lambda, 1 for the lasso.
func (p *LogisticPath) Share() float64 { return p.s.L1 / 2 }

// LambdaMax returns the smallest lambda for which every penalised slope is zero:
// max_j |x_j'(y - p)|/(f_j share) at the null model, y being 0 or 1.
func (p *LogisticPath) LambdaMax() float64 { return p.s.Max }

// Lambda returns the grid, descending.
func (p *LogisticPath) Lambda() []float64 { return p.net().Lambda() }

// Intercept returns the intercept at every lambda.
func (p *LogisticPath) Intercept() []float64 { return p.net().Intercept() }

// Slopes returns the slopes as a matrix: a row for every lambda, a column for
// every term.
func (p *LogisticPath) Slopes() *mat.Dense { return p.net().Slopes() }

// Active returns the terms whose slopes are not zero at the k-th lambda, as
// positions in Terms, and those slopes.
func (p *LogisticPath) Active(k int) (terms []int, slopes []float64) { return p.net().Active(k) }

// L1Norm returns sum_j |b_j| at every lambda.
func (p *LogisticPath) L1Norm() []float64 { return p.net().L1Norm() }

// Deviance returns -2 LogLik at every lambda.
func (p *LogisticPath) Deviance() []float64 { return p.net().RSS() }

// NullDeviance returns the deviance of the model without penalised terms' slopes:
// of the intercept alone.
func (p *LogisticPath) NullDeviance() float64 { return p.s.Null }

// DevianceRatio returns 1 - Deviance/NullDeviance at every lambda.
func (p *LogisticPath) DevianceRatio() []float64 { return p.net().R2() }

// Objective returns the minimised sum of half the deviance and the penalty at
// every lambda.
func (p *LogisticPath) Objective() []float64 {
	return p.net().each(func(q *elasticPoint) float64 { return q.Objective / 2 })
}

// Gap returns the duality gap at every lambda: an upper bound, relative to
// NullDeviance/2, of the difference between Objective and its minimum. The bound is
// the dual objective at a multiple s of the residual r_i = w_i (y_i - p_i),
//
//	D = sum_i w_i H(s |r_i|/w_i) - sum_j (s|x_j'r| - l1_j)_+^2/(4 l2_j)
//
// with the entropy H(u) = -u log u - (1-u) log(1-u), l1_j = lambda f_j share and
// l2_j = lambda f_j (1 - share); the last sum is left out if l2 = 0, where s makes
// s|x_j'r| <= l1_j.
func (p *LogisticPath) Gap() []float64 { return p.net().Gap() }

// KKT returns at every lambda the largest violation of the optimality conditions
// by a term,
//
//	x_j'r = l1_j sign(b_j) + 2 l2_j b_j,  or  |x_j'r| <= l1_j if b_j = 0,
//
// relative to |x_j| times the length of the residual of the null model.
func (p *LogisticPath) KKT() []float64 { return p.net().KKT() }

// DoF returns the degrees of freedom at every lambda, the intercept included: the
// number of active terms for the lasso, and for the elastic net the trace that
// ElasticNet.DoF has, with columns weighted by the curvatures of the likelihood,
// and 2 L2 for L2.
func (p *LogisticPath) DoF() []float64 { return p.net().DoF() }

// Sweeps returns the number of sweeps at every lambda.
func (p *LogisticPath) Sweeps() []int { return p.net().Sweeps() }

// Fit returns the fit at the k-th lambda.
func (p *LogisticPath) Fit(k int) *SparseLogistic {
	net := p.net().Fit(k)
	return &SparseLogistic{logit{net.linear, p.c}, net.s}
}

// Predict returns the probability of the second class for every row of d (rows of
// the result) and every lambda (columns).
func (p *LogisticPath) Predict(d *Design) (*mat.Dense, error) {
	eta, err := p.net().Predict(d)
	if err != nil {
		return nil, err
	}
	eta.Apply(func(_, _ int, v float64) float64 { return sigmoid(v) }, eta)
	return eta, nil
}

// Raw returns the same path with coefficients in the raw units of the data; see
// OLS.Raw. Lambda remains that of the design's units.
func (p *LogisticPath) Raw() (*LogisticPath, error) {
	raw, err := p.net().Raw()
	if err != nil {
		return nil, err
	}
	return &LogisticPath{p.c, raw.s}, nil
}

// GobEncode implements gob.GobEncoder.
func (p *LogisticPath) GobEncode() ([]byte, error) { return gobEncode(&p.c, &p.s) }

// GobDecode implements gob.GobDecoder.
func (p *LogisticPath) GobDecode(b []byte) error { return gobDecode(b, &p.c, &p.s) }

// SparseLogistic is a point of a LogisticPath: a logistic regression of two
// classes with an L1 or elastic net penalty. It holds no data and does not change.
type SparseLogistic struct {
	logit
	s elasticNetState // of the deviance, with twice the penalty
}

// NObs returns the number of observations; rows of weight zero do not count.
func (f *SparseLogistic) NObs() int { return f.s.N }

// L1 returns the factor of sum_j f_j |b_j|.
func (f *SparseLogistic) L1() float64 { return f.s.L1 / 2 }

// L2 returns the factor of sum_j f_j b_j^2.
func (f *SparseLogistic) L2() float64 { return f.s.L2 / 2 }

// Deviance returns -2 LogLik.
func (f *SparseLogistic) Deviance() float64 { return f.s.RSS }

// NullDeviance returns the deviance of the intercept alone.
func (f *SparseLogistic) NullDeviance() float64 { return f.s.Null }

// LogLik returns the log-likelihood, without the penalty.
func (f *SparseLogistic) LogLik() float64 { return -f.s.RSS / 2 }

// Objective returns the minimised sum of half the deviance and the penalty.
func (f *SparseLogistic) Objective() float64 { return f.s.Objective / 2 }

// Gap returns the duality gap, see LogisticPath.Gap.
func (f *SparseLogistic) Gap() float64 { return f.s.Gap }

// KKT returns the largest violation of the optimality conditions, see
// LogisticPath.KKT.
func (f *SparseLogistic) KKT() float64 { return f.s.KKT }

// DoF returns the degrees of freedom, see LogisticPath.DoF.
func (f *SparseLogistic) DoF() float64 { return f.s.DoF }

// Active returns the names of the terms whose slopes are not zero.
func (f *SparseLogistic) Active() []string { return (&ElasticNet{f.linear, f.s}).Active() }

// Raw returns the same fit with coefficients in the raw units of the data; see
// OLS.Raw.
func (f *SparseLogistic) Raw() (*SparseLogistic, error) {
	l, err := f.l.raw()
	if err != nil {
		return nil, err
	}
	return &SparseLogistic{logit{linear{*l}, f.c}, f.s}, nil
}

// GobEncode implements gob.GobEncoder.
func (f *SparseLogistic) GobEncode() ([]byte, error) { return gobEncode(&f.l, &f.c, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *SparseLogistic) GobDecode(b []byte) error { return gobDecode(b, &f.l, &f.c, &f.s) }
