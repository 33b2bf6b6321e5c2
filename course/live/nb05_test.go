package live

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The evidence of every frame as the density of y under N(0, sigma^2 I + Phi Phi').
func TestEvidence(t *testing.T) {
	e := Evidence()
	rng := rand.New(rand.NewPCG(e.Seed, 5))
	x, y := make([]float64, 40), make([]float64, 40)
	for i := range x {
		x[i] = -1.5 + 3*rng.Float64()
	}
	noise := rand.New(rand.NewPCG(e.Seed, 50))
	for i, v := range x {
		y[i] = 0.5 + v + 0.5*v*v + 0.5*noise.NormFloat64()
	}
	for _, n := range e.Params[0].Frames {
		m := int(n)
		var log [2]float64
		for k := range log {
			cov := mat.NewSymDense(m, nil)
			for i := range m {
				for j := i; j < m; j++ {
					c := 1 + x[i]*x[j]
					if k == 1 {
						c += x[i] * x[i] * x[j] * x[j]
					}
					if i == j {
						c += 0.25
					}
					cov.SetSym(i, j, c)
				}
			}
			var chol mat.Cholesky
			if !chol.Factorize(cov) {
				t.Fatal("not positive definite")
			}
			var solved mat.VecDense
			if err := chol.SolveVecTo(&solved, mat.NewVecDense(m, y[:m])); err != nil {
				t.Fatal(err)
			}
			log[k] = -float64(m)/2*math.Log(2*math.Pi) - chol.LogDet()/2 - mat.Dot(&solved, mat.NewVecDense(m, y[:m]))/2
		}
		wantNumbers(t, e, []float64{n}, log[0], log[1], 1/(1+math.Exp(log[0]-log[1])))
	}
}
