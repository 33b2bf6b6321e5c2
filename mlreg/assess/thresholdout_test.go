package assess_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
)

// values answers a query with given numbers, by the number of rows.
func values(train, holdout []float64) func(*mlreg.Design) ([]float64, error) {
	return func(d *mlreg.Design) ([]float64, error) {
		if d.NObs() == len(train) {
			return train, nil
		}
		return holdout, nil
	}
}

func constants(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

// noDesign has n rows and nothing in them.
func noDesign(t *testing.T, n int) *mlreg.Design {
	t.Helper()
	d, err := mlreg.NewDesign(mat.NewDense(n, 1, nil), make([]float64, n), "x")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestThresholdoutAnswers(t *testing.T) {
	train, holdout := noDesign(t, 50), noDesign(t, 40)
	h, err := assess.NewThresholdout(train, holdout, 2, rand.NewPCG(1, 2), &assess.ThresholdoutSettings{Threshold: 0.1, Noise: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(a, b float64) float64 {
		t.Helper()
		answer, err := h.Query(values(constants(50, a), constants(40, b)))
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	if got := ask(0.5, 0.55); got != 0.5 {
		t.Errorf("the sets agree: answer %v, want the training mean 0.5 itself", got)
	}
	if h.Left() != 2 || h.Asked() != 1 {
		t.Errorf("left %d, asked %d", h.Left(), h.Asked())
	}
	for k, want := range []float64{0.9, 0.1} {
		if got := ask(0.5, want); got == 0.5 || got == want || math.Abs(got-want) > 1e-4 {
			t.Errorf("query %d: the sets differ: answer %v, want %v with noise", k, got, want)
		}
	}
	called := false
	_, err = h.Query(func(*mlreg.Design) ([]float64, error) { called = true; return nil, nil })
	if !errors.Is(err, assess.ErrBudgetSpent) || called || h.Left() != 0 || h.Asked() != 3 {
		t.Errorf("spent: %v, called %v, left %d, asked %d", err, called, h.Left(), h.Asked())
	}
}

// TestThresholdoutNoise compares the noise of answers and of the threshold with their
// laws: the mean absolute value of Laplace noise is its scale, of normal noise
// sqrt(2/pi) of its standard deviation.
func TestThresholdoutNoise(t *testing.T) {
	train, holdout := noDesign(t, 3), noDesign(t, 2)
	const queries, noise = 20000, 0.01
	for _, gaussian := range []bool{false, true} {
		factor := 1.0
		if gaussian {
			factor = math.Sqrt(2 / math.Pi)
		}
		h, err := assess.NewThresholdout(train, holdout, queries, rand.NewPCG(3, 4), &assess.ThresholdoutSettings{Threshold: 0.5, Noise: noise, Gaussian: gaussian})
		if err != nil {
			t.Fatal(err)
		}
		var sum float64
		for range queries {
			answer, err := h.Query(values(constants(3, 0), constants(2, 1)))
			if err != nil {
				t.Fatal(err)
			}
			sum += math.Abs(answer - 1)
		}
		if got := sum / queries / noise; math.Abs(got-factor) > 0.03 {
			t.Errorf("gaussian %v: mean absolute noise of an answer is %v of the scale, want %v", gaussian, got, factor)
		}
		// How often is a query of which the means differ by Threshold + 2 Noise answered from
		// the training rows before it is answered from the holdout? The Laplace noise of scale
		// 2 Noise stays between, so that it is E[q/(1-q)], q the probability given it.
		h, err = assess.NewThresholdout(train, holdout, queries, rand.NewPCG(5, 6), &assess.ThresholdoutSettings{Threshold: 0.5, Noise: noise, Gaussian: gaussian})
		if err != nil {
			t.Fatal(err)
		}
		fromTraining, asked := 0, 0
		for h.Left() > 0 {
			answer, err := h.Query(values(constants(3, 0), constants(2, 0.5+2*noise)))
			if err != nil {
				t.Fatal(err)
			}
			asked++
			if answer == 0 {
				fromTraining++
			}
		}
		want := meanRetries(gaussian)
		if got := float64(fromTraining) / queries; math.Abs(got-want) > 0.1*want {
			t.Errorf("gaussian %v: %v answers from the training rows for one from the holdout, want %v", gaussian, got, want)
		}
	}
}

// meanRetries is E[q/(1-q)] in units of the noise: with Laplace noise
// q = P(L(4) >= 2 - g), g = L(2), by the midpoint rule; with normal noise q = P(N(0, 1) >= 2).
func meanRetries(gaussian bool) float64 {
	if gaussian {
		q := math.Erfc(2/math.Sqrt2) / 2
		return q / (1 - q)
	}
	var sum float64
	const step = 0.001
	for g := -60 + step/2; g < 60; g += step {
		q := math.Exp(-math.Abs(2-g)/4) / 2
		if g > 2 {
			q = 1 - q
		}
		sum += step * math.Exp(-math.Abs(g)/2) / 4 * q / (1 - q)
	}
	return sum
}

// TestReusableHoldoutExperiment is the experiment of the paper (Science 349, figures 1 and 2)
// at a tenth of its rows and columns: an analyst takes the attributes whose covariance
// with the label has one sign on both sets and is at least 1/sqrt(n) on both, and
// votes by signs. With 10,000 rows and no signal a plain holdout says more than 63%
// where the truth is 50%, for 500 of 10,000 attributes.
func TestReusableHoldoutExperiment(t *testing.T) {
	if testing.Short() {
		t.Skip("repeats a computation")
	}
	for _, c := range []struct {
		name   string
		signal int
	}{{"no signal", 0}, {"20 attributes with signal", 20}} {
		var plain, reusable, freshPlain, freshReusable float64
		const repeats = 3
		for seed := range uint64(repeats) {
			a, b := screen(t, c.signal, seed, false)
			plain, freshPlain = plain+a/repeats, freshPlain+b/repeats
			a, b = screen(t, c.signal, seed, true)
			reusable, freshReusable = reusable+a/repeats, freshReusable+b/repeats
		}
		t.Logf("%s: holdout %.3f (fresh rows %.3f), reusable holdout %.3f (fresh rows %.3f)", c.name, plain, freshPlain, reusable, freshReusable)
		if plain < freshPlain+0.05 {
			t.Errorf("%s: the plain holdout says %v, fresh rows %v: it ought to be fooled", c.name, plain, freshPlain)
		}
		if math.Abs(reusable-freshReusable) > (plain-freshPlain)/2 {
			t.Errorf("%s: the reusable holdout says %v, fresh rows %v: it is not better than half of the plain one's error", c.name, reusable, freshReusable)
		}
	}
}

// screen returns the accuracy that the holdout states and the one on fresh rows.
func screen(t *testing.T, signal int, seed uint64, reusable bool) (stated, fresh float64) {
	t.Helper()
	const n, d = 1000, 1000
	random := rand.New(rand.NewPCG(seed, 7))
	draw := func() *mlreg.Design {
		x, y := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range y {
			y[i] = float64(2*random.IntN(2) - 1)
			row := x.RawRowView(i)
			for j := range row {
				row[j] = random.NormFloat64()
				if j < signal {
					row[j] += 6 * y[i] / math.Sqrt(n)
				}
			}
		}
		design, err := mlreg.NewDesign(x, y)
		if err != nil {
			t.Fatal(err)
		}
		return design
	}
	train, holdout, later := draw(), draw(), draw()
	covariance := func(j int) func(*mlreg.Design) ([]float64, error) {
		return func(d *mlreg.Design) ([]float64, error) {
			v := mat.Col(nil, j, d.X)
			for i := range v {
				v[i] *= d.Y[i]
			}
			return v, nil
		}
	}
	ask := func(value func(*mlreg.Design) ([]float64, error), of *mlreg.Design) float64 {
		v, err := value(of)
		if err != nil {
			t.Fatal(err)
		}
		var sum float64
		for _, u := range v {
			sum += u / float64(len(v))
		}
		return sum
	}
	onHoldout := func(value func(*mlreg.Design) ([]float64, error)) float64 { return ask(value, holdout) }
	if reusable {
		h, err := assess.NewThresholdout(train, holdout, 2*d, rand.NewPCG(seed, 8), &assess.ThresholdoutSettings{Gaussian: true})
		if err != nil {
			t.Fatal(err)
		}
		onHoldout = func(value func(*mlreg.Design) ([]float64, error)) float64 {
			answer, err := h.Query(value)
			if err != nil {
				t.Fatal(err)
			}
			return answer
		}
	}
	votes := make([]float64, d)
	for j := range votes {
		a, h := ask(covariance(j), train), onHoldout(covariance(j))
		if a*h > 0 && math.Min(math.Abs(a), math.Abs(h)) >= 1/math.Sqrt(n) {
			votes[j] = math.Copysign(1, a)
		}
	}
	accuracy := func(d *mlreg.Design) ([]float64, error) {
		var score mat.VecDense
		score.MulVec(d.X, mat.NewVecDense(len(votes), votes))
		right := make([]float64, len(d.Y))
		for i, y := range d.Y {
			if y*score.AtVec(i) > 0 {
				right[i] = 1
			}
		}
		return right, nil
	}
	return onHoldout(accuracy), ask(accuracy, later)
}

func TestThresholdoutRefuses(t *testing.T) {
	train, holdout := noDesign(t, 5), noDesign(t, 4)
	other, err := mlreg.NewDesign(mat.NewDense(4, 1, nil), make([]float64, 4), "z")
	if err != nil {
		t.Fatal(err)
	}
	src := func() rand.Source { return rand.NewPCG(1, 2) }
	for _, c := range []struct {
		name    string
		err     error
		train   *mlreg.Design
		holdout *mlreg.Design
		budget  int
		src     rand.Source
		set     assess.ThresholdoutSettings
	}{
		{"no rows", mlreg.ErrNoData, nil, holdout, 1, src(), assess.ThresholdoutSettings{}},
		{"no holdout", mlreg.ErrNoData, train, nil, 1, src(), assess.ThresholdoutSettings{}},
		{"other terms", mlreg.ErrShape, train, other, 1, src(), assess.ThresholdoutSettings{}},
		{"no budget", mlreg.ErrSetting, train, holdout, 0, src(), assess.ThresholdoutSettings{}},
		{"no source", mlreg.ErrSetting, train, holdout, 1, nil, assess.ThresholdoutSettings{}},
		{"threshold", mlreg.ErrSetting, train, holdout, 1, src(), assess.ThresholdoutSettings{Threshold: math.NaN()}},
		{"noise", mlreg.ErrSetting, train, holdout, 1, src(), assess.ThresholdoutSettings{Noise: -1}},
	} {
		if _, err := assess.NewThresholdout(c.train, c.holdout, c.budget, c.src, &c.set); !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", c.name, err, c.err)
		}
	}
	h, err := assess.NewThresholdout(train, holdout, 1, src(), nil)
	if err != nil {
		t.Fatal(err)
	}
	own := errors.New("own")
	for _, c := range []struct {
		name  string
		err   error
		value func(*mlreg.Design) ([]float64, error)
	}{
		{"nil", mlreg.ErrSetting, nil},
		{"length", mlreg.ErrShape, values(constants(5, 0), constants(3, 0))},
		{"not finite", mlreg.ErrNotFinite, values(constants(5, 0), constants(4, math.Inf(1)))},
		{"own error", own, func(*mlreg.Design) ([]float64, error) { return nil, own }},
	} {
		if _, err := h.Query(c.value); !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", c.name, err, c.err)
		}
	}
	if h.Asked() != 0 || h.Left() != 1 {
		t.Errorf("refused queries were counted: asked %d, left %d", h.Asked(), h.Left())
	}
}

// Standardized each by its own rows, the two sets are in different units, and a query
// would take that for a difference of means.
func TestThresholdoutScaling(t *testing.T) {
	draw := func(seed uint64, n int) *mlreg.Design {
		rnd := rand.New(rand.NewPCG(seed, 1))
		x := mat.NewDense(n, 1, nil)
		for i := range n {
			x.Set(i, 0, rnd.NormFloat64())
		}
		d, err := mlreg.NewDesign(x, make([]float64, n), "x")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	standardized := func(d *mlreg.Design) *mlreg.Design {
		d, err := d.Standardize(nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	train, holdout := draw(1, 30), draw(2, 20)
	scaled, own := standardized(train), standardized(holdout)
	for what, c := range map[string][2]*mlreg.Design{"own scaling": {scaled, own}, "training scaled": {scaled, holdout}, "holdout scaled": {train, own}} {
		_, err := assess.NewThresholdout(c[0], c[1], 3, rand.NewPCG(1, 2), nil)
		if !errors.Is(err, mlreg.ErrShape) || !strings.Contains(err.Error(), "scaling") {
			t.Errorf("%s: %v", what, err)
		}
	}
	same, err := holdout.Rescale(scaled.Scaling)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := assess.NewThresholdout(scaled, same, 3, rand.NewPCG(1, 2), nil); err != nil {
		t.Error(err)
	}
}
