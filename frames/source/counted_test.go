package source

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/mlreg"
)

// factorsTable has factors, responses of two classes and of counts, weights, and an offset of three values. Of level d of g
// no count is above 0, and no class yes.
func factorsTable(rows int) string {
	var b strings.Builder
	b.WriteString("y,class,count,g,h,w,u,t\n")
	for i := range rows {
		g, y, count := "abc"[(i*i+i/5)%3:][:1], i*i%7%2, i*i%5
		switch {
		case i%1001 == 0:
			g = "NA"
		case i%13 == 0:
			g, y, count = "d", 0, 0
		}
		fmt.Fprintf(&b, "%d,%s,%d,%s,%d,%d,%v,%d\n", y, []string{"no", "yes"}[y], count, g, i%4, i%3, 0.1+float64(i*7%1009)/10, 1+i%3)
	}
	return b.String()
}

// A likelihood whose terms are all of factors is that of its cells, which one pass finds: whatever a fit of the rows in
// memory says, that of a file does.
func TestCountedRowsAreTheRows(t *testing.T) {
	path, s := write(t, factorsTable(30_000))
	df, err := frames.ReadCSV(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	some, err := s.Where(context.Background(), `g != "d"`)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := frames.Where(df.Frame, `g != "d"`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		formula, weights string
		family           mlreg.GLMFamily // 0 is FitLogistic
		l2               float64
	}{
		{"class ~ g*factor(h)", "", 0, 0}, {"class ~ g + factor(h)", "w", 0, 0}, {"y ~ g + C(factor(h), Sum)", "u", 0, 2}, {"class ~ 1", "", 0, 0},
		{"class ~ g + factor(h)", "w", mlreg.Binomial, 0}, {"y ~ 0 + g:factor(h) + offset(log(t))", "", mlreg.Binomial, 0},
		{"count ~ g*factor(h) + offset(log(t))", "", mlreg.Poisson, 0}, {"count ~ g", "w", mlreg.Poisson, 0}, {"count ~ g + factor(h)", "u", mlreg.Poisson, 3},
		{"count ~ 0 + g", "", mlreg.QuasiPoisson, 0}, {"y ~ g", "w", mlreg.QuasiBinomial, 0},
	} {
		what := fmt.Sprintf("%s, weights %q, %v", c.formula, c.weights, c.family)
		whole, err := frames.Design(kept, c.formula, &frames.DesignSettings{Weights: c.weights})
		if err != nil {
			t.Fatal(what, err)
		}
		d, err := some.Design(context.Background(), c.formula, &DesignSettings{Weights: c.weights})
		if err != nil {
			t.Fatal(what, err)
		}
		found, err := d.countRows()
		if found == nil || err != nil {
			t.Fatalf("%s: the rows are not counted: %v", what, err)
		}
		rows := 0
		d.coder = passesOnce{d.coder, &rows}
		if c.family == 0 {
			sameLikelihood(t, what, logistic(t, d, c.l2), logistic(t, whole, c.l2))
		} else {
			sameLikelihood(t, what, generalized(t, d, c.family, c.l2), generalized(t, whole, c.family, c.l2))
		}
		if rows != 0 {
			t.Errorf("%s: %d blocks of rows are coded", what, rows)
		}
	}
}

// passesOnce counts blocks that are coded by all columns.
type passesOnce struct {
	table.Coder
	blocks *int
}

func (c passesOnce) Code(b *table.Block) (*mlreg.Design, table.Counts, error) {
	*c.blocks++
	return c.Coder.Code(b)
}

func logistic(t *testing.T, rows mlreg.RowBlocks, l2 float64) likelihood {
	t.Helper()
	f, err := mlreg.FitLogistic(rows, &mlreg.LogisticSettings{L2: l2})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func generalized(t *testing.T, rows mlreg.RowBlocks, family mlreg.GLMFamily, l2 float64) likelihood {
	t.Helper()
	f, err := mlreg.FitGLM(rows, family, &mlreg.GLMSettings{L2: l2})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// likelihood is what fits of likelihoods say.
type likelihood interface {
	frames.Predictor
	mlreg.Wald
	Deviance() float64
	NullDeviance() float64
	LogLik() float64
	DoF() float64
	NObs() int
	Parameters() int
	StdErr() []float64
	Decrement() float64
	String() string
}

// sameLikelihood holds a fit to another.
func sameLikelihood(t *testing.T, what string, got, want likelihood) {
	t.Helper()
	if got.Decrement() > 1e-8 {
		t.Errorf("%s: the decrement is %v", what, got.Decrement())
	}
	expect.NearAll(t, what+", coefficients", got.Coef(), want.Coef(), 1e-10)
	expect.NearAll(t, what+", standard errors", got.StdErr(), want.StdErr(), 1e-10)
	a := []float64{got.Deviance(), got.NullDeviance(), got.DoF(), float64(got.NObs()), float64(got.Parameters())}
	b := []float64{want.Deviance(), want.NullDeviance(), want.DoF(), float64(want.NObs()), float64(want.Parameters())}
	expect.NearAll(t, what+", deviances, degrees of freedom, rows", a, b, 1e-11)
	if l := want.LogLik(); !math.IsNaN(l) || !math.IsNaN(got.LogLik()) {
		expect.NearAll(t, what+", log-likelihood", []float64{got.LogLik()}, []float64{l}, 1e-12)
	}
	if !slices.Equal(got.Names(), want.Names()) {
		t.Errorf("%s: %q, not %q", what, got.Names(), want.Names())
	}
}

// A fit by cells knows its rows: it is compared with fits in memory of the same rows, and not with those of others.
func TestCountedRowsAreCompared(t *testing.T) {
	path, s := write(t, factorsTable(2000))
	df, err := frames.ReadCSV(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	fit := func(df dataframe.DataFrame, formula, weights string) *mlreg.GLM {
		t.Helper()
		d, err := frames.Design(df, formula, &frames.DesignSettings{Weights: weights, LearnComplete: true})
		if err != nil {
			t.Fatal(err)
		}
		f, err := mlreg.FitGLM(d, mlreg.Poisson, nil)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	d, err := s.Design(context.Background(), "count ~ factor(h)", &DesignSettings{Weights: "u"})
	if err != nil {
		t.Fatal(err)
	}
	f := generalized(t, d, mlreg.Poisson, 0).(*mlreg.GLM)
	if _, err := mlreg.CompareDeviances(fit(df.Frame, "count ~ 1", "u"), f); err != nil {
		t.Error(err)
	}
	large := fit(df.Frame, "count ~ factor(h) + t", "u")
	got, err := mlreg.CompareDeviances(f, large)
	if err != nil {
		t.Fatal(err)
	}
	want, err := mlreg.CompareDeviances(fit(df.Frame, "count ~ factor(h)", "u"), large)
	if err != nil {
		t.Fatal(err)
	}
	expect.NearAll(t, "the test of a term", []float64{got[1].Deviance, got[1].P}, []float64{want[1].Deviance, want[1].P}, 1e-9)
	if _, err := mlreg.CompareDeviances(fit(df.Frame, "count ~ 1", "w"), f); err == nil {
		t.Error("fits of other weights are compared")
	}
	if _, err := mlreg.CompareDeviances(fit(df.Frame, "y ~ 1", "u"), f); err == nil {
		t.Error("fits of other responses are compared")
	}
}

// What does not exist is named as in memory, with the numbers of rows.
func TestCountedRowsThatSeparate(t *testing.T) {
	path, s := write(t, factorsTable(5000))
	df, err := frames.ReadCSV(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for formula, fit := range map[string]func(rows mlreg.RowBlocks) error{
		"class ~ g + factor(h)":         func(rows mlreg.RowBlocks) error { _, err := mlreg.FitLogistic(rows, nil); return err },
		"y ~ 0 + g":                     func(rows mlreg.RowBlocks) error { _, err := mlreg.FitGLM(rows, mlreg.Binomial, nil); return err },
		"count ~ factor(h) + g":         func(rows mlreg.RowBlocks) error { _, err := mlreg.FitGLM(rows, mlreg.Poisson, nil); return err },
		"class ~ I(y > 0)":              func(rows mlreg.RowBlocks) error { _, err := mlreg.FitLogistic(rows, nil); return err },
		"count ~ factor(h) + I(h > 1)":  func(rows mlreg.RowBlocks) error { _, err := mlreg.FitGLM(rows, mlreg.Poisson, nil); return err },
		"g ~ factor(h)":                 func(rows mlreg.RowBlocks) error { _, err := mlreg.FitLogistic(rows, nil); return err },
		"count ~ factor(y)":             func(rows mlreg.RowBlocks) error { _, err := mlreg.FitGLM(rows, mlreg.Binomial, nil); return err },
		"class ~ factor(h) + factor(t)": func(rows mlreg.RowBlocks) error { _, err := mlreg.FitGLM(rows, mlreg.Poisson, nil); return err },
		"I(0*count) ~ factor(h)":        func(rows mlreg.RowBlocks) error { _, err := mlreg.FitGLM(rows, mlreg.Poisson, nil); return err },
		"I(count - 1) ~ factor(h) + g":  func(rows mlreg.RowBlocks) error { _, err := mlreg.FitGLM(rows, mlreg.Poisson, nil); return err },
	} {
		for _, weights := range []string{"", "w"} {
			whole, err := frames.Design(df.Frame, formula, &frames.DesignSettings{Weights: weights})
			if err != nil {
				t.Fatal(formula, err)
			}
			d, err := s.Design(context.Background(), formula, &DesignSettings{Weights: weights})
			if err != nil {
				t.Fatal(formula, err)
			}
			want, got := fit(whole), fit(d)
			var a, b *mlreg.SeparationError
			switch {
			case want == nil || got == nil:
				t.Errorf("%s, weights %q: %v, not %v", formula, weights, got, want)
			case errors.As(got, &a) && errors.As(want, &b): // the intercept of a complete separation is one of many
				if a.Kind != b.Kind || a.Rows != b.Rows || a.Of != b.Of || a.Response != b.Response || a.Family != b.Family || !slices.Equal(a.Terms, b.Terms) || !slices.Equal(a.Classes, b.Classes) ||
					a.Kind == mlreg.QuasiComplete && got.Error() != want.Error() {
					t.Errorf("%s, weights %q:\n%v, not\n%v", formula, weights, got, want)
				}
			case !strings.HasSuffix(got.Error(), want.Error()):
				t.Errorf("%s, weights %q:\n%v, not\n%v", formula, weights, got, want)
			}
		}
	}
}

// Rows that are too different, numbers, shares and measurements are fitted as before.
func TestRowsThatAreNotCounted(t *testing.T) {
	var b strings.Builder
	b.WriteString("y,n,g,x\n")
	for i := range 70_000 {
		fmt.Fprintf(&b, "%d,%d,%s,%d\n", i, 3+i%5, "abc"[(i*i+i/5)%3:][:1], i*i%11)
	}
	path, s := write(t, b.String())
	df, err := frames.ReadCSV(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		formula string
		family  mlreg.GLMFamily
		counted bool
	}{
		{"y ~ g", mlreg.Poisson, false}, {"x ~ n", mlreg.Poisson, false}, {"cbind(x, n) ~ g", mlreg.Binomial, false},
		{"I(x/11) ~ g", mlreg.QuasiBinomial, true}, {"I(x + 1) ~ g", mlreg.Gamma, true}, {"x ~ g + offset(log(n))", mlreg.Poisson, true}, {"x ~ 0 + g + offset(y)", mlreg.Poisson, false},
	} {
		d, err := s.Design(context.Background(), c.formula)
		if err != nil {
			t.Fatal(c.formula, err)
		}
		found, err := d.countRows()
		if err != nil || (found != nil) != c.counted {
			t.Fatalf("%s: counted %v: %v", c.formula, found != nil, err)
		}
		if strings.Contains(c.formula, "offset(y)") {
			continue // its means overflow
		}
		whole, err := frames.Design(df.Frame, c.formula)
		if err != nil {
			t.Fatal(c.formula, err)
		}
		sameLikelihood(t, c.formula, generalized(t, d, c.family, 0), generalized(t, whole, c.family, 0))
	}
}
