package frames_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/frames"
)

// A graph draws each node once for every repetition of its plates, and children see
// the values of their own parents.
func TestGraphSample(t *testing.T) {
	normal := func(r *rand.Rand, _ func(string) float64) float64 { return r.NormFloat64() }
	g := frames.Graph{
		{Name: "m", Draw: func(*rand.Rand, func(string) float64) float64 { return 100 }, Fixed: true},
		{Name: "b", Parents: []string{"m"}, Plates: []string{"school"}, Draw: func(r *rand.Rand, of func(string) float64) float64 {
			return of("m") + math.Round(10*r.NormFloat64())
		}},
		{Name: "x", Plates: []string{"school", "pupil"}, Draw: normal, Observed: true},
		{Name: "y", Parents: []string{"b", "x"}, Plates: []string{"school", "pupil"}, Observed: true,
			Draw: func(_ *rand.Rand, of func(string) float64) float64 { return of("b") + of("x") }},
	}
	df, err := g.Sample("y", map[string][]int{"school": {3}, "pupil": {2, 1, 4}}, rand.NewPCG(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	if df.Nrow() != 7 || df.Ncol() != 6 {
		t.Fatalf("%d x %d: %v", df.Nrow(), df.Ncol(), df.Names())
	}
	school, b, x, y := df.Col("school").Float(), df.Col("b").Float(), df.Col("x").Float(), df.Col("y").Float()
	for i, want := range []float64{1, 1, 2, 3, 3, 3, 3} {
		if school[i] != want || y[i] != b[i]+x[i] {
			t.Errorf("row %d: school %v, y %v, b %v, x %v", i, school[i], y[i], b[i], x[i])
		}
	}
	if b[0] != b[1] || b[3] != b[6] || b[0] == b[2] {
		t.Errorf("b %v", b)
	}
	for what, bad := range map[string]frames.Graph{
		"order":  {{Name: "y", Parents: []string{"b"}}, {Name: "b"}},
		"twice":  {{Name: "y"}, {Name: "y"}},
		"plates": {{Name: "b", Plates: []string{"j"}}, {Name: "y", Parents: []string{"b"}}},
		"empty":  {},
		"name":   {{}},
		"draw":   {{Name: "y"}},
	} {
		if _, err := bad.Sample("y", nil, rand.NewPCG(1, 2)); !errors.Is(err, frames.ErrSetting) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, sizes := range map[string]map[string][]int{"none": nil, "three": {"school": {2}, "pupil": {1, 2, 3}}, "zero": {"school": {2}, "pupil": {0}}} {
		if _, err := g.Sample("y", sizes, rand.NewPCG(1, 2)); !errors.Is(err, frames.ErrSetting) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
