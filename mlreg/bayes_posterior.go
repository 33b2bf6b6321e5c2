package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// posterior is the relative posterior of the k coefficients, for a prior
// N(m0, F F') and noise of variance 1:
//
//	covariance C = ((FF')^-1 + Z'Z)^-1,   mean m = m0 + C Z'(y - Z m0).
type posterior struct {
	mean []float64
	root *mat.Dense // C = root root', if k <= n
	// Otherwise C = F (I - T'T) F' with T = L^-1 Z F and I + Z F F'Z' = LL'.
	t, l   *mat.Dense // n x k and n x n; l is upper triangular, L'
	fit    float64    // min_b |y - Zb|^2 + |F^-1(b - m0)|^2
	logDet float64    // log |I + Z F F'Z'|
	rss    float64    // |y - Z m|^2
	gamma  float64    // trace of C Z'Z, between 0 and min(n, k)
	cond   float64
	method string
}

// Condition numbers of the whitened system, columns scaled to unit length.
// Cholesky of cross-products loses twice that many digits: beyond condRows rows
// are factored instead, unless there are more than mostColumns unknowns and
// fewer observations; beyond condMost nothing is left.
const (
	condRows    = 1e5
	condMost    = 1e7
	mostColumns = 2000
)

// solve returns the posterior. If there are rows to fall back on, and
// cross-products lose too many digits, it is the QR factorization of rows.
func (b *bayesData) solve(f *priorRoot) (*posterior, error) {
	if b.k() == 0 { // the intercept alone, and its prior is flat
		return &posterior{root: &mat.Dense{}, fit: b.yy, rss: b.yy, cond: 1, method: "mean"}, nil
	}
	var post *posterior
	if b.g != nil {
		post = b.solveSums(f)
	} else {
		post = b.solveDual(f)
	}
	most := condMost
	if b.rows == nil && b.stated > 0 { // the errors of the sums are magnified by the square of it
		most = math.Min(most, 0.1/math.Sqrt(b.stated))
	}
	if post != nil && post.cond <= math.Min(condRows, most) {
		return post, nil
	}
	if b.rows != nil && b.k() <= max(mostColumns, b.n) {
		return b.solveRows(f), nil
	}
	if post == nil || post.cond > most {
		if most < condMost {
			return nil, fmt.Errorf("%w: the cross-products are singular to within their errors (Sums.RelErr) beside a prior this vague; "+
				"compute them with more digits, standardize the columns, leave out aliased ones, or make the prior variance smaller", ErrSetting)
		}
		return nil, fmt.Errorf("%w: the cross-products are singular in float64 beside a prior this vague; "+
			"standardize the columns, leave out aliased ones, or make the prior variance smaller (rows of up to %d terms can be fitted as they are)",
			ErrSetting, mostColumns)
	}
	return post, nil
}

// solveSums factors I + F'Z'Z F, and refines the mean on the rows if there are
// any. It returns nil if the factorization fails.
func (b *bayesData) solveSums(f *priorRoot) *posterior {
	k := b.k()
	g := mat.NewSymDense(k, nil)
	g.CopySym(b.g)
	inner := f.inner(g)
	for j := range k {
		inner.SetSym(j, j, 1+inner.At(j, j))
	}
	keep, r := lsq.Cholesky(inner, 0, 0)
	if len(keep) < k {
		return nil
	}
	c, yy := slices.Clone(b.c), b.yy // of y - Z m0
	if f.Mean != nil {
		gm := make([]float64, k)
		blas64.Symv(1, b.g.RawSymmetric(), blas64.Vector{N: k, Inc: 1, Data: f.Mean}, 0, blas64.Vector{N: k, Inc: 1, Data: gm})
		for j, m := range f.Mean {
			yy -= m * (2*c[j] - gm[j])
			c[j] -= gm[j]
		}
	}
	fc := f.transposeTimes(c)
	z := slices.Clone(fc)
	blas64.Trsv(blas.Trans, lsq.Upper(r), blas64.Vector{N: k, Inc: 1, Data: z})
	u, rinv := lsq.BackSolve(r, z)
	post := newPosterior(f, r, rinv, "Cholesky")
	post.fit = yy
	for j, v := range u {
		post.fit -= v * fc[j]
	}
	post.mean = f.shift(u)
	if b.rows == nil {
		post.rss = math.Max(post.fit-gram.Squares(u), 0)
		post.fit = math.Max(post.fit, post.rss)
		return post
	}
	zr, rss := b.residual(post.mean)
	step := f.transposeTimes(zr)
	for j := range step {
		step[j] -= u[j]
	}
	v := blas64.Vector{N: k, Inc: 1, Data: step}
	blas64.Trsv(blas.Trans, lsq.Upper(r), v)
	blas64.Trsv(blas.NoTrans, lsq.Upper(r), v)
	for j, s := range step {
		u[j] += s
	}
	// |y - Z(m + d)|^2 for the small correction d = F step.
	d := blas64.Vector{N: k, Inc: 1, Data: f.times(step)}
	gd := blas64.Vector{N: k, Inc: 1, Data: zr}
	blas64.Symv(1, b.g.RawSymmetric(), d, -2, gd)
	post.mean = f.shift(u)
	post.rss = math.Max(rss+blas64.Dot(d, gd), 0)
	post.fit = post.rss + gram.Squares(u)
	return post
}

// shift returns m0 + F u.
func (f *priorRoot) shift(u []float64) []float64 {
	m := f.times(u)
	for j, v := range f.Mean {
		m[j] += v
	}
	return m
}

// newPosterior takes what the covariance gives from the factor R'R = I +
// F'Z'Z F and its inverse.
func newPosterior(f *priorRoot, r *mat.Dense, rinv *mat.TriDense, method string) *posterior {
	post := &posterior{cond: lsq.ConditionNumber(r, rinv), method: method}
	k := f.K
	post.root = mat.NewDense(k, k, nil)
	post.gamma = float64(k)
	for i := range k {
		row := post.root.RawRowView(i)[i:]
		for j := range row {
			row[j] = rinv.At(i, i+j)
		}
		post.gamma -= gram.Squares(row)
		post.logDet += 2 * math.Log(math.Abs(r.At(i, i)))
	}
	f.leftOf(post.root)
	return post
}

// solveRows factors (Z F; I) = QR.
func (b *bayesData) solveRows(f *priorRoot) *posterior {
	z, y := b.z(f.K)
	b.subtractMean(f, z, y)
	f.rightOf(z)
	for j := range f.K {
		z.Set(b.n+j, j, 1)
	}
	r, qty := triangularize(z, y)
	u, rinv := lsq.BackSolve(r, qty)
	post := newPosterior(f, r, rinv, "Householder QR")
	post.mean = f.shift(u)
	_, post.rss = b.residual(post.mean)
	post.fit = post.rss + gram.Squares(u)
	return post
}

// subtractMean replaces y by y - Z m0.
func (b *bayesData) subtractMean(f *priorRoot, z *mat.Dense, y []float64) {
	if f.Mean == nil {
		return
	}
	blas64.Gemv(blas.NoTrans, -1, z.RawMatrix(), blas64.Vector{N: len(f.Mean), Inc: 1, Data: f.Mean}, 1,
		blas64.Vector{N: len(y), Inc: 1, Data: y})
}

// solveDual factors the n x n matrix I + Z F F'Z'; no k x k matrix is formed.
// It returns nil if the factorization fails.
func (b *bayesData) solveDual(f *priorRoot) *posterior {
	z, y := b.z(0)
	b.subtractMean(f, z, y)
	f.rightOf(z)
	form := algebra.Outer(z)
	for i := range b.n {
		form.SetSym(i, i, 1+form.At(i, i))
	}
	keep, r := lsq.Cholesky(form, 0, 0)
	if len(keep) < b.n {
		return nil
	}
	a := slices.Clone(y)
	av := blas64.Vector{N: b.n, Inc: 1, Data: a}
	blas64.Trsv(blas.Trans, lsq.Upper(r), av)
	_, rinv := lsq.BackSolve(r, a)
	post := &posterior{l: r, t: z, fit: gram.Squares(a), cond: lsq.ConditionNumber(r, rinv), method: "Cholesky of the n x n form"}
	blas64.Trsv(blas.NoTrans, lsq.Upper(r), av)
	u := make([]float64, b.k())
	blas64.Gemv(blas.Trans, 1, z.RawMatrix(), av, 0, blas64.Vector{N: len(u), Inc: 1, Data: u})
	post.mean = f.shift(u)
	_, post.rss = b.residual(post.mean)
	algebra.SolveTransposed(lsq.Upper(r), z.RawMatrix())
	for i := range b.n {
		post.gamma += gram.Squares(z.RawRowView(i))
		post.logDet += 2 * math.Log(r.At(i, i))
	}
	return post
}
