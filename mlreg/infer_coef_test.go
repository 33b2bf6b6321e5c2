package mlreg

import (
	"bytes"
	"encoding/gob"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
)

// fitted fits a design that has no defect.
func fitted(t testing.TB, d Data, s *OLSSettings) *OLS {
	t.Helper()
	f := get(FitOLS(d, s))(t)
	return f
}

// One-sided limits at 95% are the two-sided ones at 90%, z if sigma is known and
// t if it is estimated.
func TestOneAndTwoSidedLimits(t *testing.T) {
	d := randomDesign(t, 1, 20, 3)
	for _, c := range []struct {
		sigma2, two, one float64
	}{
		{2.5, 1.959963984540054, 1.6448536269514722},
		{0, 2.1199052992212547, 1.7458836762762499}, // R: qt(c(.975, .95), 16)
	} {
		f := fitted(t, d, &OLSSettings{Sigma2: c.sigma2})
		two := must2(t, f.ConfInt, 0.95)
		both := must2(t, f.ConfInt, 0.9)
		upper, err := UpperLimits(f, 0.95)
		must(t, upper, err)
		lower, err := LowerLimits(f, 0.95)
		must(t, lower, err)
		low, err := UpperLimits(f, 0.05)
		must(t, low, err)
		for j, b := range f.Coef() {
			se := f.StdErr()[j]
			near(t, "two-sided", two[j].Upper, b+c.two*se, 1e-14)
			near(t, "two-sided", two[j].Lower, b-c.two*se, 1e-13)
			near(t, "one-sided", upper[j].Upper, b+c.one*se, 1e-14)
			near(t, "one-sided and two-sided", upper[j].Upper, both[j].Upper, 1e-13)
			near(t, "one-sided and two-sided", lower[j].Lower, both[j].Lower, 1e-13)
			if upper[j].Term != f.Names()[j] || !math.IsInf(upper[j].Lower, -1) || !math.IsInf(lower[j].Upper, 1) {
				t.Errorf("one-sided limits are %v and %v", upper[j], lower[j])
			}
			near(t, "upper limit at 5%", low[j].Upper, lower[j].Lower, 1e-13)
			if two[j].Term != f.Names()[j] {
				t.Errorf("limits of %q are named %q", f.Names()[j], two[j].Term)
			}
		}
	}
}

func must2[T any](t testing.TB, f func(float64) (T, error), level float64) T {
	t.Helper()
	v, err := f(level)
	return must(t, v, err)
}

// Limits hold the true value as often as they say, within four standard errors
// of the simulation.
func TestCoverage(t *testing.T) {
	repeats(t)
	const replicates, level = 4000, 0.9
	rnd := rand.New(rand.NewPCG(11, 12))
	x := mat.NewDense(12, 2, nil)
	for i := range 12 {
		x.SetRow(i, []float64{rnd.NormFloat64() + 4, rnd.ExpFloat64()})
	}
	names := []string{"two-sided t", "two-sided z", "upper t", "lower z", "sigma2", "confidence band", "prediction band"}
	hits := make(map[string]float64)
	hit := func(name string, yes bool) {
		if yes {
			hits[name]++
		}
	}
	at := mustDesign(t, mat.NewDense(1, 2, []float64{9, -1}), nil)
	for range replicates {
		y := make([]float64, 12)
		for i := range y {
			y[i] = 3 + x.At(i, 0) - 2*x.At(i, 1) + 1.5*rnd.NormFloat64()
		}
		d := mustDesign(t, x, y)
		f, known := fitted(t, d, nil), fitted(t, d, &OLSSettings{Sigma2: 2.25})
		ci := must2(t, f.ConfInt, level)[2]
		hit("two-sided t", ci.Lower < -2 && -2 < ci.Upper)
		ci = must2(t, known.ConfInt, level)[0]
		hit("two-sided z", ci.Lower < 3 && 3 < ci.Upper)
		upper, err := UpperLimits(f, level)
		hit("upper t", must(t, upper, err)[1].Upper > 1)
		lower, err := LowerLimits(known, level)
		hit("lower z", must(t, lower, err)[1].Lower < 1)
		sigma2, err := f.Sigma2ConfInt(level)
		must(t, sigma2, err)
		hit("sigma2", sigma2.Lower < 2.25 && 2.25 < sigma2.Upper)
		band, err := f.ConfidenceBand(at, level)
		must(t, band, err)
		hit("confidence band", band.Lower[0] < 14 && 14 < band.Upper[0])
		band, err = f.PredictionBand(at, level)
		must(t, band, err)
		future := 14 + 1.5*rnd.NormFloat64()
		hit("prediction band", band.Lower[0] < future && future < band.Upper[0])
	}
	for _, name := range names {
		if rate := hits[name] / replicates; math.Abs(rate-level) > 4*math.Sqrt(level*(1-level)/replicates) {
			t.Errorf("%s limits at %v cover %v", name, level, rate)
		}
	}
}

func mustDesign(t testing.TB, x mat.Matrix, y []float64, names ...string) *Design {
	t.Helper()
	d, err := NewDesign(x, y, names...)
	return must(t, d, err)
}

// RSS over a limit for sigma^2 is a quantile of chi-squared.
func TestSigma2ConfInt(t *testing.T) {
	f := fitted(t, longley(t), nil)
	limits, err := f.Sigma2ConfInt(0.9)
	must(t, limits, err)
	near(t, "lower", dist.Chi2Upper(f.RSS()/limits.Lower, 9), 0.05, 1e-12)
	near(t, "upper", dist.Chi2Upper(f.RSS()/limits.Upper, 9), 0.95, 1e-12)
}

func TestInferenceBadInput(t *testing.T) {
	d := randomDesign(t, 2, 10, 2)
	f := fitted(t, d, nil)
	for _, level := range []float64{0, 1, -0.5, 95, math.NaN()} {
		_, err := f.ConfInt(level)
		wantError(t, "ConfInt", err, ErrSetting, "level")
		_, err = UpperLimits(f, level)
		wantError(t, "UpperLimits", err, ErrSetting, "level")
		_, err = f.Sigma2ConfInt(level)
		wantError(t, "Sigma2ConfInt", err, ErrSetting, "level")
		_, err = f.ConfidenceBand(d, level)
		wantError(t, "ConfidenceBand", err, ErrSetting, "level")
		_, err = Contrast(f, []float64{1, 0, 0}, 0, level)
		wantError(t, "Contrast", err, ErrSetting, "level")
	}
	_, err := fitted(t, d, &OLSSettings{Sigma2: 1}).Sigma2ConfInt(0.9)
	wantError(t, "known sigma", err, ErrSetting)

	saturated := randomDesign(t, 3, 4, 3)
	f = fitted(t, saturated, nil)
	_, err = f.ConfInt(0.9)
	wantError(t, "ConfInt", err, ErrSaturated, "Sigma2")
	_, err = LowerLimits(f, 0.9)
	wantError(t, "LowerLimits", err, ErrSaturated)
	_, err = f.Sigma2ConfInt(0.9)
	wantError(t, "Sigma2ConfInt", err, ErrSaturated)
	_, err = f.PredictionBand(saturated, 0.9)
	wantError(t, "PredictionBand", err, ErrSaturated)
	_, err = f.Influence(saturated)
	wantError(t, "Influence", err, ErrSaturated)
	_, err = f.DFBETAS(saturated)
	wantError(t, "DFBETAS", err, ErrSaturated)
	_, err = f.Robust(saturated, HC0)
	wantError(t, "Robust", err, ErrSaturated)
	_, err = WaldTest(f, mat.NewDense(1, 4, []float64{0, 1, 0, 0}), nil)
	wantError(t, "WaldTest", err, ErrSaturated)
	table, err := f.Table(0.9)
	if must(t, table, err); !math.IsNaN(table[0].StdErr) || !math.IsNaN(table[0].Lower) || !math.IsNaN(table[0].P) {
		t.Errorf("table of a saturated fit: %+v, want NaN for what cannot be estimated", table[0])
	}
	// With sigma known there is something to say.
	known := fitted(t, saturated, &OLSSettings{Sigma2: 1})
	if ci := must2(t, known.ConfInt, 0.9); !(ci[0].Lower < ci[0].Upper) {
		t.Errorf("limits with sigma known: %v", ci)
	}
}

// A contrast has the statistic of the restricted fit, and a test of all slopes
// is that of the whole fit.
func TestContrasts(t *testing.T) {
	for seed := range uint64(6) {
		d := randomDesign(t, seed, 25, 4)
		f := fitted(t, d, &OLSSettings{Sigma2: float64(seed % 2)})
		all := mat.NewDense(4, 5, nil)
		for j := range 4 {
			all.Set(j, j+1, float64(j+1))
		}
		test, err := WaldTest(f, all, nil)
		must(t, test, err)
		near(t, "F of all slopes", test.Stat, f.F().Stat, 1e-11)
		near(t, "P of all slopes", test.P, f.F().P, 1e-9)

		// x1 = x2 is the fit with their sum.
		l := []float64{0, 1, -1, 0, 0}
		row, err := Contrast(f, l, 0, 0.9)
		must(t, row, err)
		sum := mat.NewDense(25, 3, nil)
		for i := range 25 {
			r := d.X.RawRowView(i)
			sum.SetRow(i, []float64{r[0] + r[1], r[2], r[3]})
		}
		restricted := fitted(t, mustDesign(t, sum, d.Y), nil)
		near(t, "t^2", row.Statistic*row.Statistic, (restricted.RSS()-f.RSS())/f.Sigma2(), 1e-10)
		test, err = WaldTest(f, mat.NewDense(1, 5, l), nil)
		must(t, test, err)
		near(t, "F = t^2", test.Stat, row.Statistic*row.Statistic, 1e-12)
		near(t, "P", test.P, row.P, 1e-10)
		if row.Term != "x1 - x2 = 0" {
			t.Errorf("the hypothesis is spelled %q", row.Term)
		}
		// The hypothesis at a limit has P = 1 - level.
		at, err := Contrast(f, l, row.Upper, 0.9)
		near(t, "P at the limit", must(t, at, err).P, 0.1, 1e-10)
	}
	for want, l := range map[string][]float64{"-a + 2.5 c = 0.5": {-1, 0, 2.5}, "a - b = 0.5": {1, -1, 0}, "0 = 0.5": {0, 0, 0}} {
		if got := hypothesis([]string{"a", "b", "c"}, l, 0.5); got != want {
			t.Errorf("hypothesis %q, want %q", got, want)
		}
	}
}

// Many contrasts with zeros of the means of groups, which are independent of each other with the same variance.
func TestWaldTestOfSparseContrasts(t *testing.T) {
	const groups, q = 90, 40
	x, y := mat.NewDense(2*groups, groups, nil), make([]float64, 2*groups)
	for i := range y {
		x.Set(i, i/2, 1)
		y[i] = float64((i * i) % 17)
	}
	d := get(NewDesign(x, y))(t)
	d.NoIntercept = true
	fit := get(FitOLS(d, nil))(t)
	l := sparseDesign(t, groups, q).X.T()
	var e, solved mat.VecDense
	e.MulVec(l, mat.NewVecDense(groups, fit.Coef()))
	solved.MulVec(inverseBeside(t, l.T(), 0), &e)
	want := mat.Dot(&e, &solved) * 2 / (fit.RSS() / groups) / q
	near(t, "F", get(WaldTest(fit, l, nil))(t).Stat, want, 1e-11*want)
}

func TestContrastsBadInput(t *testing.T) {
	d := randomDesign(t, 2, 10, 2)
	f := fitted(t, d, nil)
	_, err := Contrast(f, []float64{1, -1}, 0, 0.9)
	wantError(t, "too short", err, ErrShape, "2", `"(Intercept)", "x1", "x2"`)
	_, err = Contrast(f, nil, 0, 0.9)
	wantError(t, "empty", err, ErrShape)
	_, err = Contrast(f, []float64{0, math.NaN(), 0}, 0, 0.9)
	wantError(t, "NaN", err, ErrNotFinite, "x1")
	_, err = Contrast(f, []float64{0, 1, 0}, math.Inf(1), 0.9)
	wantError(t, "infinite value", err, ErrNotFinite)
	_, err = WaldTest(f, mat.NewDense(2, 3, []float64{0, 1, 0, 0, 0, 1}), []float64{1})
	wantError(t, "values", err, ErrShape)
	_, err = WaldTest(f, mat.NewDense(2, 3, []float64{0, 1, 1, 0, 2, 2}), nil)
	wantError(t, "dependent", err, ErrShape, "independent")
	_, err = WaldTest(f, mat.NewDense(2, 3, []float64{0, 1, 1, 0, 1, 1 + 1e-13}), nil)
	wantError(t, "dependent but for rounding", err, ErrShape, "independent")
	_, err = WaldTest(f, mat.NewDense(4, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}), nil)
	wantError(t, "more than coefficients", err, ErrShape, "independent")
	close, err := WaldTest(f, mat.NewDense(2, 3, []float64{0, 1, 1, 0, 1, 1 + 1e-7}), nil)
	near(t, "F of nearly dependent contrasts", must(t, close, err).Stat, f.F().Stat, 1e-7)
	_, err = WaldTest(f, mat.NewDense(1, 3, nil), nil)
	wantError(t, "no weight", err, ErrShape, "contrast 1")

	x := mat.NewDense(10, 3, nil)
	for i := range 10 {
		r := d.X.RawRowView(i)
		x.SetRow(i, []float64{r[0], r[1], r[0] + r[1]})
	}
	aliased := mustDesign(t, x, d.Y)
	dropped := fitted(t, aliased, &OLSSettings{Aliased: DropAliased})
	_, err = Contrast(dropped, []float64{0, 1, 0, -1}, 0, 0.9)
	wantError(t, "aliased", err, ErrNotEstimable, `"x3"`)
	row, err := Contrast(dropped, []float64{0, 1, -1, 0}, 0, 0.9)
	want, err2 := Contrast(f, []float64{0, 1, -1}, 0, 0.9)
	near(t, "contrast of kept terms", must(t, row, err).Statistic, must(t, want, err2).Statistic, 1e-11)
	if ci := must2(t, dropped.ConfInt, 0.9); !math.IsNaN(ci[3].Lower) || math.IsNaN(ci[2].Lower) {
		t.Errorf("limits with an aliased term: %v", ci)
	}
	least := fitted(t, aliased, &OLSSettings{Aliased: MinimumNorm})
	_, err = Contrast(least, []float64{0, 1, 0, 0}, 0, 0.9)
	wantError(t, "minimum norm", err, ErrNotEstimable, "rank 3")
	_, err = least.ConfidenceBand(aliased, 0.9)
	wantError(t, "minimum norm", err, ErrNotEstimable)
	_, err = least.Anova()
	wantError(t, "minimum norm", err, ErrNotEstimable)
	_, err = least.DropTerms()
	wantError(t, "minimum norm", err, ErrNotEstimable)
}

// If all squared residuals are equal, the robust covariances are the classical
// one but for factors.
func TestRobustOfEqualResiduals(t *testing.T) {
	x := mat.NewDense(8, 1, []float64{-1, -1, -1, -1, 1, 1, 1, 1})
	d := mustDesign(t, x, []float64{4, 2, 2, 4, 10, 8, 10, 8})
	f := fitted(t, d, nil)
	for hc, factor := range map[HC]float64{HC0: 6. / 8, HC1: 1, HC2: 1, HC3: 8. / 6} {
		robust, err := f.Robust(d, hc)
		must(t, robust, err)
		want := mat.NewSymDense(2, nil)
		want.ScaleSym(factor, f.VCov())
		nearSym(t, hc.String(), robust.VCov(), want, 1e-14)
	}
}

// Robust limits hold under heteroscedasticity where the classical ones do not.
func TestRobustCoverage(t *testing.T) {
	repeats(t)
	const n, replicates, level = 120, 1500, 0.9
	rnd := rand.New(rand.NewPCG(5, 6))
	var robustHits, classicalHits float64
	for range replicates {
		x, y := mat.NewDense(n, 1, nil), make([]float64, n)
		for i := range n {
			v := rnd.NormFloat64()
			x.Set(i, 0, v)
			y[i] = 1 + 2*v + v*v*rnd.NormFloat64()
		}
		d := mustDesign(t, x, y)
		f := fitted(t, d, nil)
		robust, err := f.Robust(d, HC3)
		r, c := must2(t, must(t, robust, err).ConfInt, level)[1], must2(t, f.ConfInt, level)[1]
		if r.Lower < 2 && 2 < r.Upper {
			robustHits++
		}
		if c.Lower < 2 && 2 < c.Upper {
			classicalHits++
		}
	}
	if rate := robustHits / replicates; math.Abs(rate-level) > 0.04 {
		t.Errorf("HC3 limits cover %v", rate)
	}
	if rate := classicalHits / replicates; rate > 0.7 {
		t.Errorf("classical limits cover %v, so the simulation shows nothing", rate)
	}
}

func TestRobustBadInputAndGob(t *testing.T) {
	d := randomDesign(t, 4, 12, 2)
	f := fitted(t, d, nil)
	_, err := f.Robust(d, HC(9))
	wantError(t, "HC9", err, ErrSetting, "HC9")
	_, err = f.Robust(randomDesign(t, 5, 12, 2), HC3)
	wantError(t, "other rows", err, ErrShape, "rows that were fitted")
	_, err = f.Robust(d.Rows(0, 1, 2, 3), HC3)
	wantError(t, "fewer rows", err, ErrShape, "4", "12")

	one := mat.DenseCopyOf(d.X)
	for i := range 12 {
		one.Set(i, 1, 0)
	}
	one.Set(6, 1, 1)
	alone := mustDesign(t, one, d.Y)
	g := fitted(t, alone, nil)
	_, err = g.Robust(alone, HC2)
	wantError(t, "leverage 1", err, ErrNotEstimable, "row 7", "HC2")
	if robust, err := g.Robust(alone, HC1); must(t, robust, err).StdErr()[2] < 0 {
		t.Error("HC1 with a row of leverage 1")
	}

	robust, err := f.Robust(d, HC1)
	must(t, robust, err)
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(robust); err != nil {
		t.Fatal(err)
	}
	var back Robust
	if err := gob.NewDecoder(&buf).Decode(&back); err != nil {
		t.Fatal(err)
	}
	nearSym(t, "after gob", back.VCov(), robust.VCov(), 0)
	if back.HC() != HC1 || back.InferenceDoF() != 9 {
		t.Errorf("after gob: %v, %v", back.HC(), back.InferenceDoF())
	}
}
