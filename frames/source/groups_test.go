package source

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Groups of a source are those of the frame.
func TestSummariseIsThatOfFrames(t *testing.T) {
	df := nasty(t, 20_000)
	s, err := Frame(df)
	if err != nil {
		t.Fatal(err)
	}
	for _, keys := range [][]string{nil, {"the group"}, {"flag", "count"}, {"month(day)", "big = b > 5"}, {"bin = 2*floor(b/2)"}} {
		summaries := []string{"n()", "mean(b)", "m = mean(b, na.rm = TRUE)", "sd(a, na.rm = TRUE)", "var(wide)", "sum(count)", "max(y) - min(y)", "lo = min(day)", "any(flag)", "all(b > 0)",
			"kinds = n_distinct(`the group`)", "z = mean(a)/sd(b, na.rm = TRUE)"}
		got, err := s.GroupBy(keys...).Summarise(ctx, summaries...)
		if err != nil {
			t.Fatal(err)
		}
		want, err := frames.GroupBy(df, keys...).Summarise(summaries...)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Names(), want.Names()) || got.Nrow() != want.Nrow() {
			t.Fatalf("%q: %v of %d rows, want %v of %d", keys, got.Names(), got.Nrow(), want.Names(), want.Nrow())
		}
		for j, name := range want.Names() {
			for i := range want.Nrow() {
				a, b := got.Elem(i, j), want.Elem(i, j)
				if x, y := a.Float(), b.Float(); a.String() != b.String() && !(math.Abs(x-y) <= 1e-12*math.Abs(y)) { // a has a mean of 10^9 standard deviations
					t.Errorf("%q: %s of row %d is %v, want %v", keys, name, i+1, a, b)
				}
			}
		}
	}
	_, err = s.GroupBy("flag").Summarise(ctx, "median(b)")
	wantError(t, err, frames.ErrSetting, "median")
	_, err = s.GroupBy("flag").Summarise(ctx, "b + 1")
	wantError(t, err, frames.ErrSetting, "not summarised")
	_, err = s.GroupBy("flagg").Summarise(ctx, "n()")
	wantError(t, err, frames.ErrNoColumn, "flag")
	_, err = s.GroupBy("flag").Summarise(ctx, "mean(`the group`)")
	wantError(t, err, frames.ErrNotNumeric)
}

func TestDescribeAndLook(t *testing.T) {
	df := nasty(t, 40_000)
	s, err := Frame(df)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Describe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Column("b")
	if err != nil {
		t.Fatal(err)
	}
	values, err := frames.Floats(df, "b")
	if err != nil {
		t.Fatal(err)
	}
	missing, low := 0, math.Inf(1)
	for _, v := range values {
		if math.IsNaN(v) {
			missing++
		} else {
			low = min(low, v)
		}
	}
	if d.Rows != 40_000 || b.Missing != missing || b.Min != low || math.Abs(b.Median-5) > .2 || math.Abs(b.SD-10/math.Sqrt(12)) > .05 {
		t.Errorf("%+v", b)
	}
	g, err := d.Column("the group")
	if err != nil || g.Distinct != 6 {
		t.Errorf("%+v, %v", g, err)
	}
	if text := d.String(); !strings.Contains(text, "sample of 16384 rows") || !strings.Contains(text, "6 distinct") {
		t.Error(text)
	}
	head, err := s.Head(ctx, 7)
	if err != nil || head.Nrow() != 7 || head.Elem(3, 0).Float() != df.Elem(3, 0).Float() {
		t.Errorf("%v, %v", head, err)
	}
	one, err := s.Sample(ctx, 500, 3)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Sample(ctx, 500, 3)
	if err != nil || one.Nrow() != 500 || !reflect.DeepEqual(one.Records(), again.Records()) {
		t.Errorf("%d rows, %v", one.Nrow(), err)
	}
	h, err := s.Histogram(ctx, "b", 10)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i := range h.Nrow() {
		sum += h.Elem(i, 2).Float()
	}
	if sum != float64(40_000-missing) {
		t.Errorf("%v values in the bins", sum)
	}
	grid, err := s.Scatter(ctx, "b", "a", 20)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, n := range grid.Counts {
		total += n
	}
	if total != 40_000-missing || grid.At(5, 1e9) < 100 || grid.At(50, 1e9) != 0 {
		t.Errorf("%d rows in the grid, %v in its middle", total, grid.At(5, 1e9))
	}
	_, err = s.Histogram(ctx, "the group", 10)
	wantError(t, err, frames.ErrNotNumeric)
}

// A condition keeps the rows that frames.Where keeps.
func TestWhere(t *testing.T) {
	df := nasty(t, blockRows+1000)
	s, err := Frame(df)
	if err != nil {
		t.Fatal(err)
	}
	for _, condition := range []string{"b > 5 & flag", "`the group` == \"A\" | is.na(b)", "day >= \"2024-06-01\"", "count %in% c(1, 3)"} {
		kept, err := frames.Where(df, condition)
		if err != nil {
			t.Fatal(err)
		}
		some, err := s.Where(ctx, condition)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := some.NRow(ctx); err != nil || n != kept.Nrow() {
			t.Errorf("%s: %d rows, want %d, %v", condition, n, kept.Nrow(), err)
		}
		d, err := some.Design(ctx, "y ~ a + count")
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Moments()
		if err != nil {
			t.Fatal(err)
		}
		want, err := frames.Design(kept, "y ~ a + count")
		if err != nil {
			t.Fatal(err)
		}
		m, err := want.Moments()
		if err != nil {
			t.Fatal(err)
		}
		sameMoments(t, condition, got, m, 1e-12)
	}
	_, err = s.Where(ctx, "b")
	wantError(t, err, frames.ErrSetting, "not a condition")
	_, err = s.Where(ctx, "bb > 1")
	wantError(t, err, frames.ErrNoColumn)
	_, err = s.Where(ctx, "b > mean(b)")
	wantError(t, err, frames.ErrSyntax)
	none, err := s.Where(ctx, "b > 1e9")
	if err != nil {
		t.Fatal(err)
	}
	d, err := none.Design(ctx, "y ~ a")
	if err == nil {
		_, err = d.Moments()
	}
	wantError(t, err, frames.ErrNoRows)
}

// Predictions are those of frames.Predict, and a design codes new rows as it was coded.
func TestPredict(t *testing.T) {
	df := nasty(t, blockRows+1000)
	s, err := Frame(df)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Design(ctx, "y ~ poly(b, 2)*flag + `the group` + poly(day, 2)")
	if err != nil {
		t.Fatal(err)
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := frames.Predict(fit, df)
	if err != nil {
		t.Fatal(err)
	}
	row := 0
	err = Predict(ctx, fit, s, func(first int, values []float64) error {
		for i, v := range values {
			if v != want[first+i] && !(math.IsNaN(v) && math.IsNaN(want[first+i])) {
				t.Fatalf("row %d: %v, want %v", first+i+1, v, want[first+i])
			}
		}
		row += len(values)
		return nil
	})
	if err != nil || row != len(want) {
		t.Errorf("%d rows of %d: %v", row, len(want), err)
	}
	like, err := DesignLike(ctx, d, s)
	if err != nil {
		t.Fatal(err)
	}
	got, err := like.Moments()
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Moments()
	if err != nil {
		t.Fatal(err)
	}
	sameMoments(t, "DesignLike", got, m, 1e-13)
	other, err := frames.With(df, "`the group` = \"new\"")
	if err != nil {
		t.Fatal(err)
	}
	strange, err := Frame(other)
	if err != nil {
		t.Fatal(err)
	}
	err = Predict(ctx, fit, strange, func(int, []float64) error { return nil })
	wantError(t, err, frames.ErrLevel, "new", "row 1")
	if like, err = DesignLike(ctx, d, strange); err != nil {
		t.Fatal(err)
	}
	_, err = like.Moments()
	wantError(t, err, frames.ErrLevel, "new")
}

func TestLimits(t *testing.T) {
	s, err := Frame(nasty(t, 5000))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Design(ctx, "y ~ `the group`", &DesignSettings{MaxLevels: 3})
	wantError(t, err, frames.ErrLevel, "more than 3 levels", "the group")
	_, err = s.Design(ctx, "y ~ ns(b, 4)", &DesignSettings{MaxValues: 1000})
	wantError(t, err, frames.ErrSetting, "more than 1000", "knots")
	_, err = s.Design(ctx, "y ~ a", &DesignSettings{Route: Pushed})
	wantError(t, err, frames.ErrSetting, "streamed")
	_, err = s.Design(ctx, "y ~ a", &DesignSettings{}, nil)
	wantError(t, err, frames.ErrSetting, "2 settings")
	var noContext context.Context
	_, err = s.Design(noContext, "y ~ a")
	wantError(t, err, frames.ErrSetting, "context")
	var none *Source
	_, err = none.Design(ctx, "y ~ a")
	wantError(t, err, frames.ErrNoRows, "nil")
	_, err = none.GroupBy("a").Count(ctx)
	wantError(t, err, frames.ErrNoRows)
	d, err := s.Design(ctx, "y ~ ns(b, knots = c(3, 6), Boundary.knots = c(0, 10))", &DesignSettings{MaxValues: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Moments(); err != nil || d.Route() != Streamed || !strings.Contains(d.String(), "streamed") {
		t.Errorf("%v, %v", d, err)
	}
}
