package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/newton"
)

// LogisticSettings are the options of FitLogistic.
type LogisticSettings struct {
	// L2 is the weight lambda of the penalty lambda |b|_2^2 on the slopes, in
	// the units of the design; the default 0 is maximum likelihood. L2 is the
	// Gaussian prior N(0, 1/(2 L2)) on each slope.
	L2 float64
	// Offset names a term of the design whose coefficient is known to be 1, in
	// raw units; Design.Offset is the same without a term: log exposure, or the log odds of another model. It is not one
	// of the fit's coefficients, and rows to predict must have it.
	Offset string
	// Tol is the Newton decrement to stop at, by default 1e-11: see
	// Logistic.Decrement.
	Tol float64
	// MaxIterations limits the Newton steps, by default to 100.
	MaxIterations int
}

// Logistic is a logistic regression of two classes. It holds no data and does
// not change.
type Logistic struct {
	logit
	s logisticState
}

type logisticState struct {
	L2           float64
	N            int
	W            float64 // sum of weights
	Loss, Null   float64 // minus log-likelihoods
	Root         []float64
	Decrement    float64
	GradNorm     float64
	Iterations   int
	Method       string
	CoefDigits   int
	StdErrDigits int
}

// FitLogistic maximizes the likelihood of
//
//	P(y_i = second class | x_i) = 1/(1 + exp(-eta_i)),  eta_i = b_0 + x_i'b,
//
// that is, with s_i = 1 for the second class and -1 for the first, it minimizes
//
//	sum_i w_i log(1 + exp(-s_i eta_i)) + L2 |b|_2^2
//
// over the intercept b_0 (unless the design has none), which is not penalized,
// and the p slopes b. The weights w_i, 1 unless the design has others, count
// observations. There is no penalty unless L2 is set.
//
// The response has the labels 0 and 1, or -1 and 1, or is the index of one of
// two Classes; Logistic.Classes tells them in order.
//
// Newton's method (iteratively reweighted least squares) with a line search, in
// columns centered and scaled where their location or unit would cost digits;
// large designs start from the fit to a part of the rows. The result is a
// certified minimum, see Decrement and Digits. The estimate does not exist if a
// linear combination of the terms separates the classes; that is decided by
// linear programming whenever the iteration does not settle it, and is then a
// *SeparationError that names the combination.
//
// Rows may come in blocks (RowBlocks). Up to four million numbers are put together and
// fitted as a design is. Of more, every Newton step is one pass, from the fit to the first
// block, with the cross-products of the weighted rows; memory is that of one block.
//
// Nil settings are the defaults. Errors: ErrNoData, ErrShape, ErrNotFinite,
// ErrSetting; ErrChanged for blocks that change between passes; ErrLabels for one class only, more than two, or other numbers;
// *RankDeficientError for aliased terms, as there are if p >= n, unless L2 > 0;
// *SeparationError; and *ConvergenceError beside the best fit found.
//
// References: McCullagh and Nelder, Generalized Linear Models, 2nd ed., chapter
// 4; Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd
// ed., section 4.4.
func FitLogistic(rows RowBlocks, settings *LogisticSettings) (*Logistic, error) {
	s := orDefaults(settings)
	if err := s.check(); err != nil {
		return nil, err
	}
	d, ok := rows.(*Design)
	if !ok {
		return fitLogisticBlocks(rows, s)
	}
	return logisticOfRows(d, s)
}

// logisticOfRows is FitLogistic of a design, for settings with their defaults.
func logisticOfRows(d *Design, s LogisticSettings) (*Logistic, error) {
	classes, y, err := d.binaryLabels()
	if err != nil {
		return nil, err
	}
	f := &Logistic{logit{c: logitState{classes, s.Offset}}, logisticState{L2: s.L2, N: d.positiveRows()}}
	terms, offset, err := f.split(d)
	if err != nil {
		return nil, err
	}
	f.l = linearState{header: terms.header()}
	q := newton.Problem{
		X: terms.X.RawMatrix(), Weights: d.Weights, Fit: newton.NewLogistic(y, d.Weights),
		Offset: offset, L2: s.L2, Intercept: !d.NoIntercept,
	}
	if f.l.B0, f.s.Null, err = q.Null(); err != nil {
		return nil, d.explained(err)
	}
	n := newton.Settings{Tol: s.Tol, Most: s.MaxIterations}
	if s.L2 == 0 {
		n.Doubt = func() error {
			return separated(func() (*newton.Separation, error) { return q.Separation(y) }, f.Names(), d.Response, classes)
		}
	}
	c := q.Conditioned()
	start, approximate := c.Start(f.l.B0)
	solution, err := c.Solve(start, approximate, n)
	if errors.Is(err, newton.ErrSingular) {
		return nil, rankDeficient(f.Names(), solution.Hessian.Keep, f.s.N, "LogisticSettings")
	}
	if err != nil {
		return nil, d.explained(err)
	}
	certificate, err := c.Certify(solution)
	if err != nil {
		return nil, d.explained(err)
	}
	w := float64(d.NObs())
	if d.Weights != nil {
		w = floats.Sum(d.Weights)
	}
	if err := f.set(c, solution, certificate, w); err != nil {
		return nil, err
	}
	return f, notConverged(solution.Converged, solution.Iterations, solution.Decrement, s.Tol)
}

// check refuses settings out of range and puts defaults for zeros.
func (s *LogisticSettings) check() error {
	switch {
	case s.L2 < 0 || math.IsNaN(s.L2) || math.IsInf(s.L2, 0):
		return fmt.Errorf("%w: LogisticSettings.L2 = %v; a penalty is not negative", ErrSetting, s.L2)
	case s.Tol < 0 || math.IsNaN(s.Tol):
		return fmt.Errorf("%w: LogisticSettings.Tol = %v", ErrSetting, s.Tol)
	case s.MaxIterations < 0:
		return fmt.Errorf("%w: LogisticSettings.MaxIterations = %d", ErrSetting, s.MaxIterations)
	}
	if s.Tol == 0 {
		s.Tol = 1e-11
	}
	if s.MaxIterations == 0 {
		s.MaxIterations = 100
	}
	return nil
}

// notConverged returns nil, or the error beside the best fit of Newton's method.
func notConverged(converged bool, iterations int, decrement, tol float64) error {
	if converged {
		return nil
	}
	return &ConvergenceError{Method: "Newton's method", Iterations: iterations, Measure: "decrement", Value: decrement, Tol: tol}
}

// set takes a solution and its certificate, given the sum of weights.
func (f *Logistic) set(q *newton.Problem, solution *newton.Solution, c newton.Certificate, w float64) error {
	pt, h := solution.Point, solution.Hessian
	f.l.B0, f.l.B = 0, slices.Clone(pt.Beta[q.First():])
	if q.Intercept {
		f.l.B0 = pt.Beta[0]
	}
	s := &f.s
	s.Loss, s.Iterations, s.Method, s.W = pt.Sums.Loss, solution.Iterations, "Newton, "+h.Method, w
	s.Decrement, s.GradNorm = c.Decrement, blas64.Nrm2(gram.Vector(pt.Score))/s.W
	s.Root = mat.DenseCopyOf(h.Root).RawMatrix().Data
	s.StdErrDigits = countDigits(c.StdErr)
	rounding, err := f.unscale((*Scaling)(q.Scaling))
	if err != nil {
		return err
	}
	f.certifyCoef(c.Distance, rounding)
	return nil
}

// unscale takes coefficients and the root of their covariance from the columns of
// the iteration to those of the design, and returns the rounding error of the
// intercept in it.
func (f *Logistic) unscale(inner *Scaling) (rounding float64, err error) {
	if inner == nil {
		return 0, nil
	}
	design := f.l.Scaling
	f.l.Scaling = inner
	if err := f.toRaw(f.root, nil); err != nil {
		return 0, err
	}
	f.l.Scaling = design
	for j, b := range f.l.B {
		rounding += unit * float64(len(f.l.B)+2) * math.Abs(b*inner.Center[j])
	}
	return rounding, nil
}

// certifyCoef counts digits of the coefficients. To first order the estimate is
// H^-1 g from the exact one, so that no coefficient is off by more than its
// standard error times the distance: the decrement, with what rounding adds to it.
func (f *Logistic) certifyCoef(distance, intercept float64) {
	var worst float64
	b := f.Coef()
	for j, se := range f.StdErr() {
		off := se * distance
		if j == 0 {
			off += intercept
		}
		worst = math.Max(worst, lsq.Ratio(off, math.Abs(b[j])))
	}
	f.s.CoefDigits = countDigits(worst)
}

// rankDeficient names the terms that are not kept.
func rankDeficient(names []string, keep []int, nobs int, settings string) error {
	e := &RankDeficientError{
		Rank: len(keep), Columns: len(names), NObs: nobs,
		advice: "set " + settings + ".L2 to a positive penalty",
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

// StdErr returns the standard errors of the coefficients in the order of Names.
func (f *Logistic) StdErr() []float64 {
	se := make([]float64, f.columns())
	for j := range se {
		se[j] = blas64.Nrm2(f.root(j))
	}
	return se
}

// VCov returns the covariance matrix of the coefficients in the order of Names,
// the inverse of the Hessian of the objective at the estimate,
//
//	(A'WA + 2 L2 I)^-1,  W = diag(w_i p_i (1-p_i)),  A = [1 X],
//
// where I has a zero for the intercept. With L2 > 0 that is the covariance of
// the Laplace approximation to the posterior under the Gaussian prior of L2.
func (f *Logistic) VCov() *mat.SymDense {
	k := f.columns()
	return outer(mat.NewDense(k, k, f.s.Root))
}

func (f *Logistic) root(j int) blas64.Vector {
	k := f.columns()
	return gram.Vector(f.s.Root[j*k : (j+1)*k])
}

// InferenceDoF is +Inf: statistics are normal, z.
func (f *Logistic) InferenceDoF() float64 { return math.Inf(1) }

// Table returns the table of coefficients with z statistics and Wald limits at
// the given level; see CoefTable.
func (f *Logistic) Table(level float64) (CoefRows, error) { return CoefTable(f, level) }

// ConfInt returns Wald limits of the coefficients; see the function ConfInt.
func (f *Logistic) ConfInt(level float64) (Intervals, error) { return ConfInt(f, level) }

// OddsRatio is the factor exp(b_j) by which the odds of the second class grow
// with a unit of a term, all else equal, with limits, and the P of the Wald test
// that it is 1.
type OddsRatio struct {
	Term                   string
	Ratio, Lower, Upper, P float64
}

// OddsRatios returns exp of the coefficients and of their limits, the
// intercept's (the odds at x = 0) included, in the order of Names. The level is
// between 0 and 1 (ErrSetting).
func (f *Logistic) OddsRatios(level float64) (OddsRatios, error) {
	rows, err := f.Table(level)
	if err != nil {
		return nil, err
	}
	odds := make([]OddsRatio, len(rows))
	for j, r := range rows {
		odds[j] = OddsRatio{r.Term, math.Exp(r.Estimate), math.Exp(r.Lower), math.Exp(r.Upper), r.P}
	}
	return odds, nil
}

// Leverage returns w p (1-p) a'VCov a for every row a = (1, x) of d: for the rows
// fitted by maximum likelihood the diagonal of the weighted hat matrix, which
// sums to DoF.
func (f *Logistic) Leverage(d *Design) ([]float64, error) {
	p, err := f.Predict(d)
	if err != nil {
		return nil, err
	}
	x, err := f.rows(d)
	if err != nil {
		return nil, err
	}
	h := newton.Quadratic(x.RawMatrix(), f.s.Root, !f.l.NoIntercept)
	for i := range h {
		h[i] *= d.weight(i) * p[i] * (1 - p[i])
	}
	return h, nil
}

// NObs returns the number of observations; rows of weight zero do not count.
func (f *Logistic) NObs() int { return f.s.N }

// L2 returns the weight of the penalty.
func (f *Logistic) L2() float64 { return f.s.L2 }

// LogLik returns the log-likelihood at the estimate, without the penalty.
func (f *Logistic) LogLik() float64 { return -f.s.Loss }

// Parameters returns the number of coefficients, whatever the penalty.
func (f *Logistic) Parameters() int { return f.columns() }

// DoF returns the effective degrees of freedom, tr (A'WA + 2 L2 I)^-1 A'WA: the
// number of coefficients if there is no penalty.
func (f *Logistic) DoF() float64 {
	dof := float64(f.columns())
	if f.s.L2 > 0 {
		se := f.StdErr()
		for _, v := range se[len(se)-len(f.l.B):] {
			dof -= 2 * f.s.L2 * v * v
		}
	}
	return dof
}

// DoFResidual returns NObs - DoF.
func (f *Logistic) DoFResidual() float64 { return float64(f.s.N) - f.DoF() }

// Deviance returns -2 LogLik.
func (f *Logistic) Deviance() float64 { return 2 * f.s.Loss }

// NullDeviance returns the deviance of the model of the intercept alone, with
// the offset if there is one; without an intercept, of eta = 0 or the offset.
func (f *Logistic) NullDeviance() float64 { return 2 * f.s.Null }

// LR is the likelihood-ratio test that all slopes are zero: Stat is NullDeviance
// less Deviance, chi-squared with one degree of freedom a slope. P is NaN for a
// penalized fit, whose deviance is not the smallest.
func (f *Logistic) LR() Chi2Test {
	t := Chi2Test{Stat: f.NullDeviance() - f.Deviance(), DF: float64(len(f.l.B)), P: math.NaN()}
	if f.s.L2 == 0 {
		t.P = chi2Upper(t.Stat, t.DF)
	}
	return t
}

// LikelihoodRatioTest tests a fit against a larger one that contains it, both by
// maximum likelihood of the same observations:
//
//	2 (LogLik(large) - LogLik(small)),
//
// which is chi-squared with the difference of Parameters for its degrees of
// freedom. The error (ErrShape) says if the numbers of observations differ, the
// large one has not more parameters, or it has less likelihood.
func LikelihoodRatioTest(small, large Likelihood) (Chi2Test, error) {
	if err := given("the small fit", small); err != nil {
		return Chi2Test{}, err
	}
	if err := given("the large fit", large); err != nil {
		return Chi2Test{}, err
	}
	df := large.Parameters() - small.Parameters()
	stat := 2 * (large.LogLik() - small.LogLik())
	switch {
	case small.NObs() != large.NObs():
		return Chi2Test{}, fmt.Errorf("%w: the fits are of %d and %d observations", ErrShape, small.NObs(), large.NObs())
	case df <= 0:
		return Chi2Test{}, fmt.Errorf("%w: the fits have %d and %d parameters; put the smaller first", ErrShape, small.Parameters(), large.Parameters())
	case stat < -1e-9*math.Abs(large.LogLik()):
		return Chi2Test{}, fmt.Errorf("%w: the larger fit has the smaller likelihood, so the smaller is not contained in it, or one is penalized", ErrShape)
	}
	stat = math.Max(stat, 0)
	return Chi2Test{stat, float64(df), chi2Upper(stat, float64(df))}, nil
}

// Decrement certifies the fit: the Newton decrement sqrt(g'VCov g) for the
// gradient g of the objective at the estimate. To first order every coefficient
// is within Decrement standard errors of the exact one.
func (f *Logistic) Decrement() float64 { return f.s.Decrement }

// GradNorm returns the Euclidean length of the gradient of the objective divided
// by the sum of weights. Terms whose mean is more than eight of their standard
// deviations from zero count as centered for it.
func (f *Logistic) GradNorm() float64 { return f.s.GradNorm }

// Digits returns how many decimal digits of every coefficient, and of every
// standard error, the fit stands behind, 0 to 15: the least over the
// coefficients, from the decrement and a bound on the rounding errors of the
// gradient, taking the numbers of the design for exact.
func (f *Logistic) Digits() (coef, stderr int) { return f.s.CoefDigits, f.s.StdErrDigits }

// Iterations returns the number of Newton steps over all rows.
func (f *Logistic) Iterations() int { return f.s.Iterations }

// Method names the algorithm.
func (f *Logistic) Method() string { return f.s.Method }

// Raw returns the same fit with coefficients and covariance in the raw units of
// the data; see OLS.Raw. L2 stays in the units of the design fitted. Digits are
// fewer by those that cancel in the intercept; they take the scaled numbers for
// exact.
func (f *Logistic) Raw() (*Logistic, error) {
	raw := *f
	raw.s.Root = slices.Clone(f.s.Root)
	if err := raw.toRaw(raw.root, nil); err != nil {
		return nil, err
	}
	raw.cancel(f)
	return &raw, nil
}

// cancel takes from the digits of the intercept, and of its standard error, those
// that the sums which brought the fit scaled to raw units have canceled.
func (f *Logistic) cancel(scaled *Logistic) {
	if f.l.NoIntercept || scaled.l.Scaling == nil {
		return
	}
	size, spread := math.Abs(scaled.l.B0), blas64.Nrm2(scaled.root(0))
	for j, b := range f.l.B {
		center, _ := scaled.l.Scaling.at(j)
		size += math.Abs(b * center)
		spread += math.Abs(center) * blas64.Nrm2(f.root(j+1))
	}
	left := func(digits int, share float64) int {
		return min(digits, countDigits(share*(math.Pow(10, -float64(digits))+float64(len(f.l.B)+2)*unit)))
	}
	f.s.CoefDigits = left(f.s.CoefDigits, lsq.Ratio(size, math.Abs(f.l.B0)))
	f.s.StdErrDigits = left(f.s.StdErrDigits, lsq.Ratio(spread, blas64.Nrm2(f.root(0))))
}

// GobEncode implements gob.GobEncoder.
func (f *Logistic) GobEncode() ([]byte, error) { return gobEncode(f, &f.l, &f.c, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *Logistic) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.c, &f.s) }
