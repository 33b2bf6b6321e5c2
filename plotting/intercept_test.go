package plotting

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

// A fit of the intercept alone is drawn, or refused by an error; nothing panics.
func TestInterceptAlone(t *testing.T) {
	record(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	y, a, b, class := make([]float64, 30), make([]float64, 30), make([]float64, 30), make([]string, 30)
	for i := range y {
		y[i], a[i], b[i], class[i] = rnd.NormFloat64(), rnd.NormFloat64(), rnd.NormFloat64(), string('a'+rune(i%3/2))
	}
	df := dataframe.New(series.New(y, series.Float, "y"), series.New(a, series.Float, "a"), series.New(class, series.String, "class"))
	two := df.Drop("y").Mutate(series.New(b, series.Float, "b"))
	curve := &CurveSettings{Input: "a"}
	value := func(v any, err error) any {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	d := value(frames.Design(df, "y ~ 1")).(*mlreg.Design)
	labels := value(frames.Design(df, "class ~ 1")).(*mlreg.Design)
	one := value(frames.Design(df, "y ~ a")).(*mlreg.Design)
	ols := value(mlreg.FitOLS(d, nil)).(*mlreg.OLS)
	large := value(mlreg.FitOLS(one, nil)).(*mlreg.OLS)
	noise := mlreg.KnownVariance(1)
	bayes := value(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, noise, nil)).(*mlreg.Bayes)
	logistic := value(mlreg.FitLogistic(labels, nil)).(*mlreg.Logistic)
	posterior := value(mlreg.FitBayesLogistic(labels, mlreg.GaussianPrior{Tau2: 1}, nil)).(*mlreg.BayesLogistic)
	influence := value(ols.Influence(d)).(*mlreg.Influence)
	nested := value(mlreg.CompareNested(ols, large)).(report.Rows[mlreg.NestedRow])
	anova := value(ols.Anova()).(report.Rows[mlreg.AnovaRow])
	roc := value(mlreg.ROC(logistic, labels)).(*mlreg.ROCCurve)

	for name, draw := range map[string]func() (any, error){
		"Summary":            func() (any, error) { return mlreg.Summary(ols, 0.95) },
		"Summary, logistic":  func() (any, error) { return mlreg.Summary(logistic, 0.95) },
		"nested":             func() (any, error) { return nested, nil },
		"anova":              func() (any, error) { return anova, nil },
		"influence":          func() (any, error) { return influence.Head(5, nil) },
		"posterior":          func() (any, error) { return bayes.Summary(0.9) },
		"CoefPlot":           func() (any, error) { return CoefPlot(ols, 0.9, &CoefPlotSettings{Terms: []string{"(Intercept)"}}) },
		"ScaleLocation":      func() (any, error) { return ScaleLocation(ols, d, nil) },
		"QQ":                 func() (any, error) { return QQ(ols, d, nil) },
		"CooksDistance":      func() (any, error) { return CooksDistance(ols, d, nil) },
		"ROCPlot":            func() (any, error) { return ROCPlot([]NamedROC{{"null", roc}}, nil) },
		"FitCurves":          func() (any, error) { return FitCurves(df, curve, CurveFit{Design: d, Fit: ols}) },
		"BasisFunctions":     func() (any, error) { return BasisFunctions(d, df, curve) },
		"PredictivePlot":     func() (any, error) { return PredictivePlot(bayes, d, df, &PredictiveSettings{Input: "a"}) },
		"PredictivePanels":   func() (any, error) { return PredictivePanels(bayes, d, df, &PredictiveSettings{Input: "a"}) },
		"ClassMap":           func() (any, error) { return ClassMap(two, labels, logistic, nil) },
		"LogisticPredictive": func() (any, error) { return LogisticPredictive(two, labels, posterior, nil) },
		"Diagnostics":        func() (any, error) { return Diagnostics(ols, d, nil) },
		"ResidualsFitted":    func() (any, error) { return ResidualsFitted(ols, d, nil) },
		"ResidualsLeverage":  func() (any, error) { return ResidualsLeverage(ols, d, nil) },
	} {
		got, err := draw()
		if err == nil {
			err = Display(got)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, draw := range map[string]func() (any, error){
		"CoefPlot":    func() (any, error) { return CoefPlot(ols, 0.9, nil) },
		"FitLine":     func() (any, error) { return FitLine(d, ols, 0.9) },
		"SlopeLimits": func() (any, error) { return SlopeLimits(d, ols, 0.9) },
		"CoefBars":    func() (any, error) { return CoefBars(NamedSlopes{"ols", ols}) },
	} {
		if _, err := draw(); !errors.Is(err, mlreg.ErrShape) && !errors.Is(err, mlreg.ErrNoData) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
