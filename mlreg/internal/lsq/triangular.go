package lsq

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/blocked"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// withWork calls a LAPACK routine twice: to ask how much work space it wants,
// and with that space.
func withWork(routine func(work []float64, lwork int)) {
	query := make([]float64, 1)
	routine(query, -1)
	routine(make([]float64, int(query[0])), int(query[0]))
}

// independentColumns returns, in order, the columns of an upper trapezoidal R
// whose part orthogonal to the columns kept before them is longer than tol
// times their length. No column is independent of m others in m dimensions.
func independentColumns(r *mat.Dense, tol float64) []int {
	if r.IsEmpty() {
		return nil
	}
	m, k := r.Dims()
	length := make([]float64, k)
	full := m == k
	for j := range k {
		length[j] = blas64.Nrm2(gram.Column(r, j))
		full = full && math.Abs(r.At(min(j, m-1), j)) > tol*length[j]
	}
	keep := make([]int, 0, k)
	if full {
		for j := range k {
			keep = append(keep, j)
		}
		return keep
	}
	// Orthogonalise column by column, twice, against what is kept.
	basis := mat.NewDense(k, m, nil)
	v := make([]float64, m)
	for j := range k {
		mat.Col(v, j, r)
		for range 2 {
			for q := range keep {
				u := basis.RawRowView(q)
				c := blas64.Implementation().Ddot(m, u, 1, v, 1)
				blas64.Implementation().Daxpy(m, -c, u, 1, v, 1)
			}
		}
		rest := blas64.Implementation().Dnrm2(m, v, 1)
		if len(keep) < m && rest > tol*length[j] {
			u := basis.RawRowView(len(keep))
			for i, x := range v {
				u[i] = x / rest
			}
			keep = append(keep, j)
		}
	}
	return keep
}

const zeroPivot = "lsq: zero on the diagonal of a triangle that is to be inverted"

// BackSolve returns R^-1 z and R^-1 for a k x k upper triangular R.
func BackSolve(r *mat.Dense, z []float64) ([]float64, *mat.TriDense) {
	if r.IsEmpty() {
		return nil, &mat.TriDense{}
	}
	b := slices.Clone(z)
	blas64.Trsv(blas.NoTrans, Upper(r), gram.Vector(b))
	return b, TriangularInverse(Upper(r))
}

// TriangularInverse returns R^-1 for an upper triangular R without zeros on its
// diagonal.
func TriangularInverse(r blas64.Triangular) *mat.TriDense {
	var inverse mat.TriDense
	if r.N >= blocked.Least {
		x := blocked.Inverse(blas64.General{Rows: r.N, Cols: r.N, Stride: r.Stride, Data: r.Data})
		if x == nil {
			panic(zeroPivot)
		}
		r.Stride, r.Data = x.Stride, x.Data
		inverse.SetRawTriangular(r)
		return &inverse
	}
	inverse = *mat.NewTriDense(r.N, mat.Upper, nil)
	t := inverse.RawTriangular()
	for i := range r.N {
		copy(t.Data[i*t.Stride+i:(i+1)*t.Stride], r.Data[i*r.Stride+i:i*r.Stride+r.N])
	}
	if !lapack64.Trtri(t) {
		panic(zeroPivot)
	}
	return &inverse
}

// Upper views a square matrix as upper triangular.
func Upper(r *mat.Dense) blas64.Triangular {
	raw := r.RawMatrix()
	return blas64.Triangular{N: raw.Rows, Stride: raw.Stride, Data: raw.Data, Uplo: blas.Upper, Diag: blas.NonUnit}
}

// Cholesky factors the kept rows and columns of g as R'R. A column is kept if
// the squared length of its part orthogonal to those kept before it exceeds
// tol^2 times its own, and noise times the square of the lengths that cancel in it,
// |x_j| + sum_i |c_i| |x_i| for the combination c of those kept that is next to it.
func Cholesky(g *mat.SymDense, tol, noise float64) (keep []int, r *mat.Dense) {
	p := g.SymmetricDim()
	if p == 0 {
		return nil, &mat.Dense{}
	}
	clear := tol * tol // of noise
	if noise > 0 {
		clear = math.Max(clear, math.Max(1e-10, 5e4*noise))
	}
	if r, ok := Factor(g); ok {
		full := true
		for j := range p {
			keep = append(keep, j)
			d := r.At(j, j)
			full = full && d*d > clear*g.At(j, j)
		}
		if full {
			return keep, r
		}
	}
	// Column by column: solve R_kept' v = g_kept,j; what is left of g_jj is the
	// squared length sought.
	keep = keep[:0]
	factor := mat.NewDense(p, p, nil) // rows and columns of kept columns, in order
	for j := range p {
		k := len(keep)
		v := make([]float64, k)
		for i, q := range keep {
			v[i] = g.At(q, j)
		}
		rest := g.At(j, j)
		if k > 0 {
			t := Upper(factor)
			t.N = k
			blas64.Trsv(blas.Trans, t, blas64.Vector{N: k, Inc: 1, Data: v})
			for _, x := range v {
				rest -= x * x
			}
		}
		if rest > tol*tol*g.At(j, j) && (rest > clear*g.At(j, j) || rest > noise*canceled(g, factor, keep, v, j)) {
			for i, x := range v {
				factor.Set(i, k, x)
			}
			factor.Set(k, k, math.Sqrt(rest))
			keep = append(keep, j)
		}
	}
	if len(keep) == 0 {
		return keep, &mat.Dense{}
	}
	return keep, mat.DenseCopyOf(factor.Slice(0, len(keep), 0, len(keep)))
}

// Factor returns the upper triangular R of g = R'R, and whether g is positive definite.
func Factor(g *mat.SymDense) (*mat.Dense, bool) {
	p, raw := g.SymmetricDim(), g.RawSymmetric()
	r := mat.NewDense(p, p, nil)
	for j := range p {
		copy(r.RawRowView(j)[j:], raw.Data[j*raw.Stride+j:j*raw.Stride+p])
	}
	if p >= blocked.Least {
		return r, blocked.Cholesky(r.RawMatrix())
	}
	_, ok := lapack64.Potrf(blas64.Symmetric{N: p, Stride: p, Data: r.RawMatrix().Data, Uplo: blas.Upper})
	return r, ok
}

// canceled returns (|x_j| + sum_i |c_i| |x_i|)^2 for the c with factor c = v.
func canceled(g *mat.SymDense, factor *mat.Dense, keep []int, v []float64, j int) float64 {
	c := slices.Clone(v)
	if t := Upper(factor); len(c) > 0 {
		t.N = len(c)
		blas64.Trsv(blas.NoTrans, t, gram.Vector(c))
	}
	length := math.Sqrt(g.At(j, j))
	for i, q := range keep {
		length += math.Abs(c[i]) * math.Sqrt(g.At(q, q))
	}
	return length * length
}
