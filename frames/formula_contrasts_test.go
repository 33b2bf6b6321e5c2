package frames_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// rLines are the lines of an analysis of variance, NaN where R has NA.
type rLines struct {
	Term      []string
	DF, SS, F []*float64
	P         []*float64
}

type contrastCase struct {
	Data, Formula, Weights string
	Names                  []string
	Sums, Squares          []float64
	Coef                   []*float64
	Anova, Drop1, All      json.RawMessage
	Type2, Type3           json.RawMessage
}

func contrastCases(t *testing.T) (map[string]dataframe.DataFrame, []contrastCase) {
	t.Helper()
	file, err := os.ReadFile("testdata/contrasts.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Data  map[string]map[string]json.RawMessage
		Cases []contrastCase
	}
	if err := json.Unmarshal(file, &all); err != nil {
		t.Fatal(err)
	}
	tables := map[string]dataframe.DataFrame{"exam": datasets.Exam()}
	for name, columns := range all.Data {
		var cols []series.Series
		for column, raw := range columns {
			var text []string
			var num []float64
			if json.Unmarshal(raw, &text) == nil {
				cols = append(cols, series.New(text, series.String, column))
			} else if err := json.Unmarshal(raw, &num); err != nil {
				t.Fatal(err)
			} else {
				cols = append(cols, series.New(num, series.Float, column))
			}
		}
		tables[name] = dataframe.New(cols...)
	}
	return tables, all.Cases
}

// checkLines holds lines to those of R, an empty list of which is "[]".
func checkLines(t *testing.T, what string, got []mlreg.AnovaRow, err error, raw json.RawMessage, scale float64) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	var want rLines
	if string(raw) != "[]" {
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != len(want.Term) {
		t.Errorf("%s: %d lines %v, R has %q", what, len(got), got, want.Term)
		return
	}
	number := func(v *float64) float64 {
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	near := func(a, b, rel, abs float64) bool {
		return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= abs+rel*math.Abs(b)
	}
	for i, g := range got {
		f, p := number(want.F[i]), number(want.P[i])
		if g.Term != want.Term[i] || g.DF != number(want.DF[i]) || !near(g.SumSq, number(want.SS[i]), 1e-9, 1e-11*scale) ||
			!near(g.F, f, 1e-9, 1e-10) || !near(g.P, p, 1e-7, 0) {
			t.Errorf("%s: %+v, R has %s df %v ss %v F %v p %v", what, g, want.Term[i], number(want.DF[i]), number(want.SS[i]), f, p)
		}
	}
}

// Coding of factors and tests of terms are those of R 4.2: model.matrix, lm, anova,
// drop1 and car's Anova.
func TestContrastsAgainstR(t *testing.T) {
	tables, cases := contrastCases(t)
	for _, c := range cases {
		what := c.Data + " " + c.Formula + " " + c.Weights
		f, err := frames.ParseFormula(c.Formula)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		d, err := f.Design(tables[c.Data], &frames.DesignSettings{Weights: c.Weights})
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		checkColumns(t, what, d, c)
		m, err := d.Moments()
		if err != nil {
			t.Fatal(err)
		}
		for _, data := range []mlreg.Data{d, m} {
			fit, err := mlreg.FitOLS(data, &mlreg.OLSSettings{Aliased: mlreg.DropAliased})
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			for j, b := range fit.Coef() {
				if (c.Coef[j] == nil) != math.IsNaN(b) || c.Coef[j] != nil && math.Abs(b-*c.Coef[j]) > 1e-9*(math.Abs(b)+1e-2) {
					t.Errorf("%s: coefficient %d is %v", what, j, b)
				}
			}
			what := what + " " + fit.Method()
			rows, err := fit.Anova()
			checkLines(t, what+" anova", rows, err, c.Anova, fit.TSS())
			rows, err = fit.DropTerms()
			checkLines(t, what+" drop1", rows, err, c.Drop1, fit.TSS())
			rows, err = fit.DropIgnoringMargins()
			checkLines(t, what+" drop1(. ~ .)", rows, err, c.All, fit.TSS())
			rows, err = fit.AnovaTypeII()
			if err == nil {
				rows = rows[:len(rows)-1]
			}
			checkLines(t, what+" type II", rows, err, c.Type2, fit.TSS())
			rows, err = fit.AnovaTypeIII()
			switch {
			case c.Type3 == nil:
				if !errors.Is(err, mlreg.ErrNotEstimable) {
					t.Errorf("%s: type III of aliased terms: %v", what, err)
				}
			case refused[c.Formula] != "":
				if !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), refused[c.Formula]) {
					t.Errorf("%s: type III: %v", what, err)
				}
			default:
				checkLines(t, what+" type III", rows, err, c.Type3, fit.TSS())
			}
		}
	}
}

// refused are the formulas whose type III tests are at a reference level.
var refused = map[string]string{
	"breaks ~ wool*tension":             `"wool" would be about tension = "H" only`,
	"breaks ~ C(wool, Sum)*tension":     `"C(wool, Sum)" would be about tension = "H" only`,
	"breaks ~ C(wool, Sum)*tension - 1": `"C(wool, Sum)" would be about tension = "H" only`,
	"len ~ supp*dose":                   `"dose" would be about supp = "OJ" only`,
}

// checkColumns compares names, and sums of every column and of its squares, each
// row times its number.
func checkColumns(t *testing.T, what string, d *mlreg.Design, c contrastCase) {
	t.Helper()
	names, first := c.Names, 0
	if names[0] == "(Intercept)" {
		names, first = names[1:], 1
	}
	if !slices.Equal(d.Names, names) {
		t.Errorf("%s: columns %q, R has %q", what, d.Names, names)
		return
	}
	for j := range names {
		var sum, squares float64
		for i := range d.NObs() {
			x := d.X.At(i, j)
			sum += float64(i+1) * x
			squares += float64(i+1) * x * x
		}
		if math.Abs(sum-c.Sums[j+first]) > 1e-12*(math.Abs(sum)+squares) || math.Abs(squares-c.Squares[j+first]) > 1e-12*squares {
			t.Errorf("%s: column %q has sums %v and %v, in R %v and %v", what, names[j], sum, squares, c.Sums[j+first], c.Squares[j+first])
		}
	}
}

// looms are rows of three factors, one of numbers and one of truth values.
func looms(t *testing.T) dataframe.DataFrame {
	t.Helper()
	df, err := frames.Frame(
		frames.Col("y", []float64{3, 1, 4, 1, 5, 9, 2, 6}), frames.Col("g", []string{"a", "b", "c", "d", "d", "c", "b", "a"}),
		frames.Col("k", []float64{10, 2, 10, 2, 2, 7, 7, 10}), frames.Col("f", []bool{true, false, true, true, false, false, true, false}))
	if err != nil {
		t.Fatal(err)
	}
	return df
}

// All spellings of a coding make the same columns, new rows are coded as the
// training rows were, and the setting codes what the formula does not.
func TestContrastSpellings(t *testing.T) {
	df := looms(t)
	design := func(formula string, c frames.Contrasts) *mlreg.Design {
		t.Helper()
		f, err := frames.ParseFormula(formula)
		if err != nil {
			t.Fatal(err)
		}
		d, err := f.Design(df, &frames.DesignSettings{Contrasts: c})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, same := range [][]string{
		{"y ~ C(g, Sum)", "y ~ C(g, sum)", "y ~ C(g, contr.sum)", "y ~ C(factor(g), contrasts = Sum)", `y ~ C(g, "contr.sum")`},
		{"y ~ g", "y ~ C(g)", "y ~ C(g, Treatment)", `y ~ C(g, Treatment("a"))`},
		{`y ~ factor(g, ref = "c")`, `y ~ C(g, Treatment("c"))`, `y ~ C(g, Treatment(reference = "c"))`, `y ~ C(relevel(g, ref = "c"))`, `y ~ C(factor(g, ref = "c"), contr.treatment)`},
		{"y ~ factor(k)", "y ~ C(k)"},
		{`y ~ C(factor(g, levels = c("c", "a", "d", "b")), Poly)`, `y ~ C(factor(g, c("c", "a", "d", "b")), contr.poly)`},
		{"y ~ factor(k > 5)", "y ~ C(k > 5)", "y ~ C(k > 5, Treatment(FALSE))"},
	} {
		first := design(same[0], frames.TreatmentContrasts)
		for _, formula := range same[1:] {
			d := design(formula, frames.TreatmentContrasts)
			if !slices.Equal(d.X.RawMatrix().Data, first.X.RawMatrix().Data) {
				t.Errorf("%s: %v, and %s: %v", formula, d.X.RawMatrix(), same[0], first.X.RawMatrix())
			}
			new, err := frames.DesignLike(d, df.Subset([]int{4, 2}))
			if err != nil || !slices.Equal(new.X.RawRowView(1), d.X.RawRowView(2)) {
				t.Errorf("%s: new rows %v, %v", formula, new, err)
			}
		}
	}
	all := design("y ~ g + factor(k) + f + C(g, Treatment):f", frames.SumContrasts)
	if want := []string{"g1", "g2", "g3", "factor(k)1", "factor(k)2", "f1"}; !slices.Equal(all.Names[:6], want) {
		t.Errorf("columns %q", all.Names)
	}
	if text := frames.TermsOf(all).String(); !strings.Contains(text, `g: Sum contrasts of the levels ["a" "b" "c" "d"]`) ||
		!strings.Contains(text, `C(g, Treatment): reference level "a"`) {
		t.Error(text)
	}
	if row := all.X.RawRowView(3); !slices.Equal(row[:6], []float64{-1, -1, -1, 1, 0, -1}) {
		t.Errorf("row 4: %v", row)
	}
	// With a:b, the coefficient of a is at the reference level of b; Sum has none.
	for formula, want := range map[string][]string{
		"y ~ factor(k)*f": {`f = "FALSE"`}, "y ~ factor(k)*C(f, Sum)": nil, "y ~ k*f": {`f = "FALSE"`}, "y ~ C(k, Sum) + f": nil, "y ~ factor(k)/f": {`f = "FALSE"`},
	} {
		if got := design(formula, frames.TreatmentContrasts).Coding.Groups()[0].Reference; !slices.Equal(got, want) {
			t.Errorf("%s: the first term is at %q, want %q", formula, got, want)
		}
	}
}

// Without the interaction there is no reference level to be at.
func TestTypeIIIOfSelectedTerms(t *testing.T) {
	d, err := frames.Design(looms(t), "y ~ k*f")
	if err != nil {
		t.Fatal(err)
	}
	part, err := d.Select("k", "fTRUE")
	if err != nil {
		t.Fatal(err)
	}
	fit, err := mlreg.FitOLS(part, nil)
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := fit.AnovaTypeIII(); err != nil || len(rows) != 3 {
		t.Errorf("%v, %v", rows, err)
	}
}

func TestContrastErrors(t *testing.T) {
	df := looms(t)
	for formula, want := range map[string]string{
		"y ~ C(g, Sun)":                 "contrasts of C are Treatment, Treatment(\"level\"), Sum, Helmert or Poly, not Sun; did you mean \"Sum\"?",
		"y ~ C(g, Sum(2))":              "not Sum(2)",
		"y ~ C(g, 2)":                   "not 2",
		"y ~ C(g, Treatment(\"x\"))":    `column "g" has no level "x"`,
		"y ~ C(g, base = 2)":            `C has no argument "base"`,
		"y ~ C()":                       `argument "x" is missing`,
		"y ~ relevel(C(g, Sum), \"b\")": "write it outside of relevel",
		"y ~ I(C(g, Sum) + 1)":          "gives columns",
	} {
		_, err := frames.Design(df, formula)
		var shown *frames.FormulaError
		if !errors.As(err, &shown) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", formula, err)
		}
	}
	f, err := frames.ParseFormula("y ~ g")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Design(df, &frames.DesignSettings{Contrasts: 9}); !errors.Is(err, frames.ErrSetting) || !strings.Contains(err.Error(), "9") {
		t.Error(err)
	}
	if got := frames.Contrasts(9).String() + frames.PolyContrasts.String(); got != "Contrasts(9)Poly" {
		t.Error(got)
	}
}
