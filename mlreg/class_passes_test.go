package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/mlreg/internal/algebra"
)

// blocksOf gives the rows of d in blocks of a size, whose memory is overwritten after use.
func blocksOf(d *Design, size int) RowBlocksFunc {
	return func(f func(*Design) error) error {
		for first := 0; first < d.NObs(); first += size {
			var rows []int
			for i := first; i < min(first+size, d.NObs()); i++ {
				rows = append(rows, i)
			}
			block := d.Rows(rows...)
			err := f(block)
			for i := range block.Y {
				block.Y[i] = math.NaN()
				for j := range block.NTerms() {
					block.X.Set(i, j, math.NaN())
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// neverGathered has row blocks streamed, however few.
func neverGathered(t *testing.T) {
	t.Helper()
	before := mostGathered
	mostGathered = 0
	t.Cleanup(func() { mostGathered = before })
}

// binaryDesign has two overlapping classes, columns of different sizes, and, if asked,
// weights and offsets.
func binaryDesign(n int, weighted bool) *Design {
	rnd := rand.New(rand.NewPCG(8, 2))
	d := &Design{X: algebra.NewDense(n, 3), Names: []string{"a", "b", "c"}, Response: "y"}
	for i := range n {
		a, b, c := rnd.NormFloat64(), 1e4+rnd.NormFloat64(), float64(rnd.IntN(2))
		d.X.SetRow(i, []float64{a, b, c})
		y := 0.0
		if rnd.Float64() < sigmoid(0.3+a-0.5*(b-1e4)+c) {
			y = 1
		}
		d.Y = append(d.Y, y)
		if weighted {
			d.Weights = append(d.Weights, float64(rnd.IntN(4)))
			d.Offset = append(d.Offset, rnd.NormFloat64()/3)
		}
	}
	return d
}

// Logistic regression by passes is that of the rows in memory, to the digits both state.
func TestLogisticByPasses(t *testing.T) {
	neverGathered(t)
	for _, c := range []struct {
		name string
		d    *Design
		s    LogisticSettings
	}{
		{"plain", binaryDesign(900, false), LogisticSettings{}},
		{"weights and offsets", binaryDesign(900, true), LogisticSettings{}},
		{"penalty", binaryDesign(900, true), LogisticSettings{L2: 3}},
		{"offset", withOffset(t, binaryDesign(900, false), "c"), LogisticSettings{}},
		{"no intercept", func() *Design { d := binaryDesign(900, false); d.NoIntercept = true; return d }(), LogisticSettings{}},
		{"no terms", get(binaryDesign(900, true).Select())(t), LogisticSettings{}},
		{"labels -1 and 1", func() *Design {
			d := binaryDesign(900, false)
			for i := range d.Y {
				d.Y[i] = 2*d.Y[i] - 1
			}
			return d
		}(), LogisticSettings{}},
		{"standardized", get(binaryDesign(900, false).Standardize(nil))(t), LogisticSettings{}},
	} {
		want := get(FitLogistic(c.d, &c.s))(t)
		for _, size := range []int{7, 300, 1000} {
			f := get(FitLogistic(blocksOf(c.d, size), &c.s))(t)
			if f.Classes()[0] != want.Classes()[0] || f.NObs() != want.NObs() {
				t.Errorf("%s: classes %v of %d rows, want %v of %d", c.name, f.Classes(), f.NObs(), want.Classes(), want.NObs())
			}
			coef, stderr := f.Digits()
			if coef < 6 || stderr < 9 {
				t.Errorf("%s: %d and %d digits", c.name, coef, stderr)
			}
			for j, b := range want.Coef() {
				near(t, c.name+", coefficient", f.Coef()[j], b, math.Pow(10, -float64(min(coef, 11))))
				near(t, c.name+", standard error", f.StdErr()[j], want.StdErr()[j], 1e-8)
			}
			near(t, c.name+", deviance", f.Deviance(), want.Deviance(), 1e-9)
			near(t, c.name+", null deviance", f.NullDeviance(), want.NullDeviance(), 1e-9)
			near(t, c.name+", effective parameters", f.DoF(), want.DoF(), 1e-8)
			nearAll(t, c.name+", predictions", get(f.Predict(c.d))(t), get(want.Predict(c.d))(t), 1e-9)
		}
	}
}

// Few rows in blocks are fitted as the design that they make, to the bit.
func TestFewBlocksAreADesign(t *testing.T) {
	d := binaryDesign(200, true)
	want, got := get(FitLogistic(d, nil))(t), get(FitLogistic(blocksOf(d, 37), nil))(t)
	for j, b := range want.Coef() {
		if got.Coef()[j] != b || got.StdErr()[j] != want.StdErr()[j] {
			t.Errorf("coefficient %d is %v, want %v", j, got.Coef()[j], b)
		}
	}
}

// Separated classes are found in passes, whatever block a row is in, and aliased terms.
func TestSeparationByPasses(t *testing.T) {
	neverGathered(t)
	d := binaryDesign(600, false)
	for i := range d.Y {
		d.Y[i] = 0
		if d.X.At(i, 0)+2*(d.X.At(i, 1)-1e4) > 0.1 {
			d.Y[i] = 1
		}
	}
	_, err := FitLogistic(blocksOf(d, 50), nil)
	var s *SeparationError
	if !errors.As(err, &s) || s.Kind != Complete || s.Of != 600 || s.Rows != 600 {
		t.Fatalf("complete separation: %v", err)
	}
	if got := s.Direction; len(got) < 2 {
		t.Errorf("direction %v of %v", s.Direction, s.Terms)
	}
	d = binaryDesign(600, false)
	for i := range d.Y {
		if d.X.At(i, 2) == 1 {
			d.Y[i] = 1
		}
	}
	_, err = FitLogistic(blocksOf(d, 50), nil)
	if !errors.As(err, &s) || s.Kind != QuasiComplete || s.Of != 600 || s.Rows == 600 {
		t.Fatalf("quasi-complete separation: %v", err)
	}
	d = binaryDesign(600, false)
	for i := range d.Y {
		d.X.Set(i, 2, 2*d.X.At(i, 0)+1)
	}
	var aliased *RankDeficientError
	if _, err = FitLogistic(blocksOf(d, 50), nil); !errors.As(err, &aliased) || len(aliased.Aliased) != 1 || aliased.Aliased[0] != "c" {
		t.Errorf("aliased: %v", err)
	}
}

// Bad rows in blocks are refused by name, and so are blocks that change.
func TestLogisticByPassesBadInput(t *testing.T) {
	neverGathered(t)
	fit := func(change func(d *Design)) error {
		d := binaryDesign(300, true)
		change(d)
		return errorOf(FitLogistic(blocksOf(d, 100), nil))
	}
	wantError(t, "NaN", fit(func(d *Design) { d.X.Set(250, 1, math.NaN()) }), ErrNotFinite, `"b" is NaN in row 251`)
	wantError(t, "one class", fit(func(d *Design) { clear(d.Y) }), ErrLabels, "one class only")
	wantError(t, "three classes", fit(func(d *Design) { d.Y[222] = 2 }), ErrLabels, "more than two classes")
	wantError(t, "labels", fit(func(d *Design) {
		for i := range d.Y {
			d.Y[i] += 4
		}
	}), ErrLabels, "code the classes 0 and 1")
	wantError(t, "weightless", fit(func(d *Design) { clear(d.Weights) }), ErrNoData, "weight")
	wantError(t, "no response", fit(func(d *Design) { d.Y = nil }), ErrNoData, "response")
	wantError(t, "nil", errorOf(FitLogistic(nil, nil)), ErrNoData, "nil")
	wantError(t, "nil function", errorOf(FitLogistic(RowBlocksFunc(nil), nil)), ErrNoData, "nil")
	wantError(t, "no block", errorOf(FitLogistic(RowBlocksFunc(func(func(*Design) error) error { return nil }), nil)), ErrNoData, "no block")
	wantError(t, "error of the pass", errorOf(FitLogistic(RowBlocksFunc(func(f func(*Design) error) error {
		return errors.Join(f(binaryDesign(50, false)), ErrStream)
	}), nil)), ErrStream, "")
	wantError(t, "nil block", errorOf(FitLogistic(RowBlocksFunc(func(f func(*Design) error) error { return f(nil) }), nil)), ErrNoData, "nil")
	for what, change := range map[string]func(d *Design, pass int) *Design{
		"fewer rows":   func(d *Design, pass int) *Design { return d.Rows(sequenceFrom(0, 300-pass)...) },
		"another sign": func(d *Design, pass int) *Design { d.X.Set(17, 0, -d.X.At(17, 0)); return d },
		"another y":    func(d *Design, pass int) *Design { d.Y[17] = 1 - d.Y[17]; return d },
		"two signs": func(d *Design, pass int) *Design {
			d.X.Set(17, 0, -d.X.At(17, 0))
			d.X.Set(17, 1, -d.X.At(17, 1))
			return d
		},
		"another weight": func(d *Design, pass int) *Design { d.Weights[17]++; return d },
	} {
		pass := 0
		_, err := FitLogistic(RowBlocksFunc(func(f func(*Design) error) error {
			d := binaryDesign(300, true)
			if pass > 0 {
				d = change(d, pass)
			}
			pass++
			return f(d)
		}), nil)
		wantError(t, what, err, ErrChanged, "pass")
	}
	// Rows in another order are the same rows.
	pass := 0
	get(FitLogistic(RowBlocksFunc(func(f func(*Design) error) error {
		d := binaryDesign(300, true)
		order := rand.New(rand.NewPCG(uint64(pass), 1)).Perm(300)
		pass++
		return f(d.Rows(order...))
	}), nil))(t)
}
