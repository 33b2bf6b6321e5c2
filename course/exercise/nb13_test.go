package exercise

import (
	"math"
	"testing"
)

func init() {
	answers["13.1"] = func(t *testing.T) any { // the least number at which it is half
		n := 460
		for math.Sqrt(0.3*0.7/float64(n)) > math.Sqrt(0.3*0.7/460)/2+1e-15 {
			n++
		}
		return n
	}
	answers["13.2"] = func(t *testing.T) any { // sum over the number of times that he is drawn
		const n = 97
		var sum float64
		for k := 1; k <= n; k++ {
			choose, _ := math.Lgamma(n + 1)
			a, _ := math.Lgamma(float64(k) + 1)
			b, _ := math.Lgamma(float64(n-k) + 1)
			sum += math.Exp(choose - a - b + float64(k)*math.Log(1.0/n) + float64(n-k)*math.Log(1-1.0/n))
		}
		return sum
	}
	answers["13.3"] = func(t *testing.T) any { // all 5^5 draws
		seen := map[[5]int]bool{}
		for code := range 3125 {
			var counts [5]int
			for range 5 {
				counts[code%5]++
				code /= 5
			}
			seen[counts] = true
		}
		return len(seen)
	}
	answers["13.4"] = func(t *testing.T) any { // by bisection
		low, high := 0.0, 0.5
		for range 60 {
			if mid := (low + high) / 2; 100*math.Exp(-2*1000*mid*mid) > 0.05 {
				low = mid
			} else {
				high = mid
			}
		}
		return 0.6 - low
	}
}
