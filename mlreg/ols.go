package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// AliasedPolicy says what FitOLS does with terms that are linear combinations
// of the terms before them.
type AliasedPolicy int

const (
	// ErrorOnAliased returns a *RankDeficientError that names them. Default.
	ErrorOnAliased AliasedPolicy = iota
	// DropAliased fits the others and gives the aliased terms the coefficient
	// NaN, as R's lm does with NA; Aliased names them.
	DropAliased
	// MinimumNorm gives the least-squares solution whose slopes, in the units
	// of the design, have the smallest sum of squares. The intercept does not
	// count. It is what NumPy's lstsq and the pseudo-inverse give, for centered
	// columns, and it interpolates when p >= n.
	MinimumNorm
)

// OLSSettings are the options of FitOLS.
type OLSSettings struct {
	// Aliased is the policy for a rank-deficient design.
	Aliased AliasedPolicy
	// Sigma2 is the noise variance if it is known: limits are then normal
	// (z). The default 0 estimates it by RSS/DoFResidual: limits are
	// Student's (t).
	Sigma2 float64
}

// OLS is an ordinary (or, on weighted rows, weighted) least-squares fit. It
// holds no data and does not change.
type OLS struct {
	linear
	s olsState
}

type olsState struct {
	N           int     // observations of positive weight
	W, LogW     float64 // sums of weights and of log weights
	Rank        int     // intercept included
	RSS, TSS    float64
	Sigma2Known float64   // 0: estimated
	Root        []float64 // K x Rank: (A'A)^+ = Root Root', A = [1 X]; aliased rows are NaN
	// The aliased columns of A in the orthonormal basis A Root of the others, Rank
	// numbers each, in any units; nil after a minimum-norm fit.
	Rest   []float64
	Cond   float64
	Orth   float64
	Method string

	CoefDigits, StdErrDigits int
	CoefInputs, StdErrInputs int // the same if the raw data are rounded

	RootLow         []float64 // what rounding took from Root, and nothing from its last rows; nil if that is not known
	Twofold         bool      // the design fitted carried what rounding took from it
	Bound, RawBound lsq.Certificate
	Inputs          lsq.Certificate // RawBound with the rounding of the raw data
	YExp            problem.Unit
	YLength         float64   // |y| = 2^YExp YLength
	Length          []float64 // K: of the columns of A
	Spread          float64   // largest sum_j |l_j t_j| / |sum_j l_j t_j| of a coefficient that Raw combined
}

// FitOLS minimizes
//
//	RSS(b_0, b) = sum_i w_i (y_i - b_0 - x_i'b)^2
//
// over the intercept b_0 (unless the design has none) and the p slopes b; the
// weights w_i are 1 unless the design has others. It is the maximum-likelihood
// estimate under Gaussian noise of variance sigma^2/w_i, and solves the normal
// equations A'A b = A'y with A = [1 X].
//
// Rows (*Design) are solved by Householder QR of A in double-double arithmetic
// (about 32 digits) as long as that takes well under a second. Larger designs, if
// n >= 2p and the columns are not too ill-conditioned, are solved by Cholesky of
// the centered cross-products followed by corrections from the residuals of the rows.
// Sums (*Moments) are solved by Cholesky alone, whose error grows with the square of
// the condition number. Rows in blocks (RowBlocks) are fitted by their sums, and where these
// leave standard errors fewer than three digits, or take a term for aliased, by two more passes, in
// which they are factored as rows in memory are (see RefineOLS), if n k^2 <= 1e10. Method names
// the algorithm, and Digits counts the digits.
// A term is aliased, see AliasedPolicy, in three cases: its part orthogonal to the
// terms before it is below 1e-13 (rows) or 1e-7 (sums) of its length; beside an
// intercept it varies by less than 1e-13 of its length; or the rounding of the sums
// hides it. Where the rounding of a QR in float64 could hide it, the combination of the terms
// before is formed, and what it leaves of the rows measured in double-double arithmetic.
//
// Nil settings are the defaults. Errors: ErrNoData, ErrShape, ErrNotFinite,
// ErrSetting, and *RankDeficientError naming the aliased terms.
//
// References: Golub and Van Loan, Matrix Computations, 4th ed., sections 5.2,
// 5.3 and 5.5; Hastie, Tibshirani and Friedman, The Elements of Statistical
// Learning, 2nd ed., section 3.2.
func FitOLS(data Data, settings *OLSSettings) (*OLS, error) {
	s := args.OrDefaults(settings)
	if err := s.check(); err != nil {
		return nil, err
	}
	if d, ok := data.(*Design); ok {
		return fitRows(d, s)
	}
	if err := args.Given("data", data); err != nil {
		return nil, err
	}
	m, err := data.Moments()
	if err != nil {
		return nil, err
	}
	rows, _ := data.(RowBlocks)
	return fitSums(m, rows, s)
}

// check says what is wrong with the settings.
func (s *OLSSettings) check() error {
	if s.Sigma2 < 0 || math.IsNaN(s.Sigma2) || math.IsInf(s.Sigma2, 0) {
		return fmt.Errorf("%w: OLSSettings.Sigma2 = %v; a known variance is positive and finite", ErrSetting, s.Sigma2)
	}
	if s.Aliased < ErrorOnAliased || s.Aliased > MinimumNorm {
		return fmt.Errorf("%w: OLSSettings.Aliased = %d; it is ErrorOnAliased, DropAliased or MinimumNorm", ErrSetting, s.Aliased)
	}
	return nil
}

// StdErr returns the standard errors of the coefficients in the order of
// Names, the roots of the diagonal of VCov.
func (f *OLS) StdErr() []float64 {
	sigma := math.Sqrt(f.Sigma2())
	se := make([]float64, f.columns())
	for j := range se {
		se[j] = sigma * blas64.Nrm2(f.root(j))
	}
	return se
}

// VCov returns the covariance matrix of the coefficients in the order of
// Names, Sigma2 (A'A)^-1 with A = [1 X] (weighted: A'WA); NaN for aliased
// terms.
func (f *OLS) VCov() *mat.SymDense {
	k := f.columns()
	sigma2 := f.Sigma2()
	if algebra.Large(k, f.s.Rank, k) {
		v := algebra.Outer(mat.NewDense(k, f.s.Rank, f.s.Root))
		v.ScaleSym(sigma2, v)
		return v
	}
	v := mat.NewSymDense(k, nil)
	for i := range k {
		for j := i; j < k; j++ {
			v.SetSym(i, j, sigma2*blas64.Dot(f.root(i), f.root(j)))
		}
	}
	return v
}

// root returns row j of the root of (A'A)^+.
func (f *OLS) root(j int) blas64.Vector {
	r := f.s.Rank
	return blas64.Vector{N: r, Inc: 1, Data: f.s.Root[j*r : (j+1)*r]}
}

// NObs returns the number of observations; rows of weight zero do not count.
func (f *OLS) NObs() int { return f.s.N }

// DoF returns the degrees of freedom of the fit, the trace of the hat matrix:
// the rank of A = [1 X].
func (f *OLS) DoF() float64 { return float64(f.s.Rank) }

// DoFResidual returns NObs - DoF.
func (f *OLS) DoFResidual() float64 { return float64(f.s.N - f.s.Rank) }

// RSS returns the residual sum of squares, weighted if the design is.
func (f *OLS) RSS() float64 { return f.s.RSS }

// TSS returns the total sum of squares, sum w_i (y_i - mean)^2 with the weighted
// mean, or sum w_i y_i^2 in a fit without intercept.
func (f *OLS) TSS() float64 { return f.s.TSS }

// Sigma2 returns the noise variance: the known one, or RSS/DoFResidual, which
// is NaN if no degree of freedom is left.
func (f *OLS) Sigma2() float64 {
	switch {
	case f.s.Sigma2Known > 0:
		return f.s.Sigma2Known
	case f.s.N <= f.s.Rank:
		return math.NaN()
	}
	return f.s.RSS / f.DoFResidual()
}

// SigmaKnown is true if the noise variance was given: limits are then normal.
// Otherwise it is estimated, and limits are Student's with DoFResidual degrees of
// freedom.
func (f *OLS) SigmaKnown() bool { return f.s.Sigma2Known > 0 }

// R2 returns 1 - RSS/TSS, NaN if the response is constant. TSS is not centered in
// a fit without intercept, as in R.
func (f *OLS) R2() float64 {
	if f.s.TSS == 0 {
		return math.NaN()
	}
	return 1 - f.s.RSS/f.s.TSS
}

// AdjR2 returns 1 - (1 - R2) (n - i)/(n - rank) with i = 1 if there is an
// intercept and 0 if not.
func (f *OLS) AdjR2() float64 {
	return 1 - (1-f.R2())*(float64(f.s.N)-f.interceptDoF())/f.DoFResidual()
}

func (f *OLS) interceptDoF() float64 {
	if f.l.NoIntercept {
		return 0
	}
	return 1
}

// F tests that all slopes are zero,
//
//	F = (TSS - RSS)/(rank - i) / Sigma2,
//
// with i = 1 if there is an intercept; DF2 is infinite if sigma is known, and
// DF1 F is then chi-squared. F and P are NaN if there is no slope to test, if the
// response is constant, or if no degree of freedom is left.
func (f *OLS) F() FTest {
	df1, df2 := f.DoF()-f.interceptDoF(), f.InferenceDoF()
	if df1 <= 0 || df2 <= 0 || f.s.TSS == 0 { // zero is a constant response
		return FTest{math.NaN(), df1, df2, math.NaN()}
	}
	stat := (f.s.TSS - f.s.RSS) / df1 / f.Sigma2()
	return FTest{stat, df1, df2, dist.FUpper(stat, df1, df2)}
}

// LogLik returns the Gaussian log-likelihood at the estimate. If sigma^2 is
// estimated, it is maximized over sigma^2 too, at RSS/n:
//
//	-n/2 (log(2 pi RSS/n) + 1) + 1/2 sum log w_i,
//
// and if it is known,
//
//	-n/2 log(2 pi sigma^2) - RSS/(2 sigma^2) + 1/2 sum log w_i.
func (f *OLS) LogLik() float64 {
	n := float64(f.s.N)
	if f.SigmaKnown() {
		return -n/2*math.Log(2*math.Pi*f.s.Sigma2Known) - f.s.RSS/(2*f.s.Sigma2Known) + f.s.LogW/2
	}
	return -n/2*(math.Log(2*math.Pi*f.s.RSS/n)+1) + f.s.LogW/2
}

// LikelihoodModel says what the likelihood is of; see the type.
func (f *OLS) LikelihoodModel() *LikelihoodModel {
	l := &LikelihoodModel{Aliased: f.Aliased(), Model: LinearModel, Given: map[string]string{"nu": "+Inf"}}
	if f.SigmaKnown() {
		l.Given["sigma^2"] = fmt.Sprint(f.s.Sigma2Known)
	}
	return l
}

// Parameters returns the number of parameters the likelihood was maximized
// over: the rank, and one for the variance if it is estimated.
func (f *OLS) Parameters() int {
	if f.SigmaKnown() {
		return f.s.Rank
	}
	return f.s.Rank + 1
}

// Cond returns the scaled condition number, the ratio of the largest to the
// smallest singular value of A = [1 X] with its columns scaled to unit length,
// to about three digits. About log10 of it is the number of digits that
// rounding of the data can cost. Belsley, Kuh and Welsch, Regression
// Diagnostics (1980), section 3.2, call 30 and more harmful.
func (f *OLS) Cond() float64 { return f.s.Cond }

// Orthogonality certifies the fit: the largest cosine between the residual and
// a column of A = [1 X], relative to the length of y,
//
//	max_j |a_j'r| / (|a_j| |y|),
//
// which is zero for the exact least-squares solution. Weighted rows are
// multiplied by sqrt(w_i). After a fit to sums, the lengths |a_j| are of centered
// columns.
func (f *OLS) Orthogonality() float64 { return f.s.Orth }

// Digits returns the number of decimal digits, 0 to 15, to which every coefficient
// and every standard error is correct. It is the least over the coefficients, from
// a bound on the rounding errors of the fit. The digits are correct for the exact
// numbers of the design, XLow included; after Raw, for the raw data. For sums the
// bound includes the errors of merging and subtracting, and the missing XLow. A
// coefficient below 1.1e-16 |y|/|a_j| drowns in the rounding of y and is judged
// against that size. Standard errors are judged against themselves: those of a fit
// with a residual of 1e-20 |y| have about ten digits, and those of a perfect fit none. A
// minimum-norm solution has no bound and gives 0.
func (f *OLS) Digits() (coef, stderr int) { return f.s.CoefDigits, f.s.StdErrDigits }

// InputDigits returns to how many decimal digits, 0 to 15, every coefficient and every
// standard error is correct if the raw data were rounded to float64: if each number is
// off by up to half a unit in its last place, as x*x*x, 0.1 or a measured value with
// all its digits is. Digits takes the numbers for exact; ill-conditioned columns, such as
// high powers computed in float64, then lose in their rounding what Digits cannot see.
// The bound is of first order, and the rounding counts of every number of X and y, but
// not of an X with an XLow whose columns were not scaled: Power, or frames' I(x^k) and
// poly(x, k, raw = TRUE), keep what rounding took. A minimum-norm solution gives 0.
func (f *OLS) InputDigits() (coef, stderr int) { return f.s.CoefInputs, f.s.StdErrInputs }

// Aliased returns the names of the terms that were dropped as linear
// combinations of the terms before them.
func (f *OLS) Aliased() []string {
	var aliased []string
	for j, b := range f.l.B {
		if math.IsNaN(b) {
			aliased = append(aliased, f.l.Names[j])
		}
	}
	return aliased
}

// Method names the algorithm that solved the fit.
func (f *OLS) Method() string { return f.s.Method }

// Leverage returns, for every row a = (1, x) of d, w a'(A'A)^-1 a with the A
// of the fit. For the rows fitted it is the diagonal of the hat matrix: each value
// is in [0, 1], and they sum to DoF. Errors: as Predict.
func (f *OLS) Leverage(d *Design) ([]float64, error) {
	z, err := f.columnsOf(d)
	if err != nil {
		return nil, err
	}
	h := f.leverage(z.X, z.XLow)
	for i, w := range d.Weights {
		if h[i] *= w; w == 0 {
			h[i] = 0 // whatever the row is
		}
	}
	return h, nil
}

// leverage is Leverage on columns x + low in the units of the fit, without
// weights. Small ones are summed to twice the digits, if Root is known so: the
// rows of a nearly collinear design take away most of what they sum.
func (f *OLS) leverage(x, low *mat.Dense) []float64 {
	n, _ := x.Dims()
	r := f.s.Rank
	if f.s.RootLow != nil && float64(n)*float64(r)*float64(r) <= lsq.DoubleDoubleAlways {
		h := make([]float64, n)
		f.combinations(x, low, func(i int, _ dd.Number, root dd.Vector) { h[i] = dd.Dot(root, root).Float() })
		return h
	}
	return f.squaredLengths(x.RawMatrix(), f.s.Root)
}

// combinations calls visit with the value of (1, x + low)'b and the same
// combination of the rows of Root for every row of x, in double-double; low may
// be nil. Aliased terms do not count. What visit is given lasts until it returns.
func (f *OLS) combinations(x, low *mat.Dense, visit func(i int, value dd.Number, root dd.Vector)) {
	n, p := x.Dims()
	offset := f.columns() - p
	full := algebra.NewDense(n, p+offset)
	fullLow := algebra.NewDense(n, p+offset)
	for i := range n {
		if offset == 1 {
			full.Set(i, 0, 1)
		}
		copy(full.RawRowView(i)[offset:], x.RawRowView(i))
		if low != nil {
			copy(fullLow.RawRowView(i)[offset:], low.RawRowView(i))
		}
	}
	f.combine(full, fullLow, visit)
}

// combine is combinations of all coefficients, the intercept among them.
func (f *OLS) combine(l, low *mat.Dense, visit func(i int, value dd.Number, root dd.Vector)) {
	n, k := l.Dims()
	coef, roots := make([]dd.Number, k), make([]dd.Vector, k)
	none := make([]float64, f.s.Rank)
	for j, b := range f.Coef() {
		lows := none
		if end := (j + 1) * f.s.Rank; end <= len(f.s.RootLow) {
			lows = f.s.RootLow[end-f.s.Rank : end]
		}
		coef[j], roots[j] = dd.Number{Hi: b, Lo: f.low(j)}, dd.Vector{Hi: f.root(j).Data, Lo: lows}
	}
	root := dd.NewVector(f.s.Rank)
	for i := range n {
		clear(root.Hi)
		clear(root.Lo)
		var value dd.Number
		for j, hi := range l.RawRowView(i) {
			weight := dd.Number{Hi: hi}
			if low != nil {
				weight = dd.Of(hi).Add(dd.Of(low.At(i, j)))
			}
			if hi == 0 || math.IsNaN(coef[j].Hi) {
				continue
			}
			value = value.Add(weight.Mul(coef[j]))
			root.AddScaled(weight, roots[j])
		}
		visit(i, value, root)
	}
}

// low returns what rounding took from coefficient j, as far as that is known.
func (f *OLS) low(j int) float64 {
	switch {
	case f.l.BLow == nil:
		return 0
	case f.l.NoIntercept:
		return f.l.BLow[j]
	case j == 0:
		return f.l.B0Low
	}
	return f.l.BLow[j-1]
}

// Raw returns the same fit with coefficients and covariance in the raw units
// of the data, undoing the scaling of the design fitted:
//
//	b_raw = b/scale,   b0_raw = b_0 - sum_j b_j center_j/scale_j.
//
// Its Digits hold for the raw data: they include the rounding of the scaled
// columns, two units in the last place, unless XLow holds the rounding errors, as
// after Design.Rescale of all but large designs. Cond, Orthogonality and Method
// still describe the design fitted. It is an error if the fit has no intercept and
// its columns were centered: in raw units it would need one.
func (f *OLS) Raw() (*OLS, error) {
	raw := *f
	if f.l.Scaling == nil {
		return &raw, nil
	}
	raw.s.Root = slices.Clone(f.s.Root)
	var low func(j int) blas64.Vector
	if f.s.RootLow != nil {
		raw.s.RootLow = make([]float64, len(f.s.Root))
		copy(raw.s.RootLow, f.s.RootLow)
		low = func(j int) blas64.Vector { return gram.Vector(raw.s.RootLow[j*f.s.Rank : (j+1)*f.s.Rank]) }
	}
	if err := raw.toRaw(raw.root, low); err != nil {
		return nil, err
	}
	raw.certifyRaw(f.l.Scaling)
	return &raw, nil
}

// GobEncode implements gob.GobEncoder.
func (f *OLS) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *OLS) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.s) }

// Describe returns the table of the fit; see Summary.
func (f *OLS) Describe() *report.Table { return summary(f) }

// String writes the table of the fit as text.
func (f *OLS) String() string { return f.Describe().String() }

// LogLikRows returns log N(y_i; yhat_i, s^2/w_i) for every row of d, with s^2
// the known variance or else RSS/n, its maximum-likelihood estimate: over the
// rows fitted it sums to LogLik. A row of weight zero has 0.
func (f *OLS) LogLikRows(d *Design) ([]float64, error) {
	log, err := f.Residuals(d)
	if err != nil {
		return nil, err
	}
	sigma2 := f.s.RSS / float64(f.s.N)
	if f.SigmaKnown() {
		sigma2 = f.s.Sigma2Known
	}
	for i, r := range log {
		if w := d.Weight(i); w > 0 {
			log[i] = dist.LogStudent(w*r*r/sigma2, math.Inf(1)) - math.Log(sigma2/w)/2
		} else {
			log[i] = 0
		}
	}
	return log, nil
}
