package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tridiagonal"
)

// ridgeData are centred (if there is an intercept) and weighted data, X and y
// each divided by a power of two: their rows, or their cross-products.
type ridgeData struct {
	l         linearState // without coefficients
	n         int
	w         float64
	meanX     []float64
	meanY     float64
	exp, yexp int

	xt blas64.General // p x n, X' by rows, if rows are known
	y  []float64      // n
	g  blas64.Symmetric
	c  []float64 // X'y
	yy float64   // y'y

	lengths []float64 // p: |x_j|
}

// newRidgeData takes the rows of a design if they are fewer than the terms or if
// a singular value decomposition takes less than about a second, and sums
// otherwise.
func newRidgeData(data Data) (*ridgeData, error) {
	if data == nil {
		return nil, fmt.Errorf("%w: data is nil", ErrNoData)
	}
	const svdFlops = 1e8
	if d, ok := data.(*Design); ok {
		n, p := d.NObs(), d.NTerms()
		if n < p || float64(n)*float64(p)*float64(p) < svdFlops {
			return ridgeRows(d)
		}
	}
	m, err := data.Moments()
	if err != nil {
		return nil, err
	}
	if m.s.N == 0 {
		return nil, fmt.Errorf("%w: the moments are of no rows", ErrNoData)
	}
	if err := checkTerms(m.s.Names); err != nil {
		return nil, err
	}
	return ridgeSums(m)
}

// commonExponent returns the exponent that columns under one penalty are divided
// by, the largest. The error names a column that is nothing beside it.
func commonExponent(names []string, exps []int) (int, error) {
	top := slices.Max(exps)
	if max(top, -top) > mostSquared {
		return 0, fmt.Errorf("%w: the squares of term %q leave the range of float64; rescale it", ErrNotFinite, names[slices.Index(exps, top)])
	}
	for j, e := range exps {
		if e < top-mostSquared {
			return 0, fmt.Errorf("%w: the squares of term %q, a power of %d of 2 in size, beside those of %q, of %d; rescale or standardise them",
				ErrNotFinite, names[j], e, names[slices.Index(exps, top)], top)
		}
	}
	return top, nil
}

func ridgeRows(d *Design) (*ridgeData, error) {
	c, prepared, err := designColumns(d, nil)
	if err != nil {
		return nil, err
	}
	r := &ridgeData{l: prepared.l, n: prepared.n, meanX: prepared.meanX, meanY: prepared.meanY, yexp: prepared.yexp}
	for i := range d.NObs() {
		r.w += d.weight(i)
	}
	n, p := d.NObs(), d.NTerms()
	if r.exp, err = commonExponent(d.Names, prepared.exp); err != nil {
		return nil, err
	}
	r.xt = blas64.General{Rows: p, Cols: n, Stride: n, Data: make([]float64, 0, n*p)}
	for j, e := range prepared.exp {
		f := math.Ldexp(1, e-r.exp)
		for _, v := range c.Column(j) {
			r.xt.Data = append(r.xt.Data, f*v)
		}
	}
	r.y = c.Y()
	r.yy = gram.Dot(r.y, r.y)
	return r.measure(), nil
}

func ridgeSums(m *Moments) (*ridgeData, error) {
	e := newNormalEquations(m)
	exps := e.exp[e.offset():]
	top, err := commonExponent(m.s.Names, exps)
	if err != nil {
		return nil, err
	}
	r := &ridgeData{
		l: linearState{header: m.s.header.clone()},
		n: m.s.N, w: m.s.W, exp: top, yexp: e.yexp, g: e.g.RawSymmetric(), c: e.c, yy: e.yy,
	}
	if !m.s.NoIntercept {
		r.meanX, r.meanY = m.s.MeanX, m.s.MeanY
	}
	for i, ei := range exps {
		r.c[i] = math.Ldexp(r.c[i], ei-r.exp)
		for j := i; j < len(exps); j++ {
			k := i*r.g.Stride + j
			r.g.Data[k] = math.Ldexp(r.g.Data[k], ei+exps[j]-2*r.exp)
		}
	}
	return r.measure(), nil
}

// lambda brings a penalty to the units of the data, slopes brings weights to
// those of the design, and squares a sum of squares.
func (d *ridgeData) lambda(lambda float64) float64 { return math.Ldexp(lambda, -2*d.exp) }
func (d *ridgeData) slopes(w []float64) []float64 {
	b := make([]float64, len(w))
	for j, v := range w {
		b[j] = math.Ldexp(v, d.yexp-d.exp) + 0 // 0 for -0
	}
	return b
}
func (d *ridgeData) squares(v float64) float64 { return math.Ldexp(v, 2*d.yexp) }

// coefficients returns the linear predictor of weights.
func (d *ridgeData) coefficients(w []float64) linear {
	l := d.l
	l.B = d.slopes(w)
	l.B0 = d.meanY
	if d.meanX != nil {
		l.B0 -= gram.Dot(d.meanX, l.B)
	}
	return linear{l}
}

// violation returns max_j |x_j'(y - Xw) - lambda w_j| / (|x_j||y|), and the RSS
// if rows are known, after settling w.
func (d *ridgeData) violation(w []float64, lambda float64) (worst, rss float64, err error) {
	g, rss := d.gradient(w)
	if d.settle(g, w, lambda) {
		g, rss = d.gradient(w)
	}
	worst, err = d.worst(g, w, lambda)
	return worst, rss, err
}

// gradient returns X'(y - Xw), and the RSS if rows are known.
func (d *ridgeData) gradient(w []float64) (g []float64, rss float64) {
	if d.xt.Data == nil {
		return d.gradients([][]float64{w})[0], 0
	}
	r := slices.Clone(d.y)
	g = make([]float64, len(w))
	blas64.Gemv(blas.Trans, -1, d.xt, vector(w), 1, vector(r))
	blas64.Gemv(blas.NoTrans, 1, d.xt, vector(r), 0, vector(g))
	return g, gram.Dot(r, r)
}

// outweighed is how much larger than |x_j|^2 a penalty is that outweighs term j.
const outweighed = 1e4

// settle computes the weights of terms that the penalty outweighs from the gradient
// g at w,
//
//	w_j = (g_j + |x_j|^2 w_j) / (|x_j|^2 + lambda),
//
// and tells whether there are any: they are small, and a decomposition gives all
// weights to the rounding of the largest.
func (d *ridgeData) settle(g, w []float64, lambda float64) (settled bool) {
	for j := range w {
		length := d.lengths[j]
		if ss := length * length; lambda > outweighed*ss {
			w[j] = (g[j] + ss*w[j]) / (ss + lambda)
			settled = true
		}
	}
	return settled
}

// measure sets the lengths |x_j|.
func (d *ridgeData) measure() *ridgeData {
	d.lengths = make([]float64, len(d.l.Names))
	for j := range d.lengths {
		if d.xt.Data == nil {
			d.lengths[j] = math.Sqrt(d.g.Data[j*d.g.Stride+j])
		} else {
			row := d.xt.Data[j*d.xt.Stride : j*d.xt.Stride+d.xt.Cols]
			d.lengths[j] = math.Sqrt(gram.Dot(row, row))
		}
	}
	return d
}

// gradients returns X'(y - Xw) for several w, from the cross-products.
func (d *ridgeData) gradients(w [][]float64) [][]float64 {
	out := make([][]float64, len(w))
	for k := range w {
		out[k] = make([]float64, len(d.c))
	}
	for i := range d.c { // each row serves all w while it is near
		row := d.g.Data[i*d.g.Stride+i : i*d.g.Stride+d.g.N]
		for k, v := range w {
			g := out[k]
			g[i] += row[0]*v[i] + gram.DotAxpy(v[i], row[1:], v[i+1:], g[i+1:])
		}
	}
	for _, g := range out {
		for j, c := range d.c {
			g[j] = c - g[j]
		}
	}
	return out
}

// worst returns max_j |g_j - lambda w_j| / (|x_j||y|). The error names a term so
// small beside the others, whose length is about 1, that its weight is lost.
func (d *ridgeData) worst(g, w []float64, lambda float64) (worst float64, err error) {
	for j, v := range g {
		length := d.lengths[j]
		if l := length * math.Sqrt(d.yy); l > 0 {
			violation := math.Abs(v-lambda*w[j]) / l
			worst = math.Max(worst, violation)
			if length < smallTerm && !(violation < 1e-9) {
				err = d.lost(j)
			}
		}
	}
	return worst, err
}

// smallTerm is the length of a column, beside those of about 1, below which its
// squares are lost in theirs.
const smallTerm = 1e-8

// lost names a term that is too small beside the others.
func (d *ridgeData) lost(j int) error {
	return fmt.Errorf("%w: the slope of term %q, whose length is %.1g of that of the largest, is lost in rounding; rescale it, or standardise",
		ErrNotFinite, d.l.Names[j], d.lengths[j])
}

// ridgeSpectrum is a ridge regression in coordinates in which it takes a
// tridiagonal system for every lambda,
//
//	(T + lambda I) z = B,
//
// with T = Q'X'XQ and B = Q'X'y, and weights Qz; or, if Dual, T = Q'XX'Q and
// B = Q'y, and weights X'Qz. By a singular value decomposition X = USV' it is
// dual with Q = U and a diagonal T. (Golub and Van Loan, 4th ed., section 8.3.1;
// Eldén, BIT 17 (1977), 134-145.)
type ridgeSpectrum struct {
	D, E   []float64 // diagonal of T, and what is beside it
	B      []float64
	Dual   bool
	YY     float64   // y'y
	Rest   float64   // of it, what is outside the columns of Q if Dual
	Square []float64 // eigenvalues of T, descending: squared singular values
	Floor  float64   // at or below which a squared singular value is zero, relative to the largest

	back func(z *mat.Dense) *mat.Dense // weights of solutions, a column each
}

func newRidgeSpectrum(d *ridgeData) (*ridgeSpectrum, error) {
	switch {
	case d.xt.Data == nil:
		return tridiagonalSpectrum(d.g, d.c, d.yy, nil)
	case d.xt.Cols*2 < d.xt.Rows:
		k := blas64.Symmetric{N: d.xt.Cols, Stride: d.xt.Cols, Uplo: blas.Upper, Data: make([]float64, d.xt.Cols*d.xt.Cols)}
		blas64.Syrk(blas.Trans, 1, d.xt, 0, k)
		return tridiagonalSpectrum(k, d.y, d.yy, &d.xt)
	}
	return singularSpectrum(d)
}

func singularSpectrum(d *ridgeData) (*ridgeSpectrum, error) {
	var svd mat.SVD
	p, n := d.xt.Rows, d.xt.Cols
	if !svd.Factorize(mat.NewDense(p, n, slices.Clone(d.xt.Data)), mat.SVDThin) {
		return nil, errors.New("mlreg: the singular value decomposition of the design did not converge")
	}
	var u, v mat.Dense
	svd.UTo(&v) // of X', so that the roles are exchanged
	svd.VTo(&u)
	s := svd.Values(nil)
	r := &ridgeSpectrum{Dual: true, YY: d.yy, D: make([]float64, len(s)), E: make([]float64, max(0, len(s)-1)), B: make([]float64, len(s)), Floor: 1e-26}
	rest := slices.Clone(d.y)
	for k := range s {
		col := column(&u, k)
		r.D[k] = s[k] * s[k]
		r.B[k] = blas64.Dot(col, vector(d.y))
		blas64.Axpy(-r.B[k], col, vector(rest))
	}
	r.Square = slices.Clone(r.D)
	r.Rest = gram.Dot(rest, rest)
	r.back = func(z *mat.Dense) *mat.Dense {
		scaled := mat.DenseCopyOf(z)
		for k, v := range s {
			row := scaled.RawRowView(k)
			for i := range row {
				row[i] *= v
			}
		}
		var w mat.Dense
		w.Mul(&v, scaled)
		return &w
	}
	return r, nil
}

// tridiagonalSpectrum reduces a symmetric matrix, whose storage it uses, to
// tridiagonal form. The matrix is X'X with b = X'y, or XX' with b = y and the
// given X'.
func tridiagonalSpectrum(a blas64.Symmetric, b []float64, yy float64, xt *blas64.General) (*ridgeSpectrum, error) {
	if xt == nil {
		a.Data = slices.Clone(a.Data) // the cross-products certify the solutions
	}
	n := a.N
	f := tridiagonal.Reduce(a)
	r := &ridgeSpectrum{
		D: f.D, E: f.E, B: slices.Clone(b), Dual: xt != nil, YY: yy, Square: slices.Clone(f.D), Floor: 1e-15 * float64(n),
	}
	f.MultiplyTransposed(blas64.General{Rows: n, Cols: 1, Stride: 1, Data: r.B})
	if !(lapackgonum.Implementation{}).Dsterf(n, r.Square, slices.Clone(r.E)) {
		return nil, errors.New("mlreg: the eigenvalues of the cross-products did not converge")
	}
	slices.Reverse(r.Square)
	for k, s := range r.Square {
		r.Square[k] = math.Max(s, 0)
	}
	r.back = func(z *mat.Dense) *mat.Dense {
		w := mat.DenseCopyOf(z)
		f.Multiply(w.RawMatrix())
		if xt == nil {
			return w
		}
		var out mat.Dense
		out.Mul(mat.NewDense(xt.Rows, xt.Cols, xt.Data), w)
		return &out
	}
	return r, nil
}

// full tells whether X has full column rank p.
func (r *ridgeSpectrum) full(p int) bool {
	k := len(r.Square)
	return k >= p && r.Square[p-1] > r.Floor*r.Square[0]
}

// solve returns z.
func (r *ridgeSpectrum) solve(lambda float64) []float64 {
	n := len(r.D)
	z := slices.Clone(r.B)
	d, e := make([]float64, n), r.E
	for i, v := range r.D {
		d[i] = v + lambda
	}
	for i := 1; i < n; i++ {
		f := e[i-1] / d[i-1]
		d[i] -= f * e[i-1]
		z[i] -= f * z[i-1]
	}
	for i := n - 1; i >= 0; i-- {
		if i < n-1 {
			z[i] -= e[i] * z[i+1]
		}
		z[i] /= d[i]
	}
	return z
}

// rss returns |y - Xw|^2, and norm |w|^2.
func (r *ridgeSpectrum) rss(z []float64, lambda float64) float64 {
	if r.Dual {
		return r.Rest + lambda*lambda*gram.Dot(z, z)
	}
	return math.Max(r.YY-gram.Dot(z, r.B)-lambda*gram.Dot(z, z), 0)
}

func (r *ridgeSpectrum) norm(z []float64) float64 {
	if !r.Dual {
		return gram.Dot(z, z)
	}
	var sum float64
	for i, v := range z {
		sum += r.D[i] * v * v
		if i > 0 {
			sum += 2 * r.E[i-1] * v * z[i-1]
		}
	}
	return sum
}

// dof returns sum_k s_k^2/(s_k^2 + lambda).
func (r *ridgeSpectrum) dof(lambda float64) float64 {
	var sum float64
	for _, v := range r.shrinkage(lambda) {
		sum += v
	}
	return sum
}

func (r *ridgeSpectrum) shrinkage(lambda float64) []float64 {
	f := make([]float64, len(r.Square))
	for k, s := range r.Square {
		f[k] = ratio(s, s+lambda)
	}
	return f
}
