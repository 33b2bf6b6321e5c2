package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The posterior of labels is that of the logistic regression.
func TestBayesGLMOfLabelsIsLogistic(t *testing.T) {
	d := birthwt(t)
	for _, penalize := range []bool{false, true} {
		prior := GaussianPrior{Tau2: 0.5}
		g := get(FitBayesGLM(d, Binomial, prior, &BayesGLMSettings{PenalizeIntercept: penalize}))(t)
		l := get(FitBayesLogistic(d, prior, &BayesLogisticSettings{PenalizeIntercept: penalize}))(t)
		nearAll(t, "mode", g.Coef(), l.Coef(), 1e-9)
		nearSym(t, "covariance", g.VCov(), l.VCov(), 1e-9)
		near(t, "evidence", g.LogEvidence(), l.LogEvidence(), 1e-11)
		nearAll(t, "predictions", get(g.Predict(d))(t), get(l.Predict(d))(t), 1e-9)
		a, b := get(g.CredibleBand(d, 0.9))(t), get(l.CredibleBand(d, 0.9))(t)
		nearAll(t, "limits", a.Upper, b.Upper, 1e-9)
		nearAll(t, "deviations", a.StdErr, b.StdErr, 1e-8)
	}
}

// The evidence of counts with one slope is near the integral of likelihood times prior, the
// mode has no gradient, and a wide prior leaves the fit of FitGLM.
func TestBayesGLMOfCounts(t *testing.T) {
	c := glmCases["poissonOffset"]
	d := get(c.design(t).Select("x1"))(t)
	d.NoIntercept = true
	prior := GaussianPrior{Tau2: 0.3}
	f := get(FitBayesGLM(d, Poisson, prior, nil))(t)
	var sum, mean float64
	const h = 1e-3
	top := math.Inf(-1)
	log := func(b float64) float64 {
		v := -b*b/(2*0.3) - math.Log(2*math.Pi*0.3)/2
		for i, y := range d.Y {
			eta := d.Offset[i] + b*d.X.At(i, 0)
			g, _ := math.Lgamma(y + 1)
			v += y*eta - math.Exp(eta) - g
		}
		return v
	}
	for b := -2.0; b < 3; b += h {
		top = math.Max(top, log(b))
	}
	for b := -2.0; b < 3; b += h {
		p := math.Exp(log(b) - top)
		sum += p * h
		mean += p * h * b
	}
	near(t, "evidence", f.LogEvidence(), top+math.Log(sum), 1e-4)
	near(t, "mean", f.Coef()[0], mean/sum, 5e-2)
	slope := (log(f.Coef()[0]+1e-5) - log(f.Coef()[0]-1e-5)) / 2e-5
	if math.Abs(slope) > 1e-5 || f.Decrement() > 1e-9 {
		t.Errorf("slope %v at the mode, decrement %v", slope, f.Decrement())
	}
	full := c.design(t)
	wide := get(FitBayesGLM(full, Poisson, GaussianPrior{Tau2: 1e12}, nil))(t)
	fit := c.fit(t, full)
	nearAll(t, "wide prior", wide.Coef(), fit.Coef(), 1e-8)
	nearSym(t, "its covariance", wide.VCov(), fit.VCov(), 1e-7)
	near(t, "log likelihood", wide.LogLik(), fit.LogLik(), 1e-9)
	nearAll(t, "plug-in", get(wide.PlugIn(full))(t), get(fit.Predict(full))(t), 1e-8)

	// Predictions are exp(m + s^2/2), the averages over draws.
	row := get(full.ModelMatrix())(t).RowView(4)
	eta := full.Offset[4] + mat.Dot(row, mat.NewVecDense(4, wide.Coef()))
	near(t, "prediction", get(wide.Predict(full))(t)[4], math.Exp(eta+mat.Inner(row, wide.VCov(), row)/2), 1e-9)
	draws := get(wide.Sample(4000, rand.NewPCG(1, 2)))(t)
	a := get(full.ModelMatrix())(t)
	var average float64
	for s := range 4000 {
		average += math.Exp(full.Offset[4]+mat.Dot(a.RowView(4), draws.RowView(s))) / 4000
	}
	near(t, "average of draws", get(wide.Predict(full))(t)[4], average, 0.03)
	r := get(wide.Residuals(full))(t)
	near(t, "residual", r[4], full.Y[4]-get(wide.Predict(full))(t)[4], 1e-10)

	for says, err := range map[string]error{
		"needs its dispersion": second(FitBayesGLM(full, QuasiPoisson, prior, nil)),
		"none of the families": second(FitBayesGLM(full, 0, prior, nil)),
		"BayesGLMSettings.Tol": second(FitBayesGLM(full, Poisson, prior, &BayesGLMSettings{Tol: -1})),
	} {
		if !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; wanted %q", err, says)
		}
	}
	if _, err := f.CredibleBand(d, 2); !errors.Is(err, ErrSetting) {
		t.Errorf("level 2: %v", err)
	}
	// A level without a count has a posterior.
	none := get(NewDesign(mat.NewDense(6, 1, []float64{0, 0, 0, 1, 1, 1}), []float64{2, 3, 1, 0, 0, 0}))(t)
	if g, err := FitBayesGLM(none, Poisson, GaussianPrior{Tau2: 4}, nil); err != nil || !(g.Coef()[1] < -1) {
		t.Errorf("a level without a count: %v", err)
	}
}
