package sourcetest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// tolerance is how far sums may lie from those of rows in memory, in units of standard deviations.
const tolerance = 1e-12

// hard is a frame whose sums lose their digits in a hurry: a mean of 10^9 standard deviations, scales from 10^-15 to
// 10^15, whole numbers, missing values, weights of zero, dates, and levels that differ in case and blanks.
func hard(t *testing.T, n int) dataframe.DataFrame {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	row, y, a, b, wide, w := make([]int, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	count, g, day, class := make([]int, n), make([]string, n), make([]string, n), make([]string, n)
	for i := range n {
		row[i] = i
		a[i] = 1e9 + rnd.NormFloat64()
		b[i] = rnd.Float64() * 10
		wide[i] = math.Exp(10 * rnd.NormFloat64())
		w[i] = float64(rnd.IntN(3))
		count[i] = rnd.IntN(7)
		g[i] = []string{"a", "A", "a ", "á", `it's; "x" \`, "ж"}[rnd.IntN(6)]
		class[i] = []string{"no", "yes"}[rnd.IntN(2)]
		day[i] = fmt.Sprintf("2024-%02d-%02d", 1+rnd.IntN(12), 1+rnd.IntN(28))
		y[i] = (a[i] - 1e9) + b[i] + rnd.NormFloat64()
		if i%97 == 5 {
			b[i] = math.NaN()
		}
		if i%89 == 7 {
			g[i] = "NaN"
		}
	}
	return frame(t, frames.Col("row", row), frames.Col("y", y), frames.Col("a", a), frames.Col("b", b), frames.Col("wide", wide), frames.Col("w", w),
		frames.Col("count", count), frames.Col("g", g), frames.Col("day", day), frames.Col("class", class))
}

// sums has those of plain columns and factors, which SQL of every dialect computes, to 12 digits.
func (h *harness) sums(t *testing.T) {
	df := hard(t, 3000)
	s := h.table(t, df)
	for _, formula := range []string{"y ~ 1", "y ~ a + b + wide", "y ~ a*b - 1", "y ~ g", "y ~ g*b + count", "y ~ 0 + g:count + b", "y ~ C(g, Sum) + C(factor(count), Helmert):b", "class ~ b + count"} {
		h.agree(t, s, df, formula, true)
	}
	for _, route := range routes {
		h.moments(t, s, df, "y ~ a*b + g", &source.DesignSettings{Route: route, Weights: "w"}, true)
	}
}

// expressions has functions of columns and bases.
func (h *harness) expressions(t *testing.T) {
	df := hard(t, 1500)
	s := h.table(t, df)
	for _, formula := range []string{
		"y ~ I(b^2) + log(wide) + sqrt(b)", "y ~ poly(b, 3) + scale(a) + scale(wide, center = FALSE)", "y ~ poly(b, 3, raw = TRUE)", "y ~ fourier(b, period = 7, order = 2)",
		"log2(w + 1) ~ log10(wide) + log1p(b) + exp(-b) + abs(b - 5) + sin(b) + I(b^0.5) + I(1/(1 + b)) + I(-b + pi)", "I(y^2) ~ I(b^5) + I((b + 1)^-2) + cos(b)", "y ~ I(count > 3):b + I(floor(b)) + I(ceiling(b))", "y ~ ns(b, knots = c(2, 5), Boundary.knots = c(1, 9)) + bs(b, knots = c(2, 5), Boundary.knots = c(1, 9), degree = 2)",
	} {
		h.agree(t, s, df, formula, false)
	}
}

// conditions has rows be chosen as in memory.
func (h *harness) conditions(t *testing.T) {
	df := hard(t, 700)
	s := h.table(t, df)
	for _, condition := range []string{
		"a > 1e9", "b < 5 & count %in% c(1, 2, 6)", "!(b >= 3 | g == \"A\")", "w/w >= 0", "1/w > 0.6", "log(w) < 0", "sqrt(b) < 2", "exp(b) > 100", "b^2 > 20 & y < 5",
		"ifelse(is.na(b), TRUE, b > 6)", "abs(y) <= 3.25", "count == 3", "wide > 1e10", "wide < 1e-10", "a > 1e9 + 0.5",
	} {
		h.counted(t, s, df, condition)
	}
}

// quantiles has those of knots and of descriptions.
func (h *harness) quantiles(t *testing.T) {
	df := hard(t, 1500)
	s := h.table(t, df)
	for _, formula := range []string{"y ~ ns(b, 4)", "y ~ bs(b, 6)", "y ~ ns(count, 3)", "y ~ ns(wide, 3)"} {
		h.agree(t, s, df, formula, false)
	}
	h.described(t, s, df)
}

// fences has expressions of expressions, in queries within queries: bases of functions, and predictions of
// predictions.
func (h *harness) fences(t *testing.T) {
	df := hard(t, 800)
	s := h.table(t, df)
	h.agree(t, s, df, "y ~ poly(log(wide), 3)*ns(sqrt(b), 3) + g:poly(b, 2)", false)
	formula := "y ~ poly(b, 2) + g"
	for _, column := range []string{"p", "q", "r"} {
		fit := must(mlreg.FitOLS(must(frames.Design(df, formula, nil))(t), nil))(t)
		s = must(s.WithPredictions(ctx, fit, column))(t)
		h.agreeColumn(t, s, fit, df, column)
		df = df.CBind(frame(t, frames.Col(column, must(frames.Predict(fit, df))(t))))
		formula = "y ~ count + log(wide) + I(" + column + "^2)"
	}
}

// agree holds sums by both routes to those in memory. Only those that SQL may refuse need not be pushed.
func (h *harness) agree(t *testing.T, s *source.Source, df dataframe.DataFrame, formula string, always bool) {
	t.Helper()
	for _, route := range routes {
		h.moments(t, s, df, formula, &source.DesignSettings{Route: route}, always)
	}
}

func (h *harness) moments(t *testing.T, s *source.Source, df dataframe.DataFrame, formula string, settings *source.DesignSettings, always bool) {
	t.Helper()
	what := fmt.Sprintf("%s, %v", formula, settings.Route)
	want := must(must(frames.Design(df, formula, &frames.DesignSettings{Weights: settings.Weights}))(t).Moments())(t)
	d, err := s.Design(ctx, formula, settings)
	var got *mlreg.Moments
	if err == nil {
		got, err = d.Moments()
	}
	switch {
	case errors.Is(err, frames.ErrSetting) && settings.Route == source.Pushed && !always:
		t.Logf("not pushed: %v", err)
		return
	case err != nil:
		t.Errorf("%s: %v", what, err)
		return
	case d.Route() != settings.Route:
		t.Errorf("%s: the route is %v", what, d.Route())
	}
	if !slices.Equal(got.Terms(), want.Terms()) || got.NObs() != want.NObs() || got.SumWeights() != want.SumWeights() {
		t.Errorf("%s: %d rows of weight %v of %q, want %d of %v of %q", what, got.NObs(), got.SumWeights(), got.Terms(), want.NObs(), want.SumWeights(), want.Terms())
		return
	}
	near := func(place string, x, y, unit float64) {
		if !(math.Abs(x-y) <= tolerance*unit) {
			t.Errorf("%s: %s is %.17g, want %.17g (%.1e of its unit)", what, place, x, y, math.Abs(x-y)/unit)
		}
	}
	a, b := got.SXX(), want.SXX()
	for j, term := range want.Terms() {
		sd := math.Sqrt(b.At(j, j) / want.SumWeights())
		near("the mean of "+term, got.MeanX()[j], want.MeanX()[j], sd+1e-3*math.Abs(want.MeanX()[j]))
		near("the product of the response and "+term, got.SXY()[j], want.SXY()[j], math.Sqrt(b.At(j, j)*want.SYY()))
		for k := range j + 1 {
			near(fmt.Sprintf("the product of %s and %s", term, want.Terms()[k]), a.At(j, k), b.At(j, k), math.Sqrt(b.At(j, j)*b.At(k, k)))
		}
	}
	near("the square of the response", got.SYY(), want.SYY(), want.SYY())
}

// counted holds the number of rows under a condition to that in memory, by both routes.
func (h *harness) counted(t *testing.T, s *source.Source, df dataframe.DataFrame, condition string) {
	t.Helper()
	want := must(frames.Where(df, condition))(t).Nrow()
	for _, route := range routes {
		n, err := must(must(s.By(route))(t).Where(ctx, condition))(t).NRow(ctx)
		switch {
		case errors.Is(err, frames.ErrSetting) && route == source.Pushed:
			t.Logf("not pushed: %v", err)
		case err != nil || n != want:
			t.Errorf("%s, %v: %d rows, want %d: %v", condition, route, n, want, err)
		}
	}
}

// described holds the description that the database computes to that of its rows.
func (h *harness) described(t *testing.T, s *source.Source, df dataframe.DataFrame) {
	t.Helper()
	want := must(must(s.By(source.Streamed))(t).Describe(ctx))(t)
	got, err := must(s.By(source.Pushed))(t).Describe(ctx)
	switch {
	case errors.Is(err, frames.ErrSetting):
		t.Logf("not pushed: %v", err)
	case err != nil || got.String() != want.String():
		t.Errorf("the database describes\n%v\nrows are\n%v\n%v", got, want, err)
	}
	if want.Rows != df.Nrow() {
		t.Errorf("%d rows, want %d", want.Rows, df.Nrow())
	}
}
