package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/regbook/regbook/mlreg/internal/algebra"
)

// Paths are those of glmnet (testdata/glm_path.R) at an equal penalty, with offsets, weights
// and numbers of trials.
func TestGLMPathAgainstGlmnet(t *testing.T) {
	var want map[string]struct {
		Coef      [][]float64
		Deviance  []float64
		Null      float64
		CVM, CVSD []float64
	}
	readJSON(t, "glm_path.json", &want)
	grid := []float64{30, 10, 3, 1}
	for _, name := range []string{"poisson1", "poisson0.5", "binomial1", "binomial0.5", "gamma1", "gamma0.5", "gammaWeights1", "gammaWeights0.5", "gammaOffset1", "gammaOffset0.5"} {
		of, share := strings.TrimSuffix(name, "0.5"), 0.5
		if of == name {
			of, share = strings.TrimSuffix(name, "1"), 1
		}
		c := glmCases[map[string]string{"poisson": "poissonOffset", "gamma": "gammaLog", "gammaWeights": "gammaLog", "gammaOffset": "gammaLog"}[of]]
		if of == "binomial" {
			c = glmCases["binomial"]
		}
		c.offset = c.offset || of == "gammaOffset"
		d := c.design(t)
		if of == "gammaWeights" {
			d.Weights = csvDesign(t, "glm.csv", "w", "x1").Y
			for i, w := range d.Weights {
				if w == 0 {
					d.Weights[i] = 1
				}
			}
		}
		// What glm_path.R gives to glmnet.
		var w float64
		for i := range d.NObs() {
			w += d.Weight(i)
		}
		given := scaledGrid(grid, (share+2*(1-share))/w)
		ours, own, err := FromGlmnetPath(d, map[GLMFamily]string{Poisson: "poisson", Binomial: "binomial", Gamma: "Gamma"}[c.family], given, share/(share+2*(1-share)))
		if err != nil {
			t.Fatal(err)
		}
		nearAll(t, name+": grid of glmnet's lambda", ours, grid, 1e-14)
		near(t, name+": share of glmnet's alpha", own, share, 1e-14)
		path := get(FitGLMPath(d, c.family, own, &PathSettings{Lambda: ours, Gap: 1e-14}))(t)
		for k := range grid {
			nearAll(t, name, path.Fit(k).Coef(), want[name].Coef[k], 1e-5)
			if c.family != Binomial { // whose trials glmnet scales to a mean of 1
				near(t, name+": deviance", path.Deviance()[k], want[name].Deviance[k], 1e-6)
			}
		}
		if c.family != Binomial {
			near(t, name+": null deviance", path.NullDeviance(), want[name].Null, 1e-9)
		}
	}
	d := glmCases["poissonOffset"].design(t)
	var of []int
	for i := range d.NObs() {
		of = append(of, i%5)
	}
	cv := get(FitGLMCV(d, Poisson, 1, get(NewFolds(of))(t), &PathSettings{Lambda: grid, Gap: 1e-14}, nil))(t)
	nearAll(t, "cross-validation", cv.Mean(), want["cv"].CVM, 1e-5)
	nearAll(t, "its standard errors", cv.StdErr(), want["cv"].CVSD, 1e-5)
}

// The path of every family starts at zero slopes, ends at the fit without a penalty, has a
// gap as small as asked for, and fulfills the optimality conditions.
func TestGLMPath(t *testing.T) {
	for _, name := range []string{"poisson", "poissonOffset", "poissonWeights", "quasiPoisson", "binomial", "quasiBinomial", "gammaLog", "gammaLogWeights"} {
		c := glmCases[name]
		d := c.design(t)
		f := c.fit(t, d)
		path := get(FitGLMPath(d, c.family, 1, &PathSettings{Gap: 1e-12}))(t)
		nearAll(t, name+": first slopes", path.Fit(0).Slopes(), []float64{0, 0, 0}, 0)
		near(t, name+": null deviance", path.NullDeviance(), f.NullDeviance(), 1e-9)
		near(t, name+": first deviance", path.Deviance()[0], f.NullDeviance(), 1e-9)
		last := get(FitGLMPath(d, c.family, 1, &PathSettings{Lambda: []float64{1e-6}, Gap: 1e-15}))(t).Fit(0)
		nearAll(t, name+": last coefficients", last.Coef(), f.Coef(), 1e-4)
		near(t, name+": last deviance", last.Deviance(), f.Deviance(), 1e-8)
		for k, gap := range path.Gap() {
			if gap > 1e-12 || path.KKT()[k] > 1e-5 {
				t.Errorf("%s: gap %v, KKT %v at %v", name, gap, path.KKT()[k], path.Lambda()[k])
			}
		}
		at := path.Fit(path.Len() / 3)
		a, pearson := get(d.ModelMatrix())(t), get(at.LinearPredictor(d))(t)
		for j, b := range at.Slopes() {
			var g float64
			for i, eta := range pearson {
				_, r, _ := path.s.family().Row(d.Y[i], eta)
				if w := d.Weight(i); w > 0 {
					g += w * r * a.At(i, j+1)
				}
			}
			if want := at.L1() * sign(b); b != 0 && math.Abs(g-want) > 1e-4*math.Abs(want) || b == 0 && math.Abs(g) > at.L1()*(1+1e-6) {
				t.Errorf("%s: gradient %v of slope %v, penalty %v", name, g, b, at.L1())
			}
		}
		means := get(path.Predict(d))(t)
		nearAll(t, name+": predictions", get(at.Predict(d))(t)[:1], []float64{means.At(0, path.Len()/3)}, 1e-12)
		if r := path.DevianceRatio(); r[len(r)-1] <= r[0] || !math.IsNaN(path.R2()[0]) || !math.IsNaN(path.NullRSS()) {
			t.Errorf("%s: ratios %v", name, r)
		}
		if s := path.String(); !strings.Contains(s, c.family.String()[1:]) || !strings.Contains(s, "deviance ratio") {
			t.Errorf("%s is shown as\n%s", name, s)
		}
		z := get(d.Standardize(nil))(t)
		raw := get(get(FitGLMPath(z, c.family, 1, &PathSettings{Lambda: []float64{1e-6}, Gap: 1e-15}))(t).Fit(0).Raw())(t)
		nearAll(t, name+": raw", raw.Coef(), f.Coef(), 1e-4)
	}
}

func sign(v float64) float64 { return math.Copysign(1, v) }

func TestGLMPathRefusals(t *testing.T) {
	c := glmCases["poisson"]
	d := c.design(t)
	folds := get(KFold(60, 5, rand.NewPCG(1, 1)))(t)
	g := glmCases["gamma"].design(t)
	for says, err := range map[string]error{
		"share":                 second(FitGLMPath(d, Poisson, 0, nil)),
		"none of the families":  second(FitGLMPath(d, 0, 1, nil)),
		"no path":               second(FitGLMPath(g, InverseGaussian, 1, nil)),
		"no path of":            second(FitGLMCV(g, InverseGaussian, 1, folds, nil, nil)),
		"of positive responses": second(FitGLMPath(d, Gamma, 1, nil)),
		"AUC":                   second(FitGLMCV(d, Poisson, 1, folds, nil, &CVSettings{AUC: true})),
		"ResponseScale":         second(FitGLMCV(d, Poisson, 1, folds, nil, &CVSettings{ResponseScale: true})),
	} {
		if !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; wanted %q", err, says)
		}
	}
	absolute := get(FitGLMCV(d, Poisson, 1, folds, nil, &CVSettings{Loss: func(y, mu float64) float64 { return math.Abs(y - mu) }}))(t)
	if m := absolute.Mean(); !(m[0] > 0 && m[0] < 10) {
		t.Errorf("absolute errors %v", m[0])
	}
	if absolute.FitMin().Family() != Poisson || absolute.FitMin().Link() != LogLink {
		t.Error("family and link of a point")
	}
}

// Where a step overshoots, the path goes back, and intercept, slopes and deviance are those
// of one point: the row of b alone has a count far above the mean before b enters, when a is in.
func TestGLMPathGoesBack(t *testing.T) {
	const n = 40
	d := &Design{X: algebra.NewDense(n, 2), Names: []string{"a", "b"}, Response: "y", Offset: make([]float64, n)}
	for i := range n {
		d.Y = append(d.Y, float64(1+i%3))
		d.Offset[i] = 0.1 * float64(i%5)
		switch {
		case i < 10:
			d.X.Set(i, 0, 1)
			d.Y[i] = 2e5
		case i == n-1:
			d.X.Set(i, 1, 1)
			d.Y[i] = 1e6
		}
	}
	path := get(FitGLMPath(d, Poisson, 1, &PathSettings{Lambda: []float64{1.1e6, 1e-3}, Gap: 1e-13}))(t)
	if active := path.Fit(0).Active(); len(active) != 1 || active[0] != "a" {
		t.Fatalf("%v is active first", active)
	}
	f := get(FitGLM(d, Poisson, nil))(t)
	nearAll(t, "coefficients", path.Fit(1).Coef(), f.Coef(), 1e-4)
	near(t, "deviance", path.Deviance()[1], f.Deviance(), 1e-3)
}
