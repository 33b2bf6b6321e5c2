package frames

import (
	"bytes"
	"encoding/gob"
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

func TestFormulaErrors(t *testing.T) {
	df := frame(t,
		Col("lpsa", []float64{1, 2, 3, 4}), Col("lcavol", []float64{1, 0, -1, 2}), Col("age", []int{50, 60, 70, 80}),
		Col("svi", []string{"0", "1", "1", "x"}), Col("one", []string{"a", "a", "a", "a"}),
		Col("none", []float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()}),
		Col("huge", []float64{1, math.Inf(1), 2, 3}), Col("digits", []string{"1", "2", "3", "4"}),
		Col("two", []int{2, 2, 2, 2}), Col("net-price", []int{1, 2, 3, 4}), Col("comma", []string{"0,5", "7", "1.234,5", "-2,5"}))
	for _, test := range []struct {
		formula string
		kind    error
		message string // with the formula and the carets below it
	}{
		{"lpsa ~ lcavl + age", ErrNoColumn, `no column "lcavl" in the data; did you mean "lcavol"?
    lpsa ~ lcavl + age
           ^^^^^`},
		{"lspa ~ age", ErrNoColumn, `no column "lspa" in the data; did you mean "lpsa"?
    lspa ~ age
    ^^^^`},
		{"lpsa ~ age + log(lcavol + agee)", ErrNoColumn, `no column "agee" in the data; did you mean "age"?
    lpsa ~ age + log(lcavol + agee)
                              ^^^^`},
		{"lpsa ~ poly(aeg, 2)", ErrNoColumn, `no column "aeg" in the data; did you mean "age"?
    lpsa ~ poly(aeg, 2)
                ^^^`},
		{"lpsa ~ zzzzzzzz", ErrNoColumn, `no column "zzzzzzzz" in the data; there are lpsa, lcavol,`},
		{"lpsa ~ age +", ErrSyntax, `expected a column, a number or a function before the end of the formula
    lpsa ~ age +
                ^`},
		{"lpsa ~ age lcavol", ErrSyntax, `expected an operator such as + before "lcavol"
    lpsa ~ age lcavol
               ^^^^^^`},
		{"lpsa ~ (age + lcavol", ErrSyntax, `this parenthesis is not closed before the end of the formula
    lpsa ~ (age + lcavol
           ^`},
		{"lpsa ~ age ~ lcavol", ErrSyntax, "one ~\n    lpsa ~ age ~ lcavol\n               ^"},
		{"lpsa = age", ErrSyntax, "~"},
		{"lpsa + age", ErrSyntax, "this one has no ~"},
		{"", ErrSyntax, "expected a column"},
		{"lpsa ~", ErrSyntax, "expected a column"},
		{"~", ErrSyntax, "expected a column"},
		{"lpsa ~ age$x", ErrSyntax, "'$' has no meaning"},
		{"lpsa ~ `age", ErrSyntax, "the quote ` is not closed"},
		{"lpsa ~ 2", ErrSyntax, "the only numbers among terms are 0 and 1"},
		{"lpsa ~ age^2.5", ErrSyntax, "I(a^2)"},
		{"lpsa ~ lgo(age)", ErrSyntax, `no function "lgo"; did you mean "log"?
    lpsa ~ lgo(age)
           ^^^^^^^^`},
		{"lpsa ~ age − 1", ErrSyntax, "the character '−' has no meaning in a formula; write -"},
		{"lpsa ~ factor(svi, ref = “x”)", ErrSyntax, `; write "`},
		{"lpsa ~ lcavol + size (cm)", ErrSyntax, "no function \"size\"; a column of this name is written `size (cm)`, in backquotes"},
		{"lpsa ~ net-price", ErrNoColumn, "no column \"net\" in the data; did you mean `net-price`, in backquotes?"},
		{"lpsa ~ relevel(one)", ErrSyntax, `argument "ref" is missing: relevel(x, ref)`},
		{"lpsa ~ relevel(factor(log(age)), \"a\")", ErrLevel, `column "log(age)" has no level "a"`},
		{"lpsa ~ relevel(factor(2), \"a\")", ErrSyntax, "factor takes a column, not 2"},
		{"lpsa ~ as.factor(svi, ref = \"x\")", ErrSyntax, "as.factor has no argument \"ref\""},
		{"lpsa ~ pi", ErrNoColumn, `no column "pi"`},
		{"lpsa ~ scale(two, center = 3)", ErrSyntax, "center of scale is TRUE or FALSE, not 3"},
		{"lpsa ~ scale(two)", ErrSetting, "scale(two): the values do not vary"},
		{"lpsa ~ log(age, 2)", ErrSyntax, "log takes one number"},
		{"lpsa ~ log(poly(age, 2))", ErrSyntax, "poly gives columns"},
		{"lpsa ~ log(.)", ErrSyntax, "the dot stands for terms"},
		{"lpsa ~ lcavol:offset(age)", ErrSyntax, "after a plus sign"},
		{"lpsa ~ poly(age, 2.5)", ErrSyntax, "degree of poly is a whole number of at least 1, not 2.5"},
		{"lpsa ~ poly(age, degre = 2)", ErrSyntax, `poly has no argument "degre"; did you mean "degree"?`},
		{"lpsa ~ log(age, 2)", ErrSyntax, "log2(a)"},
		{"lpsa ~ np.log(age)", ErrSyntax, `no function "np.log"; did you mean "log"?`},
		{"lpsa ~ factor(svi) == 1", ErrSyntax, "a comparison takes the column itself, svi"},
		{"lpsa ~ poly(age, 1, raw = 3)", ErrSyntax, "raw of poly is TRUE or FALSE, not 3"},
		{"lpsa ~ poly(degree = 2)", ErrSyntax, `argument "x" is missing: poly(x, degree, raw)`},
		{"lpsa ~ poly(age, 2, TRUE, 4)", ErrSyntax, "too many arguments for poly(x, degree, raw)"},
		{"lpsa ~ poly(age, degree = 1, degree = 2)", ErrSyntax, "given twice"},
		{"lpsa ~ factor(poly(age, 2))", ErrSyntax, "poly gives columns, not a number"},
		{"lpsa ~ factor(svi, \"x\")", ErrSyntax, `levels of factor has one level only; set the reference level by ref = "x"`},
		{"lpsa ~ factor(age, levels = unique(svi))", ErrSyntax, "unique(age) for their order in the rows, not unique(svi)"},
		{"lpsa ~ factor(age, levels = c(50, 50))", ErrSyntax, `levels of factor has "50" twice`},
		{"lpsa ~ factor(one, levels = c(\"aa\", \"a\"))", ErrLevel, `one has no row of level "aa"; did you mean "a"?`},
		{"lpsa ~ factor(age, levels = c(50, 61))", ErrLevel, `age has no row of level "61"; did you mean "60"?`},
		{"lpsa ~ s(age)", ErrSyntax, "smooth term of mgcv; a spline of fixed degrees of freedom is ns(a, 4)"},
		{"lpsa ~ Z(age)", ErrSyntax, `no function "Z"; there are C, I, abs`},
		{"lpsa ~ (1 | svi)", ErrSyntax, "random effect in lme4, which formulas do not have; for the condition write I(1 | svi)\n    lpsa ~ (1 | svi)\n            ^^^^^^^"},
		{"lpsa ~ svi %in% c(\"x\")", ErrSyntax, "as a term, %in% nests terms; for a test of membership write I(svi %in% c(\"x\"))"},
		{"lpsa ~ I(svi %in% one)", ErrSyntax, "a set of %in% lists texts and numbers, such as c(\"a\", \"b\") or 1:3, not one\n    lpsa ~ I(svi %in% one)\n                      ^^^"},
		{"lpsa ~ I(50 < age < 70)", ErrSyntax, "comparisons do not chain; join two with &, such as a > 2 & a < 5"},
		{"lpsa ~ I(age = 50)", ErrSyntax, "I takes one number; the comparison is =="},
		{"lpsa ~ I(age<-50)", ErrSyntax, "less than a negative number is written a < -1"},
		{"lpsa ~ I(age => 50)", ErrSyntax, "=> has no meaning in a formula; at least is >="},
		{"lpsa ~ I(age ≥ 50)", ErrSyntax, "write >="},
		{"lpsa ~ I(age > 50 && lcavol > 0)", ErrSyntax, "&& has no meaning in a formula; and, row by row, is &"},
		{"lpsa ~ I(age % 2)", ErrSyntax, "a %% b for the remainder"},
		{"lpsa ~ I(age // 2)", ErrSyntax, "the whole quotient is %/%"},
		{"lpsa ~ I(svi > 1)", ErrNotNumeric, "svi > 1 compares text with numbers, which cannot be ordered"},
		{"lpsa ~ I(age == \"old\")", ErrNotNumeric, `age is a number; it never equals the text "old"`},
		{"lpsa ~ I(svi == \"y\")", ErrLevel, `factor I(svi == "y") has one level only, "FALSE"; column "svi" has no "y"`},
		{"lpsa ~ I(age > 100)", ErrLevel, `factor I(age > 100) has one level only, "FALSE"; leave it out`},
		{"lpsa ~ I(agee > 100)", ErrNoColumn, "did you mean \"age\"?\n    lpsa ~ I(agee > 100)\n             ^^^^"},
		{"lpsa ~ I(svi & age)", ErrNotNumeric, `column "svi" is text, though`},
		{"lpsa ~ I(log(lcavol) > 0)", ErrNotFinite, "log(lcavol) is -Inf in row 2, where lcavol = 0"},
		{"lpsa ~ ifelse(lcavol > 0, 1)", ErrSyntax, "ifelse takes a condition and two values"},
		{"lpsa ~ log(ifelse(lcavol > 0, \"a\", \"b\"))", ErrNotNumeric, "is text, not a number"},
		{"lpsa ~ I(age == NA)", ErrNoColumn, "is.na(a)"},
		{"lpsa ~ TRUE", ErrSyntax, "not a term"},
		{"lpsa ~ I(one)", ErrLevel, `factor I(one) has one level only`},
		{"lpsa ~ factor(svi, ref = b)", ErrSyntax, "level in quotes"},
		{"lpsa ~ I(age:lcavol)", ErrSyntax, ": joins terms"},
		{"lpsa ~ \"age\"", ErrSyntax, "backquotes"},
		{"lpsa ~ 1e999", ErrSyntax, "out of range"},
		{"lpsa ~ 0", ErrSyntax, "neither terms nor an intercept"},
		{"lpsa ~ age - 1 - age", ErrSyntax, "neither terms nor an intercept"},
		{"lpsa ~ " + strings.Repeat("(", 1000) + "age" + strings.Repeat(")", 1000), ErrSyntax, "too deeply"},
		{"lpsa ~ log(svi)", ErrNotNumeric, `column "svi" is text, though 3 of its 4 values are numbers: row 4 has "x"
    lpsa ~ log(svi)
               ^^^`},
		{"svi ~ age", ErrNotNumeric, `row 4 has "x"`},
		{"lpsa ~ age + svi", ErrNotNumeric, `column "svi" is text, though 3 of its 4 values are numbers: row 4 has "x"; to use it as a factor, write factor(svi)
    lpsa ~ age + svi
                 ^^^`},
		{"lpsa ~ comma", ErrNotNumeric, `column "comma" is text: row 1 has "0,5"; if these are numbers, read the file with Decimal or Thousands set; to use it as a factor, write factor(comma)`},
		{"lpsa ~ log(digits)", ErrNotNumeric, "read it as numbers"},
		{"lpsa ~ age + log(lcavol)", ErrNotFinite, `log(lcavol) is -Inf in row 2, where lcavol = 0
    lpsa ~ age + log(lcavol)
                 ^^^^^^^^^^^`},
		{"log(lcavol) ~ age", ErrNotFinite, "log(lcavol) is -Inf in row 2, where lcavol = 0"},
		{"lpsa ~ I(age/lcavol)", ErrNotFinite, "age/lcavol is +Inf in row 2, where age = 60, lcavol = 0"},
		{"lpsa ~ sqrt(lcavol)", ErrNotFinite, "NaN in row 3, where lcavol = -1"},
		{"lpsa ~ exp(age^3)", ErrNotFinite, "exp(age^3) is +Inf in row 1"},
		{"lpsa ~ huge", ErrNotFinite, "huge is +Inf in row 2"},
		{"lpsa ~ log(one)", ErrNotNumeric, `column "one" is text, not numbers: row 1 has "a"`},
		{"lpsa ~ none", ErrMissing, `column "none" has no values: all 4 are missing
    lpsa ~ none
           ^^^^`},
		{"lpsa ~ .", ErrMissing, "none"},
		{"lpsa ~ age + lpsa", ErrResponse, `the response lpsa is also a predictor: lpsa
    lpsa ~ age + lpsa
                 ^^^^`},
		{"lpsa ~ age + age:lpsa", ErrResponse, "also a predictor"},
		{"log(lpsa) ~ lpsa", ErrResponse, "also a predictor"},
		{"lpsa ~ poly(lpsa, 2)", ErrResponse, "also a predictor"},
		{"lpsa ~ one", ErrLevel, `factor one has one level only, "a"`},
		{"lpsa ~ factor(svi, ref = \"2\")", ErrLevel, `column "svi" has no level "2"`},
		{"lpsa ~ poly(age, 4)", ErrSetting, `a polynomial of degree 4 needs more than 4 distinct values; there are 4
    lpsa ~ poly(age, 4)
           ^^^^^^^^^^^^`},
	} {
		t.Run(test.formula[:min(30, len(test.formula))], func(t *testing.T) {
			_, err := Design(df, test.formula)
			wantError(t, err, test.kind, test.message)
		})
	}
}

func TestFormulaErrorShowsTheLine(t *testing.T) {
	_, err := Design(frame(t, Col("y", []float64{1, 2}), Col("é", []float64{1, 2})), "y ~ é +\n\té:x")
	var shown *FormulaError
	if !errors.As(err, &shown) || !strings.HasSuffix(err.Error(), "\n    \té:x\n    \t  ^") {
		t.Errorf("%v", err)
	}
}

func TestMissingValues(t *testing.T) {
	nan := math.NaN()
	df := frame(t, Col("y", []float64{1, 2, 3, nan, 5}), Col("a", []float64{1, nan, 4, 2, 9}),
		Col("g", []string{"u", "v", "NaN", "u", "v"}), Col("unused", []float64{nan, nan, nan, nan, 1}))
	d := get(Design(df, "y ~ a + g"))(t)
	terms := TermsOf(d)
	if !slices.Equal(d.RowNumbers, []int{1, 5}) || terms.Omitted != 3 || terms.N != 5 {
		t.Errorf("rows %v, %d omitted of %d", d.RowNumbers, terms.Omitted, terms.N)
	}
	if !slices.Equal(terms.Missing, []MissingCount{{"y", 1}, {"a", 1}, {"g", 1}}) {
		t.Errorf("missing %v", terms.Missing)
	}
	if !slices.Equal(d.Y, []float64{1, 5}) || d.X.At(1, 0) != 9 || d.X.At(1, 1) != 1 {
		t.Errorf("y %v, X %v", d.Y, d.X.RawMatrix().Data)
	}
	f := get(ParseFormula("y ~ a + g"))(t)
	_, err := f.Design(df, &DesignSettings{NA: NAError})
	wantError(t, err, ErrMissing, `column "a" is missing in row 2`, "y 1, a 1, g 1")
	_, err = Design(frame(t, Col("y", []float64{1, nan}), Col("a", []float64{nan, 1})), "y ~ a")
	wantError(t, err, ErrNoRows, "none of the 2 rows is complete; missing values: y 1, a 1")
	_, err = Design(df.Subset([]int{}), "y ~ a")
	wantError(t, err, ErrNoRows)
}

// Rows are named as in the frame, also those of a part or a resample.
func TestRowNames(t *testing.T) {
	nan := math.NaN()
	df := frame(t, Col("y", []float64{1, nan, 3, 4, 5}), Col("a", []float64{2, 3, 4, nan, 9}))
	d := get(Design(df, "y ~ a"))(t)
	for _, c := range []struct {
		d    *mlreg.Design
		want []string
	}{
		{d, []string{"1", "3", "5"}},
		{d.Rows(1, 2), []string{"3", "5"}},
		{d.Rows(2, 2, 0).Rows(0, 1), []string{"5", "5"}},
		{&mlreg.Design{X: mat.NewDense(2, 1, nil)}, []string{"1", "2"}},
	} {
		if names := c.d.RowNames(); !slices.Equal(names, c.want) {
			t.Errorf("names %q, want %q", names, c.want)
		}
	}
}

// Fits know how many rows were omitted, as long as the data are those of the
// frame.
func TestOmitted(t *testing.T) {
	nan := math.NaN()
	d := get(Design(frame(t, Col("y", []float64{1, nan, 3, 2, 5, 4}), Col("a", []float64{2, 3, 4, nan, 9, 1}),
		Col("c", []bool{true, false, false, true, true, false})), "y ~ a"))(t)
	m := get(d.Moments())(t)
	both := get(m.Merge(m))(t)
	for _, c := range []struct {
		data mlreg.Data
		want int
	}{{d, 2}, {m, 2}, {both, 4}, {d.Rows(0, 1, 2), 0}} {
		fit, err := mlreg.FitOLS(c.data, nil)
		if err != nil || fit.Omitted() != c.want {
			t.Errorf("%d omitted, want %d; %v", fit.Omitted(), c.want, err)
		}
	}
	d = get(Design(frame(t, Col("a", []float64{2, 3, 4, nan, 9, 1}), Col("c", []bool{true, false, true, true, false, false})), "c ~ a"))(t)
	logit, err := mlreg.FitLogistic(d, nil)
	if err != nil || logit.Omitted() != 1 {
		t.Errorf("%d omitted; %v", logit.Omitted(), err)
	}
}

// R 4.2.2: f <- lm(lpsa ~ lcavol + poly(age, 2) + factor(gleason) + svi:lcp, read.csv("prostate.csv")),
// columns Df, Sum Sq and Pr(>F) of anova(f) and of drop1(f, test = "F"). R drops
// each of them, since none is in the margin of another.
func TestGroupsLikeR(t *testing.T) {
	d := get(Design(prostate(t), "lpsa ~ lcavol + poly(age, 2) + factor(gleason) + svi:lcp"))(t)
	fit := get(mlreg.FitOLS(d, nil))(t)
	sequential := get(fit.Anova())(t)
	m := get(d.Moments())(t)
	ofSums := get(mlreg.FitOLS(m, nil))(t)
	dropped := get(ofSums.DropTerms())(t)
	type line struct {
		term         string
		df, sumSq, p float64
	}
	check := func(what string, got []mlreg.AnovaRow, want []line) {
		for i, w := range want {
			g := got[i]
			if g.Term != w.term || g.DF != w.df || math.Abs(g.SumSq-w.sumSq) > 1e-13*69 || math.Abs(g.P-w.p) > 1e-11*w.p {
				t.Errorf("%s: %+v, R has %+v", what, g, w)
			}
		}
	}
	check("anova", sequential, []line{
		{"lcavol", 1, 69.002874830277449, 1.34510952218489e-17},
		{"poly(age, 2)", 2, 0.976934286804524, 4.49979914396565e-01},
		{"factor(gleason)", 3, 3.082012158073149, 1.73888139664599e-01},
		{"svi:lcp", 1, 0.902359442770484, 2.25671676360290e-01},
	})
	check("drop1", dropped, []line{
		{"lcavol", 1, 28.408835290247183, 9.40730666569202e-10},
		{"poly(age, 2)", 2, 0.924372016856715, 4.69564121391391e-01},
		{"factor(gleason)", 3, 2.768496342296174, 2.14232495962461e-01},
		{"svi:lcp", 1, 0.902359442770489, 2.25671676360288e-01},
	})
	if len(dropped) != 4 || len(sequential) != 5 {
		t.Errorf("%d and %d lines", len(dropped), len(sequential))
	}
}

// R 4.2.2: m <- lm(lpsa ~ lcavol + lweight + poly(age, 2) + lbph + svi + lcp +
// factor(gleason) + pgg45, read.csv("prostate.csv")); step(m, direction =
// "backward")$anova, and the p-value of factor(gleason) in drop1(m, test = "F").
func TestStepwiseGroupsLikeR(t *testing.T) {
	d := get(Design(prostate(t), "lpsa ~ lcavol + lweight + poly(age, 2) + lbph + svi + lcp + factor(gleason) + pgg45"))(t)
	back := get(mlreg.FitStepwise(d, &mlreg.StepwiseSettings{Direction: mlreg.Backward}))(t)
	steps := back.Steps()
	for i, want := range []struct {
		term         string
		df           int
		rss, fallAIC float64
	}{
		{"", 0, 41.5476738362035, 0},
		{"factor(gleason)", 3, 42.8844927731164, -61.1714670984844 + 58.2433360153648},
		{"lcp", 1, 43.5209971835899, -61.7423439102560 + 61.1714670984844},
		{"pgg45", 1, 44.1906153229871, -62.2612578923608 + 61.7423439102560},
		{"poly(age, 2)", 2, 45.5954721504388, -63.2255485003841 + 62.2612578923608},
	} {
		s := steps[i]
		if s.Change.Term != want.term || s.Change.DF != want.df || math.Abs(s.Model.RSS-want.rss) > 1e-11 {
			t.Errorf("step %d: %+v of RSS %v, R has %+v", i, s.Change, s.Model.RSS, want)
		}
		if i > 0 && math.Abs(s.Value-steps[i-1].Value-want.fallAIC) > 1e-11 {
			t.Errorf("step %d: AIC changes by %v, R has %v", i, s.Value-steps[i-1].Value, want.fallAIC)
		}
	}
	if terms := back.Final().Terms; len(steps) != 5 || !slices.Equal(terms, []string{"lcavol", "lweight", "lbph", "svi"}) {
		t.Errorf("%d steps to %q", len(steps), terms)
	}
	for _, c := range steps[0].Considered {
		if c.Term == "factor(gleason)" && math.Abs(c.P-0.438944194732927) > 1e-10 {
			t.Errorf("p-value of factor(gleason): %v", c.P)
		}
	}

	// Forward, the groups come in as wholes, as far as they are independent.
	forward := get(mlreg.FitStepwise(d, &mlreg.StepwiseSettings{Criterion: mlreg.ByRSS, Always: []string{"poly(age, 2)"}, Start: []string{"factor(gleason)"}}))(t)
	if first := forward.Steps()[0].Model.Terms; len(first) != 5 || len(forward.Steps()) != 7 || forward.Final().Size() != 11 {
		t.Errorf("%q at first, %d steps, %d terms at last", first, len(forward.Steps()), forward.Final().Size())
	}
	// Without groups the columns do, and a selection of columns keeps its groups.
	alone := get(mlreg.FitStepwise(d, &mlreg.StepwiseSettings{Direction: mlreg.Backward, Groups: []mlreg.TermGroup{}}))(t)
	if len(alone.Steps()) < 6 {
		t.Errorf("%d steps of columns", len(alone.Steps()))
	}
	some := get(d.Select("svi", "factor(gleason)8", "factor(gleason)9", "lcavol", "factor(gleason)7"))(t)
	fit := get(mlreg.FitOLS(some, nil))(t)
	rows, err := fit.Anova()
	if err != nil || len(rows) != 5 || rows[1].DF != 2 || rows[3].Term != "factor(gleason)" || rows[3].DF != 1 {
		t.Errorf("%+v, %v", rows, err)
	}
	for _, bad := range []struct {
		groups []mlreg.TermGroup
		kind   error
		says   string
	}{
		{[]mlreg.TermGroup{{Name: "a", Terms: []string{"lcavol", "age"}}}, mlreg.ErrShape, `group "a": no term "age"`},
		{[]mlreg.TermGroup{{Name: "a", Terms: []string{"lcavol", "svi"}}, {Name: "b", Terms: []string{"svi"}}}, mlreg.ErrSetting, `"svi" is in the groups "a" and "b"`},
	} {
		_, err := mlreg.FitStepwise(d, &mlreg.StepwiseSettings{Groups: bad.groups})
		wantError(t, err, bad.kind, bad.says)
	}
}

// A term stays as long as an interaction with it does, and comes before it.
// R 4.2.2: m <- lm(lpsa ~ lcavol*svi + age*lweight + lcavol:factor(gleason) +
// factor(gleason) + lbph:svi + lbph, d); step(m, direction = "backward")$anova and
// step(lm(lpsa ~ 1, d), scope = formula(m))$anova.
func TestStepwiseMarginsLikeR(t *testing.T) {
	d := get(Design(prostate(t), "lpsa ~ lcavol*svi + age*lweight + lcavol:factor(gleason) + factor(gleason) + lbph:svi + lbph"))(t)
	for _, c := range []struct {
		direction mlreg.Direction
		changes   []string
		rss       float64
	}{
		{mlreg.Backward, []string{"lcavol:factor(gleason)", "factor(gleason)", "lcavol:svi", "age:lweight"}, 43.0680860393969},
		{mlreg.Bidirectional, []string{"lcavol", "lweight", "svi", "lbph", "svi:lbph", "age"}, 43.0680860393969},
	} {
		steps := get(mlreg.FitStepwise(d, &mlreg.StepwiseSettings{Direction: c.direction}))(t)
		var changes []string
		for _, s := range steps.Steps()[1:] {
			changes = append(changes, s.Change.Term)
		}
		if !slices.Equal(changes, c.changes) || math.Abs(steps.Final().RSS-c.rss) > 1e-11 {
			t.Errorf("%v: %q to RSS %v, R has %q to %v", c.direction, changes, steps.Final().RSS, c.changes, c.rss)
		}
	}
}

func TestWeights(t *testing.T) {
	df := frame(t, Col("y", []float64{1, 2, 3}), Col("a", []float64{3, 1, 2}), Col("w", []float64{1, 0, 2}), Col("bad", []float64{1, -1, 2}))
	f := get(ParseFormula("y ~ . - bad"))(t)
	d := get(f.Design(df, &DesignSettings{Weights: "w"}))(t)
	if !slices.Equal(d.Weights, []float64{1, 0, 2}) || !slices.Equal(d.Names, []string{"a"}) {
		t.Errorf("weights %v, terms %q", d.Weights, d.Names)
	}
	if one, err := Design(df, "y ~ .", &DesignSettings{Weights: "w"}); err != nil || !slices.Equal(one.Weights, d.Weights) {
		t.Errorf("in one call: %v, %v", one, err)
	}
	_, err := Design(df, "y ~ a", nil, nil)
	wantError(t, err, ErrSetting, "2 settings")
	_, err = f.Design(df, &DesignSettings{Weights: "ww"})
	wantError(t, err, ErrNoColumn, `did you mean "w"?`)
	_, err = f.Design(df, &DesignSettings{Weights: "bad"})
	wantError(t, err, ErrSetting, `weight "bad" is -1 in row 2`)
	like, err := DesignLike(d, df.Drop("w"))
	if err != nil || like.Weights != nil {
		t.Errorf("weights of rows without the column: %v, %v", like, err)
	}
}

// The formula of the intercept alone knows its rows without a column.
func TestInterceptAlone(t *testing.T) {
	df := frame(t, Col("y", []float64{1, 2, math.NaN(), 8, 4}), Col("a", []float64{1, 2, 3, 5, 8}), Col("w", []float64{1, 1, 1, 2, 3}))
	for _, text := range []string{"y ~ 1", "y ~ a - a"} {
		f := get(ParseFormula(text))(t)
		d := get(f.Design(df, &DesignSettings{Weights: "w"}))(t)
		fit := get(mlreg.FitOLS(d, nil))(t)
		if !slices.Equal(fit.Names(), []string{"(Intercept)"}) || math.Abs(fit.Intercept()-31./7) > 1e-15 {
			t.Errorf("%s: %v = %v", text, fit.Names(), fit.Coef())
		}
		if got := TermsOf(d); got.Formula != "y ~ 1" || got.Omitted != 1 {
			t.Errorf("%s: %v", text, got)
		}
		rows, err := DesignLike(d, df.Select([]string{"a"}))
		if err != nil || rows.NObs() != 5 || rows.Y != nil {
			t.Fatalf("%s: new rows: %+v, %v", text, rows, err)
		}
		yhat, err := fit.Predict(rows)
		if err != nil || len(yhat) != 5 || yhat[2] != fit.Intercept() {
			t.Errorf("%s: predictions %v, %v", text, yhat, err)
		}
		tidy, err := Tidy(fit, 0.95)
		if err != nil || tidy.Nrow() != 1 {
			t.Errorf("%s: tidy %v, %v", text, tidy, err)
		}
		glance, err := Glance(fit)
		if err != nil || glance.Col("r.squared").Elem(0).Float() != 0 || glance.Col("df.residual").Elem(0).Float() != 3 {
			t.Errorf("%s: glance %v, %v", text, glance, err)
		}
		augmented, err := Augment(fit, df)
		if err != nil || augmented.Nrow() != df.Nrow() {
			t.Errorf("%s: augment %v, %v", text, augmented, err)
		}
	}
}

func TestDesignLike(t *testing.T) {
	train := frame(t, Col("y", []float64{1, 2, 4, 3, 6}), Col("a", []float64{1, 2, 3, 5, 8}),
		Col("g", []string{"u", "v", "w", "u", "v"}), Col("k", []int{1, 2, 1, 2, 2}))
	d := get(Design(train, "log(y) ~ poly(a, 2) + factor(g, ref = \"v\")*a + factor(k)"))(t)
	scaled := get(d.Standardize(nil))(t)
	rows := train.Subset([]int{4, 1})
	got := get(DesignLike(scaled, rows))(t)
	want := scaled.Rows(4, 1)
	sameDesign(t, "two training rows", want, got)
	if !reflect.DeepEqual(got.Scaling, scaled.Scaling) {
		t.Error("the scaling was not applied")
	}
	got, err := DesignLike(scaled, rows.Drop("y"))
	if err != nil || got.Y != nil || got.Response != "log(y)" {
		t.Errorf("rows without a response: %+v, %v", got, err)
	}
	if !slices.Equal(got.X.RawMatrix().Data, want.X.RawMatrix().Data) {
		t.Error("rows without a response are coded in another way")
	}
	unknown := rows.Mutate(frame(t, Col("y", []float64{math.NaN(), math.NaN()})).Col("y"))
	got, err = DesignLike(scaled, unknown)
	if err != nil || got.Y != nil || got.NObs() != 2 {
		t.Errorf("rows whose response is missing: %+v, %v", got, err)
	}
	_, err = DesignLike(scaled, rows.Drop("a"))
	wantError(t, err, ErrNoColumn, `no column "a"`)
	_, err = DesignLike(scaled, frame(t, Col("a", []float64{1, 2}), Col("g", []string{"u", "z"}), Col("k", []int{1, 1})))
	wantError(t, err, ErrLevel, `level "z" of factor(g, ref = "v") in row 2 was not seen in training; the levels are ["v" "u" "w"]`)
	_, err = DesignLike(scaled, frame(t, Col("a", []string{"1", "two"}), Col("g", []string{"u", "u"}), Col("k", []int{1, 1})))
	wantError(t, err, ErrNotNumeric, `row 2 has "two"`)
	_, err = DesignLike(&mlreg.Design{}, rows)
	wantError(t, err, ErrNoRecipe)
}

// A design survives gob, and codes new rows afterwards as before.
func TestDesignGob(t *testing.T) {
	_, df := loadReference(t)
	d := get(Design(df, "y ~ poly(a, 3)*g + factor(k) + poly(b, 2, raw = TRUE) + ns(a, 3) + bs(b, knots = .5) + rbf(a, b) + fourier(a, 7) + words(g):b - 1"))(t)
	none := get(Design(df, "y ~ 1"))(t)
	for _, d := range []*mlreg.Design{d, none} {
		var buf bytes.Buffer
		if err := gob.NewEncoder(&buf).Encode(d); err != nil {
			t.Fatal(err)
		}
		var back mlreg.Design
		if err := gob.NewDecoder(&buf).Decode(&back); err != nil {
			t.Fatal(err)
		}
		sameDesign(t, "after gob", d, &back)
		again := get(DesignLike(&back, df))(t)
		sameDesign(t, "coded after gob", d, again)
	}
}

// The terms of a design that was subset by Select are not those of its
// formula, so it has none.
func TestTermsOf(t *testing.T) {
	d := get(mlreg.NewDesign(frameMatrix(t), []float64{1, 2, 3}))(t)
	if TermsOf(d) != nil || TermsOf(nil) != nil {
		t.Error("a design made without a formula has terms")
	}
}

func TestTooManyTerms(t *testing.T) {
	var cols []Column
	for i := range 500 {
		cols = append(cols, Col("c"+formatNumber(float64(i)), []float64{1}))
	}
	_, err := Design(frame(t, cols...), "~ .^3")
	wantError(t, err, ErrSyntax, "more than 100000 terms")
}

// Columns of factors are refused before they are made: those of a million levels would take 8 TB, the matrix of their
// contrasts as much again.
func TestTooManyColumns(t *testing.T) {
	const n = 1_000_000
	id, few := make([]string, n), make([]string, n)
	for i := range id {
		id[i], few[i] = "id"+strconv.Itoa(i), "few"+strconv.Itoa(i%300)
	}
	df := frame(t, Col("id", id), Col("few", few))
	_, err := Design(df, "~ id")
	wantError(t, err, ErrTooLarge, "term id has 999999 columns for 1000000 rows", "mlreg.FitAbsorbed")
	_, err = Design(df, "~ few")
	wantError(t, err, ErrTooLarge, "term few has 299 columns", "source.Frame(df)", "DesignSettings.MaxNumbers")
	_, err = Design(df, "~ C(id, Sum)")
	wantError(t, err, ErrSetting, "Sum contrasts of 1000000 levels", "2^28")
}

// The bound is on the columns of all factors together, and on no other; a setting raises or lowers it.
func TestMaxNumbers(t *testing.T) {
	df := frame(t, Col("a", []string{"p", "q", "r", "p"}), Col("b", []string{"u", "v", "v", "u"}), Col("x", []float64{1, 2, 3, 5}))
	most := func(n int) *DesignSettings { return &DesignSettings{MaxNumbers: n} }
	d := get(Design(df, "~ a + b + x + I(x^2)", most(12)))(t)
	if d.NTerms() != 5 {
		t.Errorf("%d columns", d.NTerms())
	}
	_, err := Design(df, "~ a + b + x", most(11))
	wantError(t, err, ErrTooLarge, "term a has 2 columns for 4 rows", "11 numbers")
	get(DesignLike(d, df))(t)
	_, err = Design(df, "~ a", most(-1))
	wantError(t, err, ErrSetting, "MaxNumbers = -1")
}

// Any text gives a formula or an error, and a formula written out reads back
// as itself.
func FuzzParseFormula(f *testing.F) {
	for _, seed := range []string{
		"y ~ a + b", "y ~ . - a", "log(y) ~ poly(a, 3, raw = TRUE) + factor(`my col`, ref = \"x\")", "~ (a + b)^2 / c : d * 0",
		"y ~ I(a > 2 & !(b == \"x\") | c %in% c(1, 2:3)) + d %in% e", "y > 1 ~ !f + (a != b):c", "y ~ ifelse(is.na(a), TRUE, b**2) <= 3", "y ~ factor(a, levels = unique(a)) + factor(b, c(-1, 2))", "y ~ !!a == !b + -!c^!d", "y ~ I(-a^-2.5e-3 + (b - 1)/c)", "y ~ ns(a, knots = c(1, -2.5)) + rbf(a, b, centers = \"all\", width = 2*pi)", "y ~ words(t, min = 2):c",
		"y ~ rbf(a, `b b`, centers = c()) + c(a, b)", "y ~ `a\\`b` + 'c'", "y~a~b", "y ~ ((((a))))", "y ~ -1 + +a", "é ~ ß", "y ~ f(,)", "y ~ .^3",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		formula, err := ParseFormula(text)
		if err != nil {
			var shown *FormulaError
			if !errors.As(err, &shown) || shown.Pos > shown.End || shown.End > len(text) || err.Error() == "" {
				t.Fatalf("%q: error %#v", text, err)
			}
			return
		}
		again, err := ParseFormula(formula.String())
		if err != nil || again.String() != formula.String() {
			t.Fatalf("%q is written %q, which reads as %v, %v", text, formula, again, err)
		}
	})
}

// -0 is the level 0.
func TestLevelOfMinusZero(t *testing.T) {
	df := frame(t, Col("y", []float64{1, 2, 3, 4, 5}), Col("z", []float64{math.Copysign(0, -1), 0, 1, 1, math.Copysign(0, -1)}))
	d, err := Design(df, "y ~ factor(z)")
	if err != nil || !slices.Equal(TermsOf(d).Variables[0].Levels, []string{"0", "1"}) {
		t.Errorf("%v: %v", d, err)
	}
}
