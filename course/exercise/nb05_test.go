package exercise

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
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
	answers["05.3"] = func(t *testing.T) any { // the curvature by differences
		const p, h = 0.75, 1e-4
		c := -(math.Log(coin(p+h)) - 2*math.Log(coin(p)) + math.Log(coin(p-h))) / (h * h)
		return coin(p) * math.Sqrt(2*math.Pi/c) / quad.Fixed(coin, 0, 1, 20, nil, 0)
	}
	answers["05.4"] = func(t *testing.T) any {
		return math.Pow(2, (math.Log2(1000)/2+1)*2) / 1000
	}
}
