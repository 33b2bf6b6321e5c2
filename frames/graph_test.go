package frames_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
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

// A node with DrawAll is given all values of a parent in plates that it is not in, its own row's
// where they share one; the sample has a column for each.
func TestGraphSampleAllParents(t *testing.T) {
	count := 0.0
	next := func(*rand.Rand, func(string) float64) float64 { count++; return count }
	g := frames.Graph{
		{Name: "w", Plates: []string{"term"}, Draw: next},
		{Name: "x", Plates: []string{"row", "term"}, Draw: next},
		{Name: "other", Plates: []string{"term"}, Draw: next},
		{Name: "y", Parents: []string{"w", "x"}, Plates: []string{"row"},
			DrawAll: func(_ *rand.Rand, all func(string) []float64) float64 {
				w, x := all("w"), all("x")
				return 100*w[0] + 10*w[1] + x[0] - x[1]*1000
			}},
	}
	df, err := g.Sample("y", map[string][]int{"row": {3}, "term": {2}}, rand.NewPCG(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(df.Names(), " "); got != "row w1 w2 x1 x2 y" {
		t.Fatal(got)
	}
	for i, want := range [][]float64{{1, 2, 3, 4}, {1, 2, 5, 6}, {1, 2, 7, 8}} {
		for j, name := range []string{"w1", "w2", "x1", "x2"} {
			if got := df.Col(name).Float()[i]; got != want[j] {
				t.Errorf("row %d: %s is %v, want %v", i, name, got, want[j])
			}
		}
		if got := df.Col("y").Float()[i]; got != 120+want[2]-1000*want[3] {
			t.Errorf("row %d: y is %v", i, got)
		}
	}
	if _, err := g.Sample("y", map[string][]int{"row": {2}, "term": {1, 2}}, rand.NewPCG(1, 2)); !errors.Is(err, frames.ErrSetting) {
		t.Errorf("terms that differ between rows, for weights that are in no row: %v", err)
	}
	ragged := frames.Graph{g[1], {Name: "y", Parents: []string{"x"}, Plates: []string{"row"},
		DrawAll: func(_ *rand.Rand, all func(string) []float64) float64 { return float64(len(all("x"))) }}}
	if _, err := ragged.Sample("y", map[string][]int{"row": {2}, "term": {1, 2}}, rand.NewPCG(1, 2)); !errors.Is(err, frames.ErrSetting) {
		t.Errorf("columns of different numbers: %v", err)
	}
}
