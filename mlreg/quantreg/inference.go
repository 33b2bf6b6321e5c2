package quantreg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/quantiles"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Sparsity names an estimate of the density of the noise at the quantile, on which
// standard errors of a quantile regression rest; its inverse is the sparsity.
type Sparsity int

const (
	// HendricksKoenker has a density for each row, from the fits at tau -+ h,
	//
	//	f_i = 2h/(a_i'b(tau + h) - a_i'b(tau - h)),
	//
	// 0 if the difference is not positive beyond rounding: R's se = "nid". Hendricks and Koenker, Journal of the
	// American Statistical Association 87 (1992), 58-68. Default.
	HendricksKoenker Sparsity = iota
	// SameDensity takes the density to be the same for all rows. With z residuals of zero
	// and m = max(k + 1, ceil(n h)), the m + 1 residuals nearest to zero beyond these,
	//
	//	r_(1) <= ... <= r_(m+1) on (z + 1)/(n - k), ..., (z + m + 1)/(n - k),
	//
	// have a line by least absolute deviations, whose slope is the sparsity: R's se = "iid".
	// If that line is one of many, the slope is the middle of all; R has one that its
	// algorithm stops at. Koenker and Bassett (1978).
	SameDensity
	// PowellKernel has a normal kernel at each residual: R's se = "ker". Powell (1991).
	PowellKernel
)

// String returns "Hendricks-Koenker", "same density" or "Powell kernel".
func (s Sparsity) String() string {
	return format.Choice("Sparsity", int(s), "Hendricks-Koenker", "same density", "Powell kernel")
}

// Inference is a quantile regression with the covariance of its coefficients. It
// is an mlreg.Wald: mlreg.ConfInt, CoefTable, Contrast and WaldTest take it. It holds no
// data and does not change.
type Inference struct {
	mlreg.Linear
	s inferenceState
}

type inferenceState struct {
	Tau       float64
	N         int
	DoF       float64
	Kind      Sparsity
	Bandwidth float64
	Density   float64 // mean
	Negative  int
	Root      []float64 // k x k, VCov = Root Root'
}

// bandwidth is Hall and Sheather's, for limits at level 1 - alpha, alpha = 0.05, made
// smaller until tau -+ h are probabilities if inside is set:
//
//	h = n^(-1/3) z^(2/3) (1.5 phi(x)^2/(2x^2 + 1))^(1/3),  x = Phi^-1(tau),  z = Phi^-1(1 - alpha/2).
//
// Hall and Sheather, Journal of the Royal Statistical Society B 50 (1988), 381-391.
func bandwidth(tau float64, n int, inside bool) float64 {
	x := dist.NormalQuantile(tau)
	z := dist.NormalQuantile(0.975)
	density := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
	h := math.Pow(float64(n), -1./3) * math.Pow(z, 2./3) * math.Pow(1.5*density*density/(2*x*x+1), 1./3)
	for inside && (tau-h <= 0 || tau+h >= 1) {
		h /= 2
	}
	return h
}

// Inference returns the fit with an estimate of the covariance of its coefficients, from
// the rows d that were fitted:
//
//	VCov = tau (1 - tau) H^-1 A'A H^-1,  H = A'diag(f_i)A,  A = [1 X],
//
// with the densities f_i that kind says, of bandwidth h by Hall and Sheather's rule.
// With weights w_i the rows of A and the residuals are multiplied by them. Limits are
// Student's with n - k degrees of freedom, as R's summary has them. SameDensity and
// PowellKernel are of the residuals of Coef: if the fit is not unique (see Unique), other
// fits of the same loss have other standard errors, and R's may be at one of them. R counts
// rows of weight zero in n, and here they do not count.
//
// Errors: mlreg.ErrSetting for an unknown kind or a penalized fit, whose covariance this is
// not; mlreg.ErrShape for other rows than those fitted; mlreg.ErrSaturated for n <= k; and
// mlreg.ErrNotEstimable if densities are zero in so many rows that H is singular.
//
// Koenker, Quantile Regression (2005), section 3.4.
func (f *Quantile) Inference(d *mlreg.Design, kind Sparsity) (*Inference, error) {
	q, err := f.again(d)
	if err != nil {
		return nil, err
	}
	if kind < HendricksKoenker || kind > PowellKernel {
		return nil, fmt.Errorf("%w: no sparsity estimate %v; take HendricksKoenker, SameDensity or PowellKernel", mlreg.ErrSetting, kind)
	}
	out := &Inference{f.Linear, inferenceState{Tau: f.s.Tau, N: f.s.N, DoF: f.DoFResidual(), Kind: kind}}
	if err := args.ResidualDoF(out.s.DoF); err != nil {
		return nil, err
	}
	density, err := q.densities(f, out)
	if err != nil {
		return nil, err
	}
	inverse, err := q.inverse(density)
	if err != nil {
		return nil, err
	}
	// VCov = tau (1 - tau) T M'M T', M = A H^-1, T to the units of the design.
	var m, root mat.Dense
	m.Mul(q.weighted(), inverse)
	upper, _ := lsq.Triangularize(&m, make([]float64, len(q.Rows)))
	root.Mul(q.ToRaw(), upper.T())
	root.Scale(math.Sqrt(f.s.Tau*(1-f.s.Tau)), &root)
	out.s.Root = algebra.Numbers(&root)
	for _, v := range out.s.Root {
		if v-v != 0 {
			return nil, fmt.Errorf("%w: the standard errors leave the range of float64; rescale the data", mlreg.ErrNotFinite)
		}
	}
	return out, nil
}

// again is the problem that was fitted, for a method that needs its rows.
func (f *Quantile) again(d *mlreg.Design) (*fitting, error) {
	if f.s.L1 > 0 || f.s.L2 > 0 {
		return nil, fmt.Errorf("%w: the fit is penalized (L1 = %v, L2 = %v), and its standard errors are not known; see Bootstrap", mlreg.ErrSetting, f.s.L1, f.s.L2)
	}
	return f.problem(d)
}

// problem checks that the rows are as many as were fitted, and prepares them.
func (f *Quantile) problem(d *mlreg.Design) (*fitting, error) {
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	if d.Y == nil {
		return nil, fmt.Errorf("%w: the rows that were fitted have the response %q", mlreg.ErrNoData, f.Response())
	}
	own, err := f.Columns(d)
	if err != nil {
		return nil, err
	}
	if own.PositiveRows() != f.s.N || own.NObs() != f.s.Rows {
		return nil, fmt.Errorf("%w: %d rows, %d of positive weight, and %d and %d were fitted; give the rows that were fitted",
			mlreg.ErrShape, own.NObs(), own.PositiveRows(), f.s.Rows, f.s.N)
	}
	own.NoIntercept = !f.HasIntercept()
	if err := own.CheckFit(); err != nil {
		return nil, err
	}
	return prepare(own, false)
}

// weighted is A with its rows multiplied by the weights.
func (q *fitting) weighted() *mat.Dense {
	a := q.A
	m := mat.NewDense(len(q.Rows), a.Cols, nil)
	for r, w := range q.Weights {
		row := m.RawRowView(r)
		copy(row, a.Data[r*a.Stride:])
		blas64.Scal(w, gram.Vector(row))
	}
	return m
}

// inverse returns (A'diag(f)A)^-1 of weighted rows by a QR decomposition.
func (q *fitting) inverse(f []float64) (*mat.Dense, error) {
	m := q.weighted()
	n, k := m.Dims()
	for r, x := range f {
		blas64.Scal(math.Sqrt(x), gram.Vector(m.RawRowView(r)))
	}
	if n < k {
		return nil, fmt.Errorf("%w: %d rows for %d coefficients", mlreg.ErrSaturated, n, k)
	}
	r, _ := lsq.Triangularize(m, make([]float64, n))
	var inverse mat.TriDense
	if err := inverse.InverseTri(mat.NewTriDense(k, mat.Upper, algebra.Numbers(r))); err != nil {
		return nil, fmt.Errorf("%w: the densities are zero in so many rows that the covariance is not determined: %v", mlreg.ErrNotEstimable, err)
	}
	var out mat.Dense
	out.Mul(&inverse, inverse.T())
	return &out, nil
}

// densities estimates the density of every row's noise at the fit, in units of the
// problem, and notes how.
func (q *fitting) densities(f *Quantile, out *Inference) ([]float64, error) {
	tau, n := f.s.Tau, len(q.Rows)
	density := make([]float64, n)
	var err error
	switch out.s.Kind {
	case SameDensity:
		r, err := q.residuals(f)
		if err != nil {
			return nil, err
		}
		slopes, err := sparsities(r, tau, q.A.Cols)
		if err != nil {
			return nil, err
		}
		one := 2 / (slopes.Lower + slopes.Upper)
		out.s.Bandwidth = bandwidth(tau, n, false)
		density = slices.Repeat([]float64{one}, n)
	case HendricksKoenker:
		out.s.Bandwidth = bandwidth(tau, n, true)
		density, out.s.Negative, err = q.hendricksKoenker(tau, out.s.Bandwidth)
		if err != nil {
			return nil, err
		}
	case PowellKernel:
		r, err := q.residuals(f)
		if err != nil {
			return nil, err
		}
		h := bandwidth(tau, n, true)
		h = (dist.NormalQuantile(tau+h) - dist.NormalQuantile(tau-h)) * robustSpread(r)
		if !(h > 0) {
			return nil, fmt.Errorf("%w: the residuals do not vary", mlreg.ErrNotEstimable)
		}
		for i, u := range r {
			density[i] = math.Exp(-u*u/(2*h*h)) / math.Sqrt(2*math.Pi) / h
		}
		out.s.Bandwidth = q.YUnit.Out(h)
	}
	for _, v := range density {
		out.s.Density += v / float64(n)
	}
	out.s.Density = q.YUnit.In(out.s.Density)
	return density, nil
}

// robustSpread is the smaller of the standard deviation and the interquartile range/1.34.
func robustSpread(r []float64) float64 {
	n := float64(len(r))
	var mean, ss float64
	for _, x := range r {
		mean += x / n
	}
	for _, x := range r {
		ss += gram.Square(x - mean)
	}
	s := slices.Sorted(slices.Values(r))
	at := func(p float64) float64 {
		h := p * (n - 1)
		i := int(h)
		if i+1 == len(s) {
			return s[i]
		}
		return s[i] + (h-float64(i))*(s[i+1]-s[i])
	}
	return math.Min(math.Sqrt(ss/(n-1)), (at(0.75)-at(0.25))/1.34)
}

// residuals are those of the rows of the problem, times their weights, in its units.
func (q *fitting) residuals(f *Quantile) ([]float64, error) {
	all, err := f.Residuals(q.d)
	if err != nil {
		return nil, err
	}
	zero := make(map[int]bool, len(f.s.Zero))
	for _, i := range f.s.Zero {
		zero[i] = true
	}
	r := make([]float64, len(q.Rows))
	for c, i := range q.Rows {
		if !zero[i] {
			r[c] = q.YUnit.In(all[i]) * q.Weights[c]
		}
	}
	return r, nil
}

// sparsities are the least and the largest slope of the line of SameDensity, of k coefficients
// with residuals r.
func sparsities(r []float64, tau float64, k int) (mlreg.Interval, error) {
	r = slices.Clone(r)
	n := len(r)
	zeros := 0
	for _, x := range r {
		if x == 0 {
			zeros++
		}
	}
	slices.SortFunc(r, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	h := max(k+1, int(math.Ceil(float64(n)*bandwidth(tau, n, false))))
	near := r[zeros:min(zeros+h+1, n)]
	slices.Sort(near)
	if len(near) < 3 {
		return mlreg.Interval{}, fmt.Errorf("%w: %d residuals are not zero, too few for the density at the fit", mlreg.ErrNotEstimable, len(near))
	}
	ranks := mat.NewDense(len(near), 1, nil)
	for i := range near {
		ranks.Set(i, 0, float64(zeros+1+i)/float64(n-k))
	}
	line, err := FitLAD(&mlreg.Design{X: ranks, Y: near, Names: []string{"rank"}, Response: "residual"}, nil)
	if err != nil {
		return mlreg.Interval{}, err
	}
	slopes := line.Range()[1]
	if !(slopes.Lower+slopes.Upper > 0) {
		return mlreg.Interval{}, fmt.Errorf("%w: residuals near the fit are all alike, and the density there is infinite", mlreg.ErrNotEstimable)
	}
	return slopes, nil
}

// hendricksKoenker are the densities from the fits at tau -+ h, and in how many rows they
// are not positive.
func (q *fitting) hendricksKoenker(tau, h float64) (density []float64, negative int, err error) {
	var b [2][]float64
	for i, t := range []float64{tau - h, tau + h} {
		solution, err := quantiles.Solve(q.At(t, 0), nil, 0)
		if err != nil {
			return nil, 0, q.singular(err)
		}
		b[i], _ = solution.Coef()
	}
	a := q.A
	density = make([]float64, len(q.Rows))
	diff := make([]float64, a.Cols)
	for j := range diff {
		diff[j] = b[1][j] - b[0][j]
	}
	for r, w := range q.Weights {
		row := a.Data[r*a.Stride : r*a.Stride+a.Cols]
		// Both fits may go through the row; what is left of their difference is rounding.
		var size float64
		for j, x := range row {
			size += math.Abs(x) * (math.Abs(b[0][j]) + math.Abs(b[1][j]))
		}
		if rise := gram.Dot(row, diff); rise > 1e-12*size {
			density[r] = 2 * h / (w * rise)
		} else {
			negative++
		}
	}
	return density, negative, nil
}

// Tau returns the quantile fitted.
func (f *Inference) Tau() float64 { return f.s.Tau }

// NObs returns the number of observations; rows of weight zero do not count.
func (f *Inference) NObs() int { return f.s.N }

// Sparsity tells how the density of the noise was estimated.
func (f *Inference) Sparsity() Sparsity { return f.s.Kind }

// Bandwidth returns h: a difference of probabilities, or, for PowellKernel, of responses.
func (f *Inference) Bandwidth() float64 { return f.s.Bandwidth }

// Density returns the mean over the rows of the density of the noise at the fit.
func (f *Inference) Density() float64 { return f.s.Density }

// Crossed returns in how many rows the fits at tau -+ h cross, so that the density
// counts as zero there; many say that limits by another method are better.
func (f *Inference) Crossed() int { return f.s.Negative }

// VCov returns the covariance matrix of the coefficients in the order of Names.
func (f *Inference) VCov() *mat.SymDense { return algebra.Covariance(f.s.Root, len(f.Coef())) }

// StdErr returns the standard errors of the coefficients in the order of Names.
func (f *Inference) StdErr() []float64 { return algebra.RowLengths(f.s.Root, len(f.Coef())) }

// DoFResidual returns n - k.
func (f *Inference) DoFResidual() float64 { return f.s.DoF }

// InferenceDoF returns n - k, the degrees of freedom of t statistics.
func (f *Inference) InferenceDoF() float64 { return f.s.DoF }

// ConfInt returns limits of the coefficients; see mlreg.ConfInt.
func (f *Inference) ConfInt(level float64) (report.Rows[mlreg.Interval], error) {
	return mlreg.ConfInt(f, level)
}

// Table returns the table of coefficients; see mlreg.CoefTable.
func (f *Inference) Table(level float64) (report.Rows[mlreg.CoefRow], error) {
	return mlreg.CoefTable(f, level)
}

// GobEncode implements gob.GobEncoder.
func (f *Inference) GobEncode() ([]byte, error) { return stream.Encode(f, &f.Linear, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *Inference) GobDecode(b []byte) error { return stream.Decode(b, f, nil, &f.Linear, &f.s) }

// Describe returns the table of the fit; see mlreg.Summary.
func (f *Inference) Describe() *report.Table {
	t := tables.OrError(mlreg.Summary(f, 0.95))
	note := fmt.Sprintf("standard errors: %s, bandwidth %s", f.Sparsity(), format.Number(f.Bandwidth(), 3))
	if f.Crossed() > 0 {
		note += fmt.Sprintf("; in %s the fits at τ ∓ h cross", format.Plural(f.Crossed(), "row"))
	}
	t.Notes = append(t.Notes, note)
	return t
}

// Kind names the fit in the title of its tables.
func (f *Inference) Kind() string {
	return fmt.Sprintf("Quantile regression (τ = %s)", format.Number(f.Tau(), 6))
}

// String writes the table of the fit as text.
func (f *Inference) String() string { return f.Describe().String() }
