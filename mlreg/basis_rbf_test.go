package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestRBFValues(t *testing.T) {
	r := get(NewRBF(mat.NewDense(3, 2, []float64{0, 0, 3, 4, 0, 0}), 2.5))(t)
	if n := r.Names("u", "v"); fmt.Sprint(n) != "[rbf(u, v)1 rbf(u, v)2]" || r.Inputs() != 2 {
		t.Errorf("a repeated prototype counts: %q", n)
	}
	nearAll(t, "at the first prototype", r.Eval(nil, 0, 0), []float64{1, math.Exp(-25. / 12.5)}, 1e-15)
	// At distance Width the function is exp(-1/2), and it depends on distance alone.
	nearAll(t, "at distance Width", []float64{r.Eval(nil, 2.5, 0)[0], r.Eval(nil, 1.5, -2)[0], r.Eval(nil, 3, 1.5)[1]},
		[]float64{math.Exp(-.5), math.Exp(-.5), math.Exp(-.5)}, 1e-15)
	if v := r.Eval(nil, 1e300, -1e300); v[0] != 0 || v[1] != 0 {
		t.Errorf("far away %v", v)
	}
	sameByGob(t, r, 1, 2)
}

// With the training points as prototypes the columns are positive definite
// (Micchelli 1986), so that without an intercept any response is interpolated.
func TestRBFInterpolates(t *testing.T) {
	x := []float64{0, .7, 1, 2.2, 3, 3.1}
	r := get(NewRBF(inputs(x...), 0.5))(t)
	d := expandCurve(t, r, x, func(v float64) float64 { return math.Sin(5*v) + v })
	d.NoIntercept = true
	fit := get(FitOLS(d, nil))(t)
	yhat := get(fit.Predict(d))(t)
	nearAll(t, "fitted", yhat, d.Y, 1e-10)
}

func TestPrototypes(t *testing.T) {
	x := []float64{3, 1, 2, 1, 5, 4, 1, 1, 1}
	q, err := QuantilePrototypes(x, 3)
	if err != nil || fmt.Sprint(q.RawMatrix().Data) != "[1 3 5]" {
		t.Errorf("quantiles %v, %v", q, err)
	}
	if q, err = QuantilePrototypes(x, 1); err != nil || q.At(0, 0) != 3 {
		t.Errorf("one quantile %v, %v", q, err)
	}
	xy := mat.NewDense(5, 2, []float64{1, 1, 2, 1, 1, 1, 2, 2, 0, 7})
	counts := make(map[string]int)
	const draws = 3000
	for seed := range uint64(draws) {
		s := get(SamplePrototypes(xy, 2, rand.NewPCG(seed, 0)))(t)
		again, err := SamplePrototypes(xy, 2, rand.NewPCG(seed, 0))
		if err != nil || !mat.Equal(s, again) {
			t.Fatal("the same seed gives other prototypes", err)
		}
		counts[fmt.Sprint(s.RawMatrix().Data)]++
	}
	if len(counts) != 6 { // pairs of the 4 distinct rows
		t.Errorf("prototypes drawn: %v", counts)
	}
	for pair, c := range counts { // binomial, 5 standard deviations
		if math.Abs(float64(c)-draws/6.) > 5*math.Sqrt(draws*5./36) {
			t.Errorf("%s drawn %d times of %d", pair, c, draws)
		}
	}
	near(t, "width", PrototypeWidth(mat.NewDense(3, 2, []float64{0, 0, 3, 4, 1, 1})), 5/math.Sqrt(6), 1e-15)
	if w := PrototypeWidth(inputs(2, 2)); w != 0 {
		t.Errorf("width of one prototype %v", w)
	}
}

func TestRBFErrors(t *testing.T) {
	x := inputs(1, 2, 2)
	for _, width := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		_, err := NewRBF(x, width)
		wantErr(t, err, ErrSetting, "it is positive", fmt.Sprint(width))
	}
	_, err := NewRBF(&mat.Dense{}, 1)
	wantErr(t, err, ErrNoData, "0 x 0")
	_, err = NewRBF(inputs(1, math.Inf(1)), 1)
	wantErr(t, err, ErrNotFinite, `"x" is +Inf in row 2`)
	for _, k := range []int{0, 3} {
		_, err = QuantilePrototypes([]float64{1, 2, 2}, k)
		wantErr(t, err, ErrSetting, fmt.Sprintf("%d prototypes from 2 distinct rows; take 1 to 2", k))
		_, err = SamplePrototypes(x, k, rand.NewPCG(1, 1))
		wantErr(t, err, ErrSetting, "2 distinct rows")
	}
	_, err = QuantilePrototypes([]float64{math.NaN()}, 1)
	wantErr(t, err, ErrNotFinite)
}

func TestSampleQuantile(t *testing.T) {
	x := []float64{1, 2, 4, 8}
	for p, want := range map[float64]float64{0: 1, 1. / 3: 2, .5: 3, .9: 6.8, 1: 8} { // R: quantile(c(1, 2, 4, 8), p)
		near(t, fmt.Sprint("quantile ", p), SampleQuantile(x, p), want, 1e-15)
	}
}
