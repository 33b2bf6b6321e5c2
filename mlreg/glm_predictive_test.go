package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// Limits of new observations are those of R's integrate and uniroot (testdata/glm_predictive.R).
func TestGLMPredictionBandAgainstR(t *testing.T) {
	var want map[string][][]float64
	readJSON(t, "glm_predictive.json", &want)
	for name, limits := range want {
		c := glmCases[name]
		d := c.design(t)
		b := get(c.fit(t, d).PredictionBand(d, 0.9))(t)
		for k, row := range []int{0, 1, 2, 3, 4, 5, 39} {
			near(t, name+": lower", b.Lower[row], limits[k][0], 1e-9)
			near(t, name+": upper", b.Upper[row], limits[k][1], 1e-9)
		}
	}
}

// Between the limits lie as many simulated observations as the level says: coefficients are drawn from
// their normal distribution, and a response from the family. Of 100,000 draws the Monte Carlo
// error of the share above a limit is 0.0007 (a standard error); five of them are allowed.
func TestGLMPredictionBandAgainstSimulation(t *testing.T) {
	src := rand.NewPCG(37, 8)
	draw := map[GLMFamily]func(mu, phi, w float64) float64{
		Poisson:  func(mu, _, _ float64) float64 { return distuv.Poisson{Lambda: mu, Src: src}.Rand() },
		Binomial: func(mu, _, w float64) float64 { return distuv.Binomial{N: w, P: mu, Src: src}.Rand() / w },
		Gamma: func(mu, phi, _ float64) float64 {
			return distuv.Gamma{Alpha: 1 / phi, Beta: 1 / (phi * mu), Src: src}.Rand()
		},
	}
	const draws, level, row = 100000, 0.9, 3
	for _, name := range []string{"poissonOffset", "binomial", "gammaLog"} {
		c := glmCases[name]
		d := c.design(t)
		f := c.fit(t, d)
		b := get(f.PredictionBand(d, level))(t)
		link := get(f.LinkBand(d, level))(t)
		normal := distuv.Normal{Mu: link.Fitted[row], Sigma: link.StdErr[row], Src: src}
		var above, below, least, most float64
		for range draws {
			mu, _ := f.InverseLink(normal.Rand())
			switch y := draw[c.family](mu, f.Dispersion(), d.Weight(row)); {
			case y > b.Upper[row]:
				above++
			case y == b.Upper[row]:
				most++
			case y == b.Lower[row]:
				least++
			case y < b.Lower[row]:
				below++
			}
		}
		const tail, tol = (1 - level) / 2, 5 * 0.0007
		for what, share := range map[string][2]float64{"above": {above, most}, "below": {below, least}} {
			if over := share[0] / draws; over > tail+tol || (share[0]+share[1])/draws < tail-tol {
				t.Errorf("%s: %v of the draws are %s the limit, with it %v", name, over, what, (share[0]+share[1])/draws)
			}
		}
	}
}

// What has no limits of a new observation is an error that says why.
func TestGLMPredictionBandRefuses(t *testing.T) {
	for _, name := range []string{"quasiPoisson", "quasiBinomial", "poissonWeights", "binomial"} {
		c := glmCases[name]
		d := c.design(t)
		f := c.fit(t, d)
		if name == "binomial" {
			d.Weights = nil
		}
		if _, err := f.PredictionBand(d, 0.9); !errors.Is(err, ErrSetting) {
			t.Errorf("%s: %v", name, err)
		}
	}
	d := randomDesign(t, 5, 60, 2)
	for i := range d.Y {
		d.Y[i] = float64(i % 2)
	}
	d.Classes = []string{"no", "yes"}
	f := get(FitGLM(d, Binomial, nil))(t)
	if _, err := f.PredictionBand(d, 0.9); !errors.Is(err, ErrLabels) {
		t.Errorf("classes: %v", err)
	}
}

// With a posterior that is narrow beside the noise, Bayesian limits are those of the likelihood.
func TestBayesGLMPredictionBand(t *testing.T) {
	d := glmCases["poissonOffset"].design(t)
	f := get(FitGLM(d, Poisson, nil))(t)
	b := get(FitBayesGLM(d, Poisson, GaussianPrior{Tau2: 1e6}, nil))(t)
	want, got := get(f.PredictionBand(d, 0.95))(t), get(b.PredictionBand(d, 0.95))(t)
	for i := range want.Lower {
		if got.Lower[i] != want.Lower[i] || got.Upper[i] != want.Upper[i] || math.Abs(got.Fitted[i]/want.Fitted[i]-1) > 0.2 {
			t.Fatalf("row %d: %v to %v, by maximum likelihood %v to %v", i, got.Lower[i], got.Upper[i], want.Lower[i], want.Upper[i])
		}
	}
}
