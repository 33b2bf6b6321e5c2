package mlreg

import (
	"errors"
	"math"
	"testing"
)

// Frequencies are sums of the probabilities of counts, written out; rows of a Poisson fit
// count as often as their weights say, and rows of a binomial one once.
func TestFrequencies(t *testing.T) {
	lgamma := func(v float64) float64 {
		l, _ := math.Lgamma(v)
		return l
	}
	for _, name := range []string{"poissonOffset", "poissonWeights", "binomial"} {
		c := glmCases[name]
		d := c.design(t)
		f := c.fit(t, d)
		mu := get(f.Predict(d))(t)
		for _, width := range []int{1, 3} {
			got := get(f.Frequencies(d, width))(t)
			var all, seen float64
			for k := range got.Observed {
				var observed, expected float64
				for i, y := range d.Y {
					w, trials := d.Weight(i), 0.0
					if name == "binomial" {
						y, trials, w = math.Round(w*y), w, 1
					}
					for j := k * width; j < (k+1)*width; j++ {
						v := float64(j)
						if y == v {
							observed += w
						}
						switch {
						case name != "binomial":
							expected += w * math.Exp(v*math.Log(mu[i])-mu[i]-lgamma(v+1))
						case v <= trials:
							expected += math.Exp(lgamma(trials+1) - lgamma(v+1) - lgamma(trials-v+1) + v*math.Log(mu[i]) + (trials-v)*math.Log1p(-mu[i]))
						}
					}
				}
				near(t, name+": observed", got.Observed[k], observed, 1e-14)
				near(t, name+": expected", got.Expected[k], expected, 1e-11)
				all, seen = all+expected, seen+observed
			}
			near(t, name+": rows", all+got.Above, seen, 1e-11)
		}
	}
	c := glmCases["poisson"]
	d := c.design(t)
	f := c.fit(t, d)
	large := *d
	large.Y = append([]float64{}, d.Y...)
	large.Y[3] = 399
	if got := get(f.Frequencies(&large, 0))(t); got.Width != 10 || len(got.Observed) != 40 || got.Observed[39] != 1 {
		t.Errorf("up to 399: %d bins of %d", len(got.Observed), got.Width)
	}
	large.Y[3] = 1e6
	for what, err := range map[string]error{
		"a million bins": second(f.Frequencies(&large, 1)), "a width of -1": second(f.Frequencies(d, -1)),
		"a gamma": second(glmCases["gamma"].fit(t, glmCases["gamma"].design(t)).Frequencies(glmCases["gamma"].design(t), 0)),
	} {
		if !errors.Is(err, ErrSetting) {
			t.Errorf("%s: %v", what, err)
		}
	}
	none := *d
	none.Weights = make([]float64, d.NObs())
	if _, err := f.Frequencies(&none, 0); !errors.Is(err, ErrNoData) {
		t.Errorf("no weights: %v", err)
	}
}
