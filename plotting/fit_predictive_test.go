package plotting

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// five is a frame like datasets.Five, and the fit of Murphy's figure 7.12.
func five(t *testing.T) (*mlreg.Bayes, *mlreg.Design, dataframe.DataFrame) {
	t.Helper()
	df := get(frames.Frame(frames.Col("x", []float64{-3, -2, 0, 2, 3}), frames.Col("y", []float64{14, 15, 12, 13, 24})))(t)
	d := get(frames.Design(df, "y ~ x + I(x^2)"))(t)
	fit := get(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1000}, mlreg.KnownVariance(25), &mlreg.BayesSettings{PenalizeIntercept: true}))(t)
	return fit, d, df
}

func TestGoldenPredictivePanels(t *testing.T) {
	fit, d, df := five(t)
	f := get(PredictivePanels(fit, d, df, &PredictiveSettings{From: -8, To: 8, Random: rand.NewPCG(3, 1)}))(t)
	checkImage(t, "predictivepanels", f)
}

func TestGoldenPredictivePlot(t *testing.T) {
	fit, d, df := five(t)
	p := get(PredictivePlot(fit, d, df, &PredictiveSettings{Level: 0.9, Truth: func(x float64) float64 { return 10 + x + x*x }}))(t)
	checkImage(t, "predictiveplot", Sized(p, 5, 3.2))
}

// The grid is coded as the design was, and the default level is one standard
// deviation.
func TestPredictiveGrid(t *testing.T) {
	fit, d, df := five(t)
	v := get(newPredictive(fit, d, df, nil))(t)
	if v.oneInput.s.Input != "x" || v.at[0] != -4.5 || v.at[len(v.at)-1] != 4.5 {
		t.Errorf("input %s from %v to %v", v.oneInput.s.Input, v.at[0], v.at[len(v.at)-1])
	}
	for i, x := range v.at {
		if math.Abs(v.grid.X.At(i, 1)-x*x) > 1e-12 {
			t.Fatalf("x^2 at %v is %v", x, v.grid.X.At(i, 1))
		}
	}
	p := get(fit.Predictive(v.grid, v.s.Level))(t)
	for i, sd := range p.StdDev() {
		if math.Abs(p.UpperObs[i]-p.Mean[i]-sd) > 1e-9*sd {
			t.Fatalf("the band at %v is %v wide, one standard deviation %v", v.at[i], p.UpperObs[i]-p.Mean[i], sd)
		}
	}
}

// Other weights move the plug-in's band, and leave its width.
func TestPlugInOfLeastSquares(t *testing.T) {
	fit, d, df := five(t)
	ols := get(mlreg.FitOLS(d, nil))(t)
	v := get(newPredictive(fit, d, df, &PredictiveSettings{PlugIn: ols}))(t)
	p := get(v.plugIn(fit))(t)
	want := get(ols.Predict(v.grid))(t)
	for i, y := range want {
		if p.Mean[i] != y || math.Abs(p.UpperObs[i]-y-5) > 1e-9 || math.Abs(y-p.LowerObs[i]-5) > 1e-9 {
			t.Fatalf("at %v: %v from %v to %v, least squares has %v", v.at[i], p.Mean[i], p.LowerObs[i], p.UpperObs[i], y)
		}
	}
	line := get(frames.Design(df, "y ~ I(x+1)"))(t)
	other := get(mlreg.FitOLS(line, nil))(t)
	if _, err := PredictivePanels(fit, d, df, &PredictiveSettings{PlugIn: other}); err == nil || !strings.Contains(err.Error(), "plugged in") {
		t.Errorf("a fit of other terms: %v", err)
	}
}

func TestPredictiveErrors(t *testing.T) {
	fit, d, df := five(t)
	plain := get(mlreg.NewDesign(d.X, d.Y, d.Names...))(t)
	wide := get(frames.Frame(frames.Col("x", []float64{-3, -2, 0, 2, 3}), frames.Col("z", []float64{1, 2, 3, 4, 5}), frames.Col("y", d.Y)))(t)
	two := get(frames.Design(wide, "y ~ x + z"))(t)
	for name, c := range map[string]struct {
		fit *mlreg.Bayes
		d   *mlreg.Design
		df  dataframe.DataFrame
		s   *PredictiveSettings
	}{
		"no fit":      {nil, d, df, nil},
		"no formula":  {fit, plain, df, nil},
		"which input": {fit, d, wide, nil},
		"two inputs":  {fit, two, wide, &PredictiveSettings{Input: "x"}},
		"no such":     {fit, d, df, &PredictiveSettings{Input: "w"}},
		"empty":       {fit, d, df, &PredictiveSettings{From: 1, To: -1}},
		"level":       {fit, d, df, &PredictiveSettings{Level: 95}},
		"samples":     {fit, d, df, &PredictiveSettings{Samples: -1}},
		"fewer rows":  {fit, d, df.Subset([]int{0, 1}), nil},
		"rows of d":   {fit, d.Rows(0, 1), df, nil},
	} {
		if _, err := PredictivePanels(c.fit, c.d, c.df, c.s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := PredictivePlot(fit, d, wide, nil); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
}
