package glm

import (
	"fmt"
	"math"
	"testing"
)

// averaged are the tails by a sum over intervals of ten standard deviations on each side.
func (p Predictive) averaged(y float64) (upper, lower float64) {
	n := 2000
	if p.SD > 100*p.noise(math.Exp(p.Eta))/math.Exp(p.Eta) || p.Link == Identity || p.Link == Sqrt {
		n = 40000
	}
	var sum float64
	for i := range n {
		z := -10 + 20*(float64(i)+0.5)/float64(n)
		w := math.Exp(-z * z / 2)
		u, l, _ := p.Kind.Tails(y, p.mean(p.Eta+z*p.SD), p.Phi)
		upper, lower, sum = upper+w*u, lower+w*l, sum+w
	}
	return upper / sum, lower / sum
}

// Tails and quantiles agree with a fine sum, whether the noise is wide or narrow beside the error of the
// linear predictor, near the ends of the means of a link, and of counts from 0 to millions.
func TestPredictiveAgainstSum(t *testing.T) {
	for _, p := range []Predictive{
		{Family{Poisson, Log}, 1.2, 0.1, 1},
		{Family{Poisson, Log}, 1.2, 1.5, 1},
		{Family{Poisson, Log}, -3, 2, 1},
		{Family{Poisson, Log}, 15, 0.3, 1},
		{Family{Poisson, Log}, 12, 1e-6, 1},
		{Family{Poisson, Sqrt}, 1, 0.7, 1},
		{Family{Poisson, Identity}, 2, 0.9, 1},
		{Family{Binomial, Logit}, 0.3, 0.2, 1. / 40},
		{Family{Binomial, Logit}, -4, 1, 1. / 7},
		{Family{Binomial, Probit}, 0.5, 0.4, 1. / 49},
		{Family{Binomial, Log}, -0.2, 0.2, 1. / 30},
		{Family{Gamma, Log}, 2, 0.2, 0.3},
		{Family{Gamma, Log}, 2, 2, 0.001},
		{Family{Gamma, Inverse}, 0.5, 0.05, 2},
		{Family{InverseGaussian, Log}, 0, 0.3, 0.4},
		{Family{InverseGaussian, InverseSquare}, 1, 0.1, 0.01},
	} {
		for _, upper := range []float64{0.9995, 0.975, 0.5, 0.1, 0.025, 0.001} {
			name := fmt.Sprintf("%v upper %v", p, upper)
			y := p.Quantile(upper)
			above, below, _ := p.tails(y)
			wantAbove, wantBelow := p.averaged(y)
			if math.Abs(above-wantAbove) > 2e-8*wantAbove || math.Abs(below-wantBelow) > 2e-8*wantBelow {
				t.Errorf("%s: tails %v, %v at %v; the sum has %v, %v", name, above, below, y, wantAbove, wantBelow)
			}
			if !p.Kind.Discrete() {
				if math.Abs(above-upper) > 1e-9*math.Min(upper, 1-upper) {
					t.Errorf("%s: %v is exceeded with probability %v", name, y, above)
				}
				continue
			}
			before, _, _ := p.tails(y - p.Phi)
			if above > upper || y > 0 && before <= upper {
				t.Errorf("%s: %v is exceeded with probability %v, and one less with %v", name, y, above, before)
			}
		}
	}
}

// Without an error of the linear predictor quantiles are those of R:
// qpois(c(.025, .975), 3.7); qbinom(c(.025, .975), 40, .3)/40; qgamma(c(.025, .975), 2.5, scale = 2/2.5);
// statmod::qinvgauss(c(.025, .975), 2, 5). (R 4.2.2, statmod 1.5.0.)
func TestPredictiveQuantilesOfR(t *testing.T) {
	for _, c := range []struct {
		p            Predictive
		lower, upper float64
	}{
		{Predictive{Family{Poisson, Log}, math.Log(3.7), 0, 1}, 1, 8},
		{Predictive{Family{Binomial, Logit}, math.Log(0.3 / 0.7), 0, 1. / 40}, 7. / 40, 18. / 40},
		{Predictive{Family{Gamma, Log}, math.Log(2), 0, 1 / 2.5}, 0.332484645394665, 5.133000797612011},
		{Predictive{Family{InverseGaussian, Log}, math.Log(2), 0, 1. / 5}, 0.55791470255963, 5.31972122970114},
	} {
		lower, upper := c.p.Quantile(0.975), c.p.Quantile(0.025)
		if math.Abs(lower/c.lower-1) > 1e-9 || math.Abs(upper/c.upper-1) > 1e-9 {
			t.Errorf("%v: limits %.12g and %.12g; R has %v and %v", c.p, lower, upper, c.lower, c.upper)
		}
	}
}

// The tails of large counts are those of the gamma function, and counts beyond 2^53 end, too.
func TestManyCounts(t *testing.T) {
	const y = 1e6
	for _, mu := range []float64{0.997 * y, 0.9995 * y, y - 1, y + 0.5, 1.0001 * y, 1.004 * y} {
		upper, lower, _ := Poisson.Tails(y, mu, 1)
		above, below, _ := manyTails(y, mu)
		if math.Abs(above/upper-1) > 2e-6 || math.Abs(below/lower-1) > 2e-6 {
			t.Errorf("mean %v: tails %v, %v, want %v, %v", mu, above, below, upper, lower)
		}
	}
	for _, eta := range []float64{30, 45, 600} {
		p := Predictive{Family{Poisson, Log}, eta, 0.1, 1}
		if lower, upper := math.Log(p.Quantile(0.975)), math.Log(p.Quantile(0.025)); math.Abs(lower-eta+0.196) > 1e-3 || math.Abs(upper-eta-0.196) > 1e-3 {
			t.Errorf("eta = %v: %v to %v", eta, lower, upper)
		}
	}
}
