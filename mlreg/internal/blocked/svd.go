package blocked

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// ErrSVD says that the singular values were not found.
var ErrSVD = errors.New("mlreg: the singular value decomposition of the design did not converge")

// SVD returns the thin singular value decomposition A = U S V' of an n x p matrix of finite numbers: its k = min(n, p)
// singular values, descending, and U (n x k) or V (p x k) if the kind has mat.SVDThinU or mat.SVDThinV.
//
// The matrix, or its transpose, is brought to bidiagonal form, by way of the triangle of its QR factorization if
// it has 1.6 times as many rows as columns, and that form is decomposed by QR steps with implicit shifts. The
// result is the exact decomposition of A + E, but for singular vectors that differ from orthonormal ones by F, where the norms
// of E/s_1 and of F are at most a small multiple of n p 2^-53, and so is the error of every singular value, relative to
// s_1. (Golub and Van Loan, Matrix Computations, 4th ed., sections 5.4.8, 5.4.9 and 8.6.)
//
// At most Unblocked singular values are those of mat.SVD, which does the same. Of more, LAPACK in gonum 0.17.0 loses
// products of sparse columns or rows: in the QR factorization (see QR), and where it multiplies out the reflections of the
// bidiagonal form, even of a triangle. Its singular values are wrong then, or its factors are not orthogonal.
func SVD(a *mat.Dense, kind mat.SVDKind) (u *mat.Dense, s []float64, v *mat.Dense, err error) {
	wantU, wantV := kind&mat.SVDThinU != 0, kind&mat.SVDThinV != 0
	if n, p := a.Dims(); min(n, p) > Unblocked {
		left, s, right, ok := decompose(a.RawMatrix(), wantU, wantV)
		if !ok {
			return nil, nil, nil, ErrSVD
		}
		if wantU {
			u = mat.NewDense(left.Rows, left.Cols, left.Data)
		}
		if wantV {
			v = mat.NewDense(right.Rows, right.Cols, right.Data)
		}
		return u, s, v, nil
	}
	var svd mat.SVD
	if !svd.Factorize(a, kind) {
		return nil, nil, nil, ErrSVD
	}
	if wantU {
		u = new(mat.Dense)
		svd.UTo(u)
	}
	if wantV {
		v = new(mat.Dense)
		svd.VTo(v)
	}
	return u, svd.Values(nil), v, nil
}

// decompose is SVD without mat.SVD, of a matrix that it copies.
func decompose(a blas64.General, wantU, wantV bool) (u blas64.General, s []float64, v blas64.General, ok bool) {
	exp := exponent(a)
	if a.Rows < a.Cols {
		v, s, u, ok = decomposeTall(timesPower(transposed(a, 0, a.Cols, a.Rows), -exp), wantV, wantU)
	} else {
		u, s, v, ok = decomposeTall(timesPower(copied(a), -exp), wantU, wantV)
	}
	for k := range s {
		s[k] = math.Ldexp(s[k], exp)
	}
	return u, s, v, ok
}

// decomposeTall decomposes a matrix of no more columns than rows, which it overwrites.
func decomposeTall(a blas64.General, wantU, wantV bool) (u blas64.General, s []float64, v blas64.General, ok bool) {
	n := a.Cols
	r := a
	var q *QR
	if 5*a.Rows >= 8*n {
		q = NewQR(a.Rows, n)
		q.Factor(a)
		r = zeros(n, n)
		for i := range n {
			copy(row(r, i, i), row(a, i, i))
		}
	}
	b := bidiagonalize(r)
	var ut, vt blas64.General // whose rows are rotated
	ut.Stride, vt.Stride = 1, 1
	if wantV {
		vt = b.rightTransposed()
	}
	if wantU {
		ut = b.leftTransposed()
	}
	ok = kernel.Dbdsqr(blas.Upper, n, vt.Cols, 0, ut.Cols, b.d, b.e, vt.Data, vt.Stride, nil, 1, ut.Data, ut.Stride, make([]float64, 4*n))
	switch {
	case !ok || !wantU:
	case q == nil:
		u = transposed(ut, 0, a.Rows, n)
	default:
		q.Orthonormal()
		multiplyInPlace(q.A, transposed(ut, 0, n, n))
		u = q.A
	}
	if ok && wantV {
		v = transposed(vt, 0, n, n)
	}
	return u, b.d, v, ok
}

// multiplyInPlace overwrites a with A B, for a square B.
func multiplyInPlace(a, b blas64.General) {
	const some = 512 // rows at a time
	for from := 0; from < a.Rows; from += some {
		rows := part(a, from, min(from+some, a.Rows), 0, a.Cols)
		product := Multiply(rows, b, false, false)
		for i := range rows.Rows {
			copy(row(rows, i, 0), row(product, i, 0))
		}
	}
}

// bidiagonal is the factorization r = Q B P' of a matrix of no more columns than rows, with the diagonal d of B and e
// above it. The reflections that Q and P are products of are stored below and right of them.
type bidiagonal struct {
	r                blas64.General
	d, e, tauQ, tauP []float64
}

// bidiagonalize overwrites r, and keeps it.
func bidiagonalize(r blas64.General) *bidiagonal {
	n := r.Cols
	room := func() []float64 { return make([]float64, n) }
	b := &bidiagonal{r, room(), room(), room(), room()}
	work := make([]float64, max(1, (r.Rows+n)*width))
	kernel.Dgebrd(r.Rows, n, r.Data, r.Stride, b.d, b.e, b.tauQ, b.tauP, work, len(work))
	return b
}

// leftTransposed returns Q', of as many rows as B has. It overwrites the reflections.
func (b *bidiagonal) leftTransposed() blas64.General {
	q := NewQR(b.r.Rows, b.r.Cols)
	q.A, q.Tau = b.r, b.tauQ
	q.Orthonormal()
	return transposed(q.A, 0, q.A.Cols, q.A.Rows)
}

// rightTransposed returns P', whose first row and column are those of the unit matrix.
func (b *bidiagonal) rightTransposed() blas64.General {
	n := b.r.Cols
	p := zeros(n, n)
	p.Data[0] = 1
	if n == 1 {
		return p
	}
	q := NewQR(n-1, n-1)
	right := part(b.r, 0, n-1, 1, n) // whose rows have the reflections
	q.A, q.Tau = transposed(right, 0, n-1, n-1), b.tauP[:n-1]
	q.Orthonormal()
	for i := 1; i < n; i++ {
		for j := 1; j < n; j++ {
			p.Data[i*n+j] = q.A.Data[(j-1)*q.A.Stride+i-1]
		}
	}
	return p
}

// exponent returns that of the largest element in size if its squares are far from 1, and zero otherwise.
func exponent(a blas64.General) int {
	const far = 256
	var largest float64
	for i := range a.Rows {
		for _, v := range row(a, i, 0) {
			largest = max(largest, math.Abs(v))
		}
	}
	if _, exp := math.Frexp(largest); exp < -far || exp > far {
		return exp
	}
	return 0
}

// timesPower multiplies a by 2^exp.
func timesPower(a blas64.General, exp int) blas64.General {
	if exp == 0 {
		return a
	}
	for i := range a.Rows {
		to := row(a, i, 0)
		for j, v := range to {
			to[j] = math.Ldexp(v, exp)
		}
	}
	return a
}

// copied returns a copy of a without room to spare in its rows.
func copied(a blas64.General) blas64.General {
	c := blas64.General{Rows: a.Rows, Cols: a.Cols, Stride: a.Cols, Data: make([]float64, a.Rows*a.Cols)}
	for i := range a.Rows {
		copy(row(c, i, 0), row(a, i, 0))
	}
	return c
}
