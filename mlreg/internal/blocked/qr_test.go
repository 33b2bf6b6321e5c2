package blocked

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// withWork calls a routine of LAPACK for the size of its work space, and with it.
func withWork(routine func(work []float64, lwork int)) {
	query := make([]float64, 1)
	routine(query, -1)
	routine(make([]float64, int(query[0])), int(query[0]))
}

// QR of columns without zeros has the bits of LAPACK's, in room that was used before.
func TestQRAsLAPACK(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for _, size := range [][2]int{{1, 1}, {7, 3}, {3, 7}, {40, 33}, {300, 128}, {300, 129}, {150, 200}, {210, 203}, {200, 161}} {
		n, k := size[0], size[1]
		a, y := matrix(rng, n, k), matrix(rng, n, 1)
		want, wantY, tau := clone(a), blas64.General{Rows: n, Cols: 1, Stride: 1}, make([]float64, min(n, k))
		for i := range n {
			wantY.Data = append(wantY.Data, y.Data[i*y.Stride])
		}
		gotY := slices.Clone(wantY.Data)
		withWork(func(work []float64, lwork int) { lapack64.Geqrf(want, tau, work, lwork) })
		withWork(func(work []float64, lwork int) {
			lapack64.Ormqr(blas.Left, blas.Trans, part(want, 0, n, 0, len(tau)), tau, wantY, work, lwork)
		})
		q := NewQR(n+5, k)
		q.Factor(matrix(rng, n+5, k))
		q.Factor(a)
		q.MultiplyTrans(gotY)
		if !slices.Equal(a.Data, want.Data) || !slices.Equal(q.Tau, tau) || !slices.Equal(gotY, wantY.Data) {
			t.Errorf("%d x %d: other bits than LAPACK's", n, k)
		}
		if n < k {
			continue
		}
		withWork(func(work []float64, lwork int) { lapack64.Orgqr(want, tau, work, lwork) })
		q.Orthonormal()
		for i := range n {
			if !slices.Equal(row(a, i, 0), row(want, i, 0)) {
				t.Fatalf("%d x %d: row %d of Q has other bits than LAPACK's", n, k, i)
			}
		}
	}
}

// QR of columns with zeros, of which the second of 32 ends before the others and has no row in common with them, as the dummy
// of a level that sorted rows end without: R'R = a'a, Q'Q = I, a = QR, and Q'y has the head that it should have.
func TestQROfZeros(t *testing.T) {
	for _, k := range []int{3, 40, 129, 200} {
		for seed := range uint64(3) {
			rng := rand.New(rand.NewPCG(seed, 2))
			n := 2*k + 20
			a, y := matrix(rng, n, k), make([]float64, n)
			for i := range n {
				y[i] = rng.NormFloat64()
				for j := range k {
					nonzero := i%2 == 0
					if j%width == 1 {
						nonzero = i%2 == 1 && i >= k && i < n-15
					}
					if i != j && !nonzero {
						row(a, i, j)[0] = 0
					}
				}
			}
			checkQR(t, fmt.Sprintf("%d columns, draw %d", k, seed), a, y)
		}
	}
}

func checkQR(t *testing.T, what string, a blas64.General, y []float64) {
	t.Helper()
	n, k := a.Rows, a.Cols
	given, head := clone(a), slices.Clone(y)
	q := NewQR(n, k)
	q.Factor(a)
	q.MultiplyTrans(head)
	r := blas64.General{Rows: k, Cols: k, Stride: k, Data: make([]float64, k*k)}
	for i := range k {
		copy(row(r, i, i), row(a, i, i)[:k-i])
	}
	q.Orthonormal()
	product := func(ta blas.Transpose, a, b blas64.General, rows int) blas64.General {
		c := blas64.General{Rows: rows, Cols: k, Stride: k, Data: make([]float64, rows*k)}
		blas64.Gemm(ta, blas.NoTrans, 1, a, b, 0, c)
		return c
	}
	rr, aa := product(blas.Trans, r, r, k), product(blas.Trans, given, given, k)
	qq, qr := product(blas.Trans, a, a, k), product(blas.NoTrans, a, r, n)
	var off float64
	for i := range k {
		for j := range k {
			var one float64
			if i == j {
				one = 1
			}
			size := math.Sqrt(aa.Data[i*k+i] * aa.Data[j*k+j])
			off = max(off, math.Abs(rr.Data[i*k+j]-aa.Data[i*k+j])/size, math.Abs(qq.Data[i*k+j]-one))
		}
		var qy float64
		for row := range n {
			qy += a.Data[row*a.Stride+i] * y[row]
		}
		off = max(off, math.Abs(qy-head[i]))
	}
	for i := range n {
		for j := range k {
			off = max(off, math.Abs(qr.Data[i*k+j]-row(given, i, 0)[j]))
		}
	}
	if !(off < 1e-12) {
		t.Errorf("%s: off by %.1e", what, off)
	}
}
