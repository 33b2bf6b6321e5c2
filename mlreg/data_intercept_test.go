package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/problem"
)

// interceptAlone returns the prostate data without its terms, and with lcavol
// and lweight.
func interceptAlone(t *testing.T, weighted bool) (null, two *Design) {
	t.Helper()
	all := csvDesign(t, "prostate.csv", "lpsa", prostateTerms...)
	if weighted {
		for i := range all.NObs() {
			all.Weights = append(all.Weights, all.X.At(i, 2)/60)
		}
	}
	null = get(all.Select())(t)
	return null, get(all.Select("lcavol", "lweight"))(t)
}

// Reference values: R's lm(y ~ 1) and glm(y ~ 1, binomial), testdata/intercept.R.
func TestInterceptAloneAgainstR(t *testing.T) {
	var ref map[string]map[string][]float64
	var file map[string]any
	readJSON(t, "intercept.json", &file)
	ref = numbers(t, file)
	for _, name := range []string{"plain", "weighted"} {
		null, two := interceptAlone(t, name == "weighted")
		f := get(FitOLS(null, nil))(t)
		large := get(FitOLS(two, nil))(t)
		table, err := f.Table(0.9)
		row := must(t, table, err)[0]
		inf, err := f.Influence(null)
		must(t, inf, err)
		dfbeta, err := f.DFBETA(null)
		must(t, dfbeta, err)
		anova, err := f.Anova()
		must(t, anova, err)
		nested, err := CompareNested(f, large)
		must(t, nested, err)
		confidence, err := f.ConfidenceBand(null.Rows(0), 0.9)
		must(t, confidence, err)
		prediction, err := f.PredictionBand(null.Rows(0, 1), 0.9)
		must(t, prediction, err)
		got := map[string][]float64{
			"coef":       {row.Estimate, row.StdErr, row.Statistic, row.P},
			"limits":     {row.Lower, row.Upper},
			"sigma":      {math.Sqrt(f.Sigma2())},
			"r2":         {f.R2(), f.AdjR2()},
			"dof":        {f.DoF(), f.DoFResidual()},
			"loglik":     {f.LogLik(), AIC(f), BIC(f)},
			"hat":        inf.Leverage[:3],
			"rstudent":   inf.Studentized[:3],
			"cook":       inf.CooksDistance[:3],
			"dffits":     inf.DFFITS[:3],
			"covratio":   inf.CovRatio[:3],
			"dfbeta":     {dfbeta.At(0, 0), dfbeta.At(1, 0), dfbeta.At(2, 0)},
			"anova":      {anova[0].DF, anova[0].SumSq, anova[0].MeanSq},
			"confidence": {confidence.Fitted[0], confidence.Lower[0], confidence.Upper[0]},
		}
		for _, r := range nested {
			got["nested"] = append(got["nested"], r.DoFResidual, r.RSS, r.DF, r.SumSq, r.F, r.P)
		}
		for i := range 2 {
			got["prediction"] = append(got["prediction"], prediction.Fitted[i], prediction.Lower[i], prediction.Upper[i])
		}
		for key, want := range ref[name] {
			nearAll(t, name+" "+key, got[key], want, 1e-11)
		}
		if test := f.F(); !math.IsNaN(test.Stat) || test.DF1 != 0 {
			t.Errorf("%s: F = %v of nothing", name, test)
		}
		if f.R2() != 0 {
			t.Errorf("%s: R2 = %g, and the intercept explains nothing", name, f.R2())
		}
	}
	births := csvDesign(t, "birthwt.csv", "low", "lwt")
	births.X.Scale(0.01, births.X)
	for _, name := range []string{"logistic", "offset"} {
		d := withOffset(t, births, "lwt")
		if name == "logistic" {
			d.Offset = nil
		}
		f := get(FitLogistic(d, nil))(t)
		table, err := f.Table(0.9)
		row := must(t, table, err)[0]
		fitted, err := f.Fitted(d)
		must(t, fitted, err)
		hat, err := f.Leverage(d)
		must(t, hat, err)
		for key, got := range map[string][]float64{
			"coef":     {row.Estimate, row.StdErr, row.Statistic, row.P},
			"deviance": {f.Deviance(), f.NullDeviance()},
			"loglik":   {f.LogLik(), AIC(f), BIC(f)},
			"fitted":   fitted[:3],
			"hat":      hat[:3],
		} {
			nearAll(t, name+" "+key, got, ref[name][key], 1e-9)
		}
		if coef, se := f.Digits(); coef < 11 || se < 11 {
			t.Errorf("%s: %d and %d digits", name, coef, se)
		}
		if d.Offset == nil {
			near(t, "logit of the mean", f.Intercept(), math.Log(59.0/130), 1e-14)
		}
	}
}

// numbers returns the groups of numbers of a file of reference values; null is NaN.
func numbers(t *testing.T, file map[string]any) map[string]map[string][]float64 {
	t.Helper()
	out := make(map[string]map[string][]float64)
	for name, group := range file {
		values, ok := group.(map[string]any)
		if !ok {
			continue
		}
		out[name] = make(map[string][]float64)
		for key, list := range values {
			for _, v := range list.([]any) {
				number, ok := v.(float64)
				if !ok {
					number = math.NaN()
				}
				out[name][key] = append(out[name][key], number)
			}
		}
	}
	return out
}

// The mean and its standard error are what they are, from rows, from sums and
// from merged sums, to all digits, and survive gob.
func TestInterceptAlone(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		d, two := interceptAlone(t, weighted)
		scaled, err := d.Standardize(nil)
		must(t, scaled, err)
		n := d.NObs()
		first, second := make([]int, 40), make([]int, n-40)
		for i := range n {
			if i < 40 {
				first[i] = i
			} else {
				second[i-40] = i
			}
		}
		a, err := d.Rows(first...).Moments()
		must(t, a, err)
		b, err := d.Rows(second...).Moments()
		must(t, b, err)
		merged, err := a.Merge(b)
		must(t, merged, err)
		all, err := d.Moments()
		must(t, all, err)
		rest, err := all.Subtract(b)
		must(t, rest, err)
		near(t, "SYY after Subtract", rest.SYY(), a.SYY(), 1e-12)
		if !all.SXX().IsEmpty() || len(all.SXY()) != 0 {
			t.Error("cross-products of no terms")
		}
		var w, sum float64
		for i, y := range d.Y {
			w += d.Weight(i)
			sum += d.Weight(i) * y
		}
		rss := d.weightedSquares(d.Y, sum/w)
		for name, data := range map[string]Data{"rows": d, "standardized rows": scaled, "sums": all, "merged sums": merged} {
			f, err := FitOLS(data, nil)
			if err != nil {
				t.Fatal(name, err)
			}
			nearAll(t, name+": Coef", f.Coef(), []float64{sum / w}, 1e-14)
			nearAll(t, name+": StdErr", f.StdErr(), []float64{math.Sqrt(rss / float64(n-1) / w)}, 1e-13)
			if coef, se := f.Digits(); coef < 13 || se < 13 {
				t.Errorf("%s: %d and %d digits", name, coef, se)
			}
			if f.DoF() != 1 || f.Cond() != 1 || f.Orthogonality() > 1e-15 || len(f.Slopes()) != 0 || len(f.Aliased()) != 0 {
				t.Errorf("%s: DoF %v, Cond %v, Orthogonality %v, %v, %v", name, f.DoF(), f.Cond(), f.Orthogonality(), f.Slopes(), f.Aliased())
			}
			var buf bytes.Buffer
			var back OLS
			if err := gob.NewEncoder(&buf).Encode(f); err != nil {
				t.Fatal(err)
			}
			if err := gob.NewDecoder(&buf).Decode(&back); err != nil {
				t.Fatal(err)
			}
			sameOLS(t, &back, f, 0)
			raw := get(back.Raw())(t)
			sameOLS(t, raw, f, 0)
			yhat, err := raw.Predict(two) // rows that have terms serve as well
			if err != nil {
				t.Fatal(err)
			}
			if len(yhat) != n || slices.Max(yhat) != f.Intercept() || slices.Min(yhat) != f.Intercept() {
				t.Errorf("%s: predictions %v", name, yhat[:3])
			}
		}

		f, err := FitOLS(d, nil)
		must(t, f, err)
		h, err := f.Leverage(d)
		must(t, h, err)
		hat, err := HatMatrix(d)
		must(t, hat, err)
		loo, err := LOOResiduals(f, d)
		must(t, loo, err)
		for i := range n {
			near(t, "leverage", h[i], d.Weight(i)/w, 1e-14)
			near(t, "hat matrix", hat.At(i, i), h[i], 1e-14)
		}
		rest2 := append([]int{}, second...)
		others, err := FitOLS(d.Rows(append(rest2, first[1:]...)...), nil)
		must(t, others, err)
		near(t, "leave-one-out residual", loo[0], d.Y[0]-others.Intercept(), 1e-13)
		if rows, err := f.DropTerms(); err != nil || len(rows) != 0 {
			t.Errorf("DropTerms: %v, %v", rows, err)
		}
	}
}

// F of no slope is none, also where TSS and RSS differ by their rounding.
func TestFOfAliasedTerms(t *testing.T) {
	for seed := range uint64(50) {
		rnd := rand.New(rand.NewPCG(seed, 4))
		d := &Design{X: mat.NewDense(9, 1, nil), Names: []string{"zero"}, Response: "y"}
		for range 9 {
			d.Y, d.Weights = append(d.Y, 5+rnd.NormFloat64()), append(d.Weights, rnd.Float64())
		}
		for _, data := range []Data{d, get(d.Moments())(t)} {
			if test := get(FitOLS(data, &OLSSettings{Aliased: DropAliased}))(t).F(); !math.IsNaN(test.Stat) || !math.IsNaN(test.P) || test.DF1 != 0 {
				t.Errorf("F = %v of nothing", test)
			}
		}
	}
}

// Every other formula for the intercept alone is what it is by hand.
func TestInterceptAloneBayes(t *testing.T) {
	d, two := interceptAlone(t, true)
	n, known := d.NObs(), KnownVariance(1.3)
	m, err := d.Moments()
	must(t, m, err)
	f := get(FitBayes(d, GaussianPrior{Tau2: 7}, known, nil))(t)
	near(t, "mean", f.Intercept(), m.MeanY(), 1e-14)
	nearAll(t, "sd", f.StdDev(), []float64{math.Sqrt(1.3 / m.SumWeights())}, 1e-14)
	near(t, "variance", f.PosteriorCov().At(0, 0), 1.3/m.SumWeights(), 1e-14)
	// The integral of N(y; b_0, sigma^2/w) over b_0.
	want := -float64(n-1)/2*math.Log(2*math.Pi*1.3) - m.SYY()/2/1.3 - math.Log(m.SumWeights())/2
	for _, w := range d.Weights {
		want += math.Log(w) / 2
	}
	near(t, "evidence", f.LogEvidence(), want, 1e-13)
	// It is the limit of any model whose prior leaves nothing but the intercept.
	limit, err := FitBayes(two, GaussianPrior{Tau2: 1e-13}, known, nil)
	must(t, limit, err)
	near(t, "limit of the evidence", limit.LogEvidence(), want, 1e-9)
	predictive, err := f.Predictive(d.Rows(0), 0.9)
	must(t, predictive, err)
	near(t, "predictive variance", predictive.ParamVar[0], 1.3/m.SumWeights(), 1e-14)
	coef, _, err := f.Sample(2000, rand.NewPCG(1, 2))
	must(t, coef, err)
	var mean float64
	for i := range 2000 {
		mean += coef.At(i, 0) / 2000
	}
	if z := (mean - m.MeanY()) / f.StdDev()[0] * math.Sqrt(2000); math.Abs(z) > 4 {
		t.Errorf("the mean of 2000 draws is off by %.1f standard errors", z)
	}
	curves, err := f.SampleFunctions(d, 3, rand.NewPCG(1, 2))
	must(t, curves, err)
	if curves.At(0, 1) != curves.At(n-1, 1) {
		t.Error("a function of the intercept alone varies")
	}
	var buf bytes.Buffer
	var back Bayes
	if err := gob.NewEncoder(&buf).Encode(f); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&buf).Decode(&back); err != nil {
		t.Fatal(err)
	}
	nearAll(t, "sd after gob", back.StdDev(), f.StdDev(), 0)

	unknown, err := FitBayes(m, GaussianPrior{Tau2: 7}, InverseGamma{}, nil)
	must(t, unknown, err)
	ols, err := FitOLS(d, nil)
	must(t, ols, err)
	limits, err := ols.ConfInt(0.9)
	must(t, limits, err)
	credible := get(unknown.CredibleInterval(0.9))(t)
	nearAll(t, "Jeffreys' limits", []float64{credible[0].Lower, credible[0].Upper}, []float64{limits[0].Lower, limits[0].Upper}, 1e-12)

	proper, err := FitBayes(d, GaussianPrior{Tau2: 7}, known, &BayesSettings{PenalizeIntercept: true})
	must(t, proper, err)
	near(t, "shrunk mean", proper.Intercept(), m.MeanY()*m.SumWeights()/(m.SumWeights()+1.3/7), 1e-14)

	births := csvDesign(t, "birthwt.csv", "low", "lwt")
	births, err = births.Select()
	must(t, births, err)
	logistic, err := FitLogistic(births, nil)
	must(t, logistic, err)
	for _, penalize := range []bool{false, true} {
		post := get(FitBayesLogistic(births, GaussianPrior{Tau2: 1e12}, &BayesLogisticSettings{PenalizeIntercept: penalize}))(t)
		near(t, "mode", post.Coef()[0], logistic.Intercept(), 1e-9)
		near(t, "curvature", post.VCov().At(0, 0), logistic.VCov().At(0, 0), 1e-9)
	}
	many, err := FitMultinomial(births, nil)
	must(t, many, err)
	p, err := many.ClassProb(births.Rows(0))
	must(t, p, err)
	near(t, "multinomial", p.At(0, 1), 59.0/189, 1e-12)
	if e, err := CheckSeparation(births); e != nil || err != nil {
		t.Errorf("separation of nothing: %v, %v", e, err)
	}
}

// What is of terms says that there are none, and what to do; nothing panics.
func TestNoTermsErrors(t *testing.T) {
	d, _ := interceptAlone(t, false)
	births := csvDesign(t, "birthwt.csv", "low", "lwt")
	births, err := births.Select()
	must(t, births, err)
	folds, err := KFold(d.NObs(), 5, rand.NewPCG(1, 2))
	must(t, folds, err)
	m, err := d.Moments()
	must(t, m, err)
	one := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"FitLasso":              one(FitLasso(d, 1, nil)),
		"FitLasso of sums":      one(FitLasso(m, 1, nil)),
		"FitLassoPath":          one(FitLassoPath(d, nil)),
		"FitElasticNet":         one(FitElasticNet(d, 1, 1, nil)),
		"FitLARS":               one(FitLARS(d, nil)),
		"FitRidge":              one(FitRidge(d, 1, nil)),
		"FitRidge of sums":      one(FitRidge(m, 1, nil)),
		"FitRidgePath":          one(FitRidgePath(d, nil)),
		"FitPCR":                one(FitPCR(d, 1, nil)),
		"FitLassoCV":            one(FitLassoCV(d, folds, nil, nil)),
		"FitRidgeCV":            one(FitRidgeCV(d, folds, nil, nil)),
		"FitLogisticPath":       one(FitLogisticPath(births, 1, nil)),
		"FitLogisticElasticNet": one(FitLogisticElasticNet(births, 1, 0, nil)),
		"FitMultinomialPath":    one(FitMultinomialPath(births, 1, nil)),
		"EnumerateModels":       one(EnumerateModels(d, BICScore{}, nil)),
		"EnumerateModels, sums": one(EnumerateModels(m, BICScore{}, nil)),
		"SampleModels":          one(SampleModels(d, BICScore{}, rand.NewPCG(1, 2), nil)),
		"CertifyModels":         one(CertifyModels(d, BICScore{}, rand.NewPCG(1, 2), &CertifySettings{Nodes: 10, Proposals: 1000})),
		"FitBestSubsets":        one(FitBestSubsets(d, nil)),
		"FitStepwise":           one(FitStepwise(d, nil)),
		"FitGreedy":             one(FitGreedy(d, nil)),
		"FilterTerms":           one(FilterTerms(d)),
		"OrderedModels":         one(OrderedModels(d, 0)),
		"ShootingAlgorithm":     one(ShootingAlgorithm(d, 1, nil)),
		"NewEvidenceSurface":    one(NewEvidenceSurface(d, nil)),
		"FitNaiveBayes":         one(FitNaiveBayes(births, 1, nil)),
		"VIF":                   one(VIF(d)),
		"VIF of sums":           one(VIF(m)),
		"CrossValidateSizes": one(CrossValidateSizes(d, folds, func(data Data) ([]SubsetModel, error) {
			best, err := FitBestSubsets(data, nil)
			if err != nil {
				return nil, err
			}
			return best.Models(), nil
		})),
	} {
		if !errors.Is(err, ErrNoTerms) || !strings.Contains(err.Error(), "FitOLS") {
			t.Errorf("%s: %v", name, err)
		}
	}
	nothing := *d
	nothing.NoIntercept = true
	sum := NewMoments(&nothing)
	if err := sum.Add(&nothing); !errors.Is(err, ErrNoTerms) {
		t.Errorf("moments of nothing: %v", err)
	}
	for name, data := range map[string]Data{"rows": &nothing, "sums": &Moments{momentsState{header{NoIntercept: true}, problem.Sums{N: 3, W: 3}}}} {
		if _, err := FitOLS(data, nil); !errors.Is(err, ErrNoTerms) {
			t.Errorf("OLS of nothing, %s: %v", name, err)
		}
		if _, err := FitBayes(data, GaussianPrior{Tau2: 1}, KnownVariance(1), nil); !errors.Is(err, ErrNoTerms) {
			t.Errorf("Bayes of nothing, %s: %v", name, err)
		}
	}
	if _, err := NewDesign(nil, nil); !errors.Is(err, ErrNoData) {
		t.Errorf("nothing at all: %v", err)
	}
	if d, err := NewDesign(nil, []float64{1, 2, 4}); err != nil || d.NObs() != 3 || d.NTerms() != 0 {
		t.Errorf("NewDesign without terms: %v", err)
	}
	if f, err := Functions(d, mat.NewDense(2, 1, []float64{3, 4})); err != nil || f.At(5, 1) != 4 {
		t.Errorf("functions of the intercept: %v", err)
	}
}
