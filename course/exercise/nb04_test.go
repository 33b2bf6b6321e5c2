package exercise

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
)

func init() {
	answers["04.1"] = func(t *testing.T) any {
		precision, n := 4., 0
		for ; 1/math.Sqrt(precision) >= 0.1; n++ {
			precision += 2
		}
		return n
	}
	answers["04.2"] = func(t *testing.T) any { // by integrating prior times likelihood
		joint := func(w float64) float64 {
			log := -(w - 3) * (w - 3) * 2
			for _, y := range []float64{2.4, 1.1, 2.9, 2.0} {
				log -= (y - w) * (y - w)
			}
			return math.Exp(log)
		}
		return quad.Fixed(joint, 2.5, 7, 200, nil, 0) / quad.Fixed(joint, -2, 7, 400, nil, 0)
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
