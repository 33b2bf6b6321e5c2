package frames

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// Every summary of every group is R's, and so is the order of the groups.
func TestSummariseLikeR(t *testing.T) {
	df, ref := readVerbs(t)
	for _, c := range ref.Group {
		var sources []string
		for k, v := range c.Values {
			sources = append(sources, fmt.Sprint("v", k)+" = "+v.Src)
		}
		got, err := GroupBy(df, c.Keys...).Summarise(append(sources, "row = first(row)")...)
		if err != nil {
			t.Fatalf("%q: %v", c.Keys, err)
		}
		if !slices.Equal(rowsOf(t, got), c.Rows) {
			t.Errorf("groups of %q begin with rows %v; R's with %v", c.Keys, rowsOf(t, got), c.Rows)
			continue
		}
		for k, v := range c.Values {
			col := get(copyColumn(got, fmt.Sprint("v", k)))(t)
			if col.typ == "bool" {
				col.typ = "int"
			}
			sameValues(t, v.Src, col, v.Values, 4e-15)
		}
	}
	for _, c := range ref.Share {
		got := get(GroupBy(df, "k").With("v = " + c.Src))(t)
		col := get(copyColumn(got, "v"))(t)
		col.typ = "float"
		sameValues(t, c.Src, col, c.Values, 4e-15)
	}
}

func TestGroupsKeepTypes(t *testing.T) {
	df := frame(t, Col("id", []int{1<<60 + 1, 1 << 60, 1<<60 + 1}), Col("x", []float64{1, 2, 4}), Col("b", []bool{true, false, false}))
	_, err := GroupBy(df, "id").Summarise("n()", "x", "big = any(x > 3)")
	wantError(t, err, ErrSetting, "summarise it, for example mean(x)")
	got := get(GroupBy(df, "id").Summarise("n()", "sum(x)", "any(b)", "max(b)", "twice = 2*n()"))(t)
	if want := []string{"id", "n()", "sum(x)", "any(b)", "max(b)", "twice"}; !slices.Equal(got.Names(), want) {
		t.Errorf("columns %q", got.Names())
	}
	if ids, err := got.Col("id").Int(); err != nil || !slices.Equal(ids, []int{1 << 60, 1<<60 + 1}) {
		t.Errorf("ids %v, %v", ids, err)
	}
	if types := got.Types(); types[1] != "int" || types[2] != "float" || types[3] != "bool" || types[4] != "bool" {
		t.Errorf("types %v", types)
	}
	got, err = GroupBy(df, "heavy = x > 1").Summarise("heavy2 = heavy", "n = n()")
	if err != nil || got.Nrow() != 2 || got.Names()[0] != "heavy" {
		t.Errorf("%v, %v", got, err)
	}
	if got, err = GroupBy(df).Summarise("mean(x)"); err != nil || got.Nrow() != 1 || got.Ncol() != 1 || got.Elem(0, 0).Float() != 7./3 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err = Where(df, "x > mean(x)"); err != nil || got.Nrow() != 1 {
		t.Errorf("%v, %v", got, err)
	}
	got, err = GroupBy(df, "b").With("x = x - mean(x)", "again = mean(x)")
	if err != nil || !slices.Equal(got.Col("x").Float(), []float64{0, -1, 1}) || got.Elem(1, 3).Float() != 0 {
		t.Errorf("a summary of a column that was replaced: %v, %v", got, err)
	}
}

func TestGroupsWithoutValues(t *testing.T) {
	nan := math.NaN()
	df := frame(t, Col("g", []string{"a", "a", "b"}), Col("x", []float64{nan, nan, 2}), Col("mean", []float64{0, 1, 2}))
	got := get(GroupBy(df, "g").Summarise("mean(x, na.rm = TRUE)", "sum(x, na.rm = TRUE)", "sd(x, na.rm = TRUE)", "max(x, na.rm = TRUE)", "mean(mean)", "n_distinct(x)"))(t)
	want := [][]float64{{nan, 2}, {0, 2}, {nan, nan}, {nan, 2}, {.5, 2}, {1, 1}}
	for k, w := range want {
		x, err := Floats(got, got.Names()[k+1])
		if err != nil || !slices.EqualFunc(x, w, func(a, b float64) bool { return a == b || a != a && b != b }) {
			t.Errorf("%s is %v, %v, not %v", got.Names()[k+1], x, err, w)
		}
	}
}

func TestGroupErrors(t *testing.T) {
	df := frame(t, Col("g", []string{"a", "b"}), Col("x", []float64{1, 0}))
	summarise := func(keys []string, s ...string) error { _, err := GroupBy(df, keys...).Summarise(s...); return err }
	g := []string{"g"}
	wantError(t, summarise([]string{"gg"}, "n()"), ErrNoColumn, `did you mean "g"?`)
	wantError(t, summarise([]string{"g", "g"}, "n()"), ErrSetting, "twice")
	wantError(t, summarise(g), ErrSetting)
	wantError(t, summarise(g, "mean(y)"), ErrNoColumn)
	wantError(t, summarise(g, "mean(g)"), ErrNotNumeric)
	wantError(t, summarise(g, "meen(x)"), ErrSyntax, `no function "meen"; did you mean "mean"?`)
	wantError(t, summarise(g, "mean(mean(x))"), ErrSyntax)
	wantError(t, summarise(g, "mean(x, na.rm = 1)"), ErrSyntax, "TRUE or FALSE")
	wantError(t, summarise(g, "quantile(x)"), ErrSyntax, "quantile(x, 0.25)")
	wantError(t, summarise(g, "quantile(x, 25)"), ErrSyntax, "between 0 and 1")
	wantError(t, summarise(g, "n(x)"), ErrSyntax, "sum(!is.na(x))")
	wantError(t, summarise(g, "n()/sum(x)"), ErrNotFinite, "n()/sum(x) is +Inf in the group of row 2, where g = b")
	wantError(t, summarise(g, "a = n()", "a = mean(x)"), ErrSetting, `two columns of the result are named "a"`)
	wantError(t, summarise(g, "g = mean(x)"), ErrSetting)
	wantError(t, summarise(g, "log(mean(x))"), ErrNotFinite)
	_, err := Count(df, "z")
	wantError(t, err, ErrNoColumn)
	_, err = Design(df, "x ~ median(x)")
	wantError(t, err, ErrSyntax, "frames.With")
}

// Quickselect gives what sorting gives.
func TestQuantileOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		x := make([]float64, 1+rng.IntN(200))
		for i := range x {
			x[i] = math.Round(rng.NormFloat64() * 8)
		}
		sorted := slices.Sorted(slices.Values(x))
		for _, p := range []float64{0, .1, .25, .5, .75, 1, rng.Float64()} {
			if got, want := quantileOf(slices.Clone(x), p), mlreg.SampleQuantile(sorted, p); math.Abs(got-want) > 1e-13 {
				t.Fatalf("quantile %v of %v is %v, not %v", p, x, got, want)
			}
		}
	}
}

// row() is the number of a row in its group, R's ave(seq_along(g), g, FUN = seq_along), and
// without groups that of the frame. A group has no number of a row, by every route.
func TestRowOfGroup(t *testing.T) {
	df := get(Frame(Col("g", []string{"b", "a", "b", "b", "a", "NaN", "NaN"}), Col("x", []float64{5, 3, 2, 9, 1, 4, 7})))(t)
	numbers := func(df dataframe.DataFrame, err error) []float64 {
		t.Helper()
		return get(Floats(get(df, err)(t), "n"))(t)
	}
	if got := numbers(GroupBy(df, "g").With("n = row()")); !slices.Equal(got, []float64{1, 1, 2, 3, 2, 1, 2}) {
		t.Errorf("in groups %v", got)
	}
	if got := numbers(GroupBy(df, "g").With("first = row() == 1", "n = ifelse(first, 10*row(), row()/n())")); !slices.Equal(got, []float64{10, 10, 2. / 3, 1, 1, 10, 1}) {
		t.Errorf("in expressions %v", got)
	}
	sorted := get(Sort(df, "-x"))(t)
	if got := numbers(GroupBy(sorted, "g").With("n = row()")); !slices.Equal(got, []float64{1, 1, 2, 2, 1, 3, 2}) {
		t.Errorf("in sorted groups %v", got)
	}
	all := []float64{1, 2, 3, 4, 5, 6, 7}
	if got := numbers(With(df, "n = row()")); !slices.Equal(got, all) {
		t.Errorf("without groups %v", got)
	}
	if got := numbers(With(df, "z = x - mean(x)", "n = row()")); !slices.Equal(got, all) {
		t.Errorf("after a mean %v", got)
	}
	if got := numbers(GroupBy(df).With("n = row()")); !slices.Equal(got, all) {
		t.Errorf("in the one group %v", got)
	}
	_, memory := GroupBy(df, "g").Summarise("n = row()")
	_, streamed := summariseBlocks([]string{"g"}, []string{"row() + n()"}, []table.Field{{Name: "g", Type: series.String}}, table.Limits{Levels: 9})
	for _, err := range []error{memory, streamed} {
		if !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), "row() has a value for every row, not one for every group") {
			t.Error(err)
		}
	}
}
