package rlm

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// The bound that spares an estimate of the condition number decides as the estimate does.
func TestIsIllConditioned(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	ill, spared := 0, 0
	for k := 1; k <= 6; k++ {
		for range 300 {
			// Columns of which the last is nearly a sum of the others.
			a := mat.NewDense(20, k, nil)
			near := math.Pow(10, -8*random.Float64())
			for i := range 20 {
				var sum float64
				for j := range k {
					v := random.NormFloat64()
					if j == k-1 && k > 1 {
						v = sum + near*v
					}
					a.Set(i, j, v)
					sum += v
				}
			}
			h := mat.NewSymDense(k, nil)
			h.SymOuterK(1, a.T())
			unit := mat.NewSymDense(k, nil)
			for i := range k {
				for j := range i + 1 {
					unit.SetSym(i, j, h.At(i, j)/math.Sqrt(h.At(i, i)*h.At(j, j)))
				}
			}
			var want mat.Cholesky
			if !want.Factorize(unit) {
				continue
			}
			copied := mat.NewSymDense(k, nil)
			copied.CopySym(unit)
			root, ok := lapack64.Potrf(copied.RawSymmetric())
			if !ok {
				t.Fatal("no factor")
			}
			for _, most := range []float64{1e2, 1e6, 1e10, 1e13} {
				got := isIllConditioned(root, mat.Norm(unit, math.Inf(1)), most)
				if got != (want.Cond() > most) {
					t.Errorf("k = %d, condition number %g, at most %g: %v", k, want.Cond(), most, got)
				}
				if got {
					ill++
				} else if most == 1e13 {
					spared++
				}
			}
		}
	}
	if ill < 500 || spared < 500 {
		t.Errorf("%d are ill-conditioned, %d are not", ill, spared)
	}
}
