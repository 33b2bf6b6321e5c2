package exercise

import (
	"math"
	"testing"
)

func init() {
	answers["17.1"] = func(t *testing.T) any { // by counting
		sums := 1
		for j := range 101 {
			sums++ // its mean
			for k := range 101 {
				if k >= j {
					sums++
				}
			}
		}
		return sums
	}
	answers["17.2"] = func(t *testing.T) any { // the least number that is enough
		k := 1
		for 1e12/(1e6*float64(k)) > 3600 {
			k++
		}
		return k
	}
	answers["17.3"] = func(t *testing.T) any { // n mean² + n variance, and n mean², each off by 1e-16 the worse way
		const n, ratio = 1000.0, 1e6
		squares, product := n*(ratio*ratio+1)*1e-16, n*ratio*ratio*1e-16
		return math.Round(1e5*(squares+product)/n) / 1e5
	}
	answers["17.4"] = func(t *testing.T) any {
		passes := 0
		for range 6 {
			passes++ // gradient and Hessian of the point before the step
		}
		return passes
	}
	answers["17.5"] = func(t *testing.T) any { // each block about its own mean
		sum := 0.0
		for _, block := range [][]float64{{0, 2}, {10, 12}} {
			for _, x := range block {
				sum += math.Pow(x-(block[0]+block[1])/2, 2)
			}
		}
		return sum
	}
	answers["17.6"] = func(t *testing.T) any { // the larger end, times 100 seats, is under a minute
		if 100*math.Max(0.0068, 0.0026) < 1 {
			return "b"
		}
		return "c"
	}
}
