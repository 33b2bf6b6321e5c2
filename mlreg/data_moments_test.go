package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// The moments are the covariances that gonum computes, whatever the weights.
func TestMomentsAreCovariances(t *testing.T) {
	d := randomDesign(t, 5, 1300, 3) // more rows than two blocks
	for _, weighted := range []bool{false, true} {
		if weighted {
			rnd := rand.New(rand.NewPCG(1, 2))
			d.Weights = make([]float64, d.NObs())
			for i := range d.Weights {
				d.Weights[i] = float64(rnd.IntN(4)) // zeros too
			}
		}
		m := get(d.Moments())(t)
		var w float64
		n := 0
		for i := range d.NObs() {
			w += d.Weight(i)
			if d.Weight(i) > 0 {
				n++
			}
		}
		if m.NObs() != n {
			t.Errorf("%d observations, want %d", m.NObs(), n)
		}
		near(t, "sum of weights", m.SumWeights(), w, 1e-15)
		column := func(j int) []float64 {
			c := make([]float64, d.NObs())
			for i := range c {
				c[i] = d.X.At(i, j)
			}
			return c
		}
		for j := range 3 {
			near(t, "mean", m.MeanX()[j], stat.Mean(column(j), d.Weights), 1e-12)
			near(t, "sxy", m.SXY()[j], (w-1)*stat.Covariance(column(j), d.Y, d.Weights), 1e-12)
			for k := range 3 {
				near(t, "sxx", m.SXX().At(j, k), (w-1)*stat.Covariance(column(j), column(k), d.Weights), 1e-12)
			}
		}
		near(t, "syy", m.SYY(), (w-1)*stat.Variance(d.Y, d.Weights), 1e-12)
	}
}

// Parts merged are the whole, and the whole minus a part is the rest.
func TestMomentsMergeAndSubtract(t *testing.T) {
	d := randomDesign(t, 6, 200, 4)
	d.Weights = make([]float64, 200)
	for i := range d.Weights {
		d.Weights[i] = 1 + float64(i%5)
	}
	moments := func(d *Design) *Moments {
		m := get(d.Moments())(t)
		return m
	}
	mask := make([]bool, 200)
	for i := range mask {
		mask[i] = i%3 == 0
	}
	in, out, err := d.Split(mask)
	if err != nil {
		t.Fatal(err)
	}
	whole, a, b := moments(d), moments(in), moments(out)
	merged := get(a.Merge(b))(t)
	same(t, merged, whole, 1e-12)
	rest := get(whole.Subtract(a))(t)
	same(t, rest, b, 1e-11)

	grown := NewMoments(d)
	for start := 0; start < 200; start += 50 {
		if err := grown.Add(d.Rows(start, start+1)); err != nil {
			t.Fatal(err)
		}
		rows := make([]int, 48)
		for i := range rows {
			rows[i] = start + 2 + i
		}
		if err := grown.Add(d.Rows(rows...)); err != nil {
			t.Fatal(err)
		}
	}
	same(t, grown, whole, 1e-12)
}

// same fails unless the sums agree.
func same(t *testing.T, got, want *Moments, tol float64) {
	t.Helper()
	if got.NObs() != want.NObs() {
		t.Errorf("%d observations, want %d", got.NObs(), want.NObs())
	}
	near(t, "sum of weights", got.SumWeights(), want.SumWeights(), tol)
	near(t, "sum of log weights", got.s.LogW, want.s.LogW, tol)
	nearAll(t, "mean of x", got.MeanX(), want.MeanX(), tol)
	near(t, "mean of y", got.MeanY(), want.MeanY(), tol)
	nearSym(t, "S_xx", got.SXX(), want.SXX(), tol)
	nearAll(t, "S_xy", got.SXY(), want.SXY(), tol)
	near(t, "S_yy", got.SYY(), want.SYY(), tol)
}

// A mean of 1e8 leaves the eight digits of a variance that float64 can hold;
// the textbook formula sum x^2 - n mean^2 would leave none.
func TestMomentsOfLargeMean(t *testing.T) {
	d := randomDesign(t, 7, 2000, 2)
	want := get(d.Moments())(t)
	for i := range d.NObs() {
		d.X.Set(i, 0, d.X.At(i, 0)+1e8)
	}
	got := get(d.Moments())(t)
	near(t, "S_xx", got.SXX().At(0, 0), want.SXX().At(0, 0), 1e-8)
	near(t, "S_xx", got.SXX().At(0, 1), want.SXX().At(0, 1), 1e-8)
}

func TestMomentsGob(t *testing.T) {
	d := randomDesign(t, 8, 20, 3)
	d = get(d.Standardize(nil))(t)
	m := get(d.Moments())(t)
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(m); err != nil {
		t.Fatal(err)
	}
	var back Moments
	if err := gob.NewDecoder(&buf).Decode(&back); err != nil {
		t.Fatal(err)
	}
	same(t, &back, m, 0)
	if err := back.compatible(m); err != nil {
		t.Error(err)
	}
}

func TestMomentsErrors(t *testing.T) {
	d := randomDesign(t, 9, 20, 2)
	m := get(d.Moments())(t)
	if _, err := m.Subtract(m); !errors.Is(err, ErrNoData) {
		t.Errorf("all rows subtracted: %v", err)
	}
	other := get(randomDesign(t, 10, 5, 2).Moments())(t)
	for j := range other.s.SXX {
		other.s.SXX[j] *= 1000
	}
	if _, err := m.Subtract(other); !errors.Is(err, ErrShape) || !strings.Contains(err.Error(), `"x1"`) {
		t.Errorf("rows that are not among the rows: %v", err)
	}
	if _, err := m.Merge(NewMoments(randomDesign(t, 9, 20, 3))); !errors.Is(err, ErrShape) {
		t.Errorf("other terms: %v", err)
	}
	bad := *d
	bad.Y = nil
	if _, err := bad.Moments(); !errors.Is(err, ErrNoData) {
		t.Errorf("no response: %v", err)
	}
	bad = *d
	bad.Weights = make([]float64, 20)
	if _, err := bad.Moments(); !errors.Is(err, ErrNoData) {
		t.Errorf("all weights zero: %v", err)
	}
	before := m.clone()
	nan := d.Rows(0, 1, 2)
	nan.X.Set(2, 1, math.NaN())
	if err := m.Add(nan); !errors.Is(err, ErrNotFinite) || !strings.Contains(err.Error(), `"x2" is NaN in row 3`) {
		t.Errorf("NaN: %v", err)
	}
	nan.X.Set(2, 1, 1e300)
	if err := m.Add(nan); !errors.Is(err, ErrNotFinite) {
		t.Errorf("overflow: %v", err)
	}
	same(t, m, before, 0)
}

// What float64 cannot hold the squares of is refused by name, in one piece or in
// chunks; what it can gives the fit that it gives at size 1.
func TestMomentsOfExtremeSizes(t *testing.T) {
	scaled := func(x2, y, weight float64) *Design {
		d := randomDesign(t, 3, 30, 3)
		for i := range d.Y {
			d.Y[i] *= y
			d.X.Set(i, 1, x2*d.X.At(i, 1))
			d.Weights = append(d.Weights, weight)
		}
		return d
	}
	want := get(FitOLS(scaled(1, 1, 1), nil))(t)
	for _, c := range []struct {
		x2, y, weight float64
		culprit       string // none if it fits
	}{
		{1e-130, 1e130, 1, ""}, {1e130, 1e-130, 1, ""}, {1, 1, 1e-250, ""}, {1, 1, 1e280, ""}, {1e-30, 1e-40, 1e-200, ""},
		{1, 1e-200, 1, `response "y"`}, {1, 1e200, 1, `response "y"`}, {1e-200, 1, 1, `term "x2"`}, {1e200, 1, 1, `term "x2"`},
		{1, 1e-146, 1, `response "y"`}, {1, 1, 1e-300, "weights"}, {1, 1, 5e-324, "weights"}, {1, 1, 1.7e308, "weights"},
		{1e-100, 1, 1e-100, "weights"},
	} {
		d := scaled(c.x2, c.y, c.weight)
		sum := NewMoments(d)
		first, second := make([]int, 0, 15), make([]int, 0, 15)
		for i := range 15 {
			first, second = append(first, i), append(second, 15+i)
		}
		chunks := sum.Add(d.Rows(first...))
		if chunks == nil {
			chunks = sum.Add(d.Rows(second...))
		}
		whole, err := d.Moments()
		if c.culprit != "" {
			wantError(t, "moments", err, ErrNotFinite, c.culprit, "rescale")
			wantError(t, "moments of chunks", chunks, ErrNotFinite, c.culprit, "rescale")
			if _, err := FitBayes(d, GaussianPrior{Tau2: 1}, KnownVariance(1), nil); !errors.Is(err, ErrNotFinite) {
				t.Errorf("%v: Bayes: %v", c, err)
			}
			continue
		}
		must(t, whole, err)
		for _, m := range []*Moments{whole, sum} {
			f := get(FitOLS(m, nil))(t)
			b := f.Slopes()
			nearAll(t, "slopes", []float64{b[0] / c.y, b[1] / c.y * c.x2, b[2] / c.y}, want.Slopes(), 1e-12)
			near(t, "R2", f.R2(), want.R2(), 1e-12)
		}
	}

	// Two chunks, each constant, differ by what underflows; a constant is no culprit.
	one := &Design{X: mat.NewDense(2, 1, []float64{1e-200, 1e-200}), Y: []float64{1, 2}, Names: []string{"x"}, Response: "y"}
	two := &Design{X: mat.NewDense(2, 1, []float64{3e-200, 3e-200}), Y: []float64{1, 4}, Names: []string{"x"}, Response: "y"}
	m := get(one.Moments())(t)
	wantError(t, "two constants", m.Add(two), ErrNotFinite, `term "x"`)
	sum := NewMoments(one)
	for range 3 {
		if err := sum.Add(one); err != nil {
			t.Error(err)
		}
	}
	if sum.NObs() != 6 || sum.SXX().At(0, 0) != 0 {
		t.Errorf("%d rows, %v", sum.NObs(), sum.SXX().At(0, 0))
	}
	one.NoIntercept = true
	wantError(t, "a constant without intercept", errorOf(one.Moments()), ErrNotFinite, `term "x"`)
	one.X.Apply(func(int, int, float64) float64 { return 1e200 }, one.X)
	wantError(t, "a large constant without intercept", errorOf(one.Moments()), ErrNotFinite, `term "x"`)
}
