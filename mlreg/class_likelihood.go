package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/newton"
)

// What Newton's method leaves of a likelihood, for logistic regression and the other
// generalized linear models.

// likelihoodSettings are what the settings of all these fits have; see LogisticSettings.
type likelihoodSettings struct {
	L2            float64
	Tol           float64
	MaxIterations int
}

// check refuses settings of the given name that are out of range, and puts defaults
// for zeros.
func (s *likelihoodSettings) check(name string) error {
	switch {
	case s.L2 < 0 || math.IsNaN(s.L2) || math.IsInf(s.L2, 0):
		return fmt.Errorf("%w: %s.L2 = %v; a penalty is not negative", ErrSetting, name, s.L2)
	case s.Tol < 0 || math.IsNaN(s.Tol):
		return fmt.Errorf("%w: %s.Tol = %v; it is not negative", ErrSetting, name, s.Tol)
	case s.MaxIterations < 0:
		return fmt.Errorf("%w: %s.MaxIterations = %d; it is not negative", ErrSetting, name, s.MaxIterations)
	}
	if s.Tol == 0 {
		s.Tol = 1e-11
	}
	if s.MaxIterations == 0 {
		s.MaxIterations = 100
	}
	return nil
}

// likelihoodState is a certified maximum of a likelihood, without its coefficients.
type likelihoodState struct {
	L2           float64
	N            int
	W            float64 // sum of weights
	Loss, Null   float64 // minus log-likelihoods, or half deviances
	Pearson      float64 // sum w (y - mu)^2/V(mu)
	Root         []float64
	Decrement    float64
	GradNorm     float64
	Iterations   int
	Method       string
	CoefDigits   int
	StdErrDigits int
}

// likelihoodFit is what a fit of maximum likelihood knows of its maximum. Fits embed it.
type likelihoodFit struct{ s likelihoodState }

// NObs returns the number of observations; rows of weight zero do not count.
func (f *likelihoodFit) NObs() int { return f.s.N }

// L2 returns the weight of the penalty.
func (f *likelihoodFit) L2() float64 { return f.s.L2 }

// Deviance returns the deviance at the estimate, sum w d(y, mu) for a dispersion of 1: of
// classes -2 LogLik. R calls it the residual deviance.
func (f *likelihoodFit) Deviance() float64 { return 2 * f.s.Loss }

// NullDeviance returns the deviance of the model of the intercept alone, with the
// offset if there is one; without an intercept, of eta = 0 or the offset.
func (f *likelihoodFit) NullDeviance() float64 { return 2 * f.s.Null }

// Decrement certifies the fit: the Newton decrement sqrt(g' H^-1 g) for the gradient g of
// the objective at the estimate and H = A'WA + 2 L2 I. To first order every coefficient is
// within Decrement standard errors, for a dispersion of 1, of the exact one; with a link
// that is not canonical, H is the expected matrix.
func (f *likelihoodFit) Decrement() float64 { return f.s.Decrement }

// GradNorm returns the Euclidean length of the gradient of the objective divided
// by the sum of weights. Terms whose mean is more than eight of their standard
// deviations from zero count as centered for it.
func (f *likelihoodFit) GradNorm() float64 { return f.s.GradNorm }

// Iterations returns the number of Newton steps over all rows.
func (f *likelihoodFit) Iterations() int { return f.s.Iterations }

// Method names the algorithm.
func (f *likelihoodFit) Method() string { return f.s.Method }

// maximize finds the maximum of a likelihood of the rows of d, and sets s and the
// coefficients of f, whose header is known. The problem is in the units of the
// design; settings is the name of those that have L2. The fit is the best found beside
// a *ConvergenceError.
func (s *likelihoodState) maximize(f *linear, d *Design, q *newton.Problem, n newton.Settings, settings string) (err error) {
	s.L2, s.N = q.L2, d.PositiveRows()
	if d.counted != nil {
		s.N, q.Times = d.counted.observed.N, d.counted.times
	}
	if f.l.B0, s.Null, err = q.Null(); err != nil {
		return d.explained(err)
	}
	c := q.Conditioned()
	start, approximate := c.Start(f.l.B0)
	solution, err := c.Solve(start, approximate, n)
	if errors.Is(err, newton.ErrSingular) {
		return rankDeficient(f.Names(), solution.Hessian.Keep, s.N, settings)
	}
	if err != nil {
		return d.explained(err)
	}
	certificate, err := c.Certify(solution)
	if err != nil {
		return d.explained(err)
	}
	w := float64(d.NObs())
	if d.Weights != nil {
		w = floats.Sum(d.Weights)
	}
	if err := s.set(f, c, solution, certificate, w); err != nil {
		return err
	}
	return notConverged(solution.Converged, solution.Iterations, solution.Decrement, n.Tol)
}

// best tells whether there is a fit beside an error.
func best(err error) bool {
	_, gap := err.(*ConvergenceError)
	return err == nil || gap
}

// notConverged returns nil, or the error beside the best fit of Newton's method.
func notConverged(converged bool, iterations int, decrement, tol float64) error {
	if converged {
		return nil
	}
	return &ConvergenceError{Method: "Newton's method", Iterations: iterations, Measure: "decrement", Value: decrement, Tol: tol}
}

// set takes a solution and its certificate, given the sum of weights.
func (s *likelihoodState) set(f *linear, q *newton.Problem, solution *newton.Solution, c newton.Certificate, w float64) error {
	pt, h := solution.Point, solution.Hessian
	f.l.B0, f.l.B = 0, slices.Clone(pt.Beta[q.First():])
	if q.Intercept {
		f.l.B0 = pt.Beta[0]
	}
	s.Loss, s.Pearson, s.Iterations, s.Method = pt.Sums.Loss, pt.Sums.Pearson, solution.Iterations, "Newton, "+h.Method
	s.W = w
	s.Decrement, s.GradNorm = c.Decrement, blas64.Nrm2(gram.Vector(pt.Score))/s.W
	s.Root = mat.DenseCopyOf(h.Root).RawMatrix().Data
	s.StdErrDigits = countDigits(c.StdErr)
	rounding, err := s.unscale(f, (*Scaling)(q.Scaling))
	if err != nil {
		return err
	}
	s.certifyCoef(f, c.Distance, rounding)
	return nil
}

// unscale takes coefficients and the root of their covariance from the columns of
// the iteration to those of the design, and returns the rounding error of the
// intercept in it.
func (s *likelihoodState) unscale(f *linear, inner *Scaling) (rounding float64, err error) {
	if inner == nil {
		return 0, nil
	}
	design := f.l.Scaling
	f.l.Scaling = inner
	if err := f.toRaw(s.root, nil); err != nil {
		return 0, err
	}
	f.l.Scaling = design
	for j, b := range f.l.B {
		rounding += dd.Unit * float64(len(f.l.B)+2) * math.Abs(b*inner.Center[j])
	}
	return rounding, nil
}

// certifyCoef counts digits of the coefficients. To first order the estimate is
// H^-1 g from the exact one, so that no coefficient is off by more than its
// standard error times the distance: the decrement, with what rounding adds to it.
func (s *likelihoodState) certifyCoef(f *linear, distance, intercept float64) {
	var worst float64
	b := f.Coef()
	for j, se := range s.stdErr() {
		off := se * distance
		if j == 0 {
			off += intercept
		}
		worst = math.Max(worst, lsq.Ratio(off, math.Abs(b[j])))
	}
	s.CoefDigits = countDigits(worst)
}

// rankDeficient names the terms that are not kept.
func rankDeficient(names []string, keep []int, nobs int, settings string) error {
	e := &RankDeficientError{
		Rank: len(keep), Columns: len(names), NObs: nobs,
		Advice: "set " + settings + ".L2 to a positive penalty",
	}
	for j, name := range names {
		if !slices.Contains(keep, j) {
			e.Aliased = append(e.Aliased, name)
		}
	}
	return e
}

// explained names what made sums of package newton no finite numbers.
func (d *Design) explained(err error) error {
	if !errors.Is(err, newton.ErrNotFinite) {
		return err
	}
	if bad := d.checkFinite(); bad != nil {
		return bad
	}
	if len(d.Names) == 0 {
		return fmt.Errorf("%w: %v", ErrNotFinite, err)
	}
	largest := 0
	for j := range d.Names {
		if mat.Norm(d.X.ColView(j), math.Inf(1)) > mat.Norm(d.X.ColView(largest), math.Inf(1)) {
			largest = j
		}
	}
	return fmt.Errorf("%w: sums over the design overflow; rescale %q, its largest term", ErrNotFinite, d.Names[largest])
}

// root returns row j of the root of the covariance of the coefficients.
func (s *likelihoodState) root(j int) blas64.Vector {
	k := s.columns()
	return gram.Vector(s.Root[j*k : (j+1)*k])
}

// columns returns the number of coefficients.
func (s *likelihoodState) columns() int { return int(math.Round(math.Sqrt(float64(len(s.Root))))) }

// stdErr returns the standard errors of the coefficients, for a dispersion of 1.
func (s *likelihoodState) stdErr() []float64 { return algebra.RowLengths(s.Root, s.columns()) }

// vcov returns their covariance matrix.
func (s *likelihoodState) vcov() *mat.SymDense { return algebra.Covariance(s.Root, s.columns()) }

// dof returns tr (A'WA + 2 L2 I)^-1 A'WA.
func (s *likelihoodState) dof(f *linear) float64 {
	dof := float64(f.columns())
	if s.L2 > 0 {
		se := s.stdErr()
		for _, v := range se[len(se)-len(f.l.B):] {
			dof -= 2 * s.L2 * v * v
		}
	}
	return dof
}

// slopesTest tests that df slopes are zero by a likelihood ratio; P is NaN with the penalty L2, by which the deviance is not the
// smallest.
func slopesTest(stat float64, df int, l2 float64) Chi2Test {
	t := Chi2Test{Stat: stat, DF: float64(df), P: math.NaN()}
	if l2 == 0 {
		t.P = dist.Chi2Upper(stat, t.DF)
	}
	return t
}

// raw brings the coefficients of f and their covariance to raw units.
func (s *likelihoodState) raw(f *linear) error {
	scaled := *f
	s.Root = slices.Clone(s.Root)
	var spread float64
	if len(s.Root) > 0 {
		spread = blas64.Nrm2(s.root(0))
	}
	if err := f.toRaw(s.root, nil); err != nil {
		return err
	}
	s.cancel(f, &scaled, spread)
	return nil
}

// cancel takes from the digits of the intercept, and of its standard error, those
// that the sums which brought the fit scaled to raw units have canceled.
func (s *likelihoodState) cancel(f, scaled *linear, spread float64) {
	if f.l.NoIntercept || scaled.l.Scaling == nil {
		return
	}
	size := math.Abs(scaled.l.B0)
	for j, b := range f.l.B {
		center, _ := scaled.l.Scaling.at(j)
		size += math.Abs(b * center)
		spread += math.Abs(center) * blas64.Nrm2(s.root(j+1))
	}
	left := func(digits int, share float64) int {
		return min(digits, countDigits(share*(math.Pow(10, -float64(digits))+float64(len(f.l.B)+2)*dd.Unit)))
	}
	s.CoefDigits = left(s.CoefDigits, lsq.Ratio(size, math.Abs(f.l.B0)))
	s.StdErrDigits = left(s.StdErrDigits, lsq.Ratio(spread, blas64.Nrm2(s.root(0))))
}
