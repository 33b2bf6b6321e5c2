package frames

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/go-gota/gota/dataframe"
)

// Intervals and their order are those of R's cut.
func TestCutLikeR(t *testing.T) {
	ref := readReshape(t)
	x := make([]float64, len(ref.X))
	for i, v := range ref.X {
		if x[i] = math.NaN(); v != nil {
			x[i] = *v
		}
	}
	df := frame(t, Col("x", x))
	hold := func(got dataframe.DataFrame, err error, want []*string) {
		t.Helper()
		if err != nil {
			t.Error(err)
			return
		}
		c := get(copyColumn(got, "x_cut"))(t)
		for i, w := range want {
			if c.missing[i] != (w == nil) || w != nil && *w != c.text[i] {
				t.Errorf("%v in row %d is in %s", x[i], i+1, c.at(i))
			}
		}
	}
	for _, c := range ref.Cuts {
		breaks := make([]float64, len(c.Breaks))
		for k, b := range c.Breaks {
			breaks[k], _ = strconv.ParseFloat(b, 64)
		}
		got, err := Cut(df, "x", breaks, &CutSettings{LeftClosed: !c.Right, Lowest: c.Lowest, OutsideMissing: true})
		hold(got, err, c.Values)
		counts := get(Count(got, "x_cut"))(t)
		levels := slices.DeleteFunc(counts.Col("x_cut").Records(), func(s string) bool { return s == "NaN" })
		present := slices.DeleteFunc(slices.Clone(c.Levels), func(s string) bool { return !slices.Contains(levels, s) })
		if !slices.Equal(levels, present) {
			t.Errorf("intervals in the order %q; R's is %q", levels, present)
		}
	}
	got, err := Cut(df, "x", nil, &CutSettings{Groups: 4})
	hold(got, err, ref.Quartiles)
}

func TestCutErrors(t *testing.T) {
	df := frame(t, Col("x", []float64{1, 5, 30, math.NaN()}), Col("s", []string{"a", "b", "c", "d"}), Col("y", []float64{1, 2, 1, 2}))
	cut := func(column string, breaks []float64, s *CutSettings) error {
		_, err := Cut(df, column, breaks, s)
		return err
	}
	wantError(t, cut("x", []float64{0, 10}, nil), ErrSetting, "x = 30 in row 3 is outside of the breaks 0 to 10", "OutsideMissing")
	wantError(t, cut("x", []float64{0}, nil), ErrSetting)
	wantError(t, cut("x", []float64{0, 10, 5}, nil), ErrSetting, "breaks rise")
	wantError(t, cut("x", []float64{0, math.NaN()}, nil), ErrSetting)
	wantError(t, cut("x", []float64{0, 50}, &CutSettings{Labels: []string{"a", "b"}}), ErrSetting, "2 labels for 1 interval")
	wantError(t, cut("s", []float64{0, 50}, nil), ErrNotNumeric)
	wantError(t, cut("z", []float64{0, 50}, nil), ErrNoColumn)
	wantError(t, cut("y", nil, &CutSettings{Groups: 5}), ErrSetting, "too many values")
	wantError(t, cut("y", []float64{1, 2}, &CutSettings{Groups: 5}), ErrSetting)
	got, err := Cut(df, "x", []float64{0, 9, 50}, &CutSettings{Name: "size", Labels: []string{"small", "large"}})
	if err != nil || !slices.Equal(got.Col("size").Records(), []string{"small", "small", "large", "NaN"}) || df.Ncol() != 3 {
		t.Errorf("%v, %v", got, err)
	}
}

// Levels of intervals are in the order of their limits.
func TestIntervalsAsLevels(t *testing.T) {
	df := frame(t, Col("y", []float64{1, 2, 3, 4, 5, 7}), Col("x", []float64{1, 5, 7, 30, 60, 100}))
	df = get(Cut(df, "x", []float64{0, 8, 40, 200}, nil))(t)
	d, err := Design(df, "y ~ x_cut")
	if err != nil || !slices.Equal(d.Names, []string{"x_cut(8,40]", "x_cut(40,200]"}) {
		t.Errorf("%q, %v", d.Names, err)
	}
}
