package frames

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// expressionsOfR reads testdata/expressions.json, written by R 4.2.2:
// LC_ALL=C Rscript expressions.R > expressions.json
func expressionsOfR(t *testing.T) (dataframe.DataFrame, []designOfR) {
	t.Helper()
	data := get(os.ReadFile("testdata/expressions.json"))(t)
	var ref reference
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	var cols []series.Series
	for _, name := range []string{"y", "a", "b", "k", "g", "h", "f"} {
		typ := series.Float
		switch ref.Data[name][0].(type) {
		case string:
			typ = series.String
		case bool:
			typ = series.Bool
		}
		cols = append(cols, series.New(ref.Data[name], typ, name))
	}
	return dataframe.New(cols...), ref.Designs
}

// Conditions, nesting and levels give the columns, the names and the rows of R.
func TestExpressionsLikeR(t *testing.T) {
	df, designs := expressionsOfR(t)
	likeR(t, df, designs)
	designTwice(t, df, designs)
}

// A bar between conditions is "or", whatever conditions they are.
func TestBarBetweenConditions(t *testing.T) {
	df := frame(t, Col("y", []float64{1, 2, 4, 3}), Col("x", []float64{1, 2, 3, 4}), Col("s", []string{"ab", "b", "b", "b"}))
	for _, formula := range []string{`y ~ grepl("a", s) | x > 3`, `y ~ I(grepl("a", s) | x > 3)`} {
		d := get(Design(df, formula))(t)
		if got := []float64{d.X.At(0, 0), d.X.At(1, 0), d.X.At(2, 0), d.X.At(3, 0)}; !slices.Equal(got, []float64{1, 0, 0, 1}) {
			t.Errorf("%s is %v", formula, got)
		}
	}
}

// The three values of R's logic: every table is R's, for example outer(v, v, "&")
// with v = c(TRUE, FALSE, NA).
func TestThreeValues(t *testing.T) {
	nan := math.NaN()
	df := frame(t, Col("p", []float64{1, 1, 1, 0, 0, 0, nan, nan, nan}), Col("q", []float64{1, 0, nan, 1, 0, nan, 1, 0, nan}))
	for _, test := range []struct{ expr, want string }{
		{"p & q", "TFNFFFNFN"}, {"p | q", "TTTTFNTNN"}, {"!p", "FFFTTTNNN"}, {"p == q", "TFNFTNNNN"}, {"p >= q", "TTNFTNNNN"},
		{"p %in% 1", "TTTFFFFFF"}, {"is.na(p)", "FFFFFFTTT"}, {"!p | q", "TFNTTTTNN"}, {"ifelse(p, q, FALSE) == 1", "TFNFFFNNN"},
		{"p & TRUE", "TTTFFFNNN"}, {"p == T", "TTTFFFNNN"},
	} {
		n := get(parseTree(test.expr))(t)
		e := evaluatorOf(df).in(test.expr)
		e.rows = allRows(9)
		c, err := e.evaluate(n)
		if err != nil {
			t.Fatalf("%s: %v", test.expr, err)
		}
		got := ""
		for i := range 9 {
			got += c.at(i)[:1]
		}
		if got != test.want || c.typ != series.Bool {
			t.Errorf("%s is %s of type %s, want %s", test.expr, got, c.typ, test.want)
		}
	}
}

// A level that is not listed is missing, in the training rows and in new ones,
// and the report says so; a level that was not seen is an error otherwise.
func TestListedLevels(t *testing.T) {
	df := frame(t, Col("y", []float64{1, 2, 3, 4, 6}), Col("a", []string{"mid", "lo", "hi", "lo", "other"}))
	d := get(Design(df, `y ~ factor(a, levels = c("lo", "mid", "hi"))`))(t)
	terms := TermsOf(d)
	if !slices.Equal(terms.Variables[0].Levels, []string{"lo", "mid", "hi"}) || !slices.Equal(d.RowNumbers, []int{1, 2, 3, 4}) {
		t.Errorf("levels %q, rows %v", terms.Variables[0].Levels, d.RowNumbers)
	}
	if len(terms.Missing) != 1 || terms.Missing[0].Count != 1 || terms.Omitted != 1 {
		t.Errorf("missing %v", terms.Missing)
	}
	like, err := DesignLike(d, frame(t, Col("a", []string{"new", "hi"})))
	if err != nil || !slices.Equal(like.RowNumbers, []int{2}) || like.X.At(0, 1) != 1 {
		t.Errorf("new rows %+v, %v", like, err)
	}
	d, err = Design(df, "y ~ factor(a, levels = unique(a))")
	if err != nil || !slices.Equal(TermsOf(d).Variables[0].Levels, []string{"mid", "lo", "hi", "other"}) {
		t.Fatalf("levels %q, %v", TermsOf(d).Variables[0].Levels, err)
	}
	_, err = DesignLike(d, frame(t, Col("a", []string{"lo", "new"})))
	wantError(t, err, ErrLevel, `level "new"`)
	if d, err = Design(df, `factor(a, levels = c("mid", "hi", "lo")) ~ I(y > 2)`); err != nil || !slices.Equal(d.Classes, []string{"mid", "hi", "lo"}) {
		t.Errorf("classes %q, %v", d.Classes, err)
	}
}

// A name that every row has of its own is not a predictor that the dot means.
func TestDotNamesTheColumnOfNames(t *testing.T) {
	df := frame(t, Col("mpg", []float64{21, 22.8, 18, 30}), Col("wt", []float64{2.6, 2.3, 3.4, 2}),
		Col("car model", []string{"Mazda RX4", "Datsun 710", "Valiant", "Fiat 128"}))
	_, err := Design(df, "mpg ~ .")
	wantError(t, err, ErrLevel, "the dot includes column \"car model\", whose text differs in each of 4 rows, such as \"Mazda RX4\"; leave it out: . - `car model`\n    mpg ~ .\n          ^")
	if _, err = Design(df, "mpg ~ . - `car model`"); err != nil {
		t.Error(err)
	}
	if _, err = Design(df, "mpg ~ wt + `car model`"); err != nil {
		t.Errorf("a column asked for by name: %v", err)
	}
}

// Only the branch that the test takes is computed, and values that are not
// finite count in the rows that are kept.
func TestIfelseLooksWhereItMust(t *testing.T) {
	df := frame(t, Col("y", []float64{1, 2, math.NaN(), 4}), Col("a", []float64{0, 1, -1, math.E}))
	d, err := Design(df, "y ~ ifelse(a > 0, log(a), -7)")
	if err != nil || !slices.Equal(d.X.RawMatrix().Data, []float64{-7, 0, 1}) {
		t.Errorf("%v, %v", d, err)
	}
	if d, err = Design(df, "y ~ I(a %in% 1 | sqrt(a) > 1)"); err != nil || d.NObs() != 3 {
		t.Errorf("row 3 is not kept, and its root is not asked for: %v", err)
	}
	_, err = Design(df, "~ I(a %in% 1 | sqrt(a) > 1)")
	wantError(t, err, ErrNotFinite, "sqrt(a) is NaN in row 3, where a = -1")
}

// New rows have a response that is computed with pi.
func TestResponseWithPi(t *testing.T) {
	df := frame(t, Col("y", []float64{1, 2, 3}), Col("a", []float64{1, 2, 4}))
	d := get(Design(df, "I(pi*y) ~ a"))(t)
	like, err := DesignLike(d, df)
	if err != nil || !slices.Equal(like.Y, d.Y) {
		t.Errorf("response %v, %v", like.Y, err)
	}
}
