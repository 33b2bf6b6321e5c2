package plotting

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
)

func hatCov(a, b, c float64) *mat.SymDense { return mat.NewSymDense(2, []float64{a, b, b, c}) }

// influential is a line with one row far out.
func influential(t *testing.T) (*mlreg.Design, *mlreg.OLS) {
	t.Helper()
	x, y := lineData(24)
	x, y = append(x, 19), append(y, 11)
	d := get(mlreg.NewDesign(columns(x), y, "dose"))(t)
	fit := get(mlreg.FitOLS(d, nil))(t)
	return d, fit
}

// R's qnorm(qbeta(...)) and qqnorm: testdata/lowess.R.
func TestQQBand(t *testing.T) {
	const tol = 1e-10
	for _, c := range []struct {
		i                   int
		score, lower, upper float64
	}{
		{1, -1.95996398454, -2.79921147248, -1.08433412206},
		{7, -0.45376219017, -0.9256616665535, 0.0195990937595},
		{20, 1.95996398454, 1.08433412206, 2.79921147248},
	} {
		lower, upper := normalOrderLimits(c.i, 20, 0.9)
		if score := normalScore(c.i, 20); math.Abs(score-c.score) > tol {
			t.Errorf("score of %d: %v, R has %v", c.i, score, c.score)
		}
		if math.Abs(lower-c.lower) > tol || math.Abs(upper-c.upper) > tol {
			t.Errorf("limits of %d: %v, %v; R has %v, %v", c.i, lower, upper, c.lower, c.upper)
		}
	}
	if s := normalScore(4, 10); math.Abs(s+0.375461770236) > tol {
		t.Errorf("score of 4 of 10: %v", s)
	}
}

// A point on a contour has the Cook's distance that the contour is named by,
// and contours end where the plot does.
func TestCookContours(t *testing.T) {
	d, fit := influential(t)
	rows := get(diagnose("test", fit, d, &DiagnosticsSettings{CookLevels: []float64{0.3}}))(t)
	contours := rows.cookContours(0.9, -2, 3)
	if len(contours) != 2 {
		t.Fatalf("%d contours", len(contours))
	}
	for k, edge := range []float64{3, -2} {
		l := contours[k]
		if math.Abs(l.Y[0]-edge) > 1e-12 || l.X[len(l.X)-1] != 0.9 {
			t.Errorf("contour from (%v, %v) to x = %v", l.X[0], l.Y[0], l.X[len(l.X)-1])
		}
		for i, h := range l.X {
			if cook := l.Y[i] * l.Y[i] / 2 * h / (1 - h); math.Abs(cook-0.3) > 1e-12 || l.Y[i]*edge < 0 {
				t.Errorf("at (%v, %v) Cook's distance is %v", h, l.Y[i], cook)
			}
		}
	}
	if none := rows.cookContours(0.01, -2, 3); len(none) > 0 {
		t.Errorf("contours outside of the plot: %v", none)
	}
	if _, err := ResidualsLeverage(fit, d, &DiagnosticsSettings{CookLevels: []float64{}}); err != nil {
		t.Errorf("without contours: %v", err)
	}
	if err := (TextSink{}).Put(Bundle{Text: "x"}); !errors.Is(err, mlreg.ErrNoData) {
		t.Errorf("a sink without a writer: %v", err)
	}
}

func TestLargest(t *testing.T) {
	nan := math.NaN()
	got := largest(4, []float64{1, nan, 7, -2, 7, nan})
	for i, want := range []int{2, 4, 0, 3} {
		if got[i] != want {
			t.Fatalf("%v", got)
		}
	}
	if len(largest(-1, []float64{1})) != 0 || len(largest(5, []float64{1})) != 1 {
		t.Error("number of largest")
	}
}

// Rows of leverage 1 are left out, and named.
func TestDiagnosticsOmitsLeverageOne(t *testing.T) {
	x := []float64{0, 0, 0, 0, 0, 1}
	d := get(mlreg.NewDesign(columns(x, []float64{1, 4, 2, 6, 3, 3}), []float64{3, 1, 2, 5, 4, 9}))(t)
	fit := get(mlreg.FitOLS(d, nil))(t)
	p := get(QQ(fit, d, &DiagnosticsSettings{RowNames: []string{"a", "b", "c", "d", "e", "far"}}))(t)
	if want := "(left out, leverage 1 or weight 0: far)"; !strings.Contains(p.X.Label.Text, want) {
		t.Errorf("%q lacks %q", p.X.Label.Text, want)
	}
	if _, err := Diagnostics(fit, d, nil); err != nil {
		t.Error(err)
	}
}

// A row of weight zero is left out, and the others keep their numbers.
func TestDiagnosticsOmitsWeightZero(t *testing.T) {
	d, _ := influential(t)
	d.Weights = make([]float64, d.NObs())
	for i := 1; i < d.NObs(); i++ {
		d.Weights[i] = 1 + float64(i%3)
	}
	fit := get(mlreg.FitOLS(d, nil))(t)
	rows := get(diagnose("test", fit, d, nil))(t)
	if len(rows.number) != d.NObs()-1 || rows.number[0] != 2 || rows.RowNames[0] != "2" {
		t.Errorf("rows %v, names %v", rows.number, rows.RowNames)
	}
	if want := "(left out, leverage 1 or weight 0: 1)"; !strings.Contains(rows.omitted, want) {
		t.Errorf("%q lacks %q", rows.omitted, want)
	}
}

func TestDiagnosticsErrors(t *testing.T) {
	d, fit := influential(t)
	other, _ := lineFit(t)
	saturated := get(mlreg.NewDesign(columns([]float64{1, 2}), []float64{1, 3}))(t)
	exact := get(mlreg.FitOLS(saturated, nil))(t)
	flat := get(mlreg.NewDesign(columns([]float64{1, 2, 3, 4}), []float64{2, 2, 2, 2}))(t)
	perfect := get(mlreg.FitOLS(flat, nil))(t)
	for name, c := range map[string]struct {
		fit *mlreg.OLS
		d   *mlreg.Design
		s   *DiagnosticsSettings
		is  error
	}{
		"nil fit":    {nil, d, nil, mlreg.ErrNoData},
		"nil design": {fit, nil, nil, mlreg.ErrNoData},
		"other rows": {fit, other, nil, mlreg.ErrShape},
		"saturated":  {exact, saturated, nil, mlreg.ErrSaturated},
		"perfect":    {perfect, flat, nil, mlreg.ErrNoData},
		"level":      {fit, d, &DiagnosticsSettings{Level: 95}, mlreg.ErrSetting},
		"row names":  {fit, d, &DiagnosticsSettings{RowNames: []string{"a"}}, mlreg.ErrShape},
		"contour":    {fit, d, &DiagnosticsSettings{CookLevels: []float64{-1}}, mlreg.ErrSetting},
	} {
		if _, err := Diagnostics(c.fit, c.d, c.s); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
		for _, panel := range []func(Diagnosable, *mlreg.Design, *DiagnosticsSettings) (*plot.Plot, error){
			ResidualsFitted, QQ, ScaleLocation, ResidualsLeverage, CooksDistance,
		} {
			if _, err := panel(c.fit, c.d, c.s); !errors.Is(err, c.is) {
				t.Errorf("%s, one panel: %v, want %v", name, err, c.is)
			}
		}
	}
}

func TestGoldenDiagnostics(t *testing.T) {
	d, fit := influential(t)
	f := get(Diagnostics(fit, d, nil))(t)
	cook := get(CooksDistance(fit, d, &DiagnosticsSettings{Extremes: 1}))(t)
	f.Panels = append(f.Panels, []*plot.Plot{cook, nil})
	f.Width, f.Height = 8, 9
	checkImage(t, "diagnostics", f)
}
