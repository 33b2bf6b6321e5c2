package glm

import (
	"math"
	"sync"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/mlreg/internal/quadrature"
)

// Predictive is the distribution of a new response whose linear predictor is normal, with
// mean Eta and standard deviation SD, by which the distributions of the family are averaged.
type Predictive struct {
	Family
	Eta, SD float64
	// Phi is the dispersion, of counts 1, and of shares 1 over the number of trials.
	Phi float64
}

// StdDev returns the standard deviation of the response, to first order in SD.
func (p Predictive) StdDev() float64 {
	mu, slope := p.Link.Mean(p.Eta)
	return math.Hypot(slope*p.SD, p.noise(mu))
}

func (p Predictive) noise(mu float64) float64 { return math.Sqrt(p.Phi * p.Kind.Variance(mu)) }

// Quantile returns the response that the new one exceeds with probability upper, of counts
// and shares the least that it exceeds with at most that.
func (p Predictive) Quantile(upper float64) float64 {
	mu, _ := p.Link.Mean(p.Eta)
	if !p.Kind.Contains(mu) || math.IsNaN(p.SD) {
		return math.NaN()
	}
	if !p.Kind.Discrete() {
		return dist.Quantile(upper, mu, p.tails)
	}
	return p.count(upper) / p.unit()
}

// unit is what a count is divided by: the number of trials, or 1.
func (p Predictive) unit() float64 { return math.Round(1 / p.Phi) }

// count searches for a quantile among whole numbers, of which a response is one over unit.
func (p Predictive) count(upper float64) float64 {
	enough := func(k float64) bool {
		above, below, _ := p.tails(k / p.unit())
		if upper < 0.5 {
			return above <= upper
		}
		return below >= 1-upper
	}
	most := math.Inf(1)
	if p.Kind == Binomial {
		most = p.unit()
	}
	mu, _ := p.Link.Mean(p.Eta)
	start := math.Min(math.Floor((mu+p.StdDev()*dist.TUpper(upper, math.Inf(1)))/p.Phi), most)
	lo, hi := -1.0, math.Max(start, 0) // not enough, and perhaps enough
	for step := math.Max(1, math.Floor(p.StdDev()/p.Phi/8)); !enough(hi); step *= 2 {
		if lo = hi; lo >= most || math.IsInf(lo, 1) {
			return lo
		}
		hi = math.Min(hi+step, most)
	}
	for step := math.Max(1, math.Floor(p.StdDev()/p.Phi/8)); lo < 0 && hi > 0; step *= 2 {
		k := math.Max(hi-step, 0)
		if !enough(k) {
			lo = k
			break
		}
		hi = k
	}
	for hi-lo > 1 {
		k := math.Floor((lo + hi) / 2)
		switch {
		case k <= lo || k >= hi: // beyond 2^53
			return hi
		case enough(k):
			hi = k
		default:
			lo = k
		}
	}
	return hi
}

var (
	ofNormal = sync.OnceValue(func() quadrature.Rule { return quadrature.Normal(24) })
	legendre = sync.OnceValue(func() quadrature.Rule { return quadrature.Legendre(96) })
)

// far is the number of standard deviations beyond which the normal distribution has 1e-18.
const far = 9

// tails returns P(Y > y), P(Y <= y) and y times the density, averages over the linear predictor.
// The tails of a mean change over its noise: where that is wider than the distribution of the linear
// predictor, Gauss's rule for the normal weight has 12 digits, and else the rule of Legendre
// goes over what of the normal distribution has tails that are neither 0 nor 1.
func (p Predictive) tails(y float64) (upper, lower, slope float64) {
	at := func(eta float64) (float64, float64, float64) { return p.Kind.Tails(y, p.mean(eta), p.Phi) }
	if p.SD == 0 {
		return at(p.Eta)
	}
	add := func(eta, w float64) {
		u, l, s := at(eta)
		upper, lower, slope = upper+w*u, lower+w*l, slope+w*s
	}
	lo, hi := p.Eta-far*p.SD, p.Eta+far*p.SD
	if p.wide(lo, hi) {
		g := ofNormal()
		for i, z := range g.X {
			add(p.Eta+p.SD*z, g.W[i])
		}
		return upper, lower, slope
	}
	if lo, hi = p.narrow(lo, hi, at, &upper, &lower); lo >= hi {
		return at(p.Eta)
	}
	ends := []float64{lo}
	for _, end := range []float64{0, 1} { // where the means of a link may end
		if end > lo && end < hi {
			ends = append(ends, end)
		}
	}
	for i, a := range ends {
		b := hi
		if i+1 < len(ends) {
			b = ends[i+1]
		}
		for eta, w := range legendre().Between(a, b) {
			z := (eta - p.Eta) / p.SD
			add(eta, w*math.Exp(-z*z/2)/(p.SD*math.Sqrt(2*math.Pi)))
		}
	}
	return upper, lower, slope
}

// wide tells whether every linear predictor between two has a mean, and noise of more than the
// change of that by 2 SD.
func (p Predictive) wide(lo, hi float64) bool {
	for _, eta := range []float64{lo, (lo + p.Eta) / 2, p.Eta, (hi + p.Eta) / 2, hi} {
		mu, rise := p.Link.Mean(eta)
		if !p.Kind.Contains(mu) || 2*math.Abs(rise)*p.SD > p.noise(mu) {
			return false
		}
	}
	return true
}

// narrow returns the part of an interval of linear predictors in which the tails at them are
// neither 0 nor 1, up to 1e-16, and adds to the sums what is outside.
func (p Predictive) narrow(lo, hi float64, at func(eta float64) (upper, lower, slope float64), upper, lower *float64) (from, to float64) {
	const none = 1e-16
	side := func(end float64) float64 {
		u, l, _ := at(end)
		if math.Min(u, l) > none {
			return end
		}
		same := func(eta float64) bool {
			u2, l2, _ := at(eta)
			return u2 <= none && u <= none || l2 <= none && l <= none
		}
		out, in := end, lo+hi-end
		for range 16 {
			if middle := (out + in) / 2; same(middle) {
				out = middle
			} else {
				in = middle
			}
		}
		mass := dist.NormalBelow(-math.Abs(out-p.Eta) / p.SD)
		if (out > p.Eta) == (end < p.Eta) {
			mass = 1 - mass
		}
		if u <= none {
			*lower += mass
		} else {
			*upper += mass
		}
		return out
	}
	a, b, _ := at(lo)
	c, d, _ := at(hi)
	if math.Max(math.Min(a, b), math.Min(c, d)) <= none && (a > b) == (c > d) {
		return lo, lo // one of the tails is 0 everywhere
	}
	return side(lo), side(hi)
}

// mean returns the mean at a linear predictor, and at one that has none the end of the range of
// means that is next to it.
func (p Predictive) mean(eta float64) float64 {
	switch p.Link {
	case Inverse, InverseSquare:
		if eta <= 0 {
			return math.Inf(1)
		}
	case Sqrt, Identity:
		eta = math.Max(eta, 0)
	}
	mu, _ := p.Link.Mean(eta)
	if p.Kind == Binomial {
		mu = math.Min(mu, 1)
	}
	return mu
}
