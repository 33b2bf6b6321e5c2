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

// Triangularize returns the upper trapezoidal factor R (min(n,k) x k) of a = QR, n x k,
// and the head of Q'y.
func Triangularize(a *mat.Dense, y []float64) (r *mat.Dense, qty []float64) {
	if a.IsEmpty() {
		return &mat.Dense{}, nil
	}
	q, qy := factor(a), slices.Clone(y)
	q.MultiplyTrans(qy)
	m := len(q.Tau)
	r = mat.NewDense(m, q.A.Cols, nil)
	for i := range m {
		copy(r.RawRowView(i)[i:], q.A.Data[i*q.A.Stride+i:i*q.A.Stride+q.A.Cols])
	}
	return r, qy[:m]
}

// Basis returns an orthonormal basis of the space that the columns of a, independent of
// each other, span.
func Basis(a *mat.Dense) *mat.Dense {
	q := factor(a)
	q.Orthonormal()
	return mat.NewDense(q.A.Rows, q.A.Cols, q.A.Data)
}

// LeastSquares returns the X that minimizes |B - AX|, for an A of at least as many rows as columns, from the triangle
// of [A B]. The error is a mat.Condition if A is singular to rounding.
func LeastSquares(a, b *mat.Dense) (*mat.Dense, error) {
	n, k := a.Dims()
	_, c := b.Dims()
	var both mat.Dense
	both.Augment(a, b)
	blocked.NewQR(n, k+c).Factor(both.RawMatrix())
	r := Upper(both.Slice(0, k, 0, k).(*mat.Dense))
	if cond := TriangularCondition(r); !(cond <= mat.ConditionTolerance) {
		return nil, mat.Condition(cond)
	}
	x := mat.DenseCopyOf(both.Slice(0, k, k, k+c))
	blas64.Trsm(blas.Left, blas.NoTrans, 1, r, x.RawMatrix())
	return x, nil
}

// TriangularCondition returns LAPACK's estimate of the condition number |R| |R^-1|, by largest sums of rows, of R.
func TriangularCondition(r blas64.Triangular) float64 {
	return 1 / lapack64.Trcon(mat.CondNorm, r, make([]float64, 3*r.N), make([]int, r.N))
}

// factor returns the QR factorization of a.
func factor(a *mat.Dense) *blocked.QR {
	n, k := a.Dims()
	q := blocked.NewQR(n, k)
	q.Factor(mat.DenseCopyOf(a).RawMatrix())
	return q
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
	inverse := mat.NewTriDense(r.N, mat.Upper, nil)
	inverseTo(inverse.RawTriangular(), r)
	return inverse
}

// inverseTo sets t, of zeros, to R^-1.
func inverseTo(t, r blas64.Triangular) {
	square := func(t blas64.Triangular) blas64.General {
		return blas64.General{Rows: t.N, Cols: t.N, Stride: t.Stride, Data: t.Data}
	}
	if r.N >= blocked.Least {
		if !blocked.InverseTo(square(t), square(r)) {
			panic(zeroPivot)
		}
		return
	}
	for i := range r.N {
		copy(t.Data[i*t.Stride+i:i*t.Stride+t.N], r.Data[i*r.Stride+i:i*r.Stride+r.N])
	}
	if !lapack64.Trtri(t) {
		panic(zeroPivot)
	}
}

// corner returns the triangle without its first offset rows and columns.
func corner(t *mat.TriDense, offset int) *mat.TriDense {
	raw := t.RawTriangular()
	if offset == 0 {
		return t
	}
	var part mat.TriDense
	if raw.N -= offset; raw.N > 0 {
		raw.Data = raw.Data[offset*raw.Stride+offset:]
	}
	part.SetRawTriangular(raw)
	return &part
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
	keep, full := choleskyBeside(g, tol, noise, 0)
	return keep, full
}

// choleskyBeside returns the R of Cholesky behind the given number of rows and columns
// of zeros.
func choleskyBeside(g *mat.SymDense, tol, noise float64, offset int) (keep []int, full *mat.Dense) {
	p := g.SymmetricDim()
	if p == 0 {
		return nil, newSquare(offset)
	}
	clear := tol * tol // of noise
	if noise > 0 {
		clear = math.Max(clear, math.Max(1e-10, 5e4*noise))
	}
	if full, ok := factorBeside(g, offset); ok {
		all := true
		for j := range p {
			keep = append(keep, j)
			d := full.At(offset+j, offset+j)
			all = all && d*d > clear*g.At(j, j)
		}
		if all {
			return keep, full
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
	full = newSquare(offset + len(keep))
	for i := range keep {
		copy(full.RawRowView(offset + i)[offset+i:], factor.RawRowView(i)[i:len(keep)])
	}
	return keep, full
}

// newSquare returns a matrix of zeros.
func newSquare(n int) *mat.Dense {
	if n == 0 {
		return &mat.Dense{}
	}
	return mat.NewDense(n, n, nil)
}

// Factor returns the upper triangular R of g = R'R, and whether g is positive definite.
func Factor(g *mat.SymDense) (*mat.Dense, bool) { return factorBeside(g, 0) }

// factorBeside returns R behind the given number of rows and columns of zeros.
func factorBeside(g *mat.SymDense, offset int) (full *mat.Dense, ok bool) {
	p, raw := g.SymmetricDim(), g.RawSymmetric()
	full = newSquare(offset + p)
	for j := range p {
		copy(full.RawRowView(offset + j)[offset+j:], raw.Data[j*raw.Stride+j:j*raw.Stride+p])
	}
	r := below(full, offset).RawMatrix()
	if p >= blocked.Least {
		return full, blocked.Cholesky(r)
	}
	_, ok = lapack64.Potrf(blas64.Symmetric{N: p, Stride: r.Stride, Data: r.Data, Uplo: blas.Upper})
	return full, ok
}

// below is a view without the first offset rows and columns.
func below(full *mat.Dense, offset int) *mat.Dense {
	if n, _ := full.Dims(); offset > 0 && n > offset {
		return full.Slice(offset, n, offset, n).(*mat.Dense)
	} else if n == offset {
		return &mat.Dense{}
	}
	return full
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
