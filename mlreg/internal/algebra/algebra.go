// Package algebra has products, triangular systems and eigenvalues: by gonum while they are small, and by
// blocks on own kernels if they are large.
package algebra

import (
	"errors"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/blocked"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tridiagonal"
)

// Large tells whether a product of r x m and m x c is one for the kernels.
func Large(r, m, c int) bool {
	const least = blocked.Least
	return float64(r)*float64(m)*float64(c) >= least*least*least
}

// AsSymmetric returns the matrix that shares its numbers.
func AsSymmetric(a blas64.Symmetric) *mat.SymDense {
	var s mat.SymDense
	s.SetRawSymmetric(a)
	return &s
}

// Multiply returns A B, with A or B transposed if its flag says so.
func Multiply(a, b *mat.Dense, transposeA, transposeB bool) *mat.Dense {
	m, r := a.Dims()
	if !transposeA {
		m, r = r, m
	}
	c, n := b.Dims()
	if !transposeB {
		c = n
	}
	if Large(r, m, c) {
		p := blocked.Multiply(a.RawMatrix(), b.RawMatrix(), transposeA, transposeB)
		return mat.NewDense(r, c, p.Data)
	}
	var left, right mat.Matrix = a, b
	if transposeA {
		left = a.T()
	}
	if transposeB {
		right = b.T()
	}
	var p mat.Dense
	p.Mul(left, right)
	return &p
}

// Outer returns A A'.
func Outer(a *mat.Dense) *mat.SymDense {
	n, m := a.Dims()
	if Large(n, m, n) {
		return AsSymmetric(blocked.Outer(a.RawMatrix()))
	}
	s := mat.NewSymDense(n, nil)
	s.SymOuterK(1, a)
	return s
}

// Inner returns A'A.
func Inner(a blas64.General) blas64.Symmetric {
	if Large(a.Cols, a.Rows, a.Cols) {
		return blocked.Inner(a)
	}
	s := mat.NewSymDense(a.Cols, nil).RawSymmetric()
	AddInner(s, a)
	return s
}

// AddInner adds A'A to the upper triangle of s.
func AddInner(s blas64.Symmetric, a blas64.General) {
	if Large(a.Cols, a.Rows, a.Cols) {
		gram.AddProduct(blas64.General{Rows: s.N, Cols: s.N, Stride: s.Stride, Data: s.Data}, 1, a, a, true)
		return
	}
	blas64.Syrk(blas.Trans, 1, a, 1, s)
}

// SolveTransposed replaces b by R'^-1 b.
func SolveTransposed(r blas64.Triangular, b blas64.General) {
	if r.N >= blocked.Least {
		blocked.SolveTransposed(blas64.General{Rows: r.N, Cols: r.N, Stride: r.Stride, Data: r.Data}, b)
		return
	}
	blas64.Trsm(blas.Left, blas.Trans, 1, r, b)
}

// ErrEigen says that the eigenvalues were not found.
var ErrEigen = errors.New("mlreg: the eigenvalues of the cross-products did not converge")

// EigenProjections returns the eigenvalues of a, ascending, and the projections of b on
// the eigenvectors, which are known up to their signs.
func EigenProjections(a *mat.SymDense, b []float64) (values, projections []float64, err error) {
	if a.SymmetricDim() >= blocked.Least {
		values, projections, ok := tridiagonal.Project(a.RawSymmetric(), b)
		if !ok {
			return nil, nil, ErrEigen
		}
		return values, projections, nil
	}
	values, v, err := Eigenvectors(a, 0)
	if err != nil {
		return nil, nil, err
	}
	projections = make([]float64, len(b))
	blas64.Gemv(blas.Trans, 1, v.RawMatrix(), gram.Vector(b), 0, gram.Vector(projections))
	return values, projections, nil
}

// Eigenvectors returns the eigenvalues of a, ascending, and the eigenvectors, a column
// each, of all from the given one on.
func Eigenvectors(a *mat.SymDense, from int) (values []float64, v *mat.Dense, err error) {
	n := a.SymmetricDim()
	if n >= blocked.Least {
		e, ok := tridiagonal.Decompose(a.RawSymmetric())
		if !ok {
			return nil, nil, ErrEigen
		}
		columns := e.Vectors(from, n)
		return slices.Clone(e.Values), mat.NewDense(columns.Rows, columns.Cols, columns.Data), nil
	}
	var eig mat.EigenSym
	if !eig.Factorize(a, true) {
		return nil, nil, ErrEigen
	}
	var all mat.Dense
	eig.VectorsTo(&all)
	if from > 0 {
		return eig.Values(nil), mat.DenseCopyOf(all.Slice(0, n, from, n)), nil
	}
	return eig.Values(nil), &all, nil
}

// NewDense returns an n x p matrix of zeros; mat.NewDense refuses p = 0.
func NewDense(n, p int) *mat.Dense {
	if p > 0 {
		return mat.NewDense(n, p, nil)
	}
	x := &mat.Dense{}
	x.SetRawMatrix(blas64.General{Rows: n, Stride: 1, Data: make([]float64, n)})
	return x
}

// RowOf returns a copy of v as a 1 x len(v) matrix.
func RowOf(v []float64) *mat.Dense {
	x := NewDense(1, len(v))
	copy(x.RawRowView(0), v)
	return x
}

// NewSym returns a k x k matrix of zeros, the empty one for k = 0.
func NewSym(k int) *mat.SymDense {
	if k == 0 {
		return &mat.SymDense{}
	}
	return mat.NewSymDense(k, nil)
}

// Numbers returns the elements of a matrix, row by row.
func Numbers(m *mat.Dense) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data }

// RowLengths returns the lengths of the k rows of a root, which are the standard errors of the
// covariance root root'.
func RowLengths(root []float64, k int) []float64 {
	lengths := make([]float64, k)
	for j := range lengths {
		r := len(root) / k
		lengths[j] = blas64.Nrm2(gram.Vector(root[j*r : (j+1)*r]))
	}
	return lengths
}

// Covariance returns root root' of a root of k rows.
func Covariance(root []float64, k int) *mat.SymDense {
	return Outer(mat.NewDense(k, len(root)/max(k, 1), root))
}

// Averages returns the mean of each column of rows, of which there is one or more.
func Averages(rows [][]float64) []float64 {
	mean := make([]float64, len(rows[0]))
	for _, row := range rows {
		for j, v := range row {
			mean[j] += v / float64(len(rows))
		}
	}
	return mean
}
