// Package blocked has the algebra of order p^3 that follows a Gram matrix at the
// speed of the kernels of package gram: Cholesky's factorization, triangular
// systems with many right sides, triangular inverses and their products. QR and SVD
// take LAPACK's steps for columns of rows, sparse ones, too.
//
// All else is recursive: a matrix is split in halves until they are small, and
// what joins the halves is a product of matrices. Its error bounds are those of
// the algorithms without blocks. (Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd ed., sections 8.1, 10.1.1 and 13.2.) Nothing but diagonal
// elements is divided by: inverses of diagonal blocks would be faster, and lose
// digits where those are ill-conditioned.
//
// Results are the same to the bit whatever GOMAXPROCS is.
package blocked

import "gonum.org/v1/gonum/blas/blas64"

// Least is the order from which on the functions here are faster than those of
// LAPACK in Go.
const Least = 128

// leaf is the order of the halves that are not split any more.
const leaf = 32

// half is where a matrix is split: at a multiple of the kernels' widths.
func half(n int) int { return (n/2 + 23) / 24 * 24 }

// part is a view of rows i0 to i1 and columns j0 to j1 of a.
func part(a blas64.General, i0, i1, j0, j1 int) blas64.General {
	p := blas64.General{Rows: i1 - i0, Cols: j1 - j0, Stride: a.Stride}
	if p.Rows > 0 && p.Cols > 0 {
		p.Data = a.Data[i0*a.Stride+j0 : (i1-1)*a.Stride+j1]
	}
	return p
}

// row is row i of a from column j on.
func row(a blas64.General, i, j int) []float64 { return a.Data[i*a.Stride+j : i*a.Stride+a.Cols] }
