package exercise

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func init() {
	answers["18.1"] = func(t *testing.T) any { // the least eigenvalue, computed
		var e mat.EigenSym
		if !e.Factorize(mat.NewSymDense(2, []float64{1, 0.6, 0.6, 1}), false) {
			t.Fatal("no eigenvalues")
		}
		return math.Round(1e9*e.Values(nil)[0]) / 1e9
	}
	answers["18.2"] = func(t *testing.T) any { return 0.02 * math.Sqrt(1.0/4) }
	answers["18.3"] = func(t *testing.T) any { // the sum over all subsets of three orthogonal terms, over the product
		gain := []float64{0.3, -1, 2}
		sum, product := 0.0, 1.0
		for subset := range 8 {
			w := 1.0
			for j, g := range gain {
				if subset>>j&1 == 1 {
					w *= math.Exp(g)
				}
			}
			sum += w
		}
		for _, g := range gain {
			product *= 1 + math.Exp(g)
		}
		return math.Round(1e9*sum/product) / 1e9
	}
}
