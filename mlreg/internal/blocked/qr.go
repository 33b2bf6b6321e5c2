package blocked

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
)

var kernel lapackgonum.Implementation

// width is how many reflections are applied at a time, and Unblocked up to how many columns are factored, and
// reflections multiplied out, one at a time: those of LAPACK.
const (
	width     = 32
	Unblocked = 128
)

// QR is a factorization a = QR as LAPACK has it: R on and above the diagonal, below it the
// reflections H_i = I - Tau_i v_i v_i' of Q = H_0 H_1 ...
//
// It does what lapack64.Geqrf, Ormqr and Orgqr do, to the bit, but for their triangle T of 32 reflections I - V T V'.
// That of gonum 0.17.0 (Dlarft) takes the last element of v_1 that is not zero for the last
// of v_0, too, and so loses products v_0'v_2: R'R is not a'a then, by any amount. Only a matrix with a
// column that ends in zeros, as dummies do, is affected, and only if it has more than 32 or 128 columns.
type QR struct {
	A       blas64.General
	Tau     []float64
	t, work []float64
}

// NewQR returns room for factoring matrices of at most so many rows and of so many columns.
func NewQR(rows, columns int) *QR {
	return &QR{Tau: make([]float64, min(rows, columns)), t: make([]float64, width*width), work: make([]float64, max(1, columns)*width)}
}

// Factor factors a, which it overwrites and keeps.
func (q *QR) Factor(a blas64.General) {
	q.A, q.Tau = a, q.Tau[:min(a.Rows, a.Cols)]
	var i int
	if k := len(q.Tau); k > Unblocked {
		for ; i < k-Unblocked; i += width {
			end := min(k, i+width)
			panel := part(a, i, a.Rows, i, end)
			kernel.Dgeqr2(panel.Rows, panel.Cols, panel.Data, panel.Stride, q.Tau[i:end], q.work)
			if end < a.Cols {
				q.reflect(blas.Trans, i, end, part(a, i, a.Rows, end, a.Cols))
			}
		}
	}
	if rest := part(a, i, a.Rows, i, a.Cols); i < len(q.Tau) {
		kernel.Dgeqr2(rest.Rows, rest.Cols, rest.Data, rest.Stride, q.Tau[i:], q.work)
	}
}

// MultiplyTrans overwrites y with Q'y.
func (q *QR) MultiplyTrans(y []float64) {
	k := len(q.Tau)
	if k <= width {
		if k > 0 {
			kernel.Dorm2r(blas.Left, blas.Trans, len(y), 1, k, q.A.Data, q.A.Stride, q.Tau, y, 1, q.work)
		}
		return
	}
	for i := 0; i < k; i += width {
		q.reflect(blas.Trans, i, min(k, i+width), blas64.General{Rows: len(y) - i, Cols: 1, Stride: 1, Data: y[i:]})
	}
}

// Orthonormal overwrites A, of at least as many rows as columns, with the first columns of Q.
func (q *QR) Orthonormal() {
	a, k := q.A, len(q.Tau)
	var blocks int // of reflections that are multiplied out together
	if k > Unblocked {
		blocks = (k-Unblocked-1)/width + 1
	}
	first := min(k, blocks*width)
	if first < k {
		for i := range first {
			clear(row(a, i, first))
		}
		rest := part(a, first, a.Rows, first, k)
		kernel.Dorg2r(rest.Rows, rest.Cols, rest.Cols, rest.Data, rest.Stride, q.Tau[first:], q.work)
	}
	for i := (blocks - 1) * width; i >= 0; i -= width {
		end := min(k, i+width)
		if end < k {
			q.reflect(blas.NoTrans, i, end, part(a, i, a.Rows, end, k))
		}
		panel := part(a, i, a.Rows, i, end)
		kernel.Dorg2r(panel.Rows, panel.Cols, panel.Cols, panel.Data, panel.Stride, q.Tau[i:end], q.work)
		for above := range i {
			clear(row(a, above, i)[:end-i])
		}
	}
}

// reflect multiplies c by the reflections H_i ... H_end-1, or by those transposed: by I - V T V' with
//
//	T = [T_1, -tau_j T_1 V_1'v_j; 0, tau_j],
//
// column by column. (Schreiber and Van Loan, 1989, SIAM Journal on Scientific and Statistical
// Computing 10, 53-57.)
func (q *QR) reflect(trans blas.Transpose, i, end int, c blas64.General) {
	v, k := part(q.A, i, q.A.Rows, i, end), end-i
	clear(q.t)
	t := blas64.General{Rows: k, Cols: k, Stride: width, Data: q.t}
	for j, tau := range q.Tau[i:end] {
		if tau == 0 {
			continue
		}
		column := blas64.Vector{N: j, Inc: width, Data: q.t[j:]}
		for before := range j {
			q.t[before*width+j] = -tau * v.Data[j*v.Stride+before]
		}
		if below := part(v, j+1, v.Rows, 0, j); j > 0 {
			blas64.Gemv(blas.Trans, -tau, below, blas64.Vector{N: below.Rows, Inc: v.Stride, Data: v.Data[min(j+1, v.Rows-1)*v.Stride+j:]}, 1, column)
			blas64.Trmv(blas.NoTrans, blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: j, Stride: width, Data: t.Data}, column)
		}
		q.t[j*width+j] = tau
	}
	kernel.Dlarfb(blas.Left, trans, lapack.Forward, lapack.ColumnWise, v.Rows, c.Cols, k, v.Data, v.Stride, t.Data, width, c.Data, c.Stride, q.work, width)
}
