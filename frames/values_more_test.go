package frames

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gota/gota/dataframe"
)

// Errors of functions of text and order name the place and the cure.
func TestValueErrors(t *testing.T) {
	df := frame(t, Col("s", []string{"12", "<0.5", "1,5"}), Col("x", []float64{1, 2.5, math.NaN()}), Col("d", []string{"2024-01-01", "3/4/2024", "2023-02-30"}))
	for src, says := range map[string]string{
		`v = as.numeric(s)`:                               "frames.Censored",
		`v = as.numeric(gsub("<", "", s))`:                `takes commas out`,
		`v = gsub("(", "", s)`:                            "no regular expression of Go's",
		`v = gsub("a(?=b)", "", s)`:                       "no regular expression of Go's",
		`v = sub("(a)", "$1", s)`:                         `a group of the pattern is \1`,
		`v = case_when(x > 1 ~ "a", TRUE ~ "b")`:          "conditions and values in turn",
		`v = case_when(x > 1, "a", "b")`:                  "conditions and values in turn",
		`v = recode(x, "1" = "one")`:                      "no new value for 2.5 of row 2",
		`v = recode(s, "12" = 12, "1,5" = "b")`:           "all of one kind",
		`v = recode(s)`:                                   "new values by the names of the old ones",
		`v = sprintf("%d", x)`:                            "is 2.5 in row 2",
		`v = sprintf("%d", s)`:                            "its place in the format is %s",
		`v = sprintf("%s and %s", s)`:                     "places for 2 values, and 1 are given",
		`v = sprintf("%k", s)`:                            "which sprintf does not know",
		`v = strsplit(s, ",", 0)`:                         "-1 for the last",
		`v = strsplit(s, ",")`:                            `argument "part" is missing`,
		`v = substr(s, "a", 2)`:                           "substr takes two places",
		`v = trimws(s, "middle")`:                         `which of trimws is one of`,
		`v = tolower(s, 1)`:                               "too many arguments",
		`v = toLower(s)`:                                  `did you mean "tolower"`,
		`v = floor_date(d, "month")`:                      "is not of dates",
		`v = floor_date("2024-01-01", "decade")`:          "unit of floor_date is one of",
		`v = dmy(d)`:                                      "in another order",
		`v = ymd(d)`:                                      `"3/4/2024" in row 2`,
		`v = as.Date(d, "%d/%m/%Y")`:                      "dmy(d)",
		`v = as.Date(x, origin = "1900")`:                 "from which Excel counts",
		`v = to_utc("2024-01-01", "Europe/Zuerich")`:      "not known",
		`v = to_utc("2024-10-27 02:30", "Europe/Zurich")`: "show twice",
		`v = to_utc("2024-03-31 02:30", "Europe/Zurich")`: "leave out",
		`v = rank(x, na.last = FALSE)`:                    "ranks missing values last",
		`v = lag(x, -1)`:                                  "lead ahead",
		`v = frollmean(x)`:                                `argument "n" is missing`,
		`v = round(s)`:                                    "text",
	} {
		_, err := With(df, src)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; it should say %q", src, err, says)
		}
	}
	for formula, says := range map[string]string{"x ~ cumsum(x)": "looks at other rows", "x ~ I(lag(s, 1) + 1)": "gives columns"} {
		if _, err := Design(df, formula); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; it should say %q", formula, err, says)
		}
	}
	if _, err := GroupBy(df, "s").Summarise("cumsum(x)"); !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), "a value for every row") {
		t.Errorf("Summarise of cumsum: %v", err)
	}
}

// A backslash that a pattern needs may be written once or, as in R, twice.
func TestBackslashes(t *testing.T) {
	df := frame(t, Col("s", []string{"a1b22"}))
	for _, src := range []string{`v = gsub("\d+", "#", s)`, `v = gsub("\\d+", "#", s)`, `v = gsub('[0-9]+', "#", s)`} {
		if got := get(With(df, src))(t).Col("v").Records()[0]; got != "a#b#" {
			t.Errorf("%s is %q", src, got)
		}
	}
	got := get(With(df, `v = paste("x\ty", "\"q\"", 'it\'s', sep = "\\")`))(t).Col("v").Records()[0]
	if want := "x\ty\\\"q\"\\it's"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Functions of text and choices give terms of formulas, in frames as in blocks of a source.
func TestValuesInFormulas(t *testing.T) {
	df := frame(t, Col("y", []float64{1, 2, 3, 5}), Col("g", []string{"A-1", "a-2", "B-1", "b-3"}), Col("day", []string{"2024-01-05", "2024-01-09", "2024-02-01", "2024-03-02"}))
	d := get(Design(df, `y ~ toupper(substr(g, 1, 1)) + nchar(g) + floor_date(day, "month") - 1`))(t)
	want := []string{"toupper(substr(g, 1, 1))A", "toupper(substr(g, 1, 1))B", "nchar(g)", `floor_date(day, "month")`}
	if !slices.Equal(d.Names, want) {
		t.Errorf("names %q", d.Names)
	}
	if got := d.X.At(2, 3) - d.X.At(0, 3); got != 31 { // January
		t.Errorf("months are %g days apart", got)
	}
	new := get(DesignLike(d, get(Where(df, "y > 2"))(t)))(t)
	if new.X.At(0, 3) != d.X.At(2, 3) {
		t.Errorf("new rows count from another day: %g, %g", new.X.At(0, 3), d.X.At(2, 3))
	}
}

// Distinct keeps first rows; Grouped.Where sees its group.
func TestDistinctAndFirst(t *testing.T) {
	df := frame(t, Col("g", []string{"b", "a", "b", "NaN", "a", "NaN"}), Col("x", []float64{1, 2, 3, 4, 2, 5}))
	for _, c := range []struct {
		what string
		get  func() ([]float64, error)
		want []float64
	}{
		{"Distinct(g)", func() ([]float64, error) { d, err := Distinct(df, "g"); return floatsOf(d, err, "x") }, []float64{1, 2, 4}},
		{"Distinct()", func() ([]float64, error) { d, err := Distinct(df); return floatsOf(d, err, "x") }, []float64{1, 2, 3, 4, 5}},
		{"row() == 1", func() ([]float64, error) {
			d, err := GroupBy(df, "g").Where("row() == 1")
			return floatsOf(d, err, "x")
		}, []float64{1, 2, 4}},
		{"x == max(x)", func() ([]float64, error) {
			d, err := GroupBy(df, "g").Where("x == max(x)")
			return floatsOf(d, err, "x")
		}, []float64{2, 3, 2, 5}},
		{"lag", func() ([]float64, error) {
			d, err := GroupBy(df, "g").Where("x > lag(x)")
			return floatsOf(d, err, "x")
		}, []float64{3, 5}},
	} {
		if got, err := c.get(); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.what, got, err, c.want)
		}
	}
}

func floatsOf(df dataframe.DataFrame, err error, name string) ([]float64, error) {
	if err != nil {
		return nil, err
	}
	return Floats(df, name)
}

// A missing name is the column NA, unless the text NA is a name, too.
func TestWiderOfMissingNames(t *testing.T) {
	long := frame(t, Col("id", []int{1, 1, 2}), Col("m", []string{"jan", "NaN", "NaN"}), Col("v", []float64{1, 2, 3}))
	wide := get(Wider(long, "m", "v"))(t)
	if got := wide.Names(); !slices.Equal(got, []string{"id", "jan", "NA"}) || wide.Elem(1, 2).Float() != 3 || !wide.Elem(1, 1).IsNA() {
		t.Errorf("%v", wide)
	}
	both := frame(t, Col("id", []int{1, 1}), Col("m", []string{"NA", "NaN"}), Col("v", []float64{1, 2}))
	if _, err := Wider(both, "m", "v"); !errors.Is(err, ErrSetting) {
		t.Errorf("%v", err)
	}
}

// Censored reads limits in all their forms, and names what is neither a number nor a limit.
func TestCensored(t *testing.T) {
	df := frame(t, Col("crp", []string{"1.5", "<0.5", "< 0.5", ">200", "≥ 3", "<=2", "NaN", " 7 "}), Col("k", []int{1, 2, 3, 4, 5, 6, 7, 8}))
	out := get(Censored(df, "crp", "k"))(t)
	if want := []string{"crp", "k", "crp_censored", "k_censored"}; !slices.Equal(out.Names(), want) {
		t.Fatalf("%q", out.Names())
	}
	values := get(Floats(out, "crp"))(t)
	for i, want := range []float64{1.5, .5, .5, 200, 3, 2, math.NaN(), 7} {
		if values[i] != want && !(values[i] != values[i] && want != want) {
			t.Errorf("row %d is %g, want %g", i+1, values[i], want)
		}
	}
	if got := get(copyColumn(out, "crp_censored"))(t); got.at(1) != "below" || got.at(3) != "above" || got.at(0) != "no" || !got.missing[6] {
		t.Errorf("%v", out)
	}
	for _, cell := range []string{"<abc", "0,5", "<"} {
		if _, err := Censored(frame(t, Col("crp", []string{"1", cell})), "crp"); !errors.Is(err, ErrNotNumeric) || !strings.Contains(err.Error(), "row 2") {
			t.Errorf("%q: %v", cell, err)
		}
	}
	if _, err := Censored(df, "crp", "crp"); !errors.Is(err, ErrSetting) {
		t.Errorf("twice: %v", err)
	}
}

// The hour that clocks repeat or leave out follows the rule that is named, and the way to UTC and back is the
// identity elsewhere.
func TestTimeZones(t *testing.T) {
	zurich := get(time.LoadLocation("Europe/Zurich"))(t)
	start := time.Date(2024, 10, 26, 22, 0, 0, 0, time.UTC)
	var shown, utc []string
	for k := range 10 {
		at := start.Add(time.Duration(k) * 30 * time.Minute)
		utc = append(utc, at.Format("2006-01-02 15:04:05"))
		shown = append(shown, at.In(zurich).Format("2006-01-02 15:04:05"))
	}
	df := frame(t, Col("local", shown), Col("utc", utc))
	out := get(With(df, `o = to_utc(local, "Europe/Zurich", repeated = "order")`, `f = to_utc(local, "Europe/Zurich", repeated = "first")`,
		`s = to_utc(local, "Europe/Zurich", repeated = "second")`, `back = from_utc(utc, "Europe/Zurich")`))(t)
	for i := range shown {
		if got := out.Col("o").Records()[i]; got != utc[i] {
			t.Errorf("row %d: %s is %s by the order of rows, want %s", i+1, shown[i], got, utc[i])
		}
		if got := out.Col("back").Records()[i]; got != shown[i] {
			t.Errorf("row %d: %s back is %s", i+1, utc[i], got)
		}
		f, s := out.Col("f").Records()[i], out.Col("s").Records()[i]
		if twice := strings.HasPrefix(shown[i], "2024-10-27 02"); (f != s) != twice || f != utc[i] && s != utc[i] {
			t.Errorf("row %d: %s is %s or %s", i+1, shown[i], f, s)
		}
	}
	gap := get(With(frame(t, Col("local", []string{"2024-03-31 01:30", "2024-03-31 02:30", "2024-03-31 03:30"})), `f = to_utc(local, "Europe/Zurich", skipped = "forward")`, `n = to_utc(local, "Europe/Zurich", skipped = "NA")`))(t)
	if got := gap.Col("f").Records(); !slices.Equal(got, []string{"2024-03-31 00:30:00", "2024-03-31 01:30:00", "2024-03-31 01:30:00"}) {
		t.Errorf("forward %q", got)
	}
	if !gap.Col("n").IsNaN()[1] || gap.Col("n").IsNaN()[2] {
		t.Errorf("%v", gap)
	}
}

// Remainders are exact, with the sign of the divisor, and so are whole quotients; integers keep all
// digits. A division by zero is an error as that of / is, and a term of a formula is as R names it.
func TestModulo(t *testing.T) {
	for _, c := range []struct{ a, b, rest, quotient float64 }{ // of R 4.2.2
		{1, .2, 0.19999999999999996, 4}, {-5, 3, 1, -2}, {5, -3, -1, -2}, {5.5, 2, 1.5, 2}, {-5, math.Inf(1), math.Inf(1), -1}, {5, math.Inf(1), 5, 0},
		{5, math.Inf(-1), math.Inf(-1), -1}, {-7.5, 2.5, 0, -3}, {1e15, 7, 6, 142857142857142}, {0.3, 0.1, 0.099999999999999978, 2}, {-1e-20, 3, 0, -1}, {0, -3, 0, 0},
	} {
		if r, q := apply("%%", c.a, c.b), apply("%/%", c.a, c.b); r != c.rest || q != c.quotient {
			t.Errorf("%g, %g: %g and %g, want %g and %g", c.a, c.b, r, q, c.rest, c.quotient)
		}
	}
	const big = 1<<62 + 3
	df := frame(t, Col("k", []int{big, -big, 7}), Col("z", []float64{2, 0, 1}), Col("y", []float64{1, 5, 2}))
	df = get(With(df, "r = k %% 1000000007", "q = k %/% 1000000007", "same = q * 1000000007 + r == k"))(t)
	if got := get(Floats(df, "same"))(t); !slices.Equal(got, []float64{1, 1, 1}) {
		t.Errorf("quotients and remainders give %v", df)
	}
	if _, err := With(df, "v = k %% z"); !errors.Is(err, ErrNotFinite) || !strings.Contains(err.Error(), "row 2") {
		t.Errorf("remainder of a division by 0: %v", err)
	}
	d := get(Design(df, "y ~ k%%2 + I(k %/% 3) + z:(k %% 4)"))(t)
	if want := []string{"k%%2", "I(k%/%3)", "z:k%%4"}; !slices.Equal(d.Names, want) {
		t.Errorf("terms %q, want %q", d.Names, want)
	}
}

// What a message says to write instead of a function of R or pandas can be written.
func TestForeignCures(t *testing.T) {
	df := frame(t, Col("a", []float64{1, 2}), Col("b", []float64{3, 2}), Col("x", []float64{1, 5}), Col("k", []int{1, 2}), Col("s", []string{"a-b", "c-d"}), Col("n", []string{"1", "2"}),
		Col("t", []string{"2024-01-31", "2024-02-01"}), Col("d", []string{"31/01/2024", "01/02/2024"}), Col("test", []bool{true, false}))
	constants := strings.NewReplacer("pattern", `"a"`, "by", `"b"`, "as.numeric(s,", "as.numeric(n,", "as.numeric(s)", "as.numeric(n)", "recode(x", "recode(s", "(yes", "(1", ", yes, no", ", a, b", "c1, v1, c2, v2, TRUE, v3", "a > 1, 1, b > 1, 2, TRUE, 3", "ymd(s)", "ymd(t)")
	n := 0
	for fn, says := range foreign {
		code, ok := strings.CutPrefix(says, "write ")
		if !ok || strings.HasPrefix(code, "frames.") {
			continue
		}
		for _, end := range []string{"; ", ", of ", ", where ", ", in ", ", the ", " of a ", " of conditions", " of dates", ", or ", ", frolls", ", lead", ", as.char", ", dmy"} {
			code, _, _ = strings.Cut(code, end)
		}
		n++
		if _, err := With(df, "v = "+constants.Replace(code)); err != nil {
			t.Errorf("%s: %v", fn, err)
		}
		if _, err := With(df, "v = "+fn+"(x)"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", fn, err, says)
		}
	}
	if n < 80 {
		t.Errorf("%d cures", n)
	}
}
