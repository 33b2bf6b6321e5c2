package exercise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/datasets"
)

func init() {
	answers["05.1"] = func(t *testing.T) any { // by bisection
		with, without := distuv.Normal{Sigma: math.Sqrt(101)}, distuv.Normal{Sigma: 1}
		low, high := 0., 5.
		for range 60 {
			if mid := (low + high) / 2; with.LogProb(mid) < without.LogProb(mid) {
				low = mid
			} else {
				high = mid
			}
		}
		return low
	}
	coin := func(p float64) float64 { return math.Pow(p, 9) * math.Pow(1-p, 3) }
	answers["05.2"] = func(t *testing.T) any { return quad.Fixed(coin, 0, 1, 20, nil, 0) * 4096 }
	answers["05.3"] = func(t *testing.T) any { // the density of y under N(0, I/4 + 100,000,000 X X')
		curve := datasets.CurveModel{F: func(x float64) float64 { return 0.5 + x + 0.5*x*x }, Sigma2: 0.25}
		points := must.M1(curve.Uniform(40, -1.5, 1.5, rand.NewPCG(3, 5)).Draw(rand.NewPCG(3, 50)))
		x, y := mat.NewDense(40, 3, nil), points.Col("y").Float()
		for i, v := range points.Col("x").Float() {
			x.SetRow(i, []float64{2, 2 * v, 2 * v * v}) // over sigma = 1/2, as y
			y[i] *= 2
		}
		return gaussEvidence(x, y, []int{0, 1, 2}, 1e8) - gaussEvidence(x, y, []int{0, 1}, 1e8)
	}
	answers["05.4"] = func(t *testing.T) any {
		return math.Pow(2, (math.Log2(1000)/2+1)*2) / 1000
	}
}
