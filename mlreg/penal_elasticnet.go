package mlreg

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// LassoSettings are the options of FitLasso, FitElasticNet and
// FitLogisticElasticNet.
type LassoSettings struct {
	// PenaltyFactor are p non-negative factors f_j that multiply the penalties
	// of the terms; nil is ones. A term of factor 0 is not penalized.
	PenaltyFactor []float64
	// AlwaysIn names terms that are not penalized, whatever their factor.
	AlwaysIn []string
	// NonNegative names terms whose coefficients are held at zero or above.
	NonNegative []string
	// Groups are columns that enter and leave together, as one term: those of a factor,
	// a polynomial, an interaction. Design.Coding.Groups() are those of a formula. The
	// penalty is then that of the group lasso, and of its elastic net,
	//
	//	l1 sum_g f_g sqrt(p_g) |b_g|_2 + l2 sum_g f_g |b_g|_2^2,
	//
	// for groups g of p_g columns; a term of no group is one of its own. The slopes of
	// a group are all zero or none is. How much a group pays depends on the units and
	// the coding of its columns, so standardize them. The columns of a group have the
	// same factor f_g, and none is held at zero or above. Nil is every column alone.
	// (Yuan and Lin, Journal of the Royal Statistical Society B 68 (2006), 49-67.)
	Groups []TermGroup
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
	penalFit
}

// Lasso is an elastic net whose L2 is zero.
type Lasso = ElasticNet

// penalFit is what every fit by the solver of L1 penalties knows of itself. Fits
// embed it.
type penalFit struct {
	s penalState
}

type penalState struct {
	N              int
	Lambda, L1, L2 float64
	Loss, Null     float64 // RSS, or minus the log-likelihood
	Objective      float64
	Gap, KKT, DoF  float64
	Sweeps         int
	Grouped        bool
}

const (
	defaultGap    = 1e-6
	defaultSweeps = 10_000
)

// check looks at what does not depend on the data.
func (s *LassoSettings) check() error {
	if s.Gap < 0 || math.IsNaN(s.Gap) || math.IsInf(s.Gap, 0) {
		return fmt.Errorf("%w: Gap = %v; a tolerance is positive, or 0 for %g", ErrSetting, s.Gap, defaultGap)
	}
	if s.Sweeps < 0 {
		return fmt.Errorf("%w: Sweeps = %d; it is not negative", ErrSetting, s.Sweeps)
	}
	return nil
}

// FitLasso minimizes
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

// FitElasticNet minimizes
//
//	RSS(b_0, b) + l1 sum_j f_j |b_j| + l2 sum_j f_j b_j^2.
//
// All else is as for FitLasso, also the fit beside a *ConvergenceError; that is l2 = 0, and l1 = 0 is ridge regression, which
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

func (*ElasticNet) of(s *pathState, p *pathPoint) *ElasticNet {
	return &ElasticNet{linear{p.linear(s.L)}, p.penalized(s)}
}

// FitLassoPath minimizes RSS + lambda sum_j f_j |b_j| for every lambda of a grid,
// see FitLasso. Each fit starts from the one before, and each has its
// certificate: Gap, KKT.
//
// If the gap is not reached at some lambda, the path is returned together with a
// *ConvergenceError about the first of them. The default grid needs a response
// that varies with some penalized term (ErrConstant). Nil settings are the
// defaults. Other errors are those of FitLasso.
func FitLassoPath(data Data, settings *PathSettings) (*LassoPath, error) {
	return fitPath(data, elasticPenalty{l1: 1}, settings)
}

// FitElasticNetPath minimizes
//
//	RSS + lambda sum_j f_j (share |b_j| + (1 - share) b_j^2)
//
// for every lambda of a grid, 0 < share <= 1 (ErrSetting): an elastic net with l1 = lambda
// share and l2 = lambda (1 - share), see FitElasticNet. All else is as for
// FitLassoPath, which is share = 1. Ridge regression, share = 0, is FitRidgePath.
func FitElasticNetPath(data Data, share float64, settings *PathSettings) (*ElasticNetPath, error) {
	if err := checkShare(share, "FitRidgePath"); err != nil {
		return nil, err
	}
	return fitPath(data, elasticPenalty{l1: share, l2: 1 - share}, settings)
}

func fitPath(data Data, pen elasticPenalty, settings *PathSettings) (*ElasticNetPath, error) {
	s := args.OrDefaults(settings)
	if err := s.check(); err != nil {
		return nil, err
	}
	d, err := newPenaltyData(data)
	if err != nil {
		return nil, err
	}
	path, err := penalizedPath(d, pen, &s)
	return newPath[*ElasticNet](path), err
}

// fitElasticNet goes down to lambda in a few steps.
func fitElasticNet(data Data, lambda float64, pen elasticPenalty, settings *LassoSettings) (*ElasticNet, error) {
	if err := checkLambda("lambda", lambda); err != nil {
		return nil, err
	}
	s := args.OrDefaults(settings)
	if err := s.check(); err != nil {
		return nil, err
	}
	d, err := newPenaltyData(data)
	if err != nil {
		return nil, err
	}
	run, err := newElasticRun(d, pen, s)
	if err != nil {
		return nil, err
	}
	if err := run.checkLeast(lambda); err != nil {
		return nil, err
	}
	if err := run.checkSizes(lambda); err != nil {
		return nil, err
	}
	const factor, least = 0.4, 1e-4
	if from := run.max; !math.IsInf(from, 0) {
		for l := from * factor; l > math.Max(lambda, least*from); l *= factor {
			run.approach(l)
		}
	}
	point, err := run.solve(lambda)
	return (*ElasticNet)(nil).of(run.state(), point), err
}

// NObs returns the number of observations; rows of weight zero do not count.
func (f *penalFit) NObs() int { return f.s.N }

// Lambda returns the penalty: L1 of a lasso, and L1 + L2 of an elastic net.
func (f *penalFit) Lambda() float64 { return f.s.Lambda }

// L1 returns the factor of sum_j f_j |b_j|.
func (f *penalFit) L1() float64 { return f.s.L1 }

// L2 returns the factor of sum_j f_j b_j^2.
func (f *penalFit) L2() float64 { return f.s.L2 }

// Objective returns the minimized sum of loss and penalty; the loss is the
// residual sum of squares, or minus the log-likelihood of classes.
func (f *penalFit) Objective() float64 { return f.s.Objective }

// Gap returns the duality gap: an upper bound of the difference between Objective
// and its minimum, relative to the loss of the null model. It is NaN for a fit
// that was interpolated. See Path.Gap.
func (f *penalFit) Gap() float64 { return f.s.Gap }

// KKT returns the largest violation of the optimality conditions (Karush, Kuhn
// and Tucker) by a term, NaN for a fit that was interpolated. See Path.KKT.
func (f *penalFit) KKT() float64 { return f.s.KKT }

// DoF returns the degrees of freedom, see Path.DoF.
func (f *penalFit) DoF() float64 { return f.s.DoF }

// Sweeps returns how often coordinate descent went through its working set.
func (f *penalFit) Sweeps() int { return f.s.Sweeps }

// RSS returns the residual sum of squares, weighted if the design is.
func (f *ElasticNet) RSS() float64 { return f.s.Loss }

// NullRSS returns the residual sum of squares of the null model: of
// y - mean(y), or of y in a fit without intercept.
func (f *ElasticNet) NullRSS() float64 { return f.s.Null }

// R2 returns 1 - RSS/NullRSS, which glmnet calls the deviance ratio; NaN if the
// response does not vary.
func (f *ElasticNet) R2() float64 { return 1 - f.s.Loss/f.s.Null }

// Active returns the names of the terms whose slopes are not zero.
func (f *ElasticNet) Active() []string { return f.l.active() }

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
func (f *ElasticNet) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *ElasticNet) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.s) }

// raw returns the coefficients in raw units.
func (l *linearState) raw() (*linearState, error) {
	raw := *l
	raw.Scaling = nil
	raw.B = slices.Clone(l.B)
	for j := range raw.B {
		center, scale := l.Scaling.at(j)
		if l.NoIntercept && center != 0 {
			return nil, fmt.Errorf("%w: the fit has no intercept, and term %q was centered at %v; in raw units it needs one",
				ErrShape, l.Names[j], center)
		}
		raw.B[j] /= scale
		if !math.IsNaN(raw.B[j]) {
			raw.B0 -= raw.B[j] * center
		}
	}
	return &raw, nil
}

// title names a fit by its penalties.
func (f *penalFit) title(kind, response string) string {
	name, at := "Lasso", fmt.Sprintf("λ = %s", format.Number(f.L1(), 6))
	if f.L2() > 0 {
		name, at = "Elastic net", fmt.Sprintf("λ₁ = %s, λ₂ = %s", format.Number(f.L1(), 6), format.Number(f.L2(), 6))
	}
	return fmt.Sprintf("%s %s of %s at %s", ofGroups(name, f.s.Grouped), kind, response, at)
}

// Describe returns the table of the coefficients, without those that are zero if there
// are more than 20, with the size of the fit and its certificate.
func (f *ElasticNet) Describe() *report.Table {
	size, certificate := fmt.Sprintf("n = %d", f.NObs()), interpolated
	if !math.IsNaN(f.KKT()) {
		size, certificate = sizeOf(f), gapText(f.Gap(), f.KKT(), "null RSS")
	}
	return describePenalized(f, f.title("fit", f.Response()), size, certificate)
}

// String writes the table of the fit as text.
func (f *ElasticNet) String() string { return f.Describe().String() }

// penalLikelihood is a penalFit whose loss is minus a log-likelihood.
type penalLikelihood struct{ penalFit }

// Deviance returns the deviance at the estimate: of classes -2 LogLik.
func (f *penalLikelihood) Deviance() float64 { return 2 * f.s.Loss }

// NullDeviance returns the deviance of the intercepts alone, with the offset if there is one.
func (f *penalLikelihood) NullDeviance() float64 { return 2 * f.s.Null }

// DevianceRatio returns 1 - Deviance/NullDeviance.
func (f *penalLikelihood) DevianceRatio() float64 { return 1 - f.s.Loss/f.s.Null }

// ofDeviance are the notes on the size of a fit, and its certificate.
func (f *penalLikelihood) ofDeviance() []string {
	size := fmt.Sprintf("n = %d", f.NObs())
	if math.IsNaN(f.KKT()) {
		return []string{size, interpolated}
	}
	size += fmt.Sprintf(", dof = %s, deviance %s, null deviance %s", format.Decimal(f.DoF(), 2), format.Decimal(2*f.s.Loss, 2), format.Decimal(2*f.s.Null, 2))
	return []string{size, gapText(f.Gap(), f.KKT(), "null deviance/2")}
}
