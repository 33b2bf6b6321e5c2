package frames

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestComplete(t *testing.T) {
	nan := math.NaN()
	df := frame(t, Col("x", []float64{1, nan, 3, 4}), Col("g", []string{"a", "b", "NaN", "d"}), Col("none", []float64{nan, nan, nan, nan}))
	got, err := Complete(df, "x", "g")
	if err != nil || !slices.Equal(got.Frame.Col("g").Records(), []string{"a", "d"}) || got.Frame.Ncol() != 3 {
		t.Errorf("complete: %v, %v", got, err)
	}
	if got.Rows != 4 || got.Dropped != 2 || got.String() != "2 of 4 rows are complete, 2 dropped; missing values: x 1, g 1" {
		t.Errorf("%+v: %v", got, got)
	}
	if got, err = Complete(got.Frame, "x"); err != nil || got.String() != "all 2 rows are complete" {
		t.Errorf("%v, %v", got, err)
	}
	_, err = Complete(df)
	wantError(t, err, ErrNoRows, "none of the 4 rows is complete; missing values: x 1, g 1, none 4")
	_, err = Complete(df, "xx")
	wantError(t, err, ErrNoColumn, `did you mean "x"?`)
}

// The parts are disjoint, have all rows in their order, and each stratum has its
// share in both.
func TestSplitParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		n := 8 + rng.IntN(90)
		rows, class := make([]int, n), make([]string, n)
		for i := range rows {
			rows[i], class[i] = i+1, []string{"a", "b", "NaN"}[rng.IntN(3)]
		}
		df := frame(t, Col("row", rows), Col("class", class))
		share := .2 + .6*rng.Float64()
		seed := rng.Uint64()
		in, out, err := Split(df, share, rand.NewPCG(seed, 1))
		if err != nil {
			t.Fatal(err)
		}
		a, b := rowsOf(t, in), rowsOf(t, out)
		if !slices.IsSorted(a) || !slices.IsSorted(b) || len(a) != int(math.Round(share*float64(n))) {
			t.Errorf("parts %v and %v", a, b)
		}
		if both := slices.Sorted(slices.Values(slices.Concat(a, b))); !slices.Equal(both, rows) {
			t.Errorf("together the parts are %v", both)
		}
		again, _, err := Split(df, share, rand.NewPCG(seed, 1))
		if err != nil || !slices.Equal(rowsOf(t, again), a) {
			t.Error("the same seed gives other rows")
		}
		in, _, err = Split(df, share, rand.NewPCG(seed, 1), "class")
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range []string{"a", "b", "NaN"} {
			count := func(all []string) (k int) {
				for _, s := range all {
					k += int(indicator(s == level))
				}
				return k
			}
			if got, want := count(in.Col("class").Records()), math.Round(share*float64(count(class))); float64(got) != want {
				t.Errorf("%d of class %s, not %v", got, level, want)
			}
		}
	}
}

func TestSampleRows(t *testing.T) {
	df := frame(t, Col("row", []int{1, 2, 3, 4, 5, 6, 7, 8}))
	got := get(Sample(df, 8, rand.NewPCG(1, 2)))(t)
	rows := rowsOf(t, got)
	if slices.IsSorted(rows) || !slices.Equal(slices.Sorted(slices.Values(rows)), rowsOf(t, df)) {
		t.Errorf("shuffled: %v", rows)
	}
	if few, err := Sample(df, 3, rand.NewPCG(1, 2)); err != nil || !slices.Equal(rowsOf(t, few), rows[:3]) {
		t.Errorf("%v, %v", few, err)
	}
	_, err := Sample(df, 9, rand.NewPCG(1, 2))
	wantError(t, err, ErrSetting, "a sample of 9 rows of 8")
	_, err = Sample(df, 2, nil)
	wantError(t, err, ErrSetting, "rand.NewPCG")
	_, _, err = Split(df, 1.5, rand.NewPCG(1, 2))
	wantError(t, err, ErrSetting, "between 0 and 1")
	_, _, err = Split(df, .01, rand.NewPCG(1, 2))
	wantError(t, err, ErrNoRows)
	_, _, err = Split(df, .5, nil)
	wantError(t, err, ErrSetting)
	_, _, err = Split(df, .5, rand.NewPCG(1, 2), "class")
	wantError(t, err, ErrNoColumn)
}
