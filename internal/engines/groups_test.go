//go:build unix

package engines

import (
	"database/sql"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
)

// grouped has columns that are hard to group and to sum.
func grouped(t *testing.T) dataframe.DataFrame {
	t.Helper()
	rnd := rand.New(rand.NewPCG(17, 3))
	const n = 3000
	texts := []string{"a", "A", "ä", "it's", `"; DROP TABLE t; --`, `back\slash`, "", "日本"}
	far, near, zero, some, inf, count := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]int, n)
	text, day, flag := make([]string, n), make([]string, n), make([]bool, n)
	for i := range n {
		far[i], near[i] = 1e9+rnd.NormFloat64(), 1e6*float64(i%8)+1e-3*rnd.NormFloat64()
		if some[i] = rnd.NormFloat64(); i%5 == 0 || i%8 == 3 {
			some[i] = math.NaN()
		}
		if inf[i] = rnd.ExpFloat64(); i%8 == 1 && i%16 != 1 {
			inf[i] = math.Inf(1)
		}
		if i == 2 {
			inf[i], inf[10] = math.Inf(-1), math.Inf(1)
		}
		if zero[i] = float64(i%3) - 1; zero[i] == 0 && i%2 == 0 {
			zero[i] = math.Copysign(0, -1)
		}
		if i%7 == 6 {
			zero[i] = math.NaN()
		}
		count[i], text[i], flag[i] = rnd.IntN(1000)-200, texts[i%8], rnd.IntN(2) == 0
		day[i] = []string{"2024-02-29", "1999-12-31", "2024-03-01"}[rnd.IntN(3)]
	}
	df, err := frames.Frame(frames.Col("far", far), frames.Col("near", near), frames.Col("zero", zero), frames.Col("some", some), frames.Col("endless", inf),
		frames.Col("count", count), frames.Col(`the "group"`, text), frames.Col("day", day), frames.Col("flag", flag))
	if err != nil {
		t.Fatal(err)
	}
	return df
}

func sameFrames(t *testing.T, what string, got, want dataframe.DataFrame) {
	t.Helper()
	if got.Nrow() != want.Nrow() || got.Ncol() != want.Ncol() {
		t.Errorf("%s: %d x %d, want %d x %d", what, got.Nrow(), got.Ncol(), want.Nrow(), want.Ncol())
		return
	}
	for j, name := range want.Names() {
		for i := range want.Nrow() {
			a, b := got.Elem(i, j), want.Elem(i, j)
			if x, y := a.Float(), b.Float(); a.IsNA() != b.IsNA() || a.String() != b.String() && !(math.Abs(x-y) <= 1e-12*math.Abs(y)) {
				t.Errorf("%s: %s of row %d is %v, want %v", what, name, i+1, a, b)
			}
		}
	}
}

// Groups that a database sums are those of a frame, to 12 digits at a mean of 10^9.
func TestGroupsPushedDown(t *testing.T) {
	df := grouped(t)
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		df := finite(t, d, df)
		all, err := source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))
		if err != nil {
			t.Fatal(err)
		}
		pushed, err := all.By(source.Pushed)
		if err != nil {
			t.Fatal(err)
		}
		streamed, err := all.By(source.Streamed)
		if err != nil {
			t.Fatal(err)
		}
		summaries := []string{"n()", "mean(count)", "sum(count)", "total = sum(flag)", "v = var(far)", "sd(near)", "mean(near)", "sum(far)", "m = mean(some, na.rm = TRUE)", "sd(some, na.rm = TRUE)", "mean(some)",
			"mean(endless)", "sum(endless)", "sd(endless)", "max(endless)", "lo = min(some, na.rm = TRUE)", "gap = max(count) - min(count)", "z = mean(far)/sd(far)", "l = mean(log(abs(some)), na.rm = TRUE)"}
		everything, few, centered := summaries, slices.Clone(summaries[:4]), "sd(far)"
		if d.dialect.Finite { // of log(0) rows tell
			everything = slices.DeleteFunc(slices.Clone(summaries), func(s string) bool { return strings.Contains(s, "log") })
		}
		if d.dialect == source.ClickHouse { // which reads rows for sums about means of groups
			if route, why, err := all.GroupBy("flag").Route(ctx, "n()", "sd(far)"); err != nil || route != source.Streamed || why == "" {
				t.Errorf("%v (%s), %v", route, why, err)
			}
			few, centered = append(few, "mean(near)", "sum(far)", "m = mean(some, na.rm = TRUE)", "mean(some)", "mean(endless)", "sum(endless)", "l = mean(log(abs(some)), na.rm = TRUE)", "max(endless)", "lo = min(some, na.rm = TRUE)", "gap = max(count) - min(count)"), "max(far)"
		}
		for _, keys := range [][]string{nil, {`the "group"`}, {"zero"}, {"flag", `the "group"`}, {"bin = 100*floor(count/100)"}, {"big = near > 1"}, {"new = day > \"2024-01-01\"", "zero"}, {"day"}} {
			if d.dialect == source.SQLite && len(keys) > 0 && keys[0] == "day" {
				route, why, err := all.GroupBy(keys...).Route(ctx, summaries...)
				if err != nil || route != source.Streamed || why == "" {
					t.Errorf("%q: %v (%s), %v", keys, route, why, err)
				}
				continue
			}
			summaries := everything
			if d.dialect == source.ClickHouse {
				summaries = few
			}
			got, err := pushed.GroupBy(keys...).Summarise(ctx, summaries...)
			if err != nil {
				t.Errorf("%q: %v", keys, err)
				continue
			}
			want, err := frames.GroupBy(df, keys...).Summarise(summaries...)
			if err != nil {
				t.Fatal(err)
			}
			sameFrames(t, "pushed", got, want)
			rows, err := streamed.GroupBy(keys...).Summarise(ctx, everything[:3]...)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := frames.GroupBy(df, keys...).Summarise(everything[:3]...)
			if err != nil {
				t.Fatal(err)
			}
			sameFrames(t, "streamed", rows, whole)
		}
		if route, why, err := all.GroupBy("flag").Route(ctx, centered); err != nil || route != source.Pushed || why != "" {
			t.Errorf("%v (%s), %v", route, why, err)
		}
		if _, err := pushed.GroupBy("flag").Summarise(ctx, "n_distinct(count)"); !errors.Is(err, frames.ErrSetting) {
			t.Error(err)
		}
		// What is an error of a row when rows are read is that error.
		_, want1 := streamed.GroupBy("flag").Summarise(ctx, "mean(1/zero)")
		_, got1 := all.GroupBy("flag").Summarise(ctx, "mean(1/zero)")
		if !errors.Is(got1, frames.ErrNotFinite) || !errors.Is(want1, frames.ErrNotFinite) {
			t.Errorf("%v, want %v", got1, want1)
		}
		some, err := pushed.Where(ctx, "`the \"group\"` != \"A\" & some > 0")
		if err != nil {
			t.Fatal(err)
		}
		got, err := some.GroupBy("flag").Summarise(ctx, "n()", centered)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := frames.Where(df, "`the \"group\"` != \"A\" & some > 0")
		if err != nil {
			t.Fatal(err)
		}
		want, err := frames.GroupBy(kept, "flag").Summarise("n()", centered)
		if err != nil {
			t.Fatal(err)
		}
		sameFrames(t, "where", got, want)
		none, err := pushed.Where(ctx, "far < 0")
		if err != nil {
			t.Fatal(err)
		}
		for _, keys := range [][]string{nil, {"flag"}} {
			if _, err := none.GroupBy(keys...).Summarise(ctx, "n()"); !errors.Is(err, frames.ErrNoRows) {
				t.Errorf("%q of no rows: %v", keys, err)
			}
		}
	})
}

// Bins that a database counts have the rows of those of a frame.
func TestHistogramPushedDown(t *testing.T) {
	df := grouped(t)
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		df := finite(t, d, df)
		memory := must(source.Frame(df))
		s, err := source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))
		if err != nil {
			t.Fatal(err)
		}
		if s, err = s.By(source.Pushed); err != nil {
			t.Fatal(err)
		}
		for _, column := range []string{"far", "near", "zero", "some", "count", "flag"} {
			for _, bins := range []int{1, 7, 30} {
				got, err := s.Histogram(ctx, column, bins)
				if err != nil {
					t.Fatalf("%s: %v", column, err)
				}
				want, err := memory.Histogram(ctx, column, bins)
				if err != nil {
					t.Fatal(err)
				}
				sameFrames(t, column, got, want)
			}
		}
		all, err := s.By(source.Automatic)
		if err != nil {
			t.Fatal(err)
		}
		for column, wrong := range map[string]error{"endless": frames.ErrNotFinite, "day": frames.ErrNotNumeric, "nobody": frames.ErrNoColumn} {
			if _, err := all.Histogram(ctx, column, 5); !errors.Is(err, wrong) && !(column == "endless" && d.dialect.Finite) {
				t.Errorf("%s: %v", column, err)
			}
		}
		one, err := s.Where(ctx, "zero == 1")
		if err != nil {
			t.Fatal(err)
		}
		if h, err := one.Histogram(ctx, "zero", 3); err != nil || h.Elem(0, 2).Float() < 100 || h.Elem(1, 2).Float() != 0 {
			t.Errorf("of one value: %v, %v", h, err)
		}
	})
}

// A shard reads a column named inf as the number: such a table is refused.
func TestColumnNamedInf(t *testing.T) {
	df, err := frames.Frame(frames.Col("inf", []float64{1, 2, 4}), frames.Col("x", []float64{3, 5, 6}))
	if err != nil {
		t.Fatal(err)
	}
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s, err := source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))
		if d.dialect == source.ClickHouse {
			if !errors.Is(err, frames.ErrSetting) {
				t.Error(err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if h, err := s.GroupBy().Summarise(ctx, "max(inf)"); err != nil || h.Elem(0, 0).Float() != 4 {
			t.Errorf("%v, %v", h, err)
		}
	})
}
