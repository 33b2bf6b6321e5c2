package sourcetest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg"
)

// likelihoods has logistic and Poisson regressions on factors, whose rows the database counts, and on numbers, whose steps
// it sums.
func (h *harness) likelihoods(t *testing.T) {
	df := hard(t, 3000)
	s := h.table(t, df)
	for _, c := range []struct{ formula, weights string }{
		{"class ~ g*factor(count)", ""}, {"class ~ C(g, Sum)", "w"}, {"count ~ g + class", ""}, {"count ~ 0 + g:class", "w"}, {"I(count > 3) ~ I(b > 5)", "w"}, {"count ~ 1", ""},
	} {
		whole := must(frames.Design(df, c.formula, &frames.DesignSettings{Weights: c.weights}))(t)
		for _, route := range routes {
			what := fmt.Sprintf("%s, weights %q, %v", c.formula, c.weights, route)
			d := must(s.Design(ctx, c.formula, &source.DesignSettings{Route: route, Weights: c.weights}))(t)
			found, err := compressed.CountedOf(d)
			if err != nil || found == nil || found.Pushed != (route == source.Pushed) {
				t.Errorf("%s: the rows are not counted there: %v", what, err)
			}
			sameFit(t, what, d, whole, 1e-10)
		}
	}
	for _, c := range []struct{ formula, weights string }{{"class ~ b + g", "w"}, {"count ~ a + b", ""}} {
		d := must(s.Design(ctx, c.formula, &source.DesignSettings{Route: source.Pushed, Weights: c.weights}))(t)
		f := must(mlreg.FitGLM(d, map[bool]mlreg.GLMFamily{true: mlreg.Poisson, false: mlreg.Binomial}[c.weights == ""], nil))(t)
		if !strings.HasSuffix(f.Method(), "by the database") {
			t.Errorf("%s: the steps are not summed there: %s", c.formula, f.Method())
		}
		sameFit(t, c.formula, d, must(frames.Design(df, c.formula, &frames.DesignSettings{Weights: c.weights}))(t), 1e-9)
	}
}

// sameFit holds the fit of rows to that of others: logistic, or Poisson if the response is a number.
func sameFit(t *testing.T, what string, rows mlreg.RowBlocks, whole *mlreg.Design, tol float64) {
	t.Helper()
	family := mlreg.Binomial
	if whole.Classes == nil {
		family = mlreg.Poisson
	}
	want := must(mlreg.FitGLM(whole, family, nil))(t)
	f := must(mlreg.FitGLM(rows, family, nil))(t)
	if family == mlreg.Binomial {
		l := must(mlreg.FitLogistic(rows, nil))(t)
		near := func(a, b float64) bool { return math.Abs(a-b) <= tol*(1e-3+math.Abs(b)) }
		if !near(l.Deviance(), want.Deviance()) || !slices.EqualFunc(l.Coef(), want.Coef(), near) || !slices.EqualFunc(l.StdErr(), want.StdErr(), near) {
			t.Errorf("%s: the coefficients of a logistic regression are %v, want %v", what, l.Coef(), want.Coef())
		}
	}
	a := slices.Concat(f.Coef(), f.StdErr(), []float64{f.Deviance(), f.NullDeviance(), f.LogLik(), f.DoFResidual(), float64(f.NObs())})
	b := slices.Concat(want.Coef(), want.StdErr(), []float64{want.Deviance(), want.NullDeviance(), want.LogLik(), want.DoFResidual(), float64(want.NObs())})
	for i, v := range b {
		if !(math.Abs(a[i]-v) <= tol*(1e-3+math.Abs(v))) {
			t.Errorf("%s: number %d is %v, want %v", what, i, a[i], v)
		}
	}
	if !slices.Equal(f.Names(), want.Names()) || f.Omitted() != want.Omitted() {
		t.Errorf("%s: the terms are %q, want %q", what, f.Names(), want.Names())
	}
}
