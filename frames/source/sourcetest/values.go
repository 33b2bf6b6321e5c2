package sourcetest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
)

// opens has another dialect refused, and a table that is not there.
func (h *harness) opens(t *testing.T) {
	for _, other := range []*source.Dialect{source.PostgreSQL, source.ClickHouse, source.SQLite, source.MariaDB} {
		if _, err := source.Open(ctx, h.db, other, "regbook_test_none"); other.Name != h.d.Name && err == nil {
			t.Errorf("the database is taken for one of %v", other)
		}
	}
	if _, err := source.Open(ctx, h.db, h.d, "regbook_test_none"); !errors.Is(err, source.ErrSource) {
		t.Errorf("a table that is not there: %v", err)
	}
}

// numbers are hard to keep: every digit, the ends of the range, and whole numbers that a float64 does not
// hold.
var (
	numbers = []float64{0, 1, -1, 0.1, 1.0 / 3, -2.0 / 3, 1e15 + 0.3, 123456789.123456789, 1e-5, 1e22, 5e-324, 2.2250738585072014e-308, math.MaxFloat64, -math.MaxFloat64, 1 << 53, math.Pi, math.E * 1e100, 4.35, 0.3, 9007199254740993 * 2}
	wholes  = []int{0, 1, -1, 1<<53 + 1, -(1<<53 + 1), math.MaxInt64, math.MinInt64 + 1, 1<<62 + 3, 42, 7}
)

// types has numbers, truth values, texts, dates and times come back as they were.
func (h *harness) types(t *testing.T) {
	n := 40
	row, x, k, yes := make([]int, n), make([]float64, n), make([]int, n), make([]bool, n)
	text, day, at := make([]string, n), make([]string, n), make([]string, n)
	for i := range n {
		row[i], x[i], k[i], yes[i] = i, numbers[i%len(numbers)], wholes[i%len(wholes)], i%3 == 0
		text[i] = hostile[i%len(hostile)]
		day[i] = fmt.Sprintf("%d-%02d-%02d", 1970+3*i%130, 1+i%12, 1+i%28)
		at[i] = fmt.Sprintf("%d-%02d-%02d %02d:%02d:%02d", 1970+3*i%130, 1+i%12, 1+i%28, i%24, 7*i%60, 13*i%60)
	}
	df := frame(t, frames.Col("row", row), frames.Col("x", x), frames.Col("k", k), frames.Col("yes", yes), frames.Col("text", text), frames.Col("day", day), frames.Col("at", at))
	got := must(frames.Sort(must(h.table(t, df).Head(ctx, n+1))(t), "row"))(t)
	same(t, got, df)
}

// same holds a frame to another to the bit; truth values may be 1 and 0.
func same(t *testing.T, got, want dataframe.DataFrame) {
	t.Helper()
	compare(t, "the frame", got, want, func(of series.Type, a, b series.Element) bool {
		switch of {
		case series.Bool:
			return a.Float() == b.Float()
		case series.Float:
			return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
		}
		return a.String() == b.String()
	})
}

// near holds numbers of a frame to those of another to 12 digits, and others to all.
func near(t *testing.T, what string, got, want dataframe.DataFrame) {
	t.Helper()
	compare(t, what, got, want, func(of series.Type, a, b series.Element) bool {
		if of == series.String {
			return a.String() == b.String()
		}
		return math.Abs(a.Float()-b.Float()) <= tolerance*math.Abs(b.Float())
	})
}

// compare holds the values of a frame to those of another, of a type, which are missing in both or equal.
func compare(t *testing.T, what string, got, want dataframe.DataFrame, equal func(of series.Type, a, b series.Element) bool) {
	t.Helper()
	if got.Nrow() != want.Nrow() || !slices.Equal(got.Names(), want.Names()) {
		t.Fatalf("%s: %d rows of %q, want %d of %q", what, got.Nrow(), got.Names(), want.Nrow(), want.Names())
	}
	for j, name := range want.Names() {
		for i := range want.Nrow() {
			a, b := got.Elem(i, j), want.Elem(i, j)
			if a.IsNA() != b.IsNA() || !a.IsNA() && !equal(want.Types()[j], a, b) {
				t.Errorf("%s: %s in row %d is %v, want %v", what, name, i+1, a, b)
			}
		}
	}
}

// missing has NULL and NaN be missing values by every route.
func (h *harness) missing(t *testing.T) {
	nan := math.NaN()
	df := frame(t, frames.Col("row", []int{0, 1, 2, 3, 4, 5, 6, 7}), frames.Col("y", []float64{1, 2, 4, nan, 3, 5, 7, 1}), frames.Col("x", []float64{nan, 1, 2, 3, 5, 8, 1, nan}),
		frames.Col("g", []string{"a", "b", "NaN", "a", "b", "a", "b", ""}), frames.Col("d", []string{"2024-01-01", "NaN", "2024-03-01", "2024-01-05", "2024-01-02", "2024-02-01", "2024-01-09", "2024-01-01"}))
	s := h.table(t, df)
	same(t, must(frames.Sort(must(s.Head(ctx, 9))(t), "row"))(t), df)
	for _, formula := range []string{"y ~ x", "y ~ g", "y ~ x + g + d"} {
		h.agree(t, s, df, formula, true)
	}
	for _, condition := range []string{"is.na(x)", "!is.na(y) & x > 1", "is.na(g) | y > 3", "x > 2", "g != \"a\"", "g == \"\""} {
		h.counted(t, s, df, condition)
	}
	h.described(t, s, df)
}

// hostile are names and levels that mean something to one database or another.
var hostile = []string{
	`x"; DROP TABLE victim; --`, `a'b`, `''`, `"`, "tick`tick", `back\slash`, `\'`, `\`, `ж, é 名`, `x.y`, `$1 ? :name @v`, `{x:Int8}`, `/*`, `#`, "two\nlines", "tab\there", `%s %d`, `NULL`, ` blank`, `select`,
}

// names has columns of any name.
func (h *harness) names(t *testing.T) {
	n, used := 40, 0
	for _, name := range hostile {
		if name = strings.TrimSpace(name); h.d.Reserved != nil && (h.d.Reserved(name) != "" || h.d.Reserved(name+" group") != "") {
			continue
		}
		used++
		x, y, g := make([]float64, n), make([]float64, n), make([]string, n)
		for i := range n {
			x[i], y[i], g[i] = float64(i*i%13), float64(i%7), hostile[i%len(hostile)]
		}
		df := frame(t, frames.Col("y", y), frames.Col(name, x), frames.Col(name+" group", g))
		s := h.table(t, df)
		h.agree(t, s, df, "y ~ "+word(name)+" + "+word(name+" group"), true)
		h.counted(t, s, df, word(name)+" > 4 & "+word(name+" group")+" != \""+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(hostile[3])+"\"")
	}
	if used < len(hostile)/2 {
		t.Errorf("only %d of %d names may be used", used, len(hostile))
	}
	if _, err := source.Open(ctx, h.db, h.d, `nothing"; DROP TABLE victim; --`); err == nil {
		t.Error("a table of a hostile name is there")
	}
}

// word writes a name in a formula.
func word(name string) string {
	return "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name) + "`"
}

// levels has texts compare by bytes, blanks and case included, and whole numbers beyond 2^53 by all digits.
func (h *harness) levels(t *testing.T) {
	all := append([]string{"a", "A", "a ", " a", "á", "Á", "ß", "ss"}, hostile...)
	n := 7 * len(all)
	y, g, k := make([]float64, n), make([]string, n), make([]int, n)
	for i := range n {
		y[i], g[i], k[i] = float64(i*i%11), all[i%len(all)], 1<<53+i%4
	}
	df := frame(t, frames.Col("y", y), frames.Col("g", g), frames.Col("k", k))
	s := h.table(t, df)
	h.agree(t, s, df, "y ~ g", true)
	h.agree(t, s, df, "y ~ factor(k)", true)
	for _, level := range all {
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(level)
		h.counted(t, s, df, "g == \""+quoted+"\"")
	}
	h.counted(t, s, df, fmt.Sprintf("k == %d", 1<<53+1))
	h.described(t, s, df)
}

// dates has dates and times be days, and their parts.
func (h *harness) dates(t *testing.T) {
	n := 200
	y, day, at := make([]float64, n), make([]string, n), make([]string, n)
	for i := range n {
		y[i] = float64(i * i % 17)
		day[i] = fmt.Sprintf("%d-%02d-%02d", 1990+i%40, 1+i%12, 1+i%28)
		at[i] = fmt.Sprintf("20%02d-%02d-%02d %02d:%02d:%02d", i%40, 1+i%12, 1+i%28, i%24, 7*i%60, 13*i%60)
	}
	df := frame(t, frames.Col("y", y), frames.Col("day", day), frames.Col("at", at))
	s := h.table(t, df)
	for _, formula := range []string{"y ~ day", "y ~ at", "y ~ year(day) + month(day) + weekday(day)", "y ~ yday(at) + day(at)", "y ~ hour(at)", "y ~ I(day - \"2000-03-01\")", "y ~ I(at >= \"2020-06-01\") + poly(day, 2)"} {
		h.agree(t, s, df, formula, false)
	}
	for _, condition := range []string{"day > \"2001-02-28\"", "at <= \"2012-02-29 12:30:00\"", "month(day) == 2", "weekday(at) == 1"} {
		h.counted(t, s, df, condition)
	}
	h.described(t, s, df)
}
