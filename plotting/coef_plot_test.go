package plotting

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

// coefTable is a fit that has a table and nothing else.
type coefTable report.Rows[mlreg.CoefRow]

func (c coefTable) Table(level float64) (report.Rows[mlreg.CoefRow], error) {
	if level >= 1 {
		return nil, mlreg.ErrSetting
	}
	return report.Rows[mlreg.CoefRow](c), nil
}

func row(term string, estimate, half float64) mlreg.CoefRow {
	return mlreg.CoefRow{Term: term, Estimate: estimate, Lower: estimate - half, Upper: estimate + half}
}

func coefTables() (a, b coefTable) {
	a = coefTable{row(mlreg.InterceptName, 40, 1), row("age", -0.2, 0.3), row("aliased", math.NaN(), math.NaN()), row("svi", 0.6, 0.2)}
	b = coefTable{row("svi", 0.5, 0.4), row("age", -0.1, 0.1), row("lcp", 0.3, 0.2)}
	return a, b
}

// terms returns the names on the vertical axis, from the top.
func terms(t *testing.T, f *Figure) string {
	t.Helper()
	var names []string
	for _, tick := range f.Panels[0][0].Y.Tick.Marker.(plot.ConstantTicks) {
		names = append(names, tick.Label)
	}
	return strings.Join(names, " ")
}

func TestCoefPlotTerms(t *testing.T) {
	a, b := coefTables()
	both := []NamedFit{{Name: "first", Fit: a}, {Name: "second", Fit: b}}
	for _, c := range []struct {
		s    *CoefPlotSettings
		want string
	}{
		{nil, "age aliased svi lcp"},
		{&CoefPlotSettings{Sorted: true}, "svi lcp age aliased"},
		{&CoefPlotSettings{Terms: []string{"lcp", mlreg.InterceptName}}, "lcp (Intercept)"},
	} {
		f := get(CompareCoefs(both, 0.95, c.s))(t)
		if got := terms(t, f); got != c.want {
			t.Errorf("%v: %q, want %q", c.s, got, c.want)
		}
	}
}

func TestCoefPlotErrors(t *testing.T) {
	a, _ := coefTables()
	var none *mlreg.OLS
	for name, c := range map[string]struct {
		fits  []NamedFit
		level float64
		s     *CoefPlotSettings
		is    error
	}{
		"no fit":       {nil, 0.95, nil, mlreg.ErrNoData},
		"nil fit":      {[]NamedFit{{Fit: none}}, 0.95, nil, mlreg.ErrNoData},
		"level":        {[]NamedFit{{Fit: a}}, 95, nil, mlreg.ErrSetting},
		"unknown term": {[]NamedFit{{Fit: a}}, 0.95, &CoefPlotSettings{Terms: []string{"svy"}}, mlreg.ErrShape},
		"only aliased": {[]NamedFit{{Fit: a}}, 0.95, &CoefPlotSettings{Terms: []string{"aliased"}}, mlreg.ErrNoData},
	} {
		if _, err := CompareCoefs(c.fits, c.level, c.s); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
}

func TestGoldenCoefPlot(t *testing.T) {
	a, b := coefTables()
	f := get(CompareCoefs([]NamedFit{{Name: "classical", Fit: a}, {Name: "robust", Fit: b}}, 0.9, &CoefPlotSettings{Title: "Two fits"}))(t)
	checkImage(t, "coefplot", f)
}

// The confidence and the prediction band, the limits of the slope with sigma
// known, and an ellipse that holds 95% of a normal distribution.
func TestGoldenLimits(t *testing.T) {
	d, fit := lineFit(t)
	bands := get(FitLine(d, fit, 0.95, mlreg.Confidence, mlreg.Prediction))(t)
	known := get(mlreg.FitOLS(d, &mlreg.OLSSettings{Sigma2: 1.5}))(t)
	slopes := get(SlopeLimits(d, known, 0.95))(t)
	b := known.Coef()
	ellipse := get(Draw(Labels{Title: "Where the weights may be", X: "intercept", Y: "slope"},
		Points{X: b[:1], Y: b[1:]}, Ellipse{X: b[0], Y: b[1], Cov: known.VCov(), Level: 0.95, Name: "95%"}))(t)
	checkImage(t, "limits", Grid(2, bands, slopes, ellipse))
}

// The points of the ellipse have the Mahalanobis distance asked for.
func TestEllipse(t *testing.T) {
	p := get(Draw(Labels{}, Ellipse{X: 3, Y: -1, Cov: hatCov(4, -1.5, 1), Level: 0.95}))(t)
	// The extremes are the center -+ q times the standard deviations.
	q := math.Sqrt(5.991464547107979) // R: qchisq(0.95, 2)
	for _, c := range []struct{ got, want float64 }{
		{p.X.Max - p.X.Min, 2 * q * 2 * 1.08}, {p.Y.Max - p.Y.Min, 2 * q * 1.08}, // 4% beyond at each end
		{(p.X.Max + p.X.Min) / 2, 3}, {(p.Y.Max + p.Y.Min) / 2, -1},
	} {
		if math.Abs(c.got-c.want) > 2e-3 {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}
