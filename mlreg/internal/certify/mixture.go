package certify

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// component is one term kappa exp(-phi Q) of the mixture over the precision.
type component struct {
	phi, logKappa float64
}

// Accuracy of the mixture: what the distance of the points and each end adds to |R - 1|.
const (
	mixtureError = 2e-6
	endError     = 1e-7
)

// mixture returns components of Q^-h for all Q between two positive limits, and what
// |log R| is at most (statement 1).
//
// With x = log phi,
//
//	Q^-h = 1/Gamma(h) int exp(h x - Q e^x) dx.
//
// The sum over all points of a lattice of the distance s, times s, is by Poisson's formula the
// integral and, for each k != 0, a term of the absolute value Q^-h |Gamma(h + iw)|/Gamma(h) with w = 2 pi k/s. From the product of
// the gamma function,
//
//	log |Gamma(h + iw)/Gamma(h)| = -1/2 sum_{n>=0} log(1 + w^2/(h+n)^2) <= -decay(w, h),
//
// decay being the integral of the terms over n from 0 to infinity. As decay(kw) >= k decay(w), by convexity, all
// terms add up to at most 2 e^-decay/(1 - e^-decay).
//
// With t = x + log Q, the lattice's terms are s e^(ht - e^t)/Gamma(h): a density that rises
// up to t = log h and falls beyond. The terms left out below a point are at most the integral below it, the probability
// that a gamma variable is below h e^-z, so at most exp(-h (e^-z - 1 + z)) by Chernoff's bound; above h e^z it is
// exp(-h (e^z - 1 - z)).
func mixture(h, lowest, highest float64) (all []component, nats float64) {
	w := bisect(h*1e-6, 1e6*(h+1), func(w float64) bool { return decay(w, h) >= math.Log(2/mixtureError)+1e-5 })
	ends := math.Log(1 / endError)
	below := bisect(0, 60+ends/h, func(z float64) bool { return h*(math.Exp(-z)-1+z) >= ends })
	above := bisect(0, 60+ends/h, func(z float64) bool { return h*(math.Exp(z)-1-z) >= ends })
	step := 2 * math.Pi / w
	first := math.Log(h/highest) - below
	last := math.Log(h/lowest) + above
	logGamma, _ := math.Lgamma(h)
	var size float64 // of the numbers that make log kappa
	for i := 0; ; i++ {
		x := first + float64(i)*step
		all = append(all, component{math.Exp(x), math.Log(step) + h*x - logGamma})
		size = math.Max(size, math.Abs(h*x)+math.Abs(logGamma)+math.Abs(math.Log(step)))
		if x > last {
			break
		}
	}
	e := math.Exp(-decay(w, h))
	eps := 2*e/(1-e) + 2*endError
	return all, 1.001*eps + 32*dd.Unit*(size+h+1)
}

// decay is int_0^inf 1/2 log(1 + w^2/(h+x)^2) dx.
func decay(w, h float64) float64 { return w*math.Atan(w/h) - h/2*math.Log1p(w*w/(h*h)) }

// bisect returns an argument close to the least at which a condition holds that holds
// from there on.
func bisect(low, high float64, holds func(float64) bool) float64 {
	for range 80 {
		if mid := (low + high) / 2; holds(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}
