package frames

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// FuzzVerbs holds the verbs to what they promise for every expression: an answer or an
// error, never a panic, and rows that were there.
func FuzzVerbs(f *testing.F) {
	for _, s := range []string{
		"x > 1 & !is.na(y)", "z == 'a' | x %in% c(1, NA)", "mean(x, na.rm = TRUE) < x", "row() <= 3", "m = quantile(x, .25)",
		"n()", "w = ifelse(x == 0, NA, y/x)", "month(when) == 5", "`odd name` > 0", "x > ", "((", "mean = mean(mean)", "z + 1", "1/0 > 1",
		"k = log(x)", "last(z)", "cor(x, y)", "weekday(z)", "when - first(when)", "-x ^ 2 ^ 3", "x %% 0", "1e309 * x", "\"\\\"\" == z",
	} {
		f.Add(s)
	}
	nan := math.NaN()
	df := get(Frame(
		Col("x", []float64{0, 1, 2, nan, math.MaxFloat64}), Col("y", []int{1, 2, 3, 4, math.MaxInt64}),
		Col("z", []string{"a", "b", "NaN", "", "a"}), Col("odd name", []bool{true, false, true, false, true}),
		Col("when", []string{"2024-05-01", "2024-02-29", "NaN", "2023-12-31", "2024-05-02"}), Col("mean", []float64{1, 2, 3, 4, 5})))(f)
	f.Fuzz(func(t *testing.T, text string) {
		numbered := get(With(df, "row = row()"))(t)
		if kept, err := Where(numbered, text); err == nil {
			rows, err := Floats(kept, "row")
			if err != nil || !slices.IsSorted(rows) || len(rows) == 0 || rows[0] < 1 || rows[len(rows)-1] > 5 {
				t.Errorf("Where kept the rows %v, %v", rows, err)
			}
		}
		if made, err := With(df, text); err == nil && made.Nrow() != 5 {
			t.Errorf("With made %d rows", made.Nrow())
		}
		if groups, err := GroupBy(df, "z").Summarise(text); err == nil && groups.Nrow() != 4 {
			t.Errorf("Summarise made %d rows of 4 groups", groups.Nrow())
		}
		if groups, err := GroupBy(df, text).Count(); err == nil {
			if counts, err := Floats(groups, "n"); err != nil || total(counts) != 5 {
				t.Errorf("Count counted %v rows of 5, %v", counts, err)
			}
		}
	})
}

func total(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

// FuzzSplit holds the parts of a split to be disjoint and complete, by classes and without.
func FuzzSplit(f *testing.F) {
	f.Add(uint64(1), 0.5, uint8(20))
	f.Add(uint64(2), 0.01, uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, share float64, n uint8) {
		if n == 0 {
			return
		}
		rng := rand.New(rand.NewPCG(seed, 3))
		rows, class := make([]int, n), make([]string, n)
		for i := range rows {
			rows[i], class[i] = i+1, string(rune('a'+rng.IntN(3)))
		}
		df := frame(t, Col("row", rows), Col("class", class))
		for _, strata := range [][]string{nil, {"class"}} {
			in, out, err := Split(df, share, rand.NewPCG(seed, 1), strata...)
			if err != nil {
				continue
			}
			if both := slices.Sorted(slices.Values(slices.Concat(rowsOf(t, in), rowsOf(t, out)))); !slices.Equal(both, rows) {
				t.Errorf("share %v of %d rows: together the parts are %v", share, n, both)
			}
		}
	})
}
