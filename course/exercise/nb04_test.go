package exercise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/datasets"
)

func init() {
	answers["04.1"] = func(t *testing.T) any {
		precision, n := 4., 0
		for ; 1/math.Sqrt(precision) >= 0.1; n++ {
			precision += 2
		}
		return n
	}
	answers["04.2"] = func(t *testing.T) any { // by a sum over a grid of both weights
		line := datasets.CurveModel{F: func(x float64) float64 { return -0.3 + 0.5*x }, Sigma2: 0.04}
		df, err := line.Uniform(20, -1, 1, rand.NewPCG(4, 23)).Draw(rand.NewPCG(4, 123))
		if err != nil {
			t.Fatal(err)
		}
		x, y := df.Col("x").Float(), df.Col("y").Float()
		var total, above float64
		for i := -200; i < 200; i++ {
			for j := -400; j < 400; j++ {
				a, b := -0.28+0.002*(float64(i)+0.5), 0.4+0.002*(float64(j)+0.5)
				log := -(a*a + b*b) / (2 * 0.5)
				for k := range x {
					log -= (y[k] - a - b*x[k]) * (y[k] - a - b*x[k]) / (2 * 0.04)
				}
				total += math.Exp(log)
				if b > 0.4 {
					above += math.Exp(log)
				}
			}
		}
		return above / total
	}
	answers["04.3"] = func(t *testing.T) any { // tau by bisection on the probability
		low, high := 0.01, 1.
		for range 60 {
			if tau := (low + high) / 2; math.Erf(0.5/tau/math.Sqrt2) > 0.95 {
				low = tau
			} else {
				high = tau
			}
		}
		return 0.51 / (low * low)
	}
	answers["04.4"] = func(t *testing.T) any { return 1 / (1 + 10./67) }
	answers["04.5"] = func(t *testing.T) any { // (1000 + 4.2 n)/(1000 + 2 n) > 2 if 0.2 n > 1000
		return int(math.Round(1000/0.2)) + 1
	}
	answers["04b.2"] = func(t *testing.T) any { // the least of the negative log posterior at w₁ = w₂, under a very wide prior
		low, high := 0., 3.
		for range 100 {
			if w := (low + high) / 2; 2*w/1e9-2*(3-2*w) < 0 { // half of its derivative
				low = w
			} else {
				high = w
			}
		}
		return low
	}
	answers["04b.3"] = func(t *testing.T) any { return "b" }
	answers["04b.1"] = func(t *testing.T) any { // the first whole penalty that leaves a third or less
		for lambda := 0.; ; lambda++ {
			if 3*30 <= 30+lambda {
				return lambda
			}
		}
	}
}
