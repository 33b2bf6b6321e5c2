package exercise

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/datasets"
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
	answers["16.5"] = func(t *testing.T) any { return "b" }
	answers["16.6"] = func(t *testing.T) any { // the best of the lines through two households, before and after
		x, y := datasets.Engel().Col("income").Float(), datasets.Engel().Col("foodexp").Float()
		before := bestPair(x, y)
		y[floats.MaxIdx(y)] *= 100
		return bestPair(x, y) - before
	}
}

// bestPair returns the slope of the line through two points that has the least sum of absolute residuals.
func bestPair(x, y []float64) (slope float64) {
	least := math.Inf(1)
	for i := range x {
		for j := range i {
			b, sum := (y[i]-y[j])/(x[i]-x[j]), 0.0
			for k := range x {
				sum += math.Abs(y[k] - y[i] - b*(x[k]-x[i]))
			}
			if sum < least {
				least, slope = sum, b
			}
		}
	}
	return slope
}
