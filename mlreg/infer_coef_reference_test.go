package mlreg

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"
)

// referenceCase is a design that testdata/inference.R and inference.py fit with R
// and statsmodels, and the new rows that bands are computed at.
type referenceCase struct {
	name  string
	d, at *Design
}

func longley(t testing.TB) *Design {
	return csvDesign(t, "longley.csv", "Employed", "GNP.deflator", "GNP", "Unemployed", "Armed.Forces", "Population", "Year")
}

func referenceCases(t *testing.T) []referenceCase {
	all := csvDesign(t, "prostate.csv", "lpsa", prostateTerms...)
	diabetes := csvDesign(t, "diabetes.csv", "progression", "age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6")
	weighted := *all
	for i := range all.NObs() {
		weighted.Weights = append(weighted.Weights, all.X.At(i, 2)/60)
	}
	noIntercept := csvDesign(t, "prostate.csv", "lpsa", "lcavol", "lweight", "age")
	noIntercept.NoIntercept = true
	weightedAt := weighted.Rows(2, 49, 96)
	weightedAt.Weights = []float64{0.5, 1, 2}
	return []referenceCase{
		{"longley", longley(t), longley(t).Rows(1, 8)},
		{"prostate", all, all.Rows(2, 49, 96)},
		{"diabetes", diabetes, diabetes.Rows(4, 76, 299)},
		{"weighted", &weighted, weightedAt},
		{"no intercept", noIntercept, noIntercept.Rows(2, 49, 96)},
	}
}

// must returns v, and ends the test on an error.
func must[T any](t testing.TB, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func elements(v *mat.SymDense) []float64 { return mat.DenseCopyOf(v).RawMatrix().Data }

// results returns everything that inference.R computes, under the same names.
func (c *referenceCase) results(t *testing.T) map[string][]float64 {
	t.Helper()
	d := c.d
	fit, err := FitOLS(d, nil)
	f := must(t, fit, err)
	k := len(f.Coef())
	got := map[string][]float64{"coef": f.Coef(), "stderr": f.StdErr(), "vcov": elements(f.VCov())}
	add := func(name string, values ...float64) { got[name] = append(got[name], values...) }
	limits, err := f.ConfInt(0.9)
	for _, l := range must(t, limits, err) {
		add("confint90", l.Lower, l.Upper)
	}

	hyp := mat.NewDense(2, k, nil)
	hyp.Set(0, 1, 1)
	hyp.Set(0, 2, -1)
	hyp.Set(1, k-1, 1)
	value := []float64{0.1, -0.2}
	test, err := WaldTest(f, hyp, value)
	must(t, test, err)
	add("wald", test.Stat, test.P)
	row, err := Contrast(f, hyp.RawRowView(0), 0.1, 0.9)
	must(t, row, err)
	add("contrast", row.Estimate, row.StdErr, row.Statistic, row.P, row.Lower, row.Upper)
	for _, hc := range []HC{HC0, HC1, HC2, HC3} {
		robust, err := f.Robust(d, hc)
		add(strings.ToLower(hc.String()), elements(must(t, robust, err).VCov())...)
		if hc == HC3 {
			test, err := WaldTest(robust, hyp, value)
			must(t, test, err)
			add("wald_hc3", test.Stat, test.P)
			table, err := robust.Table(0.95)
			for _, row := range must(t, table, err) {
				add("robust_p", row.P)
			}
		}
	}

	anova, err := f.Anova()
	for _, r := range must(t, anova, err) {
		add("anova", r.DF, r.SumSq, r.MeanSq, r.F, r.P)
	}
	drop, err := f.DropTerms()
	for _, r := range must(t, drop, err) {
		add("drop1", r.DF, r.SumSq, r.F, r.P)
	}
	var nested []*OLS
	for left := 2; left >= 0; left-- {
		part, err := d.Select(d.Names[:len(d.Names)-left]...)
		fit, err2 := FitOLS(must(t, part, err), nil)
		nested = append(nested, must(t, fit, err2))
	}
	comparison, err := CompareNested(nested...)
	for _, r := range must(t, comparison, err) {
		add("nested", r.DoFResidual, r.RSS, r.DF, r.SumSq, r.F, r.P)
	}

	confidence, err := f.ConfidenceBand(c.at, 0.9)
	must(t, confidence, err)
	prediction, err := f.PredictionBand(c.at, 0.9)
	must(t, prediction, err)
	add("confidence_se", confidence.StdErr...)
	for i := range confidence.Fitted {
		add("confidence", confidence.Fitted[i], confidence.Lower[i], confidence.Upper[i])
		add("prediction", prediction.Fitted[i], prediction.Lower[i], prediction.Upper[i])
	}

	inf, err := f.Influence(d)
	must(t, inf, err)
	got["hat"], got["rstandard"], got["rstudent"], got["sigma_i"] = inf.Leverage, inf.Standardized, inf.Studentized, inf.Sigma
	got["cook"], got["dffits"], got["covratio"] = inf.CooksDistance, inf.DFFITS, inf.CovRatio
	dfbeta, err := f.DFBETA(d)
	add("dfbeta", must(t, dfbeta, err).RawMatrix().Data...)
	dfbetas, err := f.DFBETAS(d)
	add("dfbetas", must(t, dfbetas, err).RawMatrix().Data...)
	vif, err := VIF(d)
	add("vif", values(must(t, vif, err))...)
	loo, err := LOOResiduals(f, d)
	add("press", d.weightedSquares(must(t, loo, err), 0))
	add("gcv", GCV(f))
	add("dw", DurbinWatson(inf.Residuals))
	jb, err := JarqueBera(inf.Residuals)
	must(t, jb, err)
	add("jb", jb.Stat, jb.P, jb.Skewness, jb.Kurtosis)
	if d.Weights == nil {
		bp, err := f.BreuschPagan(d)
		must(t, bp, err)
		add("bp", bp.Stat, bp.DF, bp.P)
	}
	return got
}

// compareReference compares with a file of reference values, to the relative
// tolerance, or to a thousandth of it in proportion to the largest value of a
// vector or matrix.
func compareReference(t *testing.T, file string, tolerance func(name, quantity string) float64) {
	t.Helper()
	var reference map[string]any
	readJSON(t, file, &reference)
	for _, c := range referenceCases(t) {
		quantities, ok := reference[c.name].(map[string]any)
		if !ok {
			continue
		}
		results := c.results(t)
		for quantity, values := range quantities {
			var want []float64
			largest := 0.0
			for _, v := range values.([]any) {
				x, ok := v.(float64)
				if !ok { // null
					x = math.NaN()
				}
				want = append(want, x)
				largest = max(largest, math.Abs(x))
				if math.IsNaN(largest) {
					largest = 0
				}
			}
			got := results[quantity]
			if len(got) != len(want) {
				t.Fatalf("%s %s has %d values, want %d", c.name, quantity, len(got), len(want))
			}
			tol := tolerance(c.name, quantity)
			for i, v := range got {
				if !floats.Same(got[i:i+1], want[i:i+1]) && !scalar.EqualWithinAbsOrRel(v, want[i], 1e-3*tol*largest, tol) {
					t.Errorf("%s %s[%d] = %.17g, want %.17g (relative difference %.1e)", c.name, quantity, i, v, want[i], v/want[i]-1)
				}
			}
		}
	}
}

// Tolerances are 1e-10, or R's own accuracy: sandwich loses half of the digits on
// the ill-conditioned Longley data, and lm some. TestInferenceExact has the true
// values there.
func TestInferenceAgainstR(t *testing.T) {
	sequential(t)
	compareReference(t, "inference.json", func(name, quantity string) float64 {
		switch {
		case name != "longley":
			return 1e-10
		case strings.HasPrefix(quantity, "hc") || quantity == "wald_hc3" || quantity == "robust_p":
			return 1e-6
		}
		return 1e-9
	})
}

// statsmodels goes by the pseudo-inverse, and keeps 8 digits of Longley.
func TestInferenceAgainstStatsmodels(t *testing.T) {
	sequential(t)
	compareReference(t, "inference_statsmodels.json", func(name, quantity string) float64 {
		switch {
		case name == "longley":
			return 1e-7
		case quantity == "dfbetas":
			return 1e-9
		}
		return 1e-10
	})
}

// Longley in 60-digit arithmetic (testdata/inference_exact.py).
func TestInferenceExact(t *testing.T) {
	compareReference(t, "inference_exact.json", func(name, quantity string) float64 { return 1e-10 })
}

// R's lm with weights 0, 1, 2: rows of weight zero drop out of n.
func TestZeroWeightsAgainstR(t *testing.T) {
	var all map[string]any
	readJSON(t, "inference.json", &all)
	want := func(quantity string) (values []float64) {
		for _, v := range all["zero weights"].(map[string]any)[quantity].([]any) {
			values = append(values, v.(float64))
		}
		return values
	}
	d := csvDesign(t, "prostate.csv", "lpsa", prostateTerms...)
	for i := range d.NObs() {
		d.Weights = append(d.Weights, float64(i%3))
	}
	fit, err := FitOLS(d, nil)
	f := must(t, fit, err)
	nearAll(t, "coef", f.Coef(), want("coef"), 1e-10)
	nearAll(t, "stderr", f.StdErr(), want("stderr"), 1e-10)
	for quantity, v := range map[string]float64{
		"sigma": math.Sqrt(f.Sigma2()), "df": f.DoFResidual(), "n": float64(f.NObs()), "loglik": f.LogLik(), "r2": f.R2(), "bic": BIC(f),
	} {
		near(t, quantity, v, want(quantity)[0], 1e-12)
	}
}
