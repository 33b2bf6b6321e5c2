package mlreg

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// LogisticSettings are the options of FitLogistic.
type LogisticSettings struct {
	// L2 is the weight lambda of the penalty lambda |b|_2^2 on the slopes, in
	// the units of the design; the default 0 is maximum likelihood. L2 is the
	// Gaussian prior N(0, 1/(2 L2)) on each slope.
	L2 float64
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
	likelihoodFit
}

// FitLogistic maximizes the likelihood of
//
//	P(y_i = second class | x_i) = 1/(1 + exp(-eta_i)),  eta_i = o_i + b_0 + x_i'b,
//
// that is, with s_i = 1 for the second class and -1 for the first, it minimizes
//
//	sum_i w_i log(1 + exp(-s_i eta_i)) + L2 |b|_2^2
//
// over the intercept b_0 (unless the design has none), which is not penalized,
// and the p slopes b. The weights w_i, 1 unless the design has others, count
// observations; the offsets o_i are Design.Offset. There is no penalty unless L2 is set.
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
// block, with the cross-products of the weighted rows; memory is that of one block. A source.Design with
// factors of many levels gives rows by their cells, of their numbers and without dummies: a step takes n k^2 operations for k numbers,
// not n p^2 for all p columns. A design of package
// frames/source all of whose terms are of factors takes one pass: rows of one cell and class are one row, which has the sum
// of their weights. With numbers among its terms, and Pushed for its route, as it was set or because that is estimated to be faster for a likelihood, too, a database computes
// gradient, Hessian and likelihood of a step by one statement; Digits count what its sums and functions may be off by. Rows
// are read nevertheless where that does not settle that there is an estimate (classes that may be separated, aliased terms, a
// linear predictor beyond 300), and where SQL does not compute the terms; Method says which it was.
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
	m := likelihoodModel{family: Binomial, link: LogitLink, labels: true, settings: "LogisticSettings"}
	m.likelihoodSettings = likelihoodSettings(args.OrDefaults(settings))
	if err := m.check(m.settings); err != nil {
		return nil, err
	}
	g, err := m.fit(rows)
	if best(err) {
		return &Logistic{logit{g.linear, logitState{g.c.Classes}}, g.likelihoodFit}, err
	}
	return nil, err
}

// StdErr returns the standard errors of the coefficients in the order of Names.
func (f *Logistic) StdErr() []float64 { return f.s.stdErr() }

// VCov returns the covariance matrix of the coefficients in the order of Names,
// the inverse of the Hessian of the objective at the estimate,
//
//	(A'WA + 2 L2 I)^-1,  W = diag(w_i p_i (1-p_i)),  A = [1 X],
//
// where I has a zero for the intercept. With L2 > 0 that is the covariance of
// the Laplace approximation to the posterior under the Gaussian prior of L2.
func (f *Logistic) VCov() *mat.SymDense { return f.s.vcov() }

// InferenceDoF is +Inf: statistics are normal, z.
func (f *Logistic) InferenceDoF() float64 { return math.Inf(1) }

// Table returns the table of coefficients with z statistics and Wald limits at
// the given level; see CoefTable.
func (f *Logistic) Table(level float64) (report.Rows[CoefRow], error) { return CoefTable(f, level) }

// ConfInt returns Wald limits of the coefficients; see the function ConfInt.
func (f *Logistic) ConfInt(level float64) (report.Rows[Interval], error) { return ConfInt(f, level) }

// OddsRatios returns exp of the coefficients and of their limits, the
// intercept's (the odds at x = 0) included, in the order of Names. The level is
// between 0 and 1 (ErrSetting).
func (f *Logistic) OddsRatios(level float64) (report.Rows[OddsRatio], error) {
	return ratios(f, level, false)
}

// Leverage returns w p (1-p) a'VCov a for every row a = (1, x) of d: for the rows
// fitted by maximum likelihood the diagonal of the weighted hat matrix, which
// sums to DoF.
func (f *Logistic) Leverage(d *Design) ([]float64, error) {
	p, err := f.Predict(d)
	if err != nil {
		return nil, err
	}
	h, err := f.quadratic(d, f.s.Root)
	if err != nil {
		return nil, err
	}
	for i := range h {
		h[i] *= d.Weight(i) * p[i] * (1 - p[i])
	}
	return h, nil
}

// LogLik returns the log-likelihood at the estimate, without the penalty.
func (f *Logistic) LogLik() float64 { return -f.s.Loss }

// LikelihoodModel says what the likelihood is of; see the type.
func (f *Logistic) LikelihoodModel() *LikelihoodModel {
	return &LikelihoodModel{Model: modelOf(Binomial, LogitLink), Maximized: penalizedBy(f.s.L2)}
}

// Parameters returns the number of coefficients, whatever the penalty.
func (f *Logistic) Parameters() int { return f.columns() }

// DoF returns the effective degrees of freedom, tr (A'WA + 2 L2 I)^-1 A'WA: the
// number of coefficients if there is no penalty.
func (f *Logistic) DoF() float64 { return f.s.dof(&f.linear) }

// DoFResidual returns NObs - DoF.
func (f *Logistic) DoFResidual() float64 { return float64(f.s.N) - f.DoF() }

// LR is the likelihood-ratio test that all slopes are zero: Stat is NullDeviance
// less Deviance, chi-squared with one degree of freedom a slope. P is NaN for a
// penalized fit, whose deviance is not the smallest.
func (f *Logistic) LR() Chi2Test {
	return slopesTest(f.NullDeviance()-f.Deviance(), len(f.l.B), f.s.L2)
}

// Digits returns how many decimal digits of every coefficient, and of every
// standard error, the fit stands behind, 0 to 15: the least over the
// coefficients, from the decrement and a bound on the rounding errors of the
// gradient, taking the numbers of the design for exact.
func (f *Logistic) Digits() (coef, stderr int) { return f.s.CoefDigits, f.s.StdErrDigits }

// Raw returns the same fit with coefficients and covariance in the raw units of
// the data; see OLS.Raw. L2 stays in the units of the design fitted. Digits are
// fewer by those that cancel in the intercept; they take the scaled numbers for
// exact.
func (f *Logistic) Raw() (*Logistic, error) {
	raw := *f
	if err := raw.s.raw(&raw.linear); err != nil {
		return nil, err
	}
	return &raw, nil
}

// GobEncode implements gob.GobEncoder.
func (f *Logistic) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.c, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *Logistic) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.c, &f.s) }

// Describe returns the table of the fit; see Summary.
func (f *Logistic) Describe() *report.Table { return summary(f) }

// String writes the table of the fit as text.
func (f *Logistic) String() string { return f.Describe().String() }
