package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// scaledBirths returns standardized terms.
func scaledBirths(t testing.TB) *Design {
	t.Helper()
	d := get(births(t).Standardize(nil))(t)
	return d
}

// glmnet, see testdata/logistic_glmnet.R.
func TestLogisticPathAgainstGlmnet(t *testing.T) {
	var want []struct {
		L1, L2 float64
		Coef   []float64
	}
	readJSON(t, "logistic_glmnet.json", &want)
	d := scaledBirths(t)
	for _, w := range want {
		f := get(FitLogisticElasticNet(d, w.L1, w.L2, &LassoSettings{Gap: 1e-13}))(t)
		nearAll(t, "coef", f.Coef(), w.Coef, 1e-6)
		near(t, "L1", f.L1(), w.L1, 1e-14)
		near(t, "L2", f.L2(), w.L2, 1e-13)
		n := float64(d.NObs()) // glmnet was given these
		lambda := w.L1/n + 2*w.L2/n
		grid, share, err := FromGlmnetPath(d, "binomial", []float64{8 * lambda, lambda}, w.L1/n/lambda)
		if err != nil {
			t.Fatal(err)
		}
		path := get(FitLogisticPath(d, share, &PathSettings{Lambda: grid, Gap: 1e-13}))(t)
		nearAll(t, "coef of glmnet's lambda and alpha", path.Fit(1).Coef(), w.Coef, 1e-6)
	}
}

// certificateOf computes objective and gap of slopes by their definitions.
func certificateOf(d *Design, b0 float64, b []float64, l1, l2 []float64) (objective, gap, kkt float64) {
	n, p := d.X.Dims()
	y := slices.Clone(d.Y)
	r, u := make([]float64, n), make([]float64, n)
	for i := range n {
		eta := b0 + blas64.Dot(gram.Vector(b), gram.Vector(d.X.RawRowView(i)))
		side := 2*y[i] - 1
		u[i] = sigmoid(-side * eta)
		r[i] = d.Weight(i) * side * u[i]
		objective -= d.Weight(i) * logSigmoid(side*eta)
	}
	g := make([]float64, p)
	one, all := 1.0, 1.0 // multiples of r that are feasible
	for j := range p {
		g[j] = blas64.Dot(gram.Column(d.X, j), gram.Vector(r))
		objective += l1[j]*math.Abs(b[j]) + l2[j]*b[j]*b[j]
		if math.Abs(g[j]) > l1[j] && l1[j] > 0 {
			all = math.Min(all, l1[j]/math.Abs(g[j]))
			if l2[j] == 0 {
				one = all
			}
		}
		if b[j] != 0 {
			kkt = math.Max(kkt, math.Abs(g[j]-math.Copysign(l1[j], b[j])-2*l2[j]*b[j]))
		} else {
			kkt = math.Max(kkt, math.Abs(g[j])-l1[j])
		}
	}
	entropy := func(u float64) float64 {
		if u == 0 || u == 1 {
			return 0
		}
		return -u*math.Log(u) - (1-u)*math.Log(1-u)
	}
	dual := math.Inf(-1)
	for _, scale := range []float64{one, all} {
		var sum float64
		for i := range n {
			sum += d.Weight(i) * entropy(scale*u[i])
		}
		for j := range p {
			if excess := scale*math.Abs(g[j]) - l1[j]; excess > 0 && l2[j] > 0 {
				sum -= excess * excess / (4 * l2[j])
			}
		}
		dual = math.Max(dual, sum)
	}
	return objective, objective - dual, kkt
}

// Every point of a path is optimal by definition, its certificate is true, and
// its minimum is that of a far tighter fit.
func TestLogisticPathIsCertified(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for seed := range uint64(12) {
		n, p := 30+rng.IntN(40), 5+rng.IntN(80)
		d := wideDesign(t, seed, n, p)
		for i := range n {
			for j := range p {
				d.X.Set(i, j, d.X.At(i, j)*math.Exp2(float64(j%5))+float64(j%3))
			}
		}
		d.NoIntercept = seed%4 == 1
		if seed%3 == 1 {
			for range n {
				d.Weights = append(d.Weights, math.Max(0, 2*rng.Float64()-0.2))
			}
		}
		share := []float64{1, 0.6, 0.1}[seed%3]
		settings := &PathSettings{Count: 12, Ratio: 0.05}
		if seed%2 == 1 {
			settings.PenaltyFactor = slices.Repeat([]float64{1}, p)
			settings.PenaltyFactor[0], settings.PenaltyFactor[1] = 0, 2.5
		}
		path, err := FitLogisticPath(d, share, settings)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		settings.Gap = 0.03
		loose := get(FitLogisticPath(d, share, settings))(t)
		settings.Gap = 1e-12
		tight, err := FitLogisticPath(d, share, settings)
		if err != nil && !errors.Is(err, ErrNotConverged) {
			t.Fatal(err)
		}
		for k, lambda := range path.Lambda() {
			l1, l2 := slices.Repeat([]float64{lambda * share}, p), slices.Repeat([]float64{lambda * (1 - share)}, p)
			if settings.PenaltyFactor != nil {
				for j, f := range settings.PenaltyFactor {
					l1[j] *= f
					l2[j] *= f
				}
			}
			null := path.NullDeviance() / 2
			b := path.Slopes().RawRowView(k)
			objective, gap, _ := certificateOf(d, path.Intercept()[k], b, l1, l2)
			near(t, "objective", path.Objective()[k], objective, 1e-10)
			if path.Gap()[k] > 1e-6 || objective-tight.Objective()[k] > 1.001e-6*null || tight.Objective()[k] > objective+1e-10*null {
				t.Errorf("seed %d, lambda %d: gap %g, objective %v, minimum %v", seed, k, path.Gap()[k], objective, tight.Objective()[k])
			}
			if settings.PenaltyFactor == nil && math.Abs(path.Gap()[k]*null-gap) > 1e-9*null {
				t.Errorf("seed %d, lambda %d: gap %g, by the definition %g", seed, k, path.Gap()[k], gap/null)
			}
			objective, gap, _ = certificateOf(d, loose.Intercept()[k], loose.Slopes().RawRowView(k), l1, l2)
			if settings.PenaltyFactor == nil && math.Abs(loose.Gap()[k]*null-gap) > 1e-9*null {
				t.Errorf("seed %d, lambda %d, loose: gap %g, by the definition %g", seed, k, loose.Gap()[k], gap/null)
			}
			if objective-tight.Objective()[k] > loose.Gap()[k]*null+1e-10*null {
				t.Errorf("seed %d, lambda %d, loose: gap %g, but %g from the minimum", seed, k, loose.Gap()[k], (objective-tight.Objective()[k])/null)
			}
			_, _, kkt := certificateOf(d, tight.Intercept()[k], tight.Slopes().RawRowView(k), l1, l2)
			if kkt > 1e-4*(lambda+1) {
				t.Errorf("seed %d, lambda %d: optimality violated by %g, lambda %g", seed, k, kkt, lambda)
			}
		}
		if terms, _ := path.Active(0); len(terms) > 1 || settings.PenaltyFactor == nil && len(terms) > 0 {
			t.Errorf("seed %d: terms %v at the largest lambda", seed, terms)
		}
	}
}

// At the end of the path the fit is that without L1; weights count rows; scaling
// is undone by Raw; fits survive gob.
func TestLogisticPathEquivalences(t *testing.T) {
	d := scaledBirths(t)
	ml := fitLogistic(t, d, nil)
	last := get(FitLogisticElasticNet(d, 1e-7, 0, &LassoSettings{Gap: 1e-13}))(t)
	nearAll(t, "without penalty", last.Coef(), ml.Coef(), 1e-5)
	ridge := fitLogistic(t, d, &LogisticSettings{L2: 4})
	last = get(FitLogisticElasticNet(d, 1e-7, 4, &LassoSettings{Gap: 1e-13}))(t)
	nearAll(t, "L2 alone", last.Coef(), ridge.Coef(), 1e-5)
	near(t, "DoF", last.DoF(), ridge.DoF(), 1e-2)

	weighted := scaledBirths(t)
	var rows []int
	for i := range d.NObs() {
		weighted.Weights = append(weighted.Weights, float64(i%3))
		for range i % 3 {
			rows = append(rows, i)
		}
	}
	s := &PathSettings{Count: 8, Ratio: 0.02, Gap: 1e-11}
	a := get(FitLogisticPath(weighted, 1, s))(t)
	b := get(FitLogisticPath(d.Rows(rows...), 1, s))(t)
	nearAll(t, "lambda of repeated rows", a.Lambda(), b.Lambda(), 1e-11)
	nearAll(t, "slopes of repeated rows", a.Slopes().RawMatrix().Data, b.Slopes().RawMatrix().Data, 1e-4)
	if a.NObs() != 126 {
		t.Errorf("%d observations", a.NObs())
	}

	raw := get(b.Raw())(t)
	fit := get(b.Fit(5).Raw())(t)
	p := get(b.Predict(d))(t)
	u := get(raw.Predict(births(t)))(t)
	v := get(fit.Predict(births(t)))(t)
	for i := range v {
		near(t, "probability in raw units", u.At(i, 5), p.At(i, 5), 1e-11)
		near(t, "probability of the fit", v[i], p.At(i, 5), 1e-11)
	}
	rowsLL := get(b.Fit(5).LogLikRows(d.Rows(rows...)))(t)
	var sum float64
	for _, l := range rowsLL {
		sum += l
	}
	near(t, "log-likelihood", b.Fit(5).LogLik(), sum, 1e-11)
	if _, err := ROC(b.Fit(5), d); err != nil {
		t.Error(err)
	}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(b); err != nil {
		t.Fatal(err)
	}
	var c LogisticPath
	if err := gob.NewDecoder(&buf).Decode(&c); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(c.Slopes(), b.Slopes()) || !slices.Equal(c.Classes(), b.Classes()) {
		t.Error("a path changes by encoding")
	}
	buf.Reset()
	if err := gob.NewEncoder(&buf).Encode(fit); err != nil {
		t.Fatal(err)
	}
	var g SparseLogistic
	if err := gob.NewDecoder(&buf).Decode(&g); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(g.Coef(), fit.Coef()) || g.Gap() != fit.Gap() || !slices.Equal(g.Active(), fit.Active()) {
		t.Error("a fit changes by encoding")
	}
}

// Separated classes, columns that do not vary, that repeat each other and that
// outnumber the rows are no trouble.
func TestLogisticPathHardCases(t *testing.T) {
	d := wideDesign(t, 3, 40, 200)
	for i := range 40 {
		d.X.Set(i, 3, 7)
		d.X.Set(i, 4, d.X.At(i, 5))
		d.Y[i] = 0
		if d.X.At(i, 0) > 0 {
			d.Y[i] = 1
		}
	}
	path := get(FitLogisticPath(d, 1, &PathSettings{Ratio: 1e-3}))(t)
	if slices.Max(path.Gap()) > 1e-6 || path.DevianceRatio()[99] < 0.99 {
		t.Errorf("gap %g, deviance ratio %v", slices.Max(path.Gap()), path.DevianceRatio()[99])
	}
	for k := range path.Len() {
		if path.Slopes().At(k, 3) != 0 {
			t.Errorf("a constant column has slope %v", path.Slopes().At(k, 3))
		}
	}
	positive := get(FitLogisticPath(d, 1, &PathSettings{Ratio: 0.01, NonNegative: []string{"x1", "x2"}, AlwaysIn: []string{"x9"}}))(t)
	for k := range positive.Len() {
		if b := positive.Slopes().RawRowView(k); b[0] < 0 || b[1] < 0 || b[8] == 0 {
			t.Errorf("lambda %d: slopes %v, %v and %v", k, b[0], b[1], b[8])
		}
	}
}

func TestLogisticPathBadInput(t *testing.T) {
	d := scaledBirths(t)
	one := scaledBirths(t)
	clear(one.Y)
	bad := scaledBirths(t)
	bad.X.Set(2, 1, math.NaN())
	for _, c := range []struct {
		d     *Design
		share float64
		s     *PathSettings
		kind  error
		parts []string
	}{
		{d, 0, nil, ErrSetting, []string{"share = 0", "FitLogistic"}},
		{d, 1, &PathSettings{Lambda: []float64{1, -1}}, ErrSetting, nil},
		{d, 1, &PathSettings{Gap: -1}, ErrSetting, []string{"Gap"}},
		{d, 1, &PathSettings{AlwaysIn: []string{"height"}}, ErrSetting, []string{`"height"`}},
		{one, 1, nil, ErrLabels, []string{"one class only"}},
		{bad, 1, nil, ErrNotFinite, []string{`"lwt"`, "row 3"}},
		{d, 1, &PathSettings{Sweeps: 1}, ErrNotConverged, []string{"lambda"}},
	} {
		_, err := FitLogisticPath(c.d, c.share, c.s)
		wantErr(t, err, c.kind, c.parts...)
	}
	_, err := FitLogisticElasticNet(d, 0, 1, nil)
	wantErr(t, err, ErrSetting, "l1 = 0")
	stop := errors.New("stop")
	path, err := FitLogisticPath(d, 1, &PathSettings{Progress: func(done, _ float64) error {
		if done >= 3 {
			return stop
		}
		return nil
	}})
	if !errors.Is(err, stop) || path == nil || path.Len() != 3 {
		t.Errorf("stopped: %v", err)
	}
}
