package blocked

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Cholesky replaces the upper triangle of the square matrix a by the R of
// A = R'R, and what is below it by zeros. It returns false if A is not positive
// definite, with a in no defined state.
func Cholesky(a blas64.General) bool {
	if !factor(a) {
		return false
	}
	for i := range a.Rows {
		clear(a.Data[i*a.Stride : i*a.Stride+i])
	}
	return true
}

// factor leaves what is below the diagonal undefined.
//
//	A11 = R11'R11,  R12 = R11'^-1 A12,  A22 - R12'R12 = R22'R22.
func factor(a blas64.General) bool {
	n := a.Rows
	if n <= leaf {
		return factorLeaf(a)
	}
	h := half(n)
	r11, r12, r22 := part(a, 0, h, 0, h), part(a, 0, h, h, n), part(a, h, n, h, n)
	if !factor(r11) {
		return false
	}
	SolveTransposed(r11, r12)
	gram.AddProduct(r22, -1, r12, r12, true)
	return factor(r22)
}

// factorLeaf subtracts from every row what the rows above it make of it.
func factorLeaf(a blas64.General) bool {
	for i := range a.Rows {
		r := row(a, i, i)
		for l := range i {
			gram.Axpy(-a.Data[l*a.Stride+i], row(a, l, i), r)
		}
		if !(r[0] > 0) || math.IsInf(r[0], 1) {
			return false
		}
		d := math.Sqrt(r[0])
		for j := range r {
			r[j] /= d
		}
	}
	return true
}
