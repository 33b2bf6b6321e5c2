package rlm

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// StudentSettings are the options of FitStudent.
type StudentSettings struct {
	// Nu is the degrees of freedom of the noise; the default 0 has them estimated.
	Nu float64
	// Tol is the violation of the likelihood equations to stop at, see Student.Equation; the
	// default 0 is 1e-9.
	Tol float64
	// MaxIterations limits the steps; the default 0 is 10000.
	MaxIterations int
	// Source draws the rows of the planes to start from, and Subsamples is the number of
	// planes, at most 2^20; the default 0 is 200. Nil is rand.NewPCG(1, 2), so that the same
	// data give the same fit.
	Source     rand.Source
	Subsamples int
}

// Student is a fit by FitStudent. It holds no data and does not change.
type Student struct {
	mlreg.Linear
	s studentState
}

type studentState struct {
	N, Rows    int
	Nu, Scale  float64
	NuKnown    bool
	LogLik     float64
	Gaussian   float64 // log-likelihood of Gaussian noise
	Equation   float64
	Iterations int
	Root       []float64 // k x k, VCov = Root Root'
	Maxima     int       // 0 in streams of before
	Unbounded  bool
}

// The degrees of freedom that are estimated lie between these; the noise counts as Gaussian
// from the larger on.
const (
	leastNu = 0.5
	mostNu  = 1e4
)

// FitStudent maximizes the likelihood of a linear predictor with noise that has Student's
// t distribution,
//
//	y_i = b_0 + x_i'b + s e_i/sqrt(w_i),  e_i ~ t with nu degrees of freedom,
//
// over the coefficients, the scale s, and nu unless the settings have one. Rows far from the
// fit get the weight (nu + 1)/(nu + u^2), u = sqrt(w_i) r_i/s. Nu is estimated between 0.5
// and 10^4; at the latter the noise is Gaussian for all purposes, Nu is +Inf, and the
// fit is that of least squares. How much more likely the data are than with Gaussian
// noise is said by EvidenceBits.
//
// Outlying responses lose their weight, but outlying terms do not lose their lever: a single
// row far enough out in its terms carries the fit away, since a plane through it costs the other
// rows a bounded likelihood, and one past it costs the row the logarithm of its distance.
// Breakdown is 0; [Fit] has an estimate that holds there.
//
// The likelihood has no bound if a plane goes through so many rows, more than nu times the
// others, that s can go to 0. That is mlreg.ErrNotEstimable if it is where the climb from least squares
// ends; otherwise Unbounded is true, and the fit is at a maximum.
//
// Method: the EM algorithm with expanded parameters, in which nu maximizes the likelihood
// itself (Liu and Rubin, Statistica Sinica 5 (1995), 19-39); the certificate is the
// likelihood's derivative, see Equation. The likelihood can have several maxima. The climbs
// start from least squares, from least absolute deviations, and from the best of 200 planes
// through k rows drawn at random (of 2000 rows, if there are more): 40 planes for up to 250
// rows, 5 for 2000. The greatest maximum is kept; Maxima is how many there were.
//
// Nil settings are the defaults. Errors: mlreg.ErrNoData, mlreg.ErrShape, mlreg.ErrNotFinite, mlreg.ErrSetting,
// *mlreg.RankDeficientError, mlreg.ErrSaturated for n <= k, mlreg.ErrNotEstimable, and *mlreg.ConvergenceError
// beside the best fit.
//
// Lange, Little and Taylor, Journal of the American Statistical Association 84 (1989),
// 881-896.
func FitStudent(d *mlreg.Design, settings *StudentSettings) (*Student, error) {
	s := args.OrDefaults(settings)
	if err := s.complete(); err != nil {
		return nil, err
	}
	r, err := newRobustRows(d)
	if err != nil {
		return nil, err
	}
	least, err := r.leastSquares(nil, nil)
	if err != nil {
		return nil, err
	}
	n := float64(len(r.y))
	e := r.residuals(least)
	ss := gram.Squares(e)
	if math.Sqrt(ss/n) <= 1e-13*r.size() {
		return nil, fmt.Errorf("%w: the fit is exact, and the noise has no scale", mlreg.ErrNotEstimable)
	}
	var logW float64
	for _, w := range r.q.Weights {
		logW += math.Log(w) / 2
	}
	f := &Student{s: studentState{N: len(r.y), Rows: len(d.Y), NuKnown: s.Nu > 0}}
	run := &studentRun{r: r, s: &s}
	found, err := run.search(d, least, math.Sqrt(ss/n))
	if err != nil {
		return nil, err
	}
	at := found.best
	f.s.Maxima, f.s.Unbounded = len(found.maxima), found.unbounded
	unit := r.q.YUnit.Log()
	f.s.Gaussian = -n/2*(math.Log(2*math.Pi*ss/n)+1) - n*unit + logW
	f.s.LogLik = at.logLik - n*unit + logW
	f.s.Nu, f.s.Equation, f.s.Iterations = at.nu, at.equation, at.iterations
	factor := at.scale * at.scale
	if !math.IsInf(at.nu, 1) {
		factor *= (at.nu + 3) / (at.nu + 1)
	}
	f.s.Root = r.unscaled(math.Sqrt(factor))
	if f.Linear, err = mlreg.NewLinear(r.d, r.coefficients(at.b), nil); err != nil {
		return nil, err
	}
	f.s.Scale = r.q.YUnit.Out(at.scale)
	if at.equation > s.Tol {
		return f, &mlreg.ConvergenceError{Method: "EM algorithm", Iterations: at.iterations, Measure: "violation of the likelihood equations", Value: at.equation, Tol: s.Tol}
	}
	return f, nil
}

// complete refuses settings out of range, and puts defaults for zeros.
func (s *StudentSettings) complete() error {
	switch {
	case s.Nu < 0 || s.Nu != s.Nu:
		return fmt.Errorf("%w: StudentSettings.Nu = %v; degrees of freedom are positive, or 0 to be estimated", mlreg.ErrSetting, s.Nu)
	case s.Tol < 0 || s.Tol-s.Tol != 0:
		return fmt.Errorf("%w: StudentSettings.Tol = %v", mlreg.ErrSetting, s.Tol)
	case s.MaxIterations < 0:
		return fmt.Errorf("%w: StudentSettings.MaxIterations = %d", mlreg.ErrSetting, s.MaxIterations)
	case s.Subsamples < 0:
		return fmt.Errorf("%w: StudentSettings.Subsamples = %d", mlreg.ErrSetting, s.Subsamples)
	case s.Subsamples > 1<<20:
		return fmt.Errorf("%w: StudentSettings.Subsamples = %d; at most 2^20 are tried, and 200 are usual", mlreg.ErrTooLarge, s.Subsamples)
	}
	s.Tol = cmp.Or(s.Tol, 1e-9)
	s.MaxIterations = cmp.Or(s.MaxIterations, 10_000)
	if s.Source == nil {
		s.Source = rand.NewPCG(1, 2)
	}
	s.Subsamples = cmp.Or(s.Subsamples, 200)
	return nil
}

// studentRun climbs the likelihood.
type studentRun struct {
	r *robustRows
	s *StudentSettings
}

// studentPoint is where it arrived, in units of the problem.
type studentPoint struct {
	b                []float64
	nu, scale        float64
	logLik, equation float64
	iterations       int
	fixedNu          bool
	vanished         bool // the scale went to 0
}

// climb goes up from coefficients and a scale until the equations hold to tol, or the scale
// goes to 0.
func (c *studentRun) climb(b []float64, scale, tol float64) (*studentPoint, error) {
	p := &studentPoint{b: b, nu: c.s.Nu, scale: scale, fixedNu: c.s.Nu > 0}
	weights := make([]float64, len(c.r.y))
	var nuEnough float64
	if tol > c.s.Tol { // of a climb that another goes on from
		nuEnough = tol / 100
	}
	for ; ; p.iterations++ {
		if p.vanished = p.scale <= 1e-13*c.r.size(); p.vanished {
			return p, nil
		}
		e := c.r.residuals(p.b)
		if !p.fixedNu {
			p.nu = bestNu(e, p.scale, p.nu, nuEnough)
		}
		p.logLik = studentLogLik(e, p.scale, p.nu)
		p.equation = c.violation(e, p, weights)
		if p.equation <= tol || p.iterations == c.s.MaxIterations {
			return p, nil
		}
		next, err := c.r.leastSquares(p.b, weights)
		if err != nil {
			return nil, err
		}
		p.b, p.scale = next, studentScale(c.r.residuals(next), weights, p.nu)
	}
}

// studentScale is the next scale of EM with expanded parameters.
func studentScale(e, weights []float64, nu float64) float64 {
	var ss, sum float64
	for i, x := range e {
		ss += weights[i] * x * x
		sum += weights[i]
	}
	if math.IsInf(nu, 1) {
		sum = float64(len(e))
	}
	return math.Sqrt(ss / sum)
}

// studentWeights fills in (nu + 1)/(nu + u^2), u = e/scale.
func studentWeights(weights, e []float64, scale, nu float64) {
	for i, x := range e {
		weights[i] = studentWeight(x/scale, nu)
	}
}

// studentWeight is the weight of a row at u, 1 if the noise is Gaussian.
func studentWeight(u, nu float64) float64 {
	if math.IsInf(nu, 1) {
		return 1
	}
	return (nu + 1) / (nu + u*u)
}

// violation fills the weights and returns the largest derivative of the log-likelihood, in
// the coefficients, log s and, inside its range, log nu, over the number of rows.
func (c *studentRun) violation(e []float64, p *studentPoint, weights []float64) float64 {
	n := float64(len(e))
	studentWeights(weights, e, p.scale, p.nu)
	var scale float64
	for i, x := range e {
		scale += weights[i] * gram.Square(x/p.scale)
	}
	worst := math.Max(c.r.equation(weights, e, p.scale), math.Abs(scale/n-1))
	if !p.fixedNu && p.nu > leastNu && !math.IsInf(p.nu, 1) {
		worst = math.Max(worst, math.Abs(nuScore(e, p.scale, p.nu))*p.nu/n)
	}
	return worst
}

// studentLogLik is the log-likelihood of residuals.
func studentLogLik(e []float64, scale, nu float64) float64 {
	n := float64(len(e))
	if math.IsInf(nu, 1) {
		var ss float64
		for _, x := range e {
			ss += gram.Square(x / scale)
		}
		return -n*(math.Log(scale)+math.Log(2*math.Pi)/2) - ss/2
	}
	var sum float64
	for _, x := range e {
		sum += math.Log1p(gram.Square(x/scale) / nu)
	}
	upper, _ := math.Lgamma((nu + 1) / 2)
	lower, _ := math.Lgamma(nu / 2)
	return n*(upper-lower-math.Log(nu*math.Pi)/2-math.Log(scale)) - (nu+1)/2*sum
}

// nuScore is the derivative of the log-likelihood in nu.
func nuScore(e []float64, scale, nu float64) float64 {
	var sum float64
	for _, x := range e {
		u := gram.Square(x / scale)
		sum += (nu+1)*u/(nu*(nu+u)) - math.Log1p(u/nu)
	}
	return (float64(len(e))*(mathext.Digamma((nu+1)/2)-mathext.Digamma(nu/2)-1/nu) + sum) / 2
}

// bestNu maximizes the likelihood in nu between its limits: the zero of its derivative in
// log nu by false position, in a bracket around the last nu if there is one; +Inf if it is
// best at the upper limit. The derivative in log nu, over the rows, is 0 up to enough.
func bestNu(e []float64, scale, last, enough float64) float64 {
	score := func(log float64) float64 { return nuScore(e, scale, math.Exp(log)) }
	low, high := math.Log(leastNu), math.Log(mostNu)
	atLow, atHigh := math.NaN(), math.NaN()
	if last > leastNu && last < mostNu {
		for _, by := range []float64{0.01, 0.5} {
			if x := math.Log(last) - by; !(atLow > 0) && x > low {
				if v := score(x); v > 0 {
					low, atLow = x, v
				} else {
					high, atHigh = x, v
				}
			}
			if x := math.Log(last) + by; !(atHigh < 0) && x < high {
				if v := score(x); v < 0 {
					high, atHigh = x, v
				} else {
					low, atLow = x, v
				}
			}
		}
	}
	if atHigh != atHigh {
		if atHigh = score(high); atHigh >= 0 {
			return math.Inf(1)
		}
	}
	if atLow != atLow {
		if atLow = score(low); atLow <= 0 {
			return leastNu
		}
	}
	for side, k := 0, 0; k < 200 && high-low > 1e-15*math.Max(1, math.Abs(low)); k++ {
		x := low + (high-low)*atLow/(atLow-atHigh)
		if !(x > low && x < high) {
			break
		}
		v := score(x)
		if math.Abs(v)*math.Exp(x) <= enough*float64(len(e)) {
			return math.Exp(x)
		}
		// An end that stays twice counts half (the Illinois rule).
		if v > 0 {
			if low, atLow = x, v; side > 0 {
				atHigh /= 2
			}
			side = 1
		} else {
			if high, atHigh = x, v; side < 0 {
				atLow /= 2
			}
			side = -1
		}
	}
	return math.Exp(low + (high-low)/2)
}

// NObs returns the number of observations; rows of weight zero do not count.
func (f *Student) NObs() int { return f.s.N }

// Nu returns the degrees of freedom of the noise, +Inf if it is Gaussian. The estimate 0.5
// is the lower limit.
func (f *Student) Nu() float64 { return f.s.Nu }

// NuKnown tells whether the degrees of freedom were given.
func (f *Student) NuKnown() bool { return f.s.NuKnown }

// Scale returns s. The standard deviation of the noise is s sqrt(nu/(nu - 2)) for nu > 2,
// and infinite otherwise.
func (f *Student) Scale() float64 { return f.s.Scale }

// LogLik returns the log-likelihood at the estimate.
func (f *Student) LogLik() float64 { return f.s.LogLik }

// LikelihoodModel says what the likelihood is of; see the type.
func (f *Student) LikelihoodModel() *mlreg.LikelihoodModel {
	l := &mlreg.LikelihoodModel{Model: mlreg.LinearModel}
	if f.s.NuKnown {
		l.Given = map[string]string{"nu": fmt.Sprint(f.s.Nu)}
	}
	return l
}

// Parameters returns the number of coefficients, and one each for the scale and for nu if
// it was estimated.
func (f *Student) Parameters() int {
	if f.s.NuKnown {
		return len(f.Coef()) + 1
	}
	return len(f.Coef()) + 2
}

// Breakdown returns the share of rows that can be replaced by any others before the fit can
// be carried away without end: 0, as of M-estimates; see MEstimate.Breakdown.
func (f *Student) Breakdown() float64 { return 0 }

// DoFResidual returns n - k.
func (f *Student) DoFResidual() float64 { return float64(f.s.N - len(f.Coef())) }

// EvidenceBits returns how much more evidence the rows are for this noise than for Gaussian
// noise, in bits, by the BIC of both:
//
//	(log L - log L_Gauss - (q/2) log n)/log 2,  q = 1 if nu was estimated, 0 if not.
//
// Positive is for Student's t; +10 bits are odds of 1000 to 1.
func (f *Student) EvidenceBits() float64 {
	bits := f.s.LogLik - f.s.Gaussian
	if !f.s.NuKnown {
		bits -= math.Log(float64(f.s.N)) / 2
	}
	return bits / math.Ln2
}

// Equation certifies the fit: the largest derivative of the log-likelihood over n, in the
// coefficients as in MEstimate.Equation, in log s and in log nu. It is 0 at a maximum.
func (f *Student) Equation() float64 { return f.s.Equation }

// Iterations returns the number of steps.
func (f *Student) Iterations() int { return f.s.Iterations }

// Weights returns (nu + 1)/(nu + u^2) for every row of d, u = sqrt(w_i) r_i/s, which is 0 for
// a row of weight zero. Errors are those of Residuals.
func (f *Student) Weights(d *mlreg.Design) ([]float64, error) {
	r, err := f.Residuals(d)
	if err != nil {
		return nil, err
	}
	for i := range r {
		r[i] = studentWeight(math.Sqrt(d.Weight(i))*r[i]/f.s.Scale, f.s.Nu)
	}
	return r, nil
}

// LogLikRows returns the log-density of every row of d, 0 for one of weight zero; over the
// rows fitted they sum to LogLik. Errors are those of Residuals.
func (f *Student) LogLikRows(d *mlreg.Design) ([]float64, error) {
	r, err := f.Residuals(d)
	if err != nil {
		return nil, err
	}
	for i := range r {
		root := math.Sqrt(d.Weight(i))
		if root == 0 {
			r[i] = 0
			continue
		}
		r[i] = studentLogLik([]float64{root * r[i]}, f.s.Scale, f.s.Nu) + math.Log(root)
	}
	return r, nil
}

// StdErr returns the standard errors of the coefficients in the order of Names.
func (f *Student) StdErr() []float64 { return algebra.RowLengths(f.s.Root, len(f.Coef())) }

// VCov returns the covariance matrix of the coefficients in the order of Names, the inverse
// of the expected information,
//
//	s^2 (nu + 3)/(nu + 1) (A'WA)^-1.
func (f *Student) VCov() *mat.SymDense { return algebra.Covariance(f.s.Root, len(f.Coef())) }

// InferenceDoF is +Inf: statistics are normal, z.
func (f *Student) InferenceDoF() float64 { return math.Inf(1) }

// ConfInt returns limits of the coefficients; see mlreg.ConfInt.
func (f *Student) ConfInt(level float64) (report.Rows[mlreg.Interval], error) {
	return mlreg.ConfInt(f, level)
}

// Table returns the table of coefficients; see mlreg.CoefTable.
func (f *Student) Table(level float64) (report.Rows[mlreg.CoefRow], error) {
	return mlreg.CoefTable(f, level)
}

// GobEncode implements gob.GobEncoder.
func (f *Student) GobEncode() ([]byte, error) { return stream.Encode(f, &f.Linear, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *Student) GobDecode(b []byte) error { return stream.Decode(b, f, nil, &f.Linear, &f.s) }

// PIT returns the probability integral transform of every row of d, the probability of a
// smaller response than the one seen: uniform between 0 and 1 if the noise is as fitted. A
// histogram with a hump says that the noise has less spread, one with horns that it has more.
// With StudentSettings.Nu = +Inf the noise is Gaussian. It is NaN for a row of weight zero,
// whose noise has no scale. Errors are those of Residuals.
func (f *Student) PIT(d *mlreg.Design) ([]float64, error) {
	r, err := f.Residuals(d)
	if err != nil {
		return nil, err
	}
	for i := range r {
		u := math.Sqrt(d.Weight(i)) * r[i] / f.s.Scale
		both, _, _ := dist.TTails(math.Abs(u), f.s.Nu) // P(|T| >= |u|)
		switch {
		case d.Weight(i) == 0:
			r[i] = math.NaN()
		case u > 0:
			r[i] = 1 - both/2
		default:
			r[i] = both / 2
		}
	}
	return r, nil
}

// Describe returns the table of the fit; see mlreg.Summary.
func (f *Student) Describe() *report.Table {
	t := tables.OrError(mlreg.Summary(f, 0.95))
	nu := "noise: Student's t with " + format.Number(f.Nu(), 4) + " degrees of freedom"
	if math.IsInf(f.Nu(), 1) {
		nu = "noise: Gaussian, the limit of Student's t"
	}
	if !f.NuKnown() {
		nu += " (estimated)"
	}
	t.Notes = append(t.Notes,
		nu+", scale "+format.Number(f.Scale(), format.Digits),
		fmt.Sprintf("evidence against Gaussian noise: %s bits", format.Decimal(f.EvidenceBits(), 1)),
		"breakdown at "+format.Percent(f.Breakdown())+" of the rows: outlying responses lose their weight, rows far out in their terms do not; see Fit",
		fmt.Sprintf("%s, likelihood equations hold to %s", format.Plural(f.Iterations(), "iteration"), format.PowerAbove(math.Max(f.Equation(), 1e-15))))
	if note := f.maximaNote(); note != "" {
		t.Notes = append(t.Notes, note)
	}
	return t
}

// Kind names the fit in the title of its tables.
func (f *Student) Kind() string { return "Student-t regression" }

// String writes the table of the fit as text.
func (f *Student) String() string { return f.Describe().String() }
