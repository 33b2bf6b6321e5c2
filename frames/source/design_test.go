package source

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

var ctx = context.Background()

// nasty is a frame of what goes wrong elsewhere: a large mean, wide scales, missing
// values, levels that differ in case, accents and blanks, dates, names that are no words.
func nasty(t testing.TB, n int) dataframe.DataFrame {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	y, a, b, wide, w := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	count, flag, g, day, class := make([]int, n), make([]bool, n), make([]string, n), make([]string, n), make([]string, n)
	levels := []string{"a", "A", "a ", "\u00e1", "it's; \"x\"", "\u0436"}
	for i := range n {
		a[i] = 1e9 + rnd.NormFloat64()
		b[i] = rnd.Float64() * 10
		wide[i] = math.Exp(10 * rnd.NormFloat64())
		w[i] = float64(rnd.IntN(3))
		count[i] = rnd.IntN(7)
		flag[i] = rnd.IntN(2) == 0
		g[i] = levels[rnd.IntN(len(levels))]
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
	df, err := frames.Frame(frames.Col("y", y), frames.Col("a", a), frames.Col("b", b), frames.Col("wide", wide), frames.Col("w", w),
		frames.Col("count", count), frames.Col("flag", flag), frames.Col("the group", g), frames.Col("day", day), frames.Col("class", class))
	if err != nil {
		t.Fatal(err)
	}
	return df
}

// nastyFile is nasty with a long text in every row, so that few rows are more than one
// piece of a file.
func nastyFile(t testing.TB) dataframe.DataFrame {
	t.Helper()
	const n = 1500 // of a thousand bytes
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strings.Repeat([]string{"a", "b"}[i%2], 1000)
	}
	return nasty(t, n).Mutate(series.New(texts, series.String, "text"))
}

// formulas use every part of the formula language that a source knows.
var formulas = []string{
	"y ~ 1",
	"y ~ a + b + wide",
	"y ~ a*b - 1",
	"y ~ `the group`",
	"y ~ `the group`*b + flag",
	"y ~ 0 + `the group`:flag + b",
	"y ~ C(`the group`, Sum) + C(factor(count), Helmert):b",
	"y ~ factor(count, ref = 3) + I(b^2) + log(wide) + sqrt(b)",
	"y ~ factor(count, levels = c(2, 1, 3))",
	"y ~ factor(`the group`, levels = unique(`the group`))",
	"y ~ poly(b, 3) + scale(a) + scale(wide, center = FALSE)",
	"y ~ ns(b, 4) + bs(b, 6)",
	"y ~ fourier(b, period = 7, order = 2)",
	"y ~ rbf(b, centers = 5)",
	"y ~ day + year(day) + factor(month(day)) + I(weekday(day) > 5)",
	"y ~ poly(day, 2)",
	"y ~ I(day - \"2024-03-01\") + I(day >= \"2024-06-01\")",
	"y ~ ifelse(is.na(b), 0, b) + I(is.na(b))",
	"y ~ I(`the group` == \"A\" | b > 5)",
	"log(y + 1e3) ~ .",
	"class ~ b + flag",
	"y ~ b + offset(log(wide))",
	"cbind(count, w) ~ b",
}

// A source gives the moments, the names and the coding that a frame gives.
func TestDesignIsThatOfAFrame(t *testing.T) {
	df := nasty(t, blockRows+1000)
	s, err := Frame(df)
	if err != nil {
		t.Fatal(err)
	}
	for i, formula := range formulas {
		if i%3 == 0 || !testing.Short() {
			sameDesign(t, s, df, formula, nil, 1e-12)
		}
	}
	sameDesign(t, s, df, "y ~ a*b + `the group`", &DesignSettings{Weights: "w"}, 1e-12)
	sameDesign(t, s, df, "y ~ poly(b, 2) + `the group`", &DesignSettings{LearnComplete: true, Contrasts: frames.SumContrasts}, 1e-12)
	sameDesign(t, s, df, "y ~ poly(b, 3) + scale(a) + scale(wide, center = FALSE) + poly(day, 2)", &DesignSettings{MaxValues: 100}, 1e-11)
}

// sameDesign compares a source with the frame that has its rows.
func sameDesign(t *testing.T, s *Source, df dataframe.DataFrame, formula string, settings *DesignSettings, tol float64) {
	t.Helper()
	var set frames.DesignSettings
	if settings != nil {
		set = frames.DesignSettings{Weights: settings.Weights, LearnComplete: settings.LearnComplete, Contrasts: settings.Contrasts}
	}
	want, err := frames.Design(df, formula, &set)
	if err != nil {
		t.Fatalf("%s: %v", formula, err)
	}
	m, err := want.Moments()
	if err != nil {
		t.Fatalf("%s: %v", formula, err)
	}
	d, err := s.Design(ctx, formula, settings)
	if err != nil {
		t.Errorf("%s: %v", formula, err)
		return
	}
	got, err := d.Moments()
	if err != nil {
		t.Errorf("%s: %v", formula, err)
		return
	}
	sameMoments(t, formula, got, m, tol)
	if a, b := d.Terms().String(), frames.TermsOf(want).String(); a != b {
		t.Errorf("%s: terms are\n%s\nwant\n%s", formula, a, b)
	}
	row := 0
	err = d.EachBlock(func(block *mlreg.Design) error {
		for i := range block.NObs() {
			if block.RowNumber(i) != want.RowNumber(row) {
				return fmt.Errorf("row %d is %d, want %d", row, block.RowNumber(i), want.RowNumber(row))
			}
			if block.Y[i] != want.Y[row] {
				return fmt.Errorf("y of row %d is %v, want %v", row, block.Y[i], want.Y[row])
			}
			row++
		}
		return nil
	})
	if err != nil || row != want.NObs() {
		t.Errorf("%s: %d rows of %d: %v", formula, row, want.NObs(), err)
	}
}

// sameMoments compares sums, each in units of its standard deviations.
func sameMoments(t *testing.T, what string, got, want *mlreg.Moments, tol float64) {
	t.Helper()
	if !slices.Equal(got.Terms(), want.Terms()) || got.Response() != want.Response() || got.NoIntercept() != want.NoIntercept() {
		t.Errorf("%s: terms %q of %q, want %q of %q", what, got.Terms(), got.Response(), want.Terms(), want.Response())
		return
	}
	if got.NObs() != want.NObs() || got.SumWeights() != want.SumWeights() {
		t.Errorf("%s: %d rows of weight %v, want %d of %v", what, got.NObs(), got.SumWeights(), want.NObs(), want.SumWeights())
	}
	a, b := got.SXX(), want.SXX()
	near := func(place string, x, y, unit float64) {
		if !(math.Abs(x-y) <= tol*unit) {
			t.Errorf("%s: %s is %.17g, want %.17g (%.1e of its unit)", what, place, x, y, math.Abs(x-y)/unit)
		}
	}
	p := len(want.Terms())
	for j := range p {
		sd := math.Sqrt(b.At(j, j) / want.SumWeights())
		near("the mean of "+want.Terms()[j], got.MeanX()[j], want.MeanX()[j], sd+1e-3*math.Abs(want.MeanX()[j]))
		near("SXY of "+want.Terms()[j], got.SXY()[j], want.SXY()[j], math.Sqrt(b.At(j, j)*want.SYY()))
		for k := range p {
			near(fmt.Sprintf("SXX of %s and %s", want.Terms()[j], want.Terms()[k]), a.At(j, k), b.At(j, k), math.Sqrt(b.At(j, j)*b.At(k, k)))
		}
	}
	near("SYY", got.SYY(), want.SYY(), want.SYY())
}
