package exercise

import (
	"math"
	"testing"
)

func init() {
	answers["15.1"] = func(t *testing.T) any { // the variance of x less that of the forecast 0.8^2 x
		whole := 1 / (1 - 0.64)
		return whole - math.Pow(0.8, 4)*whole
	}
	answers["15.2"] = func(t *testing.T) any { return "c" }
	answers["15.3"] = func(t *testing.T) any { // by trying
		q := 1
		for rows, weights := 114-q, q+1; rows > weights; rows, weights = rows-1, weights+1 {
			q++
		}
		return q - 1
	}
	answers["15.4"] = func(t *testing.T) any { // by bisection of the normal tail
		low, high := 0.0, 5.0
		for range 60 {
			if mid := (low + high) / 2; math.Erfc(mid/math.Sqrt2) > 0.05 {
				low = mid
			} else {
				high = mid
			}
		}
		return low / math.Sqrt(400)
	}
	answers["15.5"] = func(t *testing.T) any { // one by one
		columns := 0
		for range 30 {
			for lag := 0; lag <= 49; lag++ {
				columns++
			}
		}
		return columns
	}
	answers["15.6"] = func(t *testing.T) any { return "b" }
	answers["15.7"] = func(t *testing.T) any { // from x[t] = 1.4 x[t-1] - 0.45 x[t-2] + noise: r = 1.4 - 0.45 r, by iteration
		r := 0.0
		for range 100 {
			r = 1.4 - 0.45*r
		}
		return r
	}
}
