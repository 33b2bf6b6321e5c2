package mlreg

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

// Products, triangular systems and eigenvalues: by gonum while they are small, and by
// blocks on mlreg's own kernels if they are large.

// large tells whether a product of r x m and m x c is one for the kernels.
func large(r, m, c int) bool {
	const least = blocked.Least
	return float64(r)*float64(m)*float64(c) >= least*least*least
}

func asSymmetric(a blas64.Symmetric) *mat.SymDense {
	var s mat.SymDense
	s.SetRawSymmetric(a)
	return &s
}

// multiply returns A B, with A or B transposed if its flag says so.
func multiply(a, b *mat.Dense, transposeA, transposeB bool) *mat.Dense {
	m, r := a.Dims()
	if !transposeA {
		m, r = r, m
	}
	c, n := b.Dims()
	if !transposeB {
		c = n
	}
	if large(r, m, c) {
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

// outer returns A A'.
func outer(a *mat.Dense) *mat.SymDense {
	n, m := a.Dims()
	if large(n, m, n) {
		return asSymmetric(blocked.Outer(a.RawMatrix()))
	}
	s := mat.NewSymDense(n, nil)
	s.SymOuterK(1, a)
	return s
}

// inner returns A'A.
func inner(a blas64.General) blas64.Symmetric {
	if large(a.Cols, a.Rows, a.Cols) {
		return blocked.Inner(a)
	}
	s := mat.NewSymDense(a.Cols, nil).RawSymmetric()
	addInner(s, a)
	return s
}

// addInner adds A'A to the upper triangle of s.
func addInner(s blas64.Symmetric, a blas64.General) {
	if large(a.Cols, a.Rows, a.Cols) {
		gram.AddProduct(blas64.General{Rows: s.N, Cols: s.N, Stride: s.Stride, Data: s.Data}, 1, a, a, true)
		return
	}
	blas64.Syrk(blas.Trans, 1, a, 1, s)
}

// solveTransposed replaces b by R'^-1 b.
func solveTransposed(r blas64.Triangular, b blas64.General) {
	if r.N >= blocked.Least {
		blocked.SolveTransposed(blas64.General{Rows: r.N, Cols: r.N, Stride: r.Stride, Data: r.Data}, b)
		return
	}
	blas64.Trsm(blas.Left, blas.Trans, 1, r, b)
}

var errEigen = errors.New("mlreg: the eigenvalues of the cross-products did not converge")

// eigenProjections returns the eigenvalues of a, ascending, and the projections of b on
// the eigenvectors, which are known up to their signs.
func eigenProjections(a *mat.SymDense, b []float64) (values, projections []float64, err error) {
	if a.SymmetricDim() >= blocked.Least {
		values, projections, ok := tridiagonal.Project(a.RawSymmetric(), b)
		if !ok {
			return nil, nil, errEigen
		}
		return values, projections, nil
	}
	values, v, err := eigenvectors(a, 0)
	if err != nil {
		return nil, nil, err
	}
	projections = make([]float64, len(b))
	blas64.Gemv(blas.Trans, 1, v.RawMatrix(), gram.Vector(b), 0, gram.Vector(projections))
	return values, projections, nil
}

// eigenvectors returns the eigenvalues of a, ascending, and the eigenvectors, a column
// each, of all from the given one on.
func eigenvectors(a *mat.SymDense, from int) (values []float64, v *mat.Dense, err error) {
	n := a.SymmetricDim()
	if n >= blocked.Least {
		e, ok := tridiagonal.Decompose(a.RawSymmetric())
		if !ok {
			return nil, nil, errEigen
		}
		columns := e.Vectors(from, n)
		return slices.Clone(e.Values), mat.NewDense(columns.Rows, columns.Cols, columns.Data), nil
	}
	var eig mat.EigenSym
	if !eig.Factorize(a, true) {
		return nil, nil, errEigen
	}
	var all mat.Dense
	eig.VectorsTo(&all)
	if from > 0 {
		return eig.Values(nil), mat.DenseCopyOf(all.Slice(0, n, from, n)), nil
	}
	return eig.Values(nil), &all, nil
}
