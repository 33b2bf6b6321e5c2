package exercise

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// hat returns the projection onto polynomials up to a degree at n points from 0 to 1, by the
// QR decomposition of Chebyshev polynomials.
func hat(degree, n int) *mat.Dense {
	a := mat.NewDense(n, degree+1, nil)
	for i := range n {
		angle := math.Acos(2*float64(i)/float64(n-1) - 1)
		for j := range degree + 1 {
			a.Set(i, j, math.Cos(float64(j)*angle))
		}
	}
	var qr mat.QR
	qr.Factorize(a)
	var full mat.Dense
	qr.QTo(&full)
	q := full.Slice(0, n, 0, degree+1)
	var h mat.Dense
	h.Mul(q, q.T())
	return &h
}

func init() {
	answers["03.1"] = func(t *testing.T) any {
		const n = 48
		best, least := 0, math.Inf(1)
		for k := range 12 {
			h := hat(k, n)
			bias := 0.
			for i := range n {
				r := math.Sin(2 * math.Pi * float64(i) / (n - 1))
				for j := range n {
					r -= h.At(i, j) * math.Sin(2*math.Pi*float64(j)/(n-1))
				}
				bias += r * r / n
			}
			if e := bias + 0.09*(1+mat.Trace(h)/n); e < least {
				best, least = k, e
			}
		}
		return best
	}
	answers["03.2"] = func(t *testing.T) any { // bias^2 is what is left of sigma^2 (1 - r/n)
		fresh := func(training, r float64) float64 {
			bias := training - 0.04*(1-r/30)
			return bias + 0.04*(1+r/30)
		}
		return []float64{fresh(0.05, 6), fresh(0.045, 10)}
	}
	answers["03.3"] = func(t *testing.T) any {
		return func(x float64) float64 { return math.Pow(math.E, -50*math.Pow(x-0.4, 2)) }
	}
	answers["03b.1"] = func(t *testing.T) any { // by bisection on 1/2
		low, high := 0., 1000.
		for range 60 {
			if mid := (low + high) / 2; 40/(40+mid) > 0.5 {
				low = mid
			} else {
				high = mid
			}
		}
		return math.Round(low)
	}
	answers["03b.2"] = func(t *testing.T) any { // the trace of a projection onto ten of 23 directions
		h := hat(10, 24)
		return (mat.Trace(h) - 1) / 23
	}
	answers["03b.3"] = func(t *testing.T) any { // the intercept, and d/(d + λ) of each direction
		dof := 1.0
		for _, d := range []float64{100, 10, 1} {
			dof += d / (d + 1e12)
		}
		return math.Round(dof)
	}
	answers["03.5"] = func(t *testing.T) any { return mat.Trace(hat(5, 12)) }
	answers["03.4"] = func(t *testing.T) any { // the mean variance of Hy is sigma^2 tr H / n, without bias
		return []float64{0.09 * (1 + mat.Trace(hat(3, 12))/12), 0.09 * (1 + mat.Trace(hat(1, 12))/12)}
	}
}
