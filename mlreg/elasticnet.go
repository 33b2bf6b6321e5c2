package mlreg

import (
	"fmt"
	"math"
	"slices"
)

// LassoSettings are the options of FitLasso, FitElasticNet and
// FitLogisticElasticNet.
type LassoSettings struct {
	// PenaltyFactor are p non-negative factors f_j that multiply the penalties
	// of the terms; nil is ones. A term of factor 0 is not penalised.
	PenaltyFactor []float64
	// AlwaysIn names terms that are not penalised, whatever their factor.
	AlwaysIn []string
	// NonNegative names terms whose coefficients are held at zero or above.
	NonNegative []string
	// Gap is the duality gap at which to stop, relative to the residual sum of
	// squares of the null model. The default 0 is 1e-6.
	Gap float64
	// Sweeps is how often coordinate descent may go through its working set,
	// at most. The default 0 is 10,000.
	Sweeps int
}

// ElasticNet is a fit by FitElasticNet or FitLasso, or a point of their paths. It
// holds no data and does not change.
type ElasticNet struct {
	linear
	s elasticNetState
}

// Lasso is an elastic net whose L2 is zero.
type Lasso = ElasticNet

type elasticNetState struct {
	N              int
	Lambda, L1, L2 float64
	RSS, Null      float64
	Objective      float64
	Gap, KKT, DoF  float64
	Sweeps         int
}

// FitLasso minimises
//
//	RSS(b_0, b) + lambda sum_j f_j |b_j|,   RSS = sum_i w_i (y_i - b_0 - x_i'b)^2,
//
// over the intercept b_0 (unless the design has none) and the p slopes b; the f_j
// are 1 unless the settings have others. There is no factor of 1/n or 1/2, see
// FromGlmnet and FromScikit, and slopes are in the units of the design:
// Design.Standardize first if terms have different units. From
// 2 max_j |x_j'(y - mean(y))|/f_j on all slopes are zero, and at lambda = 0 the
// fit is least squares, for which there must be more observations than terms.
//
// The fit is certified: its duality gap is an upper bound of how far the
// objective is from the minimum, see Gap. If it does not come down to the
// settings' Gap, the best fit is returned together with a *ConvergenceError.
//
// A column that does not vary has slope 0. The slopes of columns that are
// linear combinations of others may not be unique; the fitted values are.
//
// Nil settings are the defaults. Errors: ErrNoData, ErrShape, ErrNotFinite,
// ErrSetting, ErrRankDeficient (lambda = 0).
//
// Tibshirani, Journal of the Royal Statistical Society B 58 (1996), 267-288;
// Hastie, Tibshirani and Wainwright, Statistical Learning with Sparsity (2015),
// chapter 2. Method: coordinate descent on a working set, with Newton steps on
// the active terms.
func FitLasso(data Data, lambda float64, settings *LassoSettings) (*Lasso, error) {
	return fitElasticNet(data, lambda, elasticPenalty{l1: 1}, settings)
}

// FitElasticNet minimises
//
//	RSS(b_0, b) + l1 sum_j f_j |b_j| + l2 sum_j f_j b_j^2.
//
// All else is as for FitLasso, which is l2 = 0; l1 = 0 is ridge regression, which
// FitRidge does without iterations. With l2 > 0 the slopes are unique. Lambda of
// the fit is l1 + l2.
//
// Zou and Hastie, Journal of the Royal Statistical Society B 67 (2005), 301-320
// (their "naive" elastic net).
func FitElasticNet(data Data, l1, l2 float64, settings *LassoSettings) (*ElasticNet, error) {
	if err := checkPenalties(l1, l2); err != nil {
		return nil, err
	}
	sum := l1 + l2
	pen := elasticPenalty{l1: 1}
	if sum > 0 {
		pen = elasticPenalty{l1: l1 / sum, l2: l2 / sum}
	}
	fit, err := fitElasticNet(data, sum, pen, settings)
	if fit != nil {
		fit.s.L1, fit.s.L2 = l1, l2
	}
	return fit, err
}

// fitElasticNet goes down to lambda in a few steps.
func fitElasticNet(data Data, lambda float64, pen elasticPenalty, settings *LassoSettings) (*ElasticNet, error) {
	if err := checkLambda("lambda", lambda); err != nil {
		return nil, err
	}
	var s LassoSettings
	if settings != nil {
		s = *settings
	}
	run, err := newElasticRun(data, pen, s)
	if err != nil {
		return nil, err
	}
	if err := run.checkUnpenalised(lambda); err != nil {
		return nil, err
	}
	if err := run.checkSizes(lambda); err != nil {
		return nil, err
	}
	const factor, least = 0.4, 1e-4
	if from := run.lambdaMax(); !math.IsInf(from, 0) {
		for l := from * factor; l > math.Max(lambda, least*from); l *= factor {
			run.approach(l)
		}
	}
	point, err := run.solve(lambda)
	fit := run.fit(point)
	return fit, err
}

func checkLambda(name string, lambda float64) error {
	if !(lambda >= 0) || math.IsInf(lambda, 0) {
		return fmt.Errorf("%w: %s = %v; a penalty is finite and not negative", ErrSetting, name, lambda)
	}
	return nil
}

// NObs returns the number of observations; rows of weight zero do not count.
func (f *ElasticNet) NObs() int { return f.s.N }

// Lambda returns the penalty: L1 of a lasso, and L1 + L2 of an elastic net.
func (f *ElasticNet) Lambda() float64 { return f.s.Lambda }

// L1 returns the factor of sum_j f_j |b_j|.
func (f *ElasticNet) L1() float64 { return f.s.L1 }

// L2 returns the factor of sum_j f_j b_j^2.
func (f *ElasticNet) L2() float64 { return f.s.L2 }

// RSS returns the residual sum of squares, weighted if the design is.
func (f *ElasticNet) RSS() float64 { return f.s.RSS }

// NullRSS returns the residual sum of squares of the null model: of
// y - mean(y), or of y in a fit without intercept.
func (f *ElasticNet) NullRSS() float64 { return f.s.Null }

// R2 returns 1 - RSS/NullRSS, which glmnet calls the deviance ratio; NaN if the
// response does not vary.
func (f *ElasticNet) R2() float64 { return 1 - f.s.RSS/f.s.Null }

// Objective returns the minimised sum of RSS and penalty.
func (f *ElasticNet) Objective() float64 { return f.s.Objective }

// Gap returns the duality gap: an upper bound, relative to NullRSS, of the
// difference between Objective and its minimum. It is NaN for a fit that was
// interpolated (ElasticNetPath.At).
//
// The bound is the dual objective at a multiple s of the residual r,
//
//	D = 2 s r'y - s^2 |r|^2 - sum_j (2s|x_j'r| - l1_j)_+^2 / (4 l2_j),
//
// whose last sum is left out if l2 = 0, where s makes 2s|x_j'r| <= l1_j (up to
// the rounding of x_j'r, 1e-14 |x_j| times the size of what r is made of).
// X and y are centred if there is an intercept.
func (f *ElasticNet) Gap() float64 { return f.s.Gap }

// KKT returns the largest violation of the optimality conditions (Karush, Kuhn
// and Tucker) by a term,
//
//	x_j'r = l1_j/2 sign(b_j) + l2_j b_j,  or  |x_j'r| <= l1_j/2 if b_j = 0,
//
// relative to |x_j||y|, as Orthogonality is for least squares. It is NaN for a
// fit that was interpolated.
func (f *ElasticNet) KKT() float64 { return f.s.KKT }

// DoF returns the degrees of freedom, the intercept included, as for least
// squares: the number of active terms for the lasso (Zou, Hastie and Tibshirani,
// Annals of Statistics 35 (2007), 2173-2192), and for the elastic net the trace
// of X_A (X_A'X_A + L2)^-1 X_A' with the active terms A, plus 1 for the
// intercept.
func (f *ElasticNet) DoF() float64 { return f.s.DoF }

// Sweeps returns how often coordinate descent went through its working set.
func (f *ElasticNet) Sweeps() int { return f.s.Sweeps }

// Active returns the names of the terms whose slopes are not zero.
func (f *ElasticNet) Active() []string {
	var names []string
	for j, b := range f.l.B {
		if b != 0 {
			names = append(names, f.l.Names[j])
		}
	}
	return names
}

// Raw returns the same fit with coefficients in the raw units of the data; see
// OLS.Raw. Lambda remains that of the design's units.
func (f *ElasticNet) Raw() (*ElasticNet, error) {
	raw := *f
	l, err := f.l.raw()
	if err != nil {
		return nil, err
	}
	raw.l = *l
	return &raw, nil
}

// GobEncode implements gob.GobEncoder.
func (f *ElasticNet) GobEncode() ([]byte, error) { return gobEncode(&f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *ElasticNet) GobDecode(b []byte) error { return gobDecode(b, &f.l, &f.s) }

// raw returns the coefficients in raw units.
func (l *linearState) raw() (*linearState, error) {
	raw := *l
	raw.Scaling = nil
	raw.B = slices.Clone(l.B)
	for j := range raw.B {
		center, scale := l.Scaling.at(j)
		if l.NoIntercept && center != 0 {
			return nil, fmt.Errorf("%w: the fit has no intercept, and term %q was centred at %v; in raw units it needs one",
				ErrShape, l.Names[j], center)
		}
		raw.B[j] /= scale
		if !math.IsNaN(raw.B[j]) {
			raw.B0 -= raw.B[j] * center
		}
	}
	return &raw, nil
}
