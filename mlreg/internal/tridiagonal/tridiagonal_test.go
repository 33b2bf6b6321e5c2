package tridiagonal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func random(n int) *mat.SymDense {
	rnd := rand.New(rand.NewPCG(uint64(n), 2))
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			a.SetSym(i, j, rnd.NormFloat64())
		}
	}
	return a
}

// Q T Q' is the matrix and Q is orthogonal, for every size around the panels and
// the split of products.
func TestReduce(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 31, 32, 33, 34, 63, 64, 65, 100, 300, 333} {
		a := random(n)
		copied := mat.NewSymDense(n, nil)
		copied.CopySym(a)
		f := Reduce(copied.RawSymmetric())
		q, tri := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
		for i := range n {
			q.Set(i, i, 1)
			tri.Set(i, i, f.D[i])
			if i > 0 {
				tri.Set(i, i-1, f.E[i-1])
				tri.Set(i-1, i, f.E[i-1])
			}
		}
		f.Multiply(q.RawMatrix())
		var qt, back mat.Dense
		qt.Mul(q, tri)
		back.Mul(&qt, q.T())
		var worst float64
		for i := range n {
			for j := range n {
				worst = math.Max(worst, math.Abs(back.At(i, j)-a.At(i, j)))
			}
		}
		if worst > 1e-13*float64(n) {
			t.Errorf("n = %d: Q T Q' is off by %g", n, worst)
		}
		for j := range n {
			column := mat.Col(nil, j, q)
			f.MultiplyTransposed(column)
			for i, x := range column {
				want := 0.0
				if i == j {
					want = 1
				}
				if math.Abs(x-want) > 1e-13*float64(n) {
					t.Fatalf("n = %d: Q'Q has %g at (%d, %d)", n, x, i, j)
				}
			}
		}
	}
}

// A matrix that is diagonal, or zero, needs no reflection.
func TestReduceDiagonal(t *testing.T) {
	a := mat.NewSymDense(40, nil)
	for i := range 20 {
		a.SetSym(i, i, float64(i))
	}
	f := Reduce(a.RawSymmetric())
	for i, d := range f.D {
		if want := float64(i % 20 * (1 - i/20)); d != want {
			t.Errorf("diagonal %d is %g, want %g", i, d, want)
		}
	}
}

func BenchmarkReduce(b *testing.B) {
	for _, n := range []int{100, 500, 1500} {
		a := random(n)
		work := mat.NewSymDense(n, nil)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				work.CopySym(a)
				Reduce(work.RawSymmetric())
			}
		})
	}
}

func BenchmarkMultiply(b *testing.B) {
	for _, n := range []int{100, 500, 1500} {
		f := Reduce(random(n).RawSymmetric())
		z := mat.NewDense(n, 100, nil)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				f.Multiply(z.RawMatrix())
			}
		})
	}
}
