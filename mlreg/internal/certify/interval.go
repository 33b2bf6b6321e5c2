package certify

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// Interval brackets a number. Estimate is NaN if there is none.
type Interval struct{ Lower, Estimate, Upper float64 }

// Width is the distance of the limits.
func (i Interval) Width() float64 { return i.Upper - i.Lower }

// evidence is what intervals are made of: draws and sums over leaves, in units of the sum of the bounds.
type evidence struct {
	*tally
	*frozen
	z0    float64   // sum over leaves
	n0    []float64 // by event
	limit float64   // X is at most that
	a     float64   // of the control variate
	log   float64   // log(2/delta), delta being the error probability of one side of one statement
}

// statements is the number of one-sided statements that hold jointly: of the sum, and as many other numbers.
func statements(numbers int) float64 { return 2 * float64(numbers+1) }

func (f *frozen) evidence(t *tally, a, alpha float64) *evidence {
	e := &evidence{tally: t, frozen: f, a: a, limit: math.Exp(f.rounding), log: math.Log(2 * statements(f.events+f.p.averages()) / alpha)}
	e.z0 = math.Exp(f.exact.log() - f.logU)
	e.n0 = make([]float64, f.events)
	for k := range e.n0 {
		e.n0[k] = e.z0 * f.exact.share(k)
	}
	return e
}

// halfWidth is that of the empirical Bernstein bound for the mean of variables of the given variance, in the
// sample, and range, to one side: sqrt(2 V log(2/delta)/n) + 7 range log(2/delta)/(3 (n-1)).
// (Maurer and Pontil, COLT 2009, theorem 4.)
func (e *evidence) halfWidth(variance, spread float64) float64 {
	return math.Sqrt(2*math.Max(variance, 0)*e.log/e.draws) + 7*spread*e.log/(3*(e.draws-1))
}

// sumError is what rounding may do to a sum of the draws, relatively: no term is in more additions than this.
func (e *evidence) sumError() float64 { return gamma(int(math.Min(e.terms+16, 1e12))) }

// variance is that of the sample, and no less after rounding, of what has the means m1 and m2 of values and squares; size is of the terms that m2
// is made of.
func (e *evidence) variance(m1, m2, size float64) float64 {
	return (m2 - m1*m1 + 4*e.sumError()*size) * e.draws / (e.draws - 1)
}

// normalizer brackets log sum w - logU, without the rounding of weights.
func (e *evidence) normalizer() Interval {
	mean := e.x / e.draws
	h := e.halfWidth(e.variance(mean, e.xx/e.draws, e.xx/e.draws+mean*mean), e.limit) + e.sumError()*mean + 2*e.variation
	return Interval{math.Log(e.z0 + math.Max(mean-h, 0)), math.Log(e.z0 + mean), math.Log(e.z0 + math.Min(mean+h, 1))}
}

// probability brackets the probability of an event by the test of every p (statement 8).
//
// With d(p) the mean of (gamma - p)(X - a) less what it should be, and h(p) half the width,
// p is kept if |d(p)| <= h(p). d is linear; h is convex, since the deviation of a
// sample of g - p x is a norm, and the range is the maximum of linear functions. So the p that are too
// high, d < -h, are those where the concave function -d - h is positive: an interval, and likewise those that are too low.
// Hence if 0 and some p are rejected on the same side, so is all between.
func (e *evidence) probability(k int) Interval {
	mean := e.x / e.draws
	bound := e.ex[k]/e.draws - e.control(k)*(e.count[k]/e.draws-e.inU[k])
	estimate := math.Max(0, math.Min(1, (e.n0[k]+bound)/(e.z0+mean)))
	in := Interval{0, estimate, 1}
	for _, end := range []struct{ at, sign float64 }{{0, 1}, {1, -1}} {
		if !(end.sign*e.excess(k, end.at) > 0) {
			continue
		}
		rejected, kept := end.at, estimate
		for range 60 {
			if mid := (rejected + kept) / 2; end.sign*e.excess(k, mid) > 0 {
				rejected = mid
			} else {
				kept = mid
			}
		}
		if end.at == 0 {
			in.Lower = rejected
		} else {
			in.Upper = rejected
		}
	}
	return in
}

// excess is d(p) - h(p) if d is positive, d(p) + h(p) if it is negative, and 0 if p is kept.
func (e *evidence) excess(k int, p float64) float64 {
	n, a, c := e.draws, e.control(k), e.limit
	// Means of x = X - a and g = gamma (X - a), of their squares, and of g x = g^2.
	x, xx := e.x/n-a, (e.xx-2*a*e.x)/n+a*a
	g, gg := (e.ex[k]-a*e.count[k])/n, (e.exx[k]-2*a*e.ex[k]+a*a*e.count[k])/n
	size := (e.exx[k]+2*a*e.ex[k]+a*a*e.count[k])/n + p*p*((e.xx+2*a*e.x)/n+a*a)
	mean := g - p*x
	// (p Z0 - N0)/sum U - a (E gamma - p); the difference is of numbers of these sizes.
	target := p*e.z0 - e.n0[k] - a*(e.inU[k]-p)
	rounding := 16*dd.Unit*(p*e.z0+e.n0[k]+a) + e.sumError()*((e.ex[k]+a*e.count[k]+p*e.x)/n+p*a) + a*e.sharesError()
	high := math.Max((1-p)*(c-a), p*a)
	low := math.Max(p*(c-a), (1-p)*a)
	variance := e.variance(mean, gg-2*p*gg+p*p*xx, size)
	h := e.halfWidth(variance, high+low) + rounding + 2*(c+a)*e.variation
	d := mean - target
	switch {
	case d > h:
		return d - h
	case d < -h:
		return d + h
	}
	return 0
}

// sharesError is what rounding may do to shares of U.
func (f *frozen) sharesError() float64 {
	return gamma(2*len(f.nodes)+16) + f.variation
}

// scales are the sum over leaves and that of U in a unit in which neither is too large.
func (f *frozen) scales() (scale, one float64) {
	exact := f.exact.log()
	scale, one = math.Exp(exact-f.logU), 1
	if len(f.nodes) == 0 || scale > 1e300 {
		scale, one = 1, math.Exp(f.logU-exact)
	}
	return scale, one
}

// certain brackets log sum w and the events by the bounds alone, without the rounding of weights.
func (f *frozen) certain() (normalizer Interval, events []Interval) {
	exact := f.exact.log()
	normalizer = Interval{logAdd(exact, f.logL), math.NaN(), logAdd(exact, f.logU)}
	scale, one := f.scales()
	for k := range f.events {
		n0 := scale * f.exact.share(k)
		m0 := math.Max(0, scale-n0)
		lowIn, highIn := n0+one*f.inL[k], n0+one*f.inU[k]
		lowOut, highOut := m0+one*f.outL[k], m0+one*f.outU[k]
		slack := f.sharesError()*(1+one) + 8*dd.Unit*scale
		highIn, highOut = highIn+slack, highOut+slack
		lowIn, lowOut = math.Max(0, lowIn-slack), math.Max(0, lowOut-slack)
		events = append(events, Interval{lowIn / (lowIn + highOut), math.NaN(), highIn / (highIn + lowOut)})
	}
	return normalizer, events
}
