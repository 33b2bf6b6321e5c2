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

	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/blocked"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
	"github.com/regbook/regbook/mlreg/internal/tridiagonal"
)

// ridgeData are prepared data whose columns are all divided by the same power of
// two: their rows, or their cross-products.
type ridgeData struct {
	prepared
	by      []float64    // p: numbers that columns were divided by; nil is ones
	unit    problem.Unit // of every column
	lengths []float64    // p: |x_j|
}

// divisors gives the numbers that columns of prepared data are divided by, nil for
// ones.
type divisors func(*prepared) ([]float64, error)

func dividedBy(by []float64) divisors {
	return func(*prepared) ([]float64, error) { return by, nil }
}

// newRidgeData takes the rows of a design if they are fewer than the terms or if
// a singular value decomposition takes less than about a second, and sums
// otherwise.
func newRidgeData(data Data, by divisors) (*ridgeData, error) {
	const svdFlops = 1e8
	if d, ok := data.(*Design); ok {
		n, p := d.NObs(), d.NTerms()
		if n < p || float64(n)*float64(p)*float64(p) < svdFlops {
			return ridgeRows(d, by)
		}
	}
	return ridgeSums(data, by)
}

func ridgeRows(d *Design, by divisors) (*ridgeData, error) {
	rows, err := preparedRows(d, nil)
	if err != nil {
		return nil, err
	}
	return underOnePenalty(rows, by)
}

func ridgeSums(data Data, by divisors) (*ridgeData, error) {
	m, err := sumsOf(data)
	if err != nil {
		return nil, err
	}
	return underOnePenalty(m.prepared(), by)
}

func underOnePenalty(d *prepared, divide divisors) (*ridgeData, error) {
	by, err := divide(d)
	if err != nil {
		return nil, err
	}
	if by != nil {
		d.Divide(by)
	}
	if err := d.Common(); err != nil {
		return nil, d.l.named(err)
	}
	return &ridgeData{prepared: *d, by: by, unit: d.XUnit[0], lengths: d.Lengths()}, nil
}

// lambda brings a penalty to the units of the data, and slopes brings weights, where
// they are, to those of the design.
func (d *ridgeData) lambda(lambda float64) float64 { return (2 * d.unit).In(lambda) }
func (d *ridgeData) slopes(w []float64) []float64 {
	for j, v := range w {
		w[j] = d.Slope(j, v)
	}
	return slices.Clip(w)
}

// coefficients returns the linear predictor of weights, whose storage it takes.
func (d *ridgeData) coefficients(w []float64) linear {
	l := d.l
	l.B = d.slopes(w)
	l.B0 = d.Intercept(l.B)
	for j, v := range d.by {
		l.B[j] /= v
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
	if d.XT.Data == nil {
		return d.gradients([][]float64{w})[0], 0
	}
	r, g := slices.Clone(d.Y), make([]float64, d.Terms())
	blas64.Gemv(blas.Trans, -1, d.XT, gram.Vector(w), 1, gram.Vector(r))
	blas64.Gemv(blas.NoTrans, 1, d.XT, gram.Vector(r), 0, gram.Vector(g))
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

// gradients returns X'(y - Xw) for several w, from the cross-products.
func (d *ridgeData) gradients(w [][]float64) [][]float64 {
	out := make([][]float64, len(w))
	for k := range w {
		out[k] = make([]float64, len(d.C))
	}
	for i := range d.C { // each row serves all w while it is near
		row := d.G.Data[i*d.G.Stride+i : i*d.G.Stride+d.G.N]
		for k, v := range w {
			g := out[k]
			g[i] += row[0]*v[i] + gram.DotAxpy(v[i], row[1:], v[i+1:], g[i+1:])
		}
	}
	for _, g := range out {
		for j, c := range d.C {
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
		if l := length * math.Sqrt(d.YY); l > 0 {
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
	return fmt.Errorf("%w: the slope of term %q, whose length is %.1g of that of the largest, is lost in rounding; rescale it, or standardize",
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

	back  func(z *mat.Dense) *mat.Dense // weights of solutions, a column each; a row each of what it returns
	basis func() *mat.Dense             // those of the unit vectors, if that is little work
}

func newRidgeSpectrum(d *ridgeData) (*ridgeSpectrum, error) {
	switch {
	case d.XT.Data == nil:
		return tridiagonalSpectrum(d.G, d.C, d.YY, nil)
	case d.XT.Cols*2 < d.XT.Rows:
		return tridiagonalSpectrum(algebra.Inner(d.XT), d.Y, d.YY, &d.XT)
	}
	return singularSpectrum(d)
}

func singularSpectrum(d *ridgeData) (*ridgeSpectrum, error) {
	p, n := d.XT.Rows, d.XT.Cols
	xt, y := d.XT, d.Y // or those of the triangle, with what is left of y
	var left float64
	if n > 2*p {
		xt, y, left = triangle(d.XT, d.Y)
	}
	v, s, u, err := blocked.SVD(mat.NewDense(p, xt.Cols, xt.Data), mat.SVDThin) // of X', so that the roles are exchanged
	if err != nil {
		return nil, err
	}
	r := &ridgeSpectrum{Dual: true, YY: d.YY, D: make([]float64, len(s)), E: make([]float64, max(0, len(s)-1)), B: make([]float64, len(s)), Floor: noSquare}
	rest := slices.Clone(y)
	for k := range s {
		col := gram.Column(u, k)
		r.D[k] = s[k] * s[k]
		r.B[k] = blas64.Dot(col, gram.Vector(y))
		blas64.Axpy(-r.B[k], col, gram.Vector(rest))
	}
	r.Square = slices.Clone(r.D)
	r.Rest = gram.Dot(rest, rest) + left*left
	r.basis = func() *mat.Dense {
		b := mat.DenseCopyOf(v)
		for j := range p {
			row := b.RawRowView(j)
			for k := range row {
				row[k] *= s[k]
			}
		}
		return b
	}
	r.back = func(z *mat.Dense) *mat.Dense {
		scaled := mat.DenseCopyOf(z)
		for k, v := range s {
			row := scaled.RawRowView(k)
			for i := range row {
				row[i] *= v
			}
		}
		return algebra.Multiply(scaled, v, true, true)
	}
	return r, nil
}

// triangle returns R' (p x p) and Q'y of X = QR, and the length of what of y is outside
// the columns of Q, given X'.
func triangle(xt blas64.General, y []float64) (rt blas64.General, qy []float64, left float64) {
	p, n := xt.Rows, xt.Cols
	k := p + 1 // with y
	stack := lsq.NewStack(n, k)
	for start := 0; start < n; {
		room := stack.Room()
		rows := min(room.Rows, n-start)
		for j := range p {
			for i, x := range xt.Data[j*xt.Stride+start : j*xt.Stride+start+rows] {
				room.Data[i*k+j] = x
			}
		}
		for i, v := range y[start : start+rows] {
			room.Data[i*k+p] = v
		}
		stack.Add(rows)
		start += rows
	}
	r := stack.R()
	rt, qy = blas64.General{Rows: p, Cols: p, Stride: p, Data: make([]float64, p*p)}, make([]float64, p)
	for i := range p {
		for j := i; j < p; j++ {
			rt.Data[j*p+i] = r.Data[i*k+j]
		}
		qy[i] = r.Data[i*k+p]
	}
	return rt, qy, r.Data[p*k+p]
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
	f.MultiplyTransposed(r.B)
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
			return mat.DenseCopyOf(w.T())
		}
		return transposedProduct(xt, w)
	}
	return r, nil
}

// transposedProduct returns (X'w)', some columns of X at a time.
func transposedProduct(xt *blas64.General, w *mat.Dense) *mat.Dense {
	const some = 512
	_, count := w.Dims()
	out := mat.NewDense(count, xt.Rows, nil)
	for from := 0; from < xt.Rows; from += some {
		end := min(from+some, xt.Rows)
		part := mat.NewDense(end-from, xt.Cols, xt.Data[from*xt.Stride:end*xt.Stride])
		out.Slice(0, count, from, end).(*mat.Dense).Copy(algebra.Multiply(part, w, false, false).T())
	}
	return out
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
		f[k] = lsq.Ratio(s, s+lambda)
	}
	return f
}
