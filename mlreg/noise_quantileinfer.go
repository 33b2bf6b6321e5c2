package mlreg

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/quantiles"
	"github.com/regbook/regbook/mlreg/internal/stream"
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
	names := []string{"Hendricks-Koenker", "same density", "Powell kernel"}
	if s < 0 || int(s) >= len(names) {
		return fmt.Sprintf("Sparsity(%d)", int(s))
	}
	return names[s]
}

// QuantileInference is a quantile regression with the covariance of its coefficients. It
// is a Wald: ConfInt, CoefTable, Contrast, WaldTest and CoefTest take it. It holds no
// data and does not change.
type QuantileInference struct {
	linear
	s quantileInferenceState
}

type quantileInferenceState struct {
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
// Errors: ErrSetting for an unknown kind or a penalized fit, whose covariance this is
// not; ErrShape for other rows than those fitted; ErrSaturated for n <= k; and
// ErrNotEstimable if densities are zero in so many rows that H is singular.
//
// Koenker, Quantile Regression (2005), section 3.4.
func (f *Quantile) Inference(d *Design, kind Sparsity) (*QuantileInference, error) {
	q, err := f.again(d)
	if err != nil {
		return nil, err
	}
	if kind < HendricksKoenker || kind > PowellKernel {
		return nil, fmt.Errorf("%w: no sparsity estimate %v; take HendricksKoenker, SameDensity or PowellKernel", ErrSetting, kind)
	}
	out := &QuantileInference{f.linear, quantileInferenceState{Tau: f.s.Tau, N: f.s.N, DoF: f.DoFResidual(), Kind: kind}}
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
	var m, upper, root mat.Dense
	m.Mul(q.weighted(), inverse)
	var qr mat.QR
	qr.Factorize(&m)
	qr.RTo(&upper)
	k := q.Problem.A.Cols
	root.Mul(q.ToDesign(), upper.Slice(0, k, 0, k).T())
	root.Scale(math.Sqrt(f.s.Tau*(1-f.s.Tau)), &root)
	out.s.Root = algebra.Numbers(&root)
	for _, v := range out.s.Root {
		if v-v != 0 {
			return nil, fmt.Errorf("%w: the standard errors leave the range of float64; rescale the data", ErrNotFinite)
		}
	}
	return out, nil
}

// again is the problem that was fitted, for a method that needs its rows.
func (f *Quantile) again(d *Design) (*quantileProblem, error) {
	if f.s.L1 > 0 || f.s.L2 > 0 {
		return nil, fmt.Errorf("%w: the fit is penalized (L1 = %v, L2 = %v), and its standard errors are not known; see BootstrapQuantile", ErrSetting, f.s.L1, f.s.L2)
	}
	return f.problem(d)
}

// problem checks that the rows are as many as were fitted, and prepares them.
func (f *Quantile) problem(d *Design) (*quantileProblem, error) {
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	if d.Y == nil {
		return nil, fmt.Errorf("%w: the rows that were fitted have the response %q", ErrNoData, f.l.Response)
	}
	own, err := f.columnsOf(d)
	if err != nil {
		return nil, err
	}
	if own.PositiveRows() != f.s.N || own.NObs() != f.s.Rows {
		return nil, fmt.Errorf("%w: %d rows, %d of positive weight, and %d and %d were fitted; give the rows that were fitted",
			ErrShape, own.NObs(), own.PositiveRows(), f.s.Rows, f.s.N)
	}
	own.NoIntercept = f.l.NoIntercept
	if err := own.checkFit(); err != nil {
		return nil, err
	}
	return prepareQuantile(own, false)
}

// weighted is A with its rows multiplied by the weights.
func (q *quantileProblem) weighted() *mat.Dense {
	a := q.Problem.A
	m := mat.NewDense(len(q.Rows), a.Cols, nil)
	for r, w := range q.Weights {
		row := m.RawRowView(r)
		copy(row, a.Data[r*a.Stride:])
		blas64.Scal(w, gram.Vector(row))
	}
	return m
}

// inverse returns (A'diag(f)A)^-1 of weighted rows by a QR decomposition.
func (q *quantileProblem) inverse(f []float64) (*mat.Dense, error) {
	m := q.weighted()
	n, k := m.Dims()
	for r, x := range f {
		blas64.Scal(math.Sqrt(x), gram.Vector(m.RawRowView(r)))
	}
	if n < k {
		return nil, fmt.Errorf("%w: %d rows for %d coefficients", ErrSaturated, n, k)
	}
	var qr mat.QR
	qr.Factorize(m)
	var r mat.Dense
	qr.RTo(&r)
	tri := mat.NewTriDense(k, mat.Upper, nil)
	for i := range k {
		for j := i; j < k; j++ {
			tri.SetTri(i, j, r.At(i, j))
		}
	}
	var inverse mat.TriDense
	if err := inverse.InverseTri(tri); err != nil {
		return nil, fmt.Errorf("%w: the densities are zero in so many rows that the covariance is not determined: %v", ErrNotEstimable, err)
	}
	var out mat.Dense
	out.Mul(&inverse, inverse.T())
	return &out, nil
}

// densities estimates the density of every row's noise at the fit, in units of the
// problem, and notes how.
func (q *quantileProblem) densities(f *Quantile, out *QuantileInference) ([]float64, error) {
	tau, n := f.s.Tau, len(q.Rows)
	density := make([]float64, n)
	var err error
	switch out.s.Kind {
	case SameDensity:
		r, err := q.residuals(f)
		if err != nil {
			return nil, err
		}
		slopes, err := sparsities(r, tau, q.Problem.A.Cols)
		if err != nil {
			return nil, err
		}
		one := 2 / (slopes.Lower + slopes.Upper)
		out.s.Bandwidth = bandwidth(tau, n, false)
		for r := range density {
			density[r] = one
		}
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
			return nil, fmt.Errorf("%w: the residuals do not vary", ErrNotEstimable)
		}
		for i, u := range r {
			density[i] = math.Exp(-u*u/(2*h*h)) / math.Sqrt(2*math.Pi) / h
		}
		out.s.Bandwidth = math.Ldexp(h, q.Exp[len(q.Exp)-1])
	}
	for _, v := range density {
		out.s.Density += v / float64(n)
	}
	out.s.Density = math.Ldexp(out.s.Density, -q.Exp[len(q.Exp)-1])
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
func (q *quantileProblem) residuals(f *Quantile) ([]float64, error) {
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
			r[c] = math.Ldexp(all[i], -q.Exp[len(q.Exp)-1]) * q.Weights[c]
		}
	}
	return r, nil
}

// sparsities are the least and the largest slope of the line of SameDensity, of k coefficients
// with residuals r.
func sparsities(r []float64, tau float64, k int) (Interval, error) {
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
		return Interval{}, fmt.Errorf("%w: %d residuals are not zero, too few for the density at the fit", ErrNotEstimable, len(near))
	}
	ranks := mat.NewDense(len(near), 1, nil)
	for i := range near {
		ranks.Set(i, 0, float64(zeros+1+i)/float64(n-k))
	}
	line, err := FitLAD(&Design{X: ranks, Y: near, Names: []string{"rank"}, Response: "residual"}, nil)
	if err != nil {
		return Interval{}, err
	}
	slopes := line.Range()[1]
	if !(slopes.Lower+slopes.Upper > 0) {
		return Interval{}, fmt.Errorf("%w: residuals near the fit are all alike, and the density there is infinite", ErrNotEstimable)
	}
	return slopes, nil
}

// hendricksKoenker are the densities from the fits at tau -+ h, and in how many rows they
// are not positive.
func (q *quantileProblem) hendricksKoenker(tau, h float64) (density []float64, negative int, err error) {
	var b [2][]float64
	for i, t := range []float64{tau - h, tau + h} {
		solution, err := quantiles.Solve(q.At(t, 0), nil, 0)
		if err != nil {
			return nil, 0, q.singular(err)
		}
		b[i], _ = solution.Coef()
	}
	a := q.Problem.A
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
func (f *QuantileInference) Tau() float64 { return f.s.Tau }

// NObs returns the number of observations; rows of weight zero do not count.
func (f *QuantileInference) NObs() int { return f.s.N }

// Sparsity tells how the density of the noise was estimated.
func (f *QuantileInference) Sparsity() Sparsity { return f.s.Kind }

// Bandwidth returns h: a difference of probabilities, or, for PowellKernel, of responses.
func (f *QuantileInference) Bandwidth() float64 { return f.s.Bandwidth }

// Density returns the mean over the rows of the density of the noise at the fit.
func (f *QuantileInference) Density() float64 { return f.s.Density }

// Crossed returns in how many rows the fits at tau -+ h cross, so that the density
// counts as zero there; many say that limits by another method are better.
func (f *QuantileInference) Crossed() int { return f.s.Negative }

// VCov returns the covariance matrix of the coefficients in the order of Names.
func (f *QuantileInference) VCov() *mat.SymDense { return algebra.Covariance(f.s.Root, f.columns()) }

// StdErr returns the standard errors of the coefficients in the order of Names.
func (f *QuantileInference) StdErr() []float64 { return algebra.RowLengths(f.s.Root, f.columns()) }

// DoFResidual returns n - k.
func (f *QuantileInference) DoFResidual() float64 { return f.s.DoF }

// InferenceDoF returns n - k, the degrees of freedom of t statistics.
func (f *QuantileInference) InferenceDoF() float64 { return f.s.DoF }

// ConfInt returns limits of the coefficients; see the function ConfInt.
func (f *QuantileInference) ConfInt(level float64) (report.Rows[Interval], error) {
	return ConfInt(f, level)
}

// Table returns the table of coefficients; see CoefTable.
func (f *QuantileInference) Table(level float64) (report.Rows[CoefRow], error) {
	return CoefTable(f, level)
}

// GobEncode implements gob.GobEncoder.
func (f *QuantileInference) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *QuantileInference) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.s) }

// RankLimitsSettings are the options of Quantile.RankLimits.
type RankLimitsSettings struct {
	// Unequal takes the density of the noise to differ from row to row, by HendricksKoenker
	// (R's iid = FALSE); the default takes it to be the same.
	Unequal bool
	// Steps leaves limits at the values of the coefficient at which the test statistic, a
	// step function, passes its critical value. The default interpolates T linearly between
	// that step and the nearest vertex before it.
	Steps bool
	// Normal takes the critical value from the normal distribution, not Student's (R's
	// tcrit = FALSE).
	Normal bool
}

// RankLimits returns confidence limits for every coefficient by inverting the test by
// regression rank scores: the values c for which b_j = c is not rejected. With the dual
// d(c) of the fit in which b_j is held at c, the statistic is
//
//	T(c) = x_j'd(c) / sqrt(tau (1 - tau) |x~_j|^2),
//
// x~_j the residual of x_j on the other terms, weighted by densities if the settings say
// so. T(c) is the derivative of the least loss with b_j = c, so that each limit is the
// fit with a linear term besides, some steps from the fit itself. No density at the
// quantile need be estimated, and the limits are not symmetric. A limit is infinite if the
// test rejects no value on that side.
//
// The limits are those of R's summary(rq, se = "rank"), whose default level is 0.9, if the
// step before the limit is one vertex. Where n tau is a whole number and there is one term, or
// terms have few values, there are several with the same T: here the nearest to the limit
// counts, so that the limit depends on the data alone, and R has the one that its algorithm
// has passed, from which the limit is nearer to the fit. With ties R can interpolate from a
// value at which there is no vertex, and its limit changes if another term is shifted.
//
// Nil settings are the defaults. Errors are those of Inference.
//
// Koenker, Journal of Statistical Planning and Inference 41 (1994), 249-260; Koenker and
// Machado (1999).
func (f *Quantile) RankLimits(d *Design, level float64, settings *RankLimitsSettings) (report.Rows[Interval], error) {
	s := args.OrDefaults(settings)
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	q, err := f.again(d)
	if err != nil {
		return nil, err
	}
	dof := f.DoFResidual()
	if err := args.ResidualDoF(dof); err != nil {
		return nil, err
	}
	if s.Normal {
		dof = math.Inf(1)
	}
	spreads, err := q.rankSpreads(f.s.Tau, s.Unequal)
	if err != nil {
		return nil, err
	}
	solution, err := quantiles.Solve(q.At(f.s.Tau, 0), nil, 0)
	if err != nil {
		return nil, q.singular(err)
	}
	t := q.ToDesign()
	limits := make([]Interval, f.columns())
	for j, name := range f.Names() {
		// The coefficient of the design is l'b; T's unit is that of the response times 1/l'b.
		l := t.RawRowView(j)
		mu := dist.TQuantile(1-level, dof) * math.Sqrt(f.s.Tau*(1-f.s.Tau)) * spreads[j]
		upper, err := rankLimit(solution, l, mu, s.Steps)
		if err != nil {
			return nil, q.singular(err)
		}
		lower, err := rankLimit(solution, l, -mu, s.Steps)
		if err != nil {
			return nil, q.singular(err)
		}
		limits[j] = Interval{name, lower, upper, level}
	}
	return limits, nil
}

// rankLimit is the limit at which the statistic passes mu.
func rankLimit(s *quantiles.Solution, l []float64, mu float64, steps bool) (float64, error) {
	side := 1.0
	if mu < 0 {
		side = -1
	}
	at, err := s.Tilt(l, mu, 100_000)
	if errors.Is(err, quantiles.ErrUnbounded) {
		return math.Inf(int(side)), nil
	}
	if err != nil {
		return 0, err
	}
	if steps {
		return at.At, nil
	}
	inner, innerT, outerT := at.Before, at.From, at.To
	if side < 0 {
		inner, innerT, outerT = at.Next, at.To, at.From
	}
	share := (mu - innerT) / (outerT - innerT)
	limit := inner + (at.At-inner)*share
	if limit-limit != 0 {
		return at.At, nil
	}
	return limit, nil
}

// rankSpreads are the lengths of the columns less what the others explain, for the
// coefficients of the design.
func (q *quantileProblem) rankSpreads(tau float64, unequal bool) ([]float64, error) {
	density := make([]float64, len(q.Rows))
	for r := range density {
		density[r] = 1
	}
	if unequal {
		var err error
		if density, _, err = q.hendricksKoenker(tau, bandwidth(tau, len(q.Rows), true)); err != nil {
			return nil, err
		}
	}
	inverse, err := q.inverse(density)
	if err != nil {
		return nil, err
	}
	// In the basis of columns A T^-1, the residual of the column of coefficient j on the
	// others is A g, g = H^-1 t_j / (t_j'H^-1 t_j).
	t, a := q.ToDesign(), q.weighted()
	out := make([]float64, q.Problem.A.Cols)
	for j := range out {
		tj := t.RowView(j)
		var g, residual mat.VecDense
		g.MulVec(inverse, tj)
		g.ScaleVec(1/mat.Dot(tj, &g), &g)
		residual.MulVec(a, &g)
		out[j] = mat.Norm(&residual, 2)
	}
	return out, nil
}

// Describe returns the table of the fit; see Summary.
func (f *QuantileInference) Describe() *report.Table {
	t := summary(f)
	note := fmt.Sprintf("standard errors: %s, bandwidth %s", f.Sparsity(), format.Number(f.Bandwidth(), 3))
	if f.Crossed() > 0 {
		note += fmt.Sprintf("; in %s the fits at τ ∓ h cross", format.Plural(f.Crossed(), "row"))
	}
	t.Notes = append(t.Notes, note)
	return t
}

// Kind names the fit in the title of its tables.
func (f *QuantileInference) Kind() string {
	return fmt.Sprintf("Quantile regression (τ = %s)", format.Number(f.Tau(), 6))
}

// String writes the table of the fit as text.
func (f *QuantileInference) String() string { return f.Describe().String() }
