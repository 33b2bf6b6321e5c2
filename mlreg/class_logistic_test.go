package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
)

var birthTerms = []string{"age", "lwt", "smoke", "ptl", "ht", "ui"}

// births returns the birth weights of MASS with the terms that testdata's
// logistic.R uses.
func births(t testing.TB, more ...string) *Design {
	t.Helper()
	return csvDesign(t, "birthwt.csv", "low", append(slices.Clone(birthTerms), more...)...)
}

func fitLogistic(t testing.TB, d *Design, s *LogisticSettings) *Logistic {
	t.Helper()
	f := get(FitLogistic(d, s))(t)
	return f
}

type logisticReference struct {
	Coef, StdErr, Z, P, VCov, Limits []float64
	Deviance, Null, LogLik, AIC, BIC []float64
	Fitted, Eta, Dev, Pearson, Hat   []float64
}

// R's glm, see testdata/logistic.R.
func TestLogisticAgainstR(t *testing.T) {
	var want map[string]logisticReference
	readJSON(t, "logistic_r.json", &want)
	plain := births(t)
	weighted := births(t)
	for i := range weighted.Y {
		weighted.Weights = append(weighted.Weights, []float64{1, 2, 0.5, 3, 0}[i%5])
	}
	origin := births(t)
	origin.NoIntercept = true
	for _, c := range []struct {
		name string
		d    *Design
		s    *LogisticSettings
	}{
		{"plain", plain, nil},
		{"weighted", weighted, nil},
		{"offset", withOffset(t, births(t, "off"), "off"), nil},
		{"origin", origin, nil},
	} {
		f, w := fitLogistic(t, c.d, c.s), want[c.name]
		nearAll(t, c.name+" coef", f.Coef(), w.Coef, 1e-11)
		nearAll(t, c.name+" stderr", f.StdErr(), w.StdErr, 1e-11)
		nearSym(t, c.name+" covariance", f.VCov(), mat.NewSymDense(len(w.Coef), w.VCov), 1e-10)
		near(t, c.name+" deviance", f.Deviance(), w.Deviance[0], 1e-13)
		near(t, c.name+" null deviance", f.NullDeviance(), w.Null[0], 1e-13)
		near(t, c.name+" loglik", f.LogLik(), w.LogLik[0], 1e-13)
		near(t, c.name+" AIC", AIC(f), w.AIC[0], 1e-13)
		near(t, c.name+" BIC", BIC(f), w.BIC[0], 1e-13)
		rows := get(f.Table(0.95))(t)
		for j, r := range rows {
			near(t, c.name+" z", r.Statistic, w.Z[j], 1e-10)
			near(t, c.name+" P", r.P, w.P[j], 1e-9)
			near(t, c.name+" lower", r.Lower, w.Limits[j], 1e-10)
			near(t, c.name+" upper", r.Upper, w.Limits[j+len(rows)], 1e-10)
		}
		head := func(what string, compute func(*Design) ([]float64, error), want []float64) {
			got := get(compute(c.d))(t)
			for i, v := range want {
				if c.d.Weight(i) > 0 {
					near(t, c.name+" "+what, got[i], v, 1e-10)
				}
			}
		}
		head("fitted", f.Fitted, w.Fitted)
		head("eta", f.LinearPredictor, w.Eta)
		head("deviance residual", f.DevianceResiduals, w.Dev)
		head("Pearson residual", f.PearsonResiduals, w.Pearson)
		head("leverage", f.Leverage, w.Hat)
		if coef, se := f.Digits(); coef < 10 || se < 10 {
			t.Errorf("%s: %d and %d digits", c.name, coef, se)
		}
	}
}

type classifierReference struct {
	Logit, Multinomial map[string][]float64
	Ridge              map[string][]float64
	ROC                map[string][]float64
	Brier, Confusion   []float64
	NaiveBayes         map[string]map[string][]float64
}

func classifierReferences(t *testing.T) (r classifierReference) {
	readJSON(t, "logistic_py.json", &r)
	return r
}

// statsmodels and scikit-learn, see testdata/logistic.py.
func TestLogisticAgainstPython(t *testing.T) {
	want := classifierReferences(t)
	d := births(t)
	f := fitLogistic(t, d, nil)
	nearAll(t, "coef", f.Coef(), want.Logit["coef"], 1e-10)
	nearAll(t, "stderr", f.StdErr(), want.Logit["stderr"], 1e-10)
	near(t, "loglik", f.LogLik(), want.Logit["loglik"][0], 1e-13)
	near(t, "null", f.NullDeviance()/-2, want.Logit["loglik"][1], 1e-13)
	near(t, "AIC", AIC(f), want.Logit["aic"][0], 1e-13)
	near(t, "BIC", BIC(f), want.Logit["aic"][1], 1e-13)
	z := get(d.Standardize(nil))(t)
	nearAll(t, "L2 = 0.5", fitLogistic(t, z, &LogisticSettings{L2: 0.5}).Coef(), want.Ridge["0.5"], 1e-9)
	nearAll(t, "L2 = 10", fitLogistic(t, z, &LogisticSettings{L2: 10}).Coef(), want.Ridge["10.0"], 1e-9)
}

// Weights count observations, labels may be coded either way, and scaling is
// undone by Raw.
func TestLogisticEquivalences(t *testing.T) {
	d := births(t)
	f := fitLogistic(t, d, nil)

	var rows []int
	weighted := births(t)
	for i := range d.NObs() {
		w := i % 3
		weighted.Weights = append(weighted.Weights, float64(w))
		for range w {
			rows = append(rows, i)
		}
	}
	a, b := fitLogistic(t, weighted, nil), fitLogistic(t, d.Rows(rows...), nil)
	nearAll(t, "repeated rows", a.Coef(), b.Coef(), 1e-11)
	nearAll(t, "repeated rows, stderr", a.StdErr(), b.StdErr(), 1e-11)
	near(t, "repeated rows, deviance", a.Deviance(), b.Deviance(), 1e-13)

	signs := births(t)
	for i, y := range signs.Y {
		signs.Y[i] = 2*y - 1
	}
	g := fitLogistic(t, signs, nil)
	if !slices.Equal(g.Coef(), f.Coef()) || !slices.Equal(g.Classes(), []string{"-1", "1"}) || !slices.Equal(f.Classes(), []string{"0", "1"}) {
		t.Errorf("labels -1 and 1: %v of %q, labels 0 and 1: %v of %q", g.Coef(), g.Classes(), f.Coef(), f.Classes())
	}

	z := get(d.Standardize(nil))(t)
	scaled := fitLogistic(t, z, nil)
	raw := get(scaled.Raw())(t)
	nearAll(t, "raw coef", raw.Coef(), f.Coef(), 1e-11)
	nearAll(t, "raw stderr", raw.StdErr(), f.StdErr(), 1e-10)
	p := get(scaled.Predict(d))(t)
	want := get(f.Predict(d))(t)
	nearAll(t, "predictions of raw rows", p, want, 1e-11)
	var sum float64
	for i, v := range want {
		sum += d.Y[i] - v
	}
	near(t, "sum of residuals", sum, 0, 1e-9)

	// An offset is in raw units.
	off := withOffset(t, births(t, "off"), "off")
	offset := get(off.Standardize(nil))(t)
	one := fitLogistic(t, off, nil)
	two := get(fitLogistic(t, offset, nil).Raw())(t)
	nearAll(t, "offset of scaled rows", two.Coef(), one.Coef(), 1e-11)
}

// A design large enough for a start from a part of the rows, older Hessians and
// cross-products.
func TestLogisticLarge(t *testing.T) {
	d := logisticDesign(t, 3, 30000, 30)
	f := fitLogistic(t, d, nil)
	if f.Decrement() > 1e-11 || f.GradNorm() > 1e-12 {
		t.Errorf("decrement %g, gradient %g", f.Decrement(), f.GradNorm())
	}
	if coef, se := f.Digits(); coef < 6 || se < 9 {
		t.Errorf("%d and %d digits", coef, se)
	}
	near(t, "DoF", f.DoF(), 31, 1e-14)
	lev := get(f.Leverage(d))(t)
	var sum float64
	for _, h := range lev {
		sum += h
	}
	near(t, "sum of leverages", sum, 31, 1e-9)
}

// Digits are a bound: the fit to rows of small integers, against one in which
// Newton's method is driven to the end in another order of the rows.
func TestLogisticDigits(t *testing.T) {
	for seed := range uint64(20) {
		d := logisticDesign(t, seed, 60, 3)
		f := fitLogistic(t, d, nil)
		order := rand.New(rand.NewPCG(seed, 1)).Perm(60)
		g := fitLogistic(t, d.Rows(order...), nil)
		coef, se := f.Digits()
		if coef < 10 {
			t.Errorf("seed %d: %d digits only", seed, coef)
		}
		nearAll(t, "coef", f.Coef(), g.Coef(), 2*math.Pow(10, -float64(coef)))
		nearAll(t, "stderr", f.StdErr(), g.StdErr(), 2*math.Pow(10, -float64(se)))
	}
}

func TestLogisticPenaltyDoF(t *testing.T) {
	d := logisticDesign(t, 5, 50, 4)
	last := 5.0
	for _, l2 := range []float64{0.01, 1, 100, 1e6} {
		f := fitLogistic(t, d, &LogisticSettings{L2: l2})
		if dof := f.DoF(); dof >= last || dof < 1 {
			t.Errorf("L2 = %g has %v degrees of freedom, after %v", l2, dof, last)
		} else {
			last = dof
		}
		if !math.IsNaN(f.LR().P) {
			t.Error("a likelihood-ratio test of a penalized fit")
		}
	}
	near(t, "DoF at the end", last, 1, 1e-4)
	// More terms than rows are no trouble with a penalty.
	wide := logisticDesign(t, 6, 20, 50)
	f := fitLogistic(t, wide, &LogisticSettings{L2: 1})
	if f.Decrement() > 1e-11 || f.DoF() > 20 {
		t.Errorf("20 x 50: decrement %g, %v degrees of freedom", f.Decrement(), f.DoF())
	}
}

func TestLogisticTests(t *testing.T) {
	d := births(t)
	f := fitLogistic(t, d, nil)
	lr := f.LR()
	near(t, "LR", lr.Stat, f.NullDeviance()-f.Deviance(), 1e-14)
	near(t, "LR P", lr.P, dist.Chi2Upper(lr.Stat, 6), 1e-14)
	sub := get(d.Select("lwt", "smoke"))(t)
	small := fitLogistic(t, sub, nil)
	test := get(LikelihoodRatioTest(small, f))(t)
	near(t, "LR of four terms", test.Stat, small.Deviance()-f.Deviance(), 1e-12)
	if test.DF != 4 {
		t.Errorf("%v degrees of freedom", test.DF)
	}
	if _, err := LikelihoodRatioTest(f, small); !errors.Is(err, ErrShape) {
		t.Errorf("fits in the wrong order: %v", err)
	}
	// The deviance residuals and the row likelihoods sum to the deviance.
	res := get(f.DevianceResiduals(d))(t)
	rows := get(f.LogLikRows(d))(t)
	var ss, ll float64
	for i := range res {
		ss += res[i] * res[i]
		ll += rows[i]
	}
	near(t, "sum of squared deviance residuals", ss, f.Deviance(), 1e-12)
	near(t, "sum of row likelihoods", ll, f.LogLik(), 1e-12)
	odds := get(f.OddsRatios(0.9))(t)
	table := get(f.Table(0.9))(t)
	for j, o := range odds {
		near(t, "log odds ratio", math.Log(o.Ratio), table[j].Estimate, 1e-12)
		near(t, "log lower limit", math.Log(o.Lower), table[j].Lower, 1e-12)
		near(t, "log upper limit", math.Log(o.Upper), table[j].Upper, 1e-12)
	}
}

// Probabilities, residuals and likelihoods are numbers at any eta.
func TestLogisticFarOut(t *testing.T) {
	f := &Logistic{logit: logit{linear: linear{linearState{header: header{Names: []string{"x"}, Response: "y"}, coefficients: coefficients{B: []float64{1}}}}}}
	f.c.Classes, f.s.Root = []string{"0", "1"}, make([]float64, 4)
	x := []float64{-1e4, -800, -40, 0, 40, 800, 1e4}
	for _, y := range []float64{0, 1} {
		ys := make([]float64, len(x))
		for i := range ys {
			ys[i] = y
		}
		d := get(NewDesign(mat.NewDense(len(x), 1, slices.Clone(x)), ys, "x"))(t)
		p := get(f.Predict(d))(t)
		if p[0] != 0 || p[3] != 0.5 || p[6] != 1 || !(p[2] > 0) || p[1] > 1e-300 {
			t.Errorf("probabilities %v", p)
		}
		for _, values := range []func(*Design) ([]float64, error){f.Residuals, f.DevianceResiduals, f.PearsonResiduals, f.LogLikRows} {
			v := get(values(d))(t)
			if slices.ContainsFunc(v, math.IsNaN) {
				t.Errorf("y = %v: %v", y, v)
			}
		}
		ll := get(f.LogLikRows(d))(t)
		near(t, "log likelihood of the wrong class at 1e4", math.Min(ll[0], ll[6]), -1e4, 1e-15)
		both := get(f.ClassProb(d))(t)
		near(t, "both classes at -40", both.At(2, 0)+both.At(2, 1), 1, 1e-16)
		near(t, "the rare class at 40", both.At(4, 0), math.Exp(-40), 1e-14)
	}
	// A fit whose start is far out: an offset of 1e4 that the slope undoes.
	rng := rand.New(rand.NewPCG(4, 4))
	d := logisticDesign(t, 9, 200, 2)
	wide := mat.NewDense(200, 3, nil)
	for i := range 200 {
		o := 1e4 * rng.NormFloat64()
		wide.SetRow(i, []float64{d.X.At(i, 0), d.X.At(i, 1) + o, -o})
	}
	e := withOffset(t, get(NewDesign(wide, d.Y, "a", "b", "o"))(t), "o")
	g := fitLogistic(t, e, nil)
	if g.Decrement() > 1e-7 || math.Abs(g.Coef()[2]-1) > 1e-2 {
		t.Errorf("coefficients %v, decrement %g", g.Coef(), g.Decrement())
	}
}

func TestLogisticGob(t *testing.T) {
	f := fitLogistic(t, births(t), &LogisticSettings{L2: 0.1})
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(f); err != nil {
		t.Fatal(err)
	}
	var g Logistic
	if err := gob.NewDecoder(&buf).Decode(&g); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.Coef(), g.Coef()) || !slices.Equal(f.StdErr(), g.StdErr()) || f.LogLik() != g.LogLik() || g.L2() != 0.1 {
		t.Error("a fit changes by encoding")
	}
}

func TestLogisticBadInput(t *testing.T) {
	change := func(f func(d *Design)) *Design {
		d := births(t)
		f(d)
		return d
	}
	for _, c := range []struct {
		d     *Design
		s     *LogisticSettings
		kind  error
		parts []string
	}{
		{change(func(d *Design) { clear(d.Y) }), nil, ErrLabels, []string{`"low" has one class only, 0, in all 189 rows`}},
		{change(func(d *Design) { d.Y[7] = 2 }), nil, ErrLabels, []string{"more than two classes", `"2 (row 8)"`}},
		{change(func(d *Design) {
			for i := range d.Y {
				d.Y[i] += 4
			}
		}), nil, ErrLabels, []string{`the values "4", "5"; code the classes 0 and 1`}},
		{change(func(d *Design) { d.Y = nil }), nil, ErrNoData, []string{"no response"}},
		{change(func(d *Design) { d.Y[3] = math.NaN() }), nil, ErrNotFinite, []string{"row 4"}},
		{change(func(d *Design) { d.X.Set(5, 1, math.NaN()) }), nil, ErrNotFinite, []string{`"lwt"`, "row 6"}},
		{change(func(d *Design) { d.X.Set(5, 1, math.Inf(1)) }), nil, ErrNotFinite, []string{`"lwt"`, "row 6"}},
		{change(func(d *Design) { d.Weights = make([]float64, 189) }), nil, ErrNoData, []string{"every weight is zero"}},
		{change(func(d *Design) { d.Weights = make([]float64, 189); d.Weights[0], d.Weights[1] = 1, -1 }), nil, ErrSetting, []string{"weight of row 2"}},
		{change(func(d *Design) { d.Y = d.Y[1:] }), nil, ErrShape, nil},
		{change(func(d *Design) {
			for i := range d.NObs() {
				d.X.Set(i, 3, 2*d.X.At(i, 0)+d.X.At(i, 1)+1)
			}
		}), nil, ErrRankDeficient, []string{`"ptl"`, "LogisticSettings.L2"}},
		{change(func(d *Design) {
			for i := range d.NObs() {
				d.X.Set(i, 3, 0)
			}
		}), nil, ErrRankDeficient, []string{`"ptl"`}},
		{births(t).Rows(9, 80, 140, 150), nil, ErrRankDeficient, []string{"beyond what 4 observations can determine"}},
		{births(t), &LogisticSettings{L2: -1}, ErrSetting, []string{"L2 = -1"}},
		{births(t), &LogisticSettings{Tol: -1}, ErrSetting, []string{"Tol"}},
		{births(t), &LogisticSettings{MaxIterations: -1}, ErrSetting, []string{"MaxIterations"}},
		{births(t), &LogisticSettings{MaxIterations: 1}, ErrNotConverged, []string{"1 iterations"}},
	} {
		_, err := FitLogistic(c.d, c.s)
		wantErr(t, err, c.kind, c.parts...)
	}
	f, err := FitLogistic(births(t), &LogisticSettings{MaxIterations: 2})
	if f == nil || !errors.Is(err, ErrNotConverged) || f.Coef()[0] == 0 {
		t.Errorf("the best fit is not returned with %v", err)
	}
	f = fitLogistic(t, births(t), nil)
	d := births(t)
	d.Y[4] = 3
	_, err = f.Residuals(d)
	wantErr(t, err, ErrLabels, "row 5", `"0", "1"`)
	less := get(births(t).Select("age", "lwt"))(t)
	_, err = f.Predict(less)
	wantErr(t, err, ErrShape, `"smoke"`)
}

// withOffset returns the rows of d with the term as the offset.
func withOffset(t *testing.T, d *Design, term string) *Design {
	t.Helper()
	j := slices.Index(d.Names, term)
	rest := get(d.Select(slices.Delete(slices.Clone(d.Names), j, j+1)...))(t)
	rest.Offset = mat.Col(nil, j, d.X)
	return rest
}
