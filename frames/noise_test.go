package frames

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/quantreg"
	"github.com/regbook/regbook/mlreg/rlm"
)

// noiseFrames are rows with an outlier, and rows to predict.
func noiseFrames(t *testing.T) (df, later dataframe.DataFrame) {
	t.Helper()
	const n = 24
	y, x, base, w, group := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]string, n)
	for i := range n {
		x[i], base[i], w[i] = 1+float64(i*7%n), float64(i%5), float64(1+i%2)
		group[i] = []string{"a", "b", "c"}[i%3]
		y[i] = 2 + 3*math.Log(x[i]) + base[i] + float64(i%3) + 0.3*math.Sin(float64(i*i))
	}
	y[10] = 80
	df = frame(t, Col("y", y), Col("x", x), Col("base", base), Col("w", w), Col("g", group))
	return df, frame(t, Col("x", []float64{5, 40}), Col("base", []float64{0, 2}), Col("g", []string{"c", "a"}))
}

// Quantile, robust and Student fits go by a formula with functions, factors, an offset and
// weights to predictions from frames and tables of their coefficients and rows.
func TestNoiseOfFrames(t *testing.T) {
	df, later := noiseFrames(t)
	d := get(Design(df, "y ~ log(x) + g + offset(base)", &DesignSettings{Weights: "w"}))(t)
	type fit interface {
		Coded
		Predictor
		Observed
		Coef() []float64
	}
	fits := map[string]struct {
		fit   fit
		facts []string
	}{
		"LAD":      {get(quantreg.FitLAD(d, nil))(t), []string{"nobs", "logLik", "AIC", "BIC"}},
		"quantile": {get(quantreg.Fit(d, 0.3, nil))(t), []string{"nobs", "logLik", "AIC", "BIC"}},
		"MM":       {get(rlm.Fit(d, nil))(t), []string{"nobs"}},
		"Student":  {get(rlm.FitStudent(d, nil))(t), []string{"nobs", "logLik", "AIC", "BIC"}},
		"gamma":    {get(mlreg.FitGLM(d, mlreg.Gamma, &mlreg.GLMSettings{Link: mlreg.IdentityLink}))(t), []string{"nobs", "logLik", "AIC", "deviance", "dispersion"}},
	}
	for name, c := range fits {
		b := c.fit.Coef()
		got := get(Predict(c.fit, later))(t)
		for i, want := range []float64{b[0] + math.Log(5)*b[1] + b[3], b[0] + math.Log(40)*b[1] + 2} {
			if math.Abs(got[i]-want) > 1e-9*math.Abs(want) {
				t.Errorf("%s: prediction %v of row %d, want %v", name, got[i], i+1, want)
			}
		}
		if _, err := Predict(c.fit, later.Drop("base")); !errors.Is(err, ErrNoColumn) {
			t.Errorf("%s: without the offset: %v", name, err)
		}
		if _, err := Predict(c.fit, frame(t, Col("x", []float64{5}), Col("base", []float64{0}), Col("g", []string{"z"}))); !errors.Is(err, ErrLevel) {
			t.Errorf("%s: an unknown level: %v", name, err)
		}
		if wald, ok := c.fit.(interface {
			CoefTable
			StdErr() []float64
		}); ok {
			tidy := get(Tidy(wald, 0.9))(t)
			if terms := tidy.Col("term").Records(); !slices.Equal(terms, []string{"(Intercept)", "log(x)", "gb", "gc"}) {
				t.Errorf("%s: Tidy has the terms %q", name, terms)
			}
			if se := tidy.Col("std.error").Float(); !(se[1] > 0) || math.Abs(se[1]-wald.StdErr()[1]) > 1e-12*se[1] {
				t.Errorf("%s: Tidy has the standard errors %v", name, se)
			}
		}
		facts := get(Glance(c.fit))(t)
		for _, fact := range c.facts {
			if !slices.Contains(facts.Names(), fact) {
				t.Errorf("%s: Glance has %q and not %s", name, facts.Names(), fact)
			}
		}
		if facts.Col("nobs").Float()[0] != 24 {
			t.Errorf("%s: %v rows", name, facts.Col("nobs"))
		}
		rows := get(Augment(c.fit, df))(t)
		y, fitted, residual := df.Col("y").Float(), rows.Col(".fitted").Float(), rows.Col(".resid").Float()
		for i, r := range residual {
			if math.Abs(r-(y[i]-fitted[i])) > 1e-9 {
				t.Errorf("%s: residual %v of row %d, want %v", name, r, i+1, y[i]-fitted[i])
			}
		}
		if alone := get(Augment(c.fit, later))(t); slices.Contains(alone.Names(), ".resid") || alone.Nrow() != 2 {
			t.Errorf("%s: rows to predict have %q", name, alone.Names())
		}
		if _, err := PredictionBand(c.fit, later, 0.9); (name == "gamma") != (err == nil) || err != nil && !errors.Is(err, ErrNoBand) {
			t.Errorf("%s: a prediction band: %v", name, err)
		}
		_, err := ConfidenceBand(c.fit, later, 0.9)
		if wants := name == "gamma"; wants != (err == nil) || !wants && !errors.Is(err, ErrNoBand) {
			t.Errorf("%s: a confidence band: %v", name, err)
		}
	}
	inference := get(fits["LAD"].fit.(*quantreg.Quantile).Inference(d, quantreg.PowellKernel))(t)
	if tidy := get(Tidy(inference, 0.9))(t); tidy.Nrow() != 4 || !(tidy.Col("std.error").Float()[1] > 0) {
		t.Errorf("Tidy of the standard errors of a quantile regression:\n%v", tidy)
	}
	table := get(quantreg.FitQuantiles(d, []float64{0.25, 0.75}, nil))(t)
	if names := table.Names(); !slices.Equal(names, inference.Names()) {
		t.Errorf("quantiles have the coefficients %q", names)
	}
}

// Shares of trials by cbind with an offset: predictions of new rows are shares, and need
// neither successes nor trials.
func TestCbindWithOffset(t *testing.T) {
	df := frame(t, Col("yes", []float64{2, 5, 4, 9, 8, 10}), Col("no", []float64{8, 6, 9, 3, 5, 1}),
		Col("x", []float64{1, 2, 3, 4, 5, 6}), Col("base", []float64{0.1, -0.2, 0.3, 0, 0.2, 0.1}))
	d := get(Design(df, "cbind(yes, no) ~ x + offset(base)"))(t)
	fit := get(mlreg.FitGLM(d, mlreg.Binomial, nil))(t)
	b := fit.Coef()
	later := frame(t, Col("x", []float64{2.5}), Col("base", []float64{1}))
	want := 1 / (1 + math.Exp(-b[0]-2.5*b[1]-1))
	if got := get(Predict(fit, later))(t)[0]; math.Abs(got-want) > 1e-12 {
		t.Errorf("share %v, want %v", got, want)
	}
	band := get(ConfidenceBand(fit, later, 0.95))(t)
	if !(0 < band.Lower[0] && band.Lower[0] < want && want < band.Upper[0] && band.Upper[0] < 1) {
		t.Errorf("limits %v to %v around %v", band.Lower, band.Upper, want)
	}
	rows := get(Augment(fit, df, get(ConfidenceBand(fit, df, 0.95))(t)))(t)
	yes, no, residual, fitted := df.Col("yes").Float(), df.Col("no").Float(), rows.Col(".resid").Float(), rows.Col(".fitted").Float()
	var score float64
	for i := range yes {
		n := yes[i] + no[i]
		if math.Abs(residual[i]-(yes[i]/n-fitted[i])) > 1e-12 {
			t.Errorf("residual %v of row %d", residual[i], i+1)
		}
		score += n * residual[i]
	}
	if math.Abs(score) > 1e-8 {
		t.Errorf("residuals times trials sum to %v", score)
	}
}
