package frames

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

// A generalized linear model predicts from frames with each row's own exposure, on the
// scale of the response; its effects, marginal means and tables follow.
func TestGLMOfFrames(t *testing.T) {
	df := frame(t,
		Col("claims", []float64{3, 7, 2, 9, 4, 12, 1, 6, 5, 10, 2, 8}),
		Col("holders", []float64{30, 60, 25, 70, 45, 90, 20, 65, 40, 85, 35, 55}),
		Col("age", []float64{20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75}),
		Col("town", []string{"a", "b", "c", "a", "b", "c", "a", "b", "c", "a", "b", "c"}))
	d := get(Design(df, "claims ~ age + town + offset(log(holders))"))(t)
	fit := get(mlreg.FitGLM(d, mlreg.Poisson, nil))(t)
	b := fit.Coef()
	new := frame(t, Col("holders", []float64{1, 200}), Col("age", []float64{30, 30}), Col("town", []string{"b", "b"}))
	got := get(Predict(fit, new))(t)
	if want := math.Exp(b[0] + 30*b[1] + b[2]); math.Abs(got[0]-want) > 1e-12*want || math.Abs(got[1]-200*want) > 1e-10*want {
		t.Errorf("predictions %v, want %v and 200 times that", got, want)
	}
	band := get(ConfidenceBand(fit, new, 0.9))(t)
	if !(band.Lower[1] < got[1] && got[1] < band.Upper[1] && band.Lower[1] > 0) {
		t.Errorf("limits %v %v", band.Lower, band.Upper)
	}
	effect := get(Effects(fit, df, "age", 0.95, &EffectSettings{At: map[string]any{"holders": 100.0, "town": "b"}}))(t)
	if want := 100 * math.Exp(b[0]+20*b[1]+b[2]); math.Abs(effect.Fitted[0]-want) > 1e-10*want || effect.Confidence == nil {
		t.Errorf("effect %v at 20, want %v", effect.Fitted[0], want)
	}
	if effect.Prediction != nil || len(effect.Points.Y) != 12 {
		t.Error("a Poisson effect has a prediction band, or no points")
	}
	means := get(MarginalMeans(fit, df, "town", 0.95, &MeansSettings{At: map[string]any{"holders": 1.0, "age": 47.5}}))(t)
	if want := math.Exp(b[0] + 47.5*b[1] + b[3]); math.Abs(means.Mean[2]-want) > 1e-12 || means.LogOdds || means.Scale != "log means" {
		t.Errorf("mean %v of town c, want %v; contrasts of %s", means.Mean[2], want, means.Scale)
	}
	if title := means.ContrastTable().Title; title != "Differences of log means by town" {
		t.Error(title)
	}
	if d := means.Contrasts[0]; math.Abs(d.Estimate+b[2]) > 1e-12 {
		t.Errorf("a - b is %v, want %v", d.Estimate, -b[2])
	}
	slopes := get(MarginalEffects(fit, df, 0.95))(t)
	var sum float64
	mu := get(fit.Predict(d))(t)
	for _, v := range mu {
		sum += v * b[1] / 12
	}
	if i := slices.IndexFunc(slopes, func(e mlreg.CoefRow) bool { return e.Term == "age" }); math.Abs(slopes[i].Estimate-sum) > 1e-8*math.Abs(sum) {
		t.Errorf("marginal effect of age %v, want %v", slopes[i].Estimate, sum)
	}
	tidy := get(Tidy(fit, 0.95))(t)
	if tidy.Nrow() != 4 {
		t.Error("rows of Tidy")
	}
	glance := get(Glance(fit))(t)
	if names := glance.Names(); !slices.Contains(names, "deviance") || !slices.Contains(names, "AIC") || glance.Col("dispersion").Float()[0] != 1 {
		t.Errorf("Glance has %q", names)
	}
	rows := get(Augment(fit, df))(t)
	for _, name := range []string{".fitted", ".resid", ".hat", ".cooksd", ".std.resid"} {
		if !slices.Contains(rows.Names(), name) {
			t.Errorf("Augment lacks %s", name)
		}
	}
	if got := rows.Col(".fitted").Float(); math.Abs(got[3]-mu[3]) > 1e-12 {
		t.Errorf("fitted %v, want %v", got[3], mu[3])
	}
	var separated *mlreg.SeparationError
	none := frame(t, Col("y", []float64{3, 1, 4, 0, 0, 2}), Col("g", []string{"a", "a", "b", "c", "c", "b"}))
	if _, err := mlreg.FitGLM(get(Design(none, "y ~ g"))(t), mlreg.Poisson, nil); !errors.As(err, &separated) || !strings.Contains(err.Error(), "gc") {
		t.Errorf("a level without a count: %v", err)
	}
}

// Counts of successes: the leverages of Augment know the numbers of trials.
func TestGLMOfCountsInFrames(t *testing.T) {
	df := frame(t, Col("dead", []float64{6, 13, 18, 28, 52, 53, 61, 60}), Col("n", []float64{59, 60, 62, 56, 63, 59, 62, 60}),
		Col("dose", []float64{1.6907, 1.7242, 1.7552, 1.7842, 1.8113, 1.8369, 1.861, 1.8839}))
	d := get(Design(df, "cbind(dead, n - dead) ~ dose"))(t)
	fit := get(mlreg.FitGLM(d, mlreg.Binomial, nil))(t)
	// R: glm(cbind(dead, n - dead) ~ dose, binomial)
	for j, want := range []float64{-60.717454, 34.270326} {
		if math.Abs(fit.Coef()[j]-want) > 1e-5 {
			t.Errorf("coefficient %v, want %v", fit.Coef()[j], want)
		}
	}
	if math.Abs(fit.Deviance()-11.232231) > 1e-5 {
		t.Errorf("deviance %v", fit.Deviance())
	}
	hat := get(Augment(fit, df))(t).Col(".hat").Float()
	var sum float64
	for _, h := range hat {
		sum += h
	}
	if math.Abs(sum-2) > 1e-9 {
		t.Errorf("leverages sum to %v", sum)
	}
}
