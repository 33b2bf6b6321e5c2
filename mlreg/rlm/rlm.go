package rlm

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Method names what Fit estimates.
type Method int

const (
	// MM starts from an S-estimate, which half of the rows cannot carry away, keeps its
	// scale, and has 95% efficiency by a bisquare loss: R's rlm with method = "MM". Default.
	MM Method = iota
	// HuberM is the M-estimate of Huber's loss: outlying responses pull with a bounded
	// force, but a single row of high leverage can still carry the fit away.
	HuberM
	// TukeyM is the M-estimate of the bisquare loss, from a start by least squares, whose
	// outliers it may not leave; MM has a better start.
	TukeyM
)

// String returns "MM", "Huber M" or "Tukey M".
func (m Method) String() string {
	return format.Choice("Method", int(m), "MM", "Huber M", "Tukey M")
}

// Scale names the estimate of the noise's scale beside an M-estimate.
type Scale int

const (
	// MADScale is the median of absolute residuals over 0.6745. Default.
	MADScale Scale = iota
	// Proposal2 solves Huber's equation for the scale with constant 1.345, see Fit.
	Proposal2
)

// String returns "MAD" or "proposal 2".
func (s Scale) String() string {
	return format.Choice("Scale", int(s), "MAD", "proposal 2")
}

// Settings are the options of Fit.
type Settings struct {
	Method Method
	// Scale is that of HuberM and TukeyM; MM has the scale of its start.
	Scale Scale
	// C is the constant of the loss, see Psi; the default 0 is 1.345 for HuberM and 4.685
	// for the others.
	C float64
	// Source draws the subsamples of MM's start. Nil is rand.NewPCG(1, 2), so that the same
	// data give the same fit.
	Source rand.Source
	// Subsamples is their number, at most 2^20; the default 0 is 500.
	Subsamples int
	// Tol is the violation of the estimating equations to stop at, see MEstimate.Equation;
	// the default 0 is 1e-10.
	Tol float64
	// MaxIterations limits the reweightings; the default 0 is 2000.
	MaxIterations int
}

// MEstimate is a fit by Fit. It holds no data and does not change.
type MEstimate struct {
	mlreg.Linear
	s robustFitState
}

type robustFitState struct {
	Method     Method
	ScaleOf    Scale
	C          float64
	N, Rows    int
	Scale      float64
	StartScale float64 // of MM: the S-estimate's
	Equation   float64
	Iterations int
	Exact      bool
	Root       []float64 // k x k, VCov = Root Root'
	Outliers   int
}

const (
	madConstant = 0.6745 // of R's rlm; the quantile is 0.67449
	sConstant   = 1.548  // of the bisquare loss of an S-estimate of breakdown 1/2
	proposalK   = 1.345
)

// Fit fits a linear predictor that outliers do not carry away. It solves
//
//	sum_i psi(r_i/s) sqrt(w_i) a_i = 0,  r_i = sqrt(w_i) (y_i - b_0 - x_i'b),
//
// for a psi that is bounded, by weighted least squares with the weights psi(u)/u,
// u = r_i/s, again and again. The scale s is, for HuberM and TukeyM, MADScale
//
//	s = median |r_i| / 0.6745,
//
// or Proposal2, sum_i min(r_i/s, 1.345)^2 = (n - k) E min(Z, 1.345)^2 with normal Z; for
// MM that of an S-estimate, the fit of least s in
//
//	sum_i rho(r_i/s)/rho(inf) = (n - k)/2,  rho bisquare, C = 1.548,
//
// found by the fast algorithm from subsamples. See Breakdown and Efficiency for what the
// estimates promise, and Equation for the certificate.
//
// The S-estimate's equation has many solutions, and the best of many subsamples need not
// be the least. Where more than half of the rows lie on a plane, an MM fit is that plane,
// with scale 0; see Exact. An M-estimate then has no scale, which is mlreg.ErrNotEstimable.
//
// Nil settings are the defaults. Errors: mlreg.ErrNoData, mlreg.ErrShape, mlreg.ErrNotFinite, mlreg.ErrSetting,
// *mlreg.RankDeficientError, mlreg.ErrSaturated for n <= k, mlreg.ErrNotEstimable for a C so small that no row
// has weight, and *mlreg.ConvergenceError beside the best fit.
//
// Huber and Ronchetti, Robust Statistics, 2nd ed. (2009), chapter 7; Yohai, The Annals of
// Statistics 15 (1987), 642-656; Salibian-Barrera and Yohai, Journal of Computational and
// Graphical Statistics 15 (2006), 414-427; Venables and Ripley, Modern Applied Statistics
// with S, 4th ed., section 6.5.
func Fit(d *mlreg.Design, settings *Settings) (*MEstimate, error) {
	s := args.OrDefaults(settings)
	if err := s.check(); err != nil {
		return nil, err
	}
	r, err := newRobustRows(d)
	if err != nil {
		return nil, err
	}
	f := &MEstimate{s: robustFitState{Method: s.Method, ScaleOf: s.Scale, C: s.Method.psi(s.C).constant(), N: len(r.y), Rows: len(d.Y)}}
	b, err := r.leastSquares(nil, nil)
	if err != nil {
		return nil, err
	}
	var scale float64
	if s.Method == MM {
		if b, scale, err = r.sEstimate(b, &s); err != nil {
			return nil, err
		}
		f.s.StartScale = scale
	}
	b, converged, err := r.mEstimate(f, b, scale, &s)
	if err != nil {
		return nil, err
	}
	r.covariance(f, b)
	if f.Linear, err = mlreg.NewLinear(r.d, r.coefficients(b), nil); err != nil {
		return nil, err
	}
	y := r.q.YUnit
	f.s.Scale, f.s.StartScale = y.Out(f.s.Scale), y.Out(f.s.StartScale)
	if !converged {
		return f, &mlreg.ConvergenceError{Method: "reweighted least squares", Iterations: f.s.Iterations, Measure: "violation of the estimating equations", Value: f.s.Equation, Tol: s.Tol}
	}
	return f, nil
}

func (s *Settings) check() error {
	switch {
	case s.Method < MM || s.Method > TukeyM:
		return fmt.Errorf("%w: no robust method %v", mlreg.ErrSetting, s.Method)
	case s.Scale < MADScale || s.Scale > Proposal2:
		return fmt.Errorf("%w: no estimate %v of the scale", mlreg.ErrSetting, s.Scale)
	case s.C < 0 || s.C-s.C != 0:
		return fmt.Errorf("%w: Settings.C = %v; it is positive and finite, or 0 for the default", mlreg.ErrSetting, s.C)
	case s.Subsamples < 0:
		return fmt.Errorf("%w: Settings.Subsamples = %d", mlreg.ErrSetting, s.Subsamples)
	case s.Subsamples > 1<<20:
		return fmt.Errorf("%w: Settings.Subsamples = %d; at most 2^20 are tried, and 500 are usual", mlreg.ErrTooLarge, s.Subsamples)
	case s.Tol < 0 || s.Tol-s.Tol != 0:
		return fmt.Errorf("%w: Settings.Tol = %v", mlreg.ErrSetting, s.Tol)
	case s.MaxIterations < 0:
		return fmt.Errorf("%w: Settings.MaxIterations = %d", mlreg.ErrSetting, s.MaxIterations)
	case s.Method == MM && s.C > 0 && s.C < sConstant:
		return fmt.Errorf("%w: Settings.C = %v; that of MM is at least %v, the constant of its start", mlreg.ErrSetting, s.C, sConstant)
	}
	if s.Source == nil {
		s.Source = rand.NewPCG(1, 2)
	}
	s.Subsamples = cmp.Or(s.Subsamples, 500)
	s.Tol = cmp.Or(s.Tol, 1e-10)
	s.MaxIterations = cmp.Or(s.MaxIterations, 2000)
	return nil
}

// psi is the loss of the final estimate, of constant c.
func (m Method) psi(c float64) Psi {
	if m == HuberM {
		return Psi{HuberPsi, c}
	}
	return Psi{BisquarePsi, c}
}

// robustRows are prepared rows times the square roots of their weights.
type robustRows struct {
	q *problem.Prepared
	d *mlreg.Design // less its offset
	a blas64.General
	y []float64
}

func newRobustRows(d *mlreg.Design) (*robustRows, error) {
	if err := d.CheckFit(); err != nil {
		return nil, err
	}
	less := d.LessOffset()
	q, err := door.Prepare(less, 0)
	if err != nil {
		return nil, err
	}
	q.Weigh()
	r := &robustRows{q: q, d: less, a: q.A, y: q.Y}
	if n, k := len(r.y), r.a.Cols; n <= k {
		if _, err := mlreg.FitOLS(d, nil); err != nil { // aliased terms are said first
			return nil, err
		}
		return nil, fmt.Errorf("%w: %d rows for %d coefficients", mlreg.ErrSaturated, n, k)
	}
	return r, nil
}

func (r *robustRows) row(i int) []float64 { return r.a.Data[i*r.a.Stride : i*r.a.Stride+r.a.Cols] }

// matrix returns a copy of the rows.
func (r *robustRows) matrix() *mat.Dense {
	a := mat.NewDense(len(r.y), r.a.Cols, nil)
	for i := range r.y {
		copy(a.RawRowView(i), r.row(i))
	}
	return a
}

// residuals returns y - A b.
func (r *robustRows) residuals(b []float64) []float64 {
	out := make([]float64, len(r.y))
	for i, y := range r.y {
		out[i] = y - gram.Dot(r.row(i), b)
	}
	return out
}

// leastSquares adds to coefficients b, nil for zeros, what weighted least squares of their
// residuals has: rounding in the normal equations is then one of the correction.
func (r *robustRows) leastSquares(b, weights []float64) ([]float64, error) {
	k := r.a.Cols
	steps := 1
	if b == nil {
		b, steps = make([]float64, k), 3
	}
	out := slices.Clone(b)
	raw, length := r.scaledGram(weights)
	norm := lapack64.Lansy(lapack.MaxRowSum, raw, make([]float64, k))
	root, ok := lapack64.Potrf(raw)
	if !ok || isIllConditioned(root, norm, 1e13) {
		if weights == nil {
			if _, err := mlreg.FitOLS(r.d, nil); err != nil {
				return nil, err
			}
		}
		return nil, fmt.Errorf("%w: the rows with weight do not determine the fit", mlreg.ErrNotEstimable)
	}
	for range steps {
		g := make([]float64, k)
		for i, e := range r.residuals(out) {
			if weights != nil {
				e *= weights[i]
			}
			gram.Axpy(e, r.row(i), g)
		}
		for j := range g {
			g[j] /= length[j]
		}
		lapack64.Potrs(root, blas64.General{Rows: k, Cols: 1, Stride: 1, Data: g})
		for j, v := range g {
			out[j] += v / length[j]
		}
	}
	return out, nil
}

// scaledGram returns A'WA in units of the lengths of the columns under the weights, and these lengths: a
// row far out which has lost its weight costs no digits then.
func (r *robustRows) scaledGram(weights []float64) (raw blas64.Symmetric, length []float64) {
	k := r.a.Cols
	raw = mat.NewSymDense(k, nil).RawSymmetric()
	for i := range r.y {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if w == 0 {
			continue
		}
		row := r.row(i)
		for j, x := range row {
			gram.Axpy(w*x, row[j:], raw.Data[j*raw.Stride+j:j*raw.Stride+k])
		}
	}
	length = make([]float64, k)
	for j := range length {
		if length[j] = math.Sqrt(raw.Data[j*raw.Stride+j]); length[j] == 0 {
			length[j] = 1
		}
	}
	for j := range length {
		for l := j; l < k; l++ {
			raw.Data[j*raw.Stride+l] /= length[j] * length[l]
		}
	}
	return raw, length
}

// isIllConditioned tells whether the condition number of H = R'R, of unit diagonal, is above most, by norms of
// largest row sums; norm is that of H. The number is at most
//
//	k^2 e/det H,
//
// since the least eigenvalue is at least det H over the greatest product of the other k - 1, whose sum is below k;
// where that is not enough, it is estimated.
func isIllConditioned(root blas64.Triangular, norm, most float64) bool {
	k := root.N
	det := 1.0
	for j := range k {
		det *= gram.Square(root.Data[j*root.Stride+j])
	}
	if float64(k*k)*math.E < most*det {
		return false
	}
	factor := blas64.Symmetric{Uplo: root.Uplo, N: k, Stride: root.Stride, Data: root.Data}
	return lapack64.Pocon(factor, norm, make([]float64, 3*k), make([]int, k))*most < 1
}

// medianAbs is the median of absolute values.
func medianAbs(v []float64) float64 {
	a := format.Each(v, math.Abs)
	slices.Sort(a)
	n := len(a)
	if n%2 == 0 {
		return (a[n/2-1] + a[n/2]) / 2
	}
	return a[n/2]
}

// scale is the next scale of an M-estimate.
func (r *robustRows) scale(e []float64, last float64, of Scale) float64 {
	if of == MADScale {
		return medianAbs(e) / madConstant
	}
	_, theta, _ := dist.NormalTails(proposalK) // P(|Z| <= 1.345)
	density := math.Exp(-proposalK*proposalK/2) / math.Sqrt(2*math.Pi)
	mean := theta + proposalK*proposalK*(1-theta) - 2*proposalK*density
	for range 1000 {
		var sum float64
		for _, x := range e {
			sum += math.Min(x*x, gram.Square(proposalK*last))
		}
		next := math.Sqrt(sum / (float64(len(e)-r.a.Cols) * mean))
		if math.Abs(next-last) <= 1e-14*last {
			return next
		}
		last = next
	}
	return last
}

// mEstimate reweights until the estimating equations hold.
func (r *robustRows) mEstimate(f *MEstimate, b []float64, scale float64, s *Settings) ([]float64, bool, error) {
	psi := s.Method.psi(s.C)
	fixed := s.Method == MM
	e := r.residuals(b)
	if !fixed {
		scale = medianAbs(e) / madConstant
	}
	weights := make([]float64, len(e))
	for ; ; f.s.Iterations++ {
		if !fixed {
			scale = r.scale(e, scale, s.Scale)
		}
		if scale <= 1e-13*r.size() {
			return r.exact(f, b, e, fixed)
		}
		for i, x := range e {
			weights[i] = psi.Weight(x / scale)
		}
		if slices.Max(weights) == 0 {
			return nil, false, fmt.Errorf("%w: every row is farther from the fit than Settings.C = %v times the scale, so that none has weight; take a larger C, such as %v",
				mlreg.ErrNotEstimable, psi.constant(), Psi{Kind: psi.Kind}.constant())
		}
		f.s.Scale, f.s.Equation = scale, r.equation(weights, e, scale)
		if f.s.Equation <= s.Tol {
			return b, true, nil
		}
		if f.s.Iterations == s.MaxIterations {
			return b, false, nil
		}
		next, err := r.leastSquares(b, weights)
		if err != nil {
			return nil, false, err
		}
		b, e = next, r.residuals(next)
	}
}

// size is the largest response.
func (r *robustRows) size() float64 { return floats.Norm(r.y, math.Inf(1)) }

// exact is the fit of which half of the rows, or all, have no residual.
func (r *robustRows) exact(f *MEstimate, b, e []float64, mm bool) ([]float64, bool, error) {
	zeros := 0
	for _, x := range e {
		if math.Abs(x) <= 1e-12*r.size() {
			zeros++
		}
	}
	if !mm && zeros < len(e) {
		return nil, false, fmt.Errorf("%w: the scale is 0, since half of the residuals are; fit by MM, or quantreg.FitLAD", mlreg.ErrNotEstimable)
	}
	f.s.Exact, f.s.Scale, f.s.Equation = true, 0, 0
	return b, true, nil
}

// equation is the largest |sum_i w_i e_i a_ij|/(s sum_i |a_ij|) of a column.
func (r *robustRows) equation(weights, e []float64, scale float64) float64 {
	k := r.a.Cols
	g, size := make([]float64, k), make([]float64, k)
	for i, x := range e {
		row := r.row(i)
		for j, a := range row {
			g[j] += weights[i] * x * a
			size[j] += math.Abs(a)
		}
	}
	var worst float64
	for j := range g {
		if size[j] > 0 {
			worst = math.Max(worst, math.Abs(g[j])/(scale*size[j]))
		}
	}
	return worst
}

// covariance is that of R's summary.rlm:
//
//	(A'A)^-1 kappa^2 sum_i psi(u_i)^2 s^2/((n - k) m^2),  kappa = 1 + k var(psi'(u))/(n m^2),
//
// m the mean of psi'(u), in units of the problem.
func (r *robustRows) covariance(f *MEstimate, b []float64) {
	k, n := r.a.Cols, float64(len(r.y))
	if f.s.Exact {
		f.s.Root = make([]float64, k*k)
		return
	}
	psi := f.Psi()
	e := r.residuals(b)
	var mean, ss, sum float64
	for _, x := range e {
		u := x / f.s.Scale
		mean += psi.Slope(u) / n
		sum += gram.Square(psi.Value(u) * f.s.Scale)
		if psi.Weight(u) < outlierWeight {
			f.s.Outliers++
		}
	}
	for _, x := range e {
		ss += gram.Square(psi.Slope(x/f.s.Scale) - mean)
	}
	kappa := 1 + float64(k)*ss/(n-1)/(n*mean*mean)
	factor := gram.Square(kappa/mean) * sum / (n - float64(k))
	f.s.Root = r.unscaled(math.Sqrt(factor))
}

// outlierWeight is the weight below which a row counts as an outlier.
const outlierWeight = 0.1

// unscaled returns a root of (A'A)^-1 in units of the design, times a factor.
func (r *robustRows) unscaled(factor float64) []float64 {
	k := r.a.Cols
	upper, _ := lsq.Triangularize(r.matrix(), make([]float64, len(r.y)))
	var inverse, v mat.Dense
	if err := inverse.Inverse(upper); err != nil && inverse.IsEmpty() {
		return slices.Repeat([]float64{math.NaN()}, k*k)
	}
	v.Mul(r.q.ToRaw(), &inverse)
	v.Scale(factor, &v)
	return algebra.Numbers(&v)
}

// coefficients takes them to the units of the design.
func (r *robustRows) coefficients(b []float64) []float64 {
	coef, _ := r.q.Coefficients(b, make([]float64, len(b)))
	return coef
}

// NObs returns the number of observations; rows of weight zero do not count.
func (f *MEstimate) NObs() int { return f.s.N }

// Method returns the method of the fit.
func (f *MEstimate) Method() Method { return f.s.Method }

// Psi returns the loss of the final estimate.
func (f *MEstimate) Psi() Psi { return f.s.Method.psi(f.s.C) }

// Scale returns s, the scale of the noise. It estimates sigma if the noise is Gaussian.
func (f *MEstimate) Scale() float64 { return f.s.Scale }

// Sigma2 returns the square of Scale.
func (f *MEstimate) Sigma2() float64 { return gram.Square(f.s.Scale) }

// Exact tells whether the fit is a plane on which more than half of the rows lie, with
// scale 0: of the other rows nothing is said.
func (f *MEstimate) Exact() bool { return f.s.Exact }

// Equation certifies the fit: the largest of
//
//	|sum_i psi(u_i) a_ij| / sum_i |a_ij|
//
// over the columns, terms centered if they are far from zero. It is 0 at a solution.
func (f *MEstimate) Equation() float64 { return f.s.Equation }

// Iterations returns the number of reweightings.
func (f *MEstimate) Iterations() int { return f.s.Iterations }

// Breakdown returns the share of rows that can be replaced by any others before the fit can
// be carried away without end: 1/2 - k/(2n) for MM, its S-estimate's, and 0 for
// M-estimates, which a single row of far outlying terms carries away.
func (f *MEstimate) Breakdown() float64 {
	if f.s.Method != MM {
		return 0
	}
	n := float64(f.s.N)
	return math.Max(0, math.Floor((n-float64(len(f.Coef())))/2)/n)
}

// Efficiency returns the variance of least squares over that of the fit for many rows of
// Gaussian noise, see Psi.Efficiency.
func (f *MEstimate) Efficiency() float64 { return f.Psi().Efficiency() }

// Outliers returns the number of rows whose weight is below 0.1.
func (f *MEstimate) Outliers() int { return f.s.Outliers }

// Weights returns the weight psi(u)/u of every row of d, between 0 and 1: 1 for a row that
// counts as in least squares, 0 for one that does not count at all. Of an exact fit it
// is 1 for rows on the plane, and 0 for others. u = sqrt(w_i) r_i/s is 0, and the weight 1,
// for a row whose own weight w_i is zero. Errors are those of Residuals.
func (f *MEstimate) Weights(d *mlreg.Design) ([]float64, error) {
	r, err := f.Residuals(d)
	if err != nil {
		return nil, err
	}
	var size float64
	for i, y := range d.Y {
		if d.Weight(i) > 0 {
			size = math.Max(size, math.Abs(y))
		}
	}
	for i := range r {
		e := math.Sqrt(d.Weight(i)) * r[i]
		if !f.s.Exact {
			r[i] = f.Psi().Weight(e / f.s.Scale)
			continue
		}
		if r[i] = 0; math.Abs(e) <= 1e-12*size {
			r[i] = 1
		}
	}
	return r, nil
}

// StdErr returns the standard errors of the coefficients in the order of Names.
func (f *MEstimate) StdErr() []float64 { return algebra.RowLengths(f.s.Root, len(f.Coef())) }

// VCov returns the covariance matrix of the coefficients in the order of Names,
//
//	(A'WA)^-1 kappa^2 sum_i psi(u_i)^2 s^2/((n - k) m^2),  kappa = 1 + k var(psi'(u))/(n m^2),
//
// m the mean of psi'(u_i): that of R's summary.rlm (Huber and Ronchetti 2009, equation
// 7.81). It takes the noise to be independent of the terms.
func (f *MEstimate) VCov() *mat.SymDense { return algebra.Covariance(f.s.Root, len(f.Coef())) }

// DoFResidual returns n - k.
func (f *MEstimate) DoFResidual() float64 { return float64(f.s.N - len(f.Coef())) }

// InferenceDoF is +Inf: statistics are normal, z.
func (f *MEstimate) InferenceDoF() float64 { return math.Inf(1) }

// ConfInt returns limits of the coefficients; see mlreg.ConfInt.
func (f *MEstimate) ConfInt(level float64) (report.Rows[mlreg.Interval], error) {
	return mlreg.ConfInt(f, level)
}

// Table returns the table of coefficients; see mlreg.CoefTable.
func (f *MEstimate) Table(level float64) (report.Rows[mlreg.CoefRow], error) {
	return mlreg.CoefTable(f, level)
}

// GobEncode implements gob.GobEncoder.
func (f *MEstimate) GobEncode() ([]byte, error) { return stream.Encode(f, &f.Linear, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *MEstimate) GobDecode(b []byte) error { return stream.Decode(b, f, nil, &f.Linear, &f.s) }

// Describe returns the table of the fit; see mlreg.Summary.
func (f *MEstimate) Describe() *report.Table {
	t := tables.OrError(mlreg.Summary(f, 0.95))
	if f.Exact() {
		t.Notes = append(t.Notes, "exact: more than half of the rows lie on the fit, and the scale is 0")
		return t
	}
	t.Notes = append(t.Notes,
		fmt.Sprintf("%s; %s weight below %v", f.Psi(), format.Plural(f.Outliers(), "row")+" of", outlierWeight),
		fmt.Sprintf("breakdown at %s of the rows, efficiency %s at Gaussian noise", format.Percent(math.Round(1000*f.Breakdown())/1000), format.Percent(math.Round(1000*f.Efficiency())/1000)),
		fmt.Sprintf("%s, estimating equations hold to %s", format.Plural(f.Iterations(), "iteration"), format.PowerAbove(math.Max(f.Equation(), 1e-15))))
	return t
}

// Kind names the fit in the title of its tables.
func (f *MEstimate) Kind() string { return f.s.Method.String() + " estimate" }

// String writes the table of the fit as text.
func (f *MEstimate) String() string { return f.Describe().String() }
