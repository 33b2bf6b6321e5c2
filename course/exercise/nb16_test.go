package exercise

import (
	"math"
	"testing"
)

func init() {
	answers["16.1"] = func(t *testing.T) any { return math.Round(-math.Log(math.Exp(-5)/2/(math.Exp(0)/2))*1e9) / 1e9 }
	answers["16.2"] = func(t *testing.T) any {
		mean := func(v ...float64) (m float64) {
			for _, x := range v {
				m += x / float64(len(v))
			}
			return m
		}
		return mean(2, 3, 5, 8, 1000) - mean(2, 3, 5, 8, 100)
	}
	answers["16.3"] = func(t *testing.T) any { // the loss at every tenth
		best, least := 0.0, math.Inf(1)
		for i := range 151 {
			b, loss := float64(i)/10, 0.0
			for _, y := range []float64{1, 2, 4, 7, 11} {
				loss += math.Max(0.75*(y-b), -0.25*(y-b))
			}
			if loss < least-1e-12 {
				best, least = b, loss
			}
		}
		return best
	}
	answers["16.4"] = func(t *testing.T) any { // of the posterior of one weight, y = 1 at x = 1
		// (1 - b)^2/(2*4) + b^2/(2*0.5) is least where (1 - b)/4 = b/0.5
		b := (1 / 4.0) / (1/4.0 + 1/0.5)
		return (1 - b) / b // of RSS + lambda b^2: lambda b = 1 - b
	}
}
