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

func races(t testing.TB) *Design {
	t.Helper()
	return csvDesign(t, "birthwt.csv", "race", "low", "age", "lwt", "smoke")
}

func fitMultinomial(t testing.TB, d *Design, s *MultinomialSettings) *Multinomial {
	t.Helper()
	f := get(FitMultinomial(d, s))(t)
	return f
}

// statsmodels' MNLogit, see testdata/logistic.py.
func TestMultinomialAgainstPython(t *testing.T) {
	want := classifierReferences(t).Multinomial
	d := races(t)
	f := fitMultinomial(t, d, nil)
	nearAll(t, "coef", f.Coef(), want["coef"], 1e-9)
	nearAll(t, "stderr", stdErr(f), want["stderr"], 1e-9)
	near(t, "loglik", f.LogLik(), want["loglik"][0], 1e-12)
	near(t, "null", f.NullDeviance()/-2, want["loglik"][1], 1e-9)
	p := get(f.ClassProb(d.Rows(0, 1, 2, 3)))(t)
	nearAll(t, "probabilities", p.RawMatrix().Data, want["prob"], 1e-10)
	if f.Decrement() > 1e-10 || f.GradNorm() > 1e-12 {
		t.Errorf("decrement %g, gradient %g", f.Decrement(), f.GradNorm())
	}
	if n := f.Names(); n[0] != "2:(Intercept)" || n[9] != "3:smoke" || f.Parameters() != 10 {
		t.Errorf("names %q", n)
	}
	lr := f.LR()
	near(t, "LR P", lr.P, dist.Chi2Upper(lr.Stat, 8), 1e-13)
	rows := get(f.LogLikRows(d))(t)
	var sum float64
	for _, v := range rows {
		sum += v
	}
	near(t, "sum of row likelihoods", sum, f.LogLik(), 1e-11)
	if _, err := Confusion(f, d, 0); err != nil {
		t.Error(err)
	}
	if _, err := WaldTest(f, mat.NewDense(1, 10, []float64{0, 1, 0, 0, 0, 0, -1, 0, 0, 0}), nil); err != nil {
		t.Error(err)
	}
}

// Two classes are a logistic regression; another reference gives the same
// probabilities; scaling is undone by Raw; weights count rows.
func TestMultinomialEquivalences(t *testing.T) {
	d := births(t)
	for _, l2 := range []float64{0, 0.3} {
		f, g := fitMultinomial(t, d, &MultinomialSettings{L2: l2}), fitLogistic(t, d, &LogisticSettings{L2: l2})
		nearAll(t, "two classes", f.Coef(), g.Coef(), 1e-9)
		nearSym(t, "covariance", f.VCov(), g.VCov(), 1e-8)
		near(t, "deviance", f.Deviance(), g.Deviance(), 1e-12)
		near(t, "null deviance", f.NullDeviance(), g.NullDeviance(), 1e-12)
	}
	r := races(t)
	f := fitMultinomial(t, r, nil)
	other := races(t)
	for i, y := range other.Y {
		other.Y[i] = math.Mod(y, 3)
	}
	g := fitMultinomial(t, other, nil)
	p := get(f.ClassProb(r))(t)
	q := get(g.ClassProb(r))(t)
	near(t, "deviance with another reference", g.Deviance(), f.Deviance(), 1e-12)
	for i := range 20 {
		near(t, "probability", q.At(i, 0), p.At(i, 2), 1e-9)
	}
	z := get(r.Standardize(nil))(t)
	raw := get(fitMultinomial(t, z, nil).Raw())(t)
	nearAll(t, "raw coef", raw.Coef(), f.Coef(), 1e-9)
	nearSym(t, "raw covariance", raw.VCov(), f.VCov(), 1e-8)

	origin := races(t)
	origin.NoIntercept = true
	o := fitMultinomial(t, origin, nil)
	near(t, "null deviance without intercepts", o.NullDeviance(), 2*189*math.Log(3), 1e-13)
	var rows []int
	for i := range r.Y {
		origin.Weights = append(origin.Weights, float64(i%3))
		for range i % 3 {
			rows = append(rows, i)
		}
	}
	weighted := origin.Weights
	origin.Weights = nil
	b := fitMultinomial(t, origin.Rows(rows...), nil)
	origin.Weights = weighted
	nearAll(t, "repeated rows", fitMultinomial(t, origin, nil).Coef(), b.Coef(), 1e-9)

	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(f); err != nil {
		t.Fatal(err)
	}
	var h Multinomial
	if err := gob.NewDecoder(&buf).Decode(&h); err != nil {
		t.Fatal(err)
	}
	if again, err := h.ClassProb(r); err != nil || !mat.Equal(again, p) || !slices.Equal(h.Names(), f.Names()) {
		t.Errorf("a fit changes by encoding: %v", err)
	}
}

func TestMultinomialSeparation(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	x := mat.NewDense(90, 2, nil)
	y := make([]float64, 90)
	for i := range 90 {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		x.SetRow(i, []float64{a, b})
		y[i] = float64(rng.IntN(2))
		if a > 0.5 {
			y[i] = 2
		}
	}
	d := get(NewDesign(x, y))(t)
	_, err := FitMultinomial(d, nil)
	var e *SeparationError
	if !errors.As(err, &e) || e.Kind != QuasiComplete || e.Of != 180 || e.Rows != 90+countOf(y, 2) {
		t.Fatalf("%+v", err)
	}
	wantErr(t, err, ErrSeparated, "MultinomialSettings.L2", "odds grow for ever")
	f := fitMultinomial(t, d, &MultinomialSettings{L2: 0.1})
	if f.Decrement() > 1e-9 {
		t.Errorf("decrement %g", f.Decrement())
	}
	d.Y[slices.Index(y, 2)] = 0
	far := slices.Index(d.Y, 2)
	d.X.Set(far, 0, -6)
	if _, err := FitMultinomial(d, nil); err != nil {
		t.Errorf("overlapping classes: %v", err)
	}
}

func countOf(v []float64, x float64) int {
	n := 0
	for _, u := range v {
		if u == x {
			n++
		}
	}
	return n
}

func TestMultinomialBadInput(t *testing.T) {
	aliased := races(t)
	for i := range aliased.NObs() {
		aliased.X.Set(i, 3, 2*aliased.X.At(i, 0)+1)
	}
	one := races(t)
	for i := range one.Y {
		one.Y[i] = 1
	}
	empty := races(t)
	for i := range empty.Y {
		empty.Y[i]--
	}
	empty.Classes = []string{"white", "black", "other", "none"}
	bad := races(t)
	bad.X.Set(3, 1, math.Inf(1))
	for _, c := range []struct {
		d     *Design
		s     *MultinomialSettings
		kind  error
		parts []string
	}{
		{aliased, nil, ErrRankDeficient, []string{`"smoke"`, "MultinomialSettings.L2"}},
		{one, nil, ErrLabels, []string{"one class only"}},
		{empty, nil, ErrLabels, []string{`class "none"`}},
		{bad, nil, ErrNotFinite, []string{`"age"`, "row 4"}},
		{races(t), &MultinomialSettings{L2: -1}, ErrSetting, []string{"L2 = -1"}},
		{races(t), &MultinomialSettings{MaxIterations: 1}, ErrNotConverged, []string{"1 iterations"}},
		{races(t).Rows(1, 2, 3), nil, ErrRankDeficient, []string{"beyond what 3 observations"}},
	} {
		_, err := FitMultinomial(c.d, c.s)
		wantErr(t, err, c.kind, c.parts...)
	}
	if f := fitMultinomial(t, aliased, &MultinomialSettings{L2: 1}); f.Decrement() > 1e-9 {
		t.Errorf("aliased terms with a penalty: decrement %g", f.Decrement())
	}
}

// Newton's method goes on to its tolerance: rounding of the objective had shortened the last step.
func TestMultinomialReachesItsDecrement(t *testing.T) {
	for seed := range uint64(100) {
		d := *randomDesign(t, seed, 2000, 2)
		rnd := rand.New(rand.NewPCG(seed, 3))
		d.Classes, d.Weights = []string{"a", "b", "c"}, make([]float64, len(d.Y))
		for i := range d.Y {
			d.Y[i], d.Weights[i] = float64(rnd.IntN(3)), 100*rnd.Float64()
		}
		if f := get(FitMultinomial(&d, nil))(t); f.Decrement() > 1e-11 {
			t.Errorf("seed %d: decrement %g after %d iterations", seed, f.Decrement(), f.Iterations())
		}
	}
}
