//go:build unix

package engines

import (
	"database/sql"
	"fmt"
	"math"
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
