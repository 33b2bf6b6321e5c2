package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// cosines returns a design of k random cosines of two inputs, and new rows of it.
func cosines(t testing.TB, seed uint64, n, k int) (train, test *Design) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 2))
	h := get(NewRandomCosines(2, k, 1, rnd))(t)
	draw := func() (*mat.Dense, []float64) {
		x, y := mat.NewDense(n, 2, nil), make([]float64, n)
		for i := range n {
			a, b := 2*rnd.NormFloat64(), 2*rnd.NormFloat64()
			x.SetRow(i, []float64{a, b})
			y[i] = 3 + math.Sin(a)*math.Cos(b) + 0.1*rnd.NormFloat64()
		}
		return x, y
	}
	x, y := draw()
	train = get(Expand(h, x, y))(t)
	x, y = draw()
	test = get(ExpandLike(train, x, y))(t)
	return train, test
}

// Greedy selection is forward selection by RSS, step for step, and its
// coefficients are those of least squares.
func TestGreedyIsForward(t *testing.T) {
	for trial := range 12 {
		n, p := 30+trial, 4+trial%8
		d := randomDesign(t, uint64(trial), n, p)
		d.NoIntercept = trial%3 == 1
		if trial%2 == 1 {
			for i := range n {
				d.Weights = append(d.Weights, float64(1+i%4)/3)
			}
		}
		if trial%4 == 2 {
			z := get(d.Standardize(nil))(t)
			d = z
		}
		g, err := FitGreedy(d, nil)
		if err != nil {
			t.Fatal(trial, err)
		}
		f := get(FitStepwise(d, &StepwiseSettings{Criterion: ByRSS}))(t)
		if g.Size() != p || g.Visited() != CountStepwise(p, p) || g.Visited() != f.Visited() {
			t.Errorf("trial %d: %d terms, %v visited", trial, g.Size(), g.Visited())
		}
		train, test := g.StartErrors()
		near(t, "start error", train, f.Models()[0].TrainError, 1e-10)
		if !math.IsNaN(test) || g.BestSize() != p {
			t.Errorf("test error %v without test rows", test)
		}
		for k, step := range g.Steps() {
			if step.Term != f.Steps()[k+1].Change.Term {
				t.Errorf("trial %d: step %d takes %s, forward selection %s", trial, k, step.Term, f.Steps()[k+1].Change.Term)
			}
			near(t, "training error", step.TrainError, f.Models()[k+1].TrainError, 1e-9)
			ols := get(g.Refit(d, k+1))(t)
			names, coef, err := g.Coef(k + 1)
			if err != nil || !slices.Equal(names, ols.Names()) {
				t.Fatal(names, err)
			}
			nearAll(t, "coefficients", coef, ols.Coef(), 1e-8)
			got := get(g.Predict(d, k+1))(t)
			want := get(ols.Predict(d))(t)
			nearAll(t, "predictions", got, want, 1e-8)
		}
	}
}

// A dictionary of more functions than rows, with copies.
func TestGreedyDictionary(t *testing.T) {
	train, test := cosines(t, 5, 120, 400)
	for i := range 120 {
		row := train.X.RawRowView(i)
		row[7], row[9] = row[3], 1 // a copy and a constant
	}
	g := get(FitGreedy(train, &GreedySettings{MaxTerms: 60, Test: test, Patience: 10}))(t)
	steps := g.Steps()
	best := g.BestSize()
	if steps[0].Considered != 399 || best < 5 || len(steps) > best+10 {
		t.Errorf("%d considered, %d steps, best %d", steps[0].Considered, len(steps), best)
	}
	start, startTest := g.StartErrors()
	for k, step := range steps {
		if step.TrainError > start*(1+1e-12) {
			t.Errorf("step %d raises the training error", k)
		}
		start = step.TrainError
		yhat := get(g.Predict(test, k+1))(t)
		var ss float64
		for i, v := range yhat {
			ss += (v - test.Y[i]) * (v - test.Y[i]) / 120
		}
		near(t, "test error", step.TestError, ss, 1e-10)
		if step.TestError < steps[best-1].TestError {
			t.Errorf("size %d is better than the best", k+1)
		}
	}
	if chosen := g.Terms(); slices.Contains(chosen, "cos(x1, x2)8") && slices.Contains(chosen, "cos(x1, x2)4") || slices.Contains(chosen, "cos(x1, x2)10") {
		t.Errorf("a copy or a constant among %v", chosen)
	}
	if !(steps[best-1].TestError < startTest/5) || !strings.Contains(g.Stopped(), "10 steps") {
		t.Errorf("test error %g from %g; %s", steps[best-1].TestError, startTest, g.Stopped())
	}
	none := get(g.Predict(test, 0))(t)
	near(t, "without terms", none[5], train.meanY(120), 1e-15)
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(g); err != nil {
		t.Fatal(err)
	}
	var back Greedy
	if err := gob.NewDecoder(&buf).Decode(&back); err != nil {
		t.Fatal(err)
	}
	one := get(g.Predict(test, 7))(t)
	two, err := back.Predict(test, 7)
	if err != nil || fmt.Sprint(one) != fmt.Sprint(two) || back.Stopped() != g.Stopped() {
		t.Errorf("gob changed the model: %v", err)
	}
}

// The greedy choice goes on to a perfect fit and no further.
func TestGreedyPerfectFit(t *testing.T) {
	train, _ := cosines(t, 3, 15, 100)
	g := get(FitGreedy(train, &GreedySettings{MaxTerms: 90}))(t)
	steps := g.Steps()
	if len(steps) > 15 || steps[len(steps)-1].TrainError > 1e-20 || g.Stopped() != "no other term lowers the training error" {
		t.Errorf("%d steps, training error %g, %s", len(steps), steps[len(steps)-1].TrainError, g.Stopped())
	}
	g, err := FitGreedy(train, &GreedySettings{TrainError: 0.1})
	if err != nil || g.Steps()[g.Size()-1].TrainError > 0.1 || g.Size() > 1 && g.Steps()[g.Size()-2].TrainError <= 0.1 {
		t.Errorf("training error: %v", err)
	}
}

func TestGreedyErrors(t *testing.T) {
	d := randomDesign(t, 1, 20, 3)
	noY := *d
	noY.Y = nil
	constant := *d
	constant.Y = slices.Repeat([]float64{0.1}, 20)
	bad := randomDesign(t, 1, 20, 3)
	bad.X.Set(3, 1, math.NaN())
	other := get(NewDesign(mat.NewDense(2, 1, []float64{1, 2}), []float64{1, 2}, "z"))(t)
	for _, c := range []struct {
		name string
		d    *Design
		set  GreedySettings
		want error
		text string
	}{
		{"nil", nil, GreedySettings{}, ErrNoData, "nil"},
		{"no response", &noY, GreedySettings{}, ErrNoData, "response"},
		{"constant", &constant, GreedySettings{}, ErrConstant, "0.1 in every row"},
		{"NaN", bad, GreedySettings{}, ErrNotFinite, `"x2" is NaN in row 4`},
		{"terms", d, GreedySettings{MaxTerms: -1}, ErrSetting, "MaxTerms"},
		{"patience", d, GreedySettings{Patience: 2}, ErrSetting, "Test"},
		{"test without response", d, GreedySettings{Test: &noY}, ErrNoData, "test rows"},
		{"other test", d, GreedySettings{Test: other}, ErrShape, `"x1"`},
	} {
		g, err := FitGreedy(c.d, &c.set)
		if g != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	g := get(FitGreedy(d, nil))(t)
	if _, err := g.Predict(d, 4); !errors.Is(err, ErrSetting) {
		t.Errorf("4 of 3 terms: %v", err)
	}
	if _, err := NewRandomCosines(0, 5, 1, rand.NewPCG(1, 1)); !errors.Is(err, ErrSetting) {
		t.Error(err)
	}
	if _, err := NewRandomCosines(2, 5, 0, rand.NewPCG(1, 1)); !errors.Is(err, ErrSetting) {
		t.Error(err)
	}
}

// Products of random cosines average to half the Gaussian kernel.
func TestRandomCosinesKernel(t *testing.T) {
	sequential(t)
	const k = 200000
	h := get(NewRandomCosines(2, k, 1.5, rand.NewPCG(4, 4)))(t)
	x := h.Eval(nil, 0.3, -1)
	for _, z := range [][]float64{{0.3, -1}, {1, 0}, {-2, 2}} {
		var sum float64
		for i, v := range h.Eval(nil, z...) {
			sum += v * x[i] / k
		}
		distance := math.Hypot(z[0]-0.3, z[1]+1)
		want := math.Exp(-distance*distance/(2*1.5*1.5)) / 2
		if math.Abs(sum-want) > 4*0.5/math.Sqrt(k) {
			t.Errorf("at distance %.2f: %.5f, half the kernel is %.5f", distance, sum, want)
		}
	}
	if got := h.Names("a", "b")[:2]; !slices.Equal(got, []string{"cos(a, b)1", "cos(a, b)2"}) {
		t.Error(got)
	}
}

// Predictors are the models by size, as CrossValidate takes them.
func TestGreedyPredictors(t *testing.T) {
	train, test := cosines(t, 3, 60, 40)
	g := get(FitGreedy(train, &GreedySettings{MaxTerms: 5}))(t)
	models := g.Predictors()
	if len(models) != 5 {
		t.Fatalf("%d models", len(models))
	}
	for k, m := range models {
		nearAll(t, fmt.Sprintf("%d terms", k+1), get(m.Predict(test))(t), get(g.Predict(test, k+1))(t), 0)
	}
	if models = (*Greedy)(nil).Predictors(); models != nil {
		t.Errorf("nil has %v", models)
	}
}
