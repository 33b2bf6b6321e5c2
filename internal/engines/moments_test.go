//go:build unix

package engines

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// group is the name of a column that has to be quoted everywhere.
const group = "`the \"group\\`; --`"

// formulas use the parts of the formula language; those after the first list are streamed.
var pushed = []string{
	"y ~ 1",
	"y ~ a + b + wide",
	"y ~ a*b - 1",
	"y ~ G",
	"y ~ G*b + flag",
	"y ~ 0 + G:flag + b",
	"y ~ C(G, Sum) + C(factor(count), Helmert):b",
	"y ~ factor(count, ref = 3) + I(b^2) + log(wide) + sqrt(b)",
	"y ~ poly(b, 3) + scale(a) + scale(wide, center = FALSE)",
	"y ~ poly(b, 6)",
	"y ~ poly(b, 3, raw = TRUE)",
	"y ~ ns(b, 4) + bs(b, 6)",
	"y ~ ns(b, knots = c(2, 5), Boundary.knots = c(1, 9)) + bs(b, knots = c(2, 5), Boundary.knots = c(1, 9), degree = 2)",
	"y ~ fourier(b, period = 7, order = 2)",
	"y ~ day + year(day) + factor(month(day)) + I(weekday(day) > 5)",
	"y ~ yday(day) + I(hour(day) + b)",
	"y ~ poly(day, 2)",
	"y ~ I(day - \"2024-03-01\") + I(day >= \"2024-06-01\")",
	"y ~ I(G == \"A\") + I(G != \"it's; \\\"x\\\" \\\\\")",
	"y ~ I(count > 3):b + I(2*flag)",
	"log2(w + 1) ~ log10(wide) + log1p(b) + exp(-b) + abs(b - 5) + sin(b) + I(b^0.5) + I(1/(1 + b)) + I(-b + pi)",
	"class ~ b + flag",
	"I(y^2) ~ I(b^5) + I((b + 1)^-2)",
}

var streamed = []string{
	"y ~ ifelse(is.na(b), 0, b) + I(is.na(b))",
	"y ~ I(G == \"A\" | b > 5)",
	"y ~ rbf(b, centers = 5)",
	"y ~ factor(count, levels = c(2, 1, 3))",
	"y ~ b + offset(log(wide))",
}

func written(formula string) string { return strings.ReplaceAll(formula, "G", group) }

// Moments are those of a frame of the same rows to 12 digits, by both routes.
func TestMoments(t *testing.T) {
	df := nasty(t, 9001)
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s, err := source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))
		if err != nil {
			t.Fatal(err)
		}
		other := read(d, df)
		for _, f := range pushed {
			if d.dialect == source.SQLite && strings.Contains(f, "hour") {
				continue
			}
			sameMoments(t, s, other, written(f), &source.DesignSettings{Route: source.Pushed})
			sameMoments(t, s, other, written(f), &source.DesignSettings{Route: source.Streamed})
		}
		for _, f := range streamed {
			sameMoments(t, s, other, written(f), nil)
		}
		sameMoments(t, s, other, written("y ~ a*b + G"), &source.DesignSettings{Route: source.Pushed, Weights: "w"})
		sameMoments(t, s, other, written("y ~ a*b + G"), &source.DesignSettings{Route: source.Streamed, Weights: "w"})
	})
}

// sameMoments compares a source with the frame that has its rows.
func sameMoments(t *testing.T, s *source.Source, df dataframe.DataFrame, formula string, settings *source.DesignSettings) {
	t.Helper()
	var set frames.DesignSettings
	what := formula
	if settings != nil {
		set = frames.DesignSettings{Weights: settings.Weights}
		what += " " + settings.Route.String()
	}
	design, err := frames.Design(df, formula, &set)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	want, err := design.Moments()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	d, err := s.Design(ctx, formula, settings)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	got, err := d.Moments()
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if settings != nil && settings.Route != d.Route() {
		t.Errorf("%s: the route is %v", what, d)
	}
	compare(t, what, got, want)
	if a, b := d.Terms().String(), frames.TermsOf(design).String(); a != b {
		t.Errorf("%s: terms are\n%s\nwant\n%s", what, a, b)
	}
}

// compare holds sums to others, each in units of its standard deviations.
func compare(t *testing.T, what string, got, want *mlreg.Moments) {
	t.Helper()
	const tol = 1e-12
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
	for j, term := range want.Terms() {
		sd := math.Sqrt(b.At(j, j) / want.SumWeights())
		near("the mean of "+term, got.MeanX()[j], want.MeanX()[j], sd+1e-3*math.Abs(want.MeanX()[j]))
		near("SXY of "+term, got.SXY()[j], want.SXY()[j], math.Sqrt(b.At(j, j)*want.SYY()))
		for k := range want.Terms() {
			near(fmt.Sprintf("SXX of %s and %s", term, want.Terms()[k]), a.At(j, k), b.At(j, k), math.Sqrt(b.At(j, j)*b.At(k, k)))
		}
	}
	near("SYY", got.SYY(), want.SYY(), want.SYY())
}

// Factors of many levels, of numbers and of texts, alone and with numbers, are summed by their cells.
func TestManyLevels(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 3))
	n := 6000
	y, x, w, zone, code := make([]float64, n), make([]float64, n), make([]float64, n), make([]string, n), make([]int, n)
	for i := range n {
		g := rnd.IntN(120)
		zone[i], code[i], w[i] = fmt.Sprintf("z'%d", g), rnd.IntN(9)-4, float64(rnd.IntN(4))
		x[i] = 1e5 + float64(g) + rnd.NormFloat64()
		y[i] = float64(g%7) + x[i] + rnd.NormFloat64()
	}
	df := frame(t, frames.Col("y", y), frames.Col("x", x), frames.Col("w", w), frames.Col("zone", zone), frames.Col("code", code))
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s, err := source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, formula := range []string{"y ~ zone + x", "y ~ zone*x", "y ~ 0 + zone + factor(code)*x", "y ~ C(zone, Sum) + I(x^2):factor(code)"} {
			for _, route := range []source.Route{source.Pushed, source.Streamed} {
				for _, weights := range []string{"", "w"} {
					sameMoments(t, s, df, formula, &source.DesignSettings{Route: route, Weights: weights})
				}
			}
		}
	})
}

// A factor is absorbed by one GROUP BY as by the rows, to the digits stated; levels so far apart that sums about one mean lose
// their digits are read.
func TestAbsorb(t *testing.T) {
	rnd := rand.New(rand.NewPCG(12, 3))
	n := 20_000
	y, x, far, w, zone, k := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]string, n), make([]int, n)
	for i := range n {
		g := rnd.IntN(2000)
		zone[i], k[i], w[i] = fmt.Sprintf("z'%d", g), rnd.IntN(3), float64(rnd.IntN(4))
		x[i], far[i] = float64(g%50)+rnd.NormFloat64(), 1e9*float64(g)+rnd.NormFloat64()
		y[i] = float64(g%7) + x[i] + far[i]/1e9 + rnd.NormFloat64()
	}
	df := frame(t, frames.Col("y", y), frames.Col("x", x), frames.Col("far", far), frames.Col("w", w), frames.Col("zone", zone), frames.Col("k", k))
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s, err := source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, formula := range []string{"y ~ x | zone", "y ~ x*factor(k) | zone", "y ~ x + C(factor(k), Sum) | zone", "y ~ far | zone"} {
			for _, weights := range []string{"", "w"} {
				absorbed(t, s, df, formula, weights)
			}
		}
		design, err := s.Design(ctx, "y ~ I(2*k) | k", &source.DesignSettings{Route: source.Pushed})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := mlreg.FitAbsorbed(design); !errors.Is(err, mlreg.ErrConstant) {
			t.Errorf("a term of the levels: %v", err)
		}
		if _, err := mlreg.FitOLS(design, nil); !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("FitOLS: %v", err)
		}
	})
}

// absorbed holds a fit by pushed-down sums of levels to that in memory.
func absorbed(t *testing.T, s *source.Source, df dataframe.DataFrame, formula, weights string) {
	t.Helper()
	what := formula + " " + weights
	design, err := s.Design(ctx, formula, &source.DesignSettings{Route: source.Pushed, Weights: weights})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	rows, err := frames.Design(df, formula, &frames.DesignSettings{Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	fit, err := mlreg.FitAbsorbed(design)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	want, err := mlreg.FitAbsorbed(rows)
	if err != nil {
		t.Fatal(err)
	}
	digits, stdErrDigits := fit.Digits()
	if digits < 6 || stdErrDigits < 6 {
		t.Errorf("%s: %d and %d digits are stated", what, digits, stdErrDigits)
	}
	near := func(part string, got, want []float64, tol float64) {
		for j := range want {
			if !(math.Abs(got[j]-want[j]) <= tol*math.Abs(want[j])) {
				t.Errorf("%s: %s %d is %.17g, in memory %.17g", what, part, j, got[j], want[j])
			}
		}
	}
	near("coefficient", fit.Coef(), want.Coef(), math.Pow(10, -float64(digits)))
	near("standard error", fit.StdErr(), want.StdErr(), math.Pow(10, -float64(stdErrDigits)))
	near("fact", []float64{fit.R2(), fit.R2Within(), fit.DoFResidual(), float64(fit.NObs())}, []float64{want.R2(), want.R2Within(), want.DoFResidual(), float64(want.NObs())}, 1e-8)
	if len(fit.Effects()) != len(want.Effects()) {
		t.Errorf("%s: %d levels, in memory %d", what, len(fit.Effects()), len(want.Effects()))
		return
	}
	for i, e := range want.Effects() {
		if got := fit.Effects()[i]; got.Level != e.Level || got.Rows != e.Rows || math.Abs(got.Effect-e.Effect) > 1e-8*(1+math.Abs(e.Effect)) {
			t.Errorf("%s: the effect is %v, in memory %v", what, got, e)
		}
	}
	robust, err := fit.Clustered(design, nil)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	wantRobust, err := want.Clustered(rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	near("clustered error", robust.StdErr(), wantRobust.StdErr(), 1e-7)
}

// The course's data.
func TestCourseData(t *testing.T) {
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		for _, c := range []struct {
			df      dataframe.DataFrame
			formula string
		}{
			{datasets.Prostate(), "lpsa ~ lcavol + poly(age, 3) + svi:lcp"},
			{datasets.Diabetes(), "progression ~ ."},
			{datasets.Longley(), "Employed ~ ."},
			{datasets.AirQuality(), "Ozone ~ Solar + Wind*Temp + factor(month(Date))"},
		} {
			s, err := source.Open(ctx, db, d.dialect, d.load(t, db, c.df, nil))
			if err != nil {
				t.Fatal(err)
			}
			for _, route := range []source.Route{source.Pushed, source.Streamed} {
				sameMoments(t, s, c.df, c.formula, &source.DesignSettings{Route: route})
			}
		}
	})
}
