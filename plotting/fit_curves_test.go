package plotting

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// curve fits a formula by least squares.
func curve(t *testing.T, df dataframe.DataFrame, formula string) CurveFit {
	t.Helper()
	d := get(frames.Design(df, formula))(t)
	fit := get(mlreg.FitOLS(d, nil))(t)
	return CurveFit{Name: formula, Fit: fit, Design: d}
}

func fullWave(x float64) float64 { return math.Sin(2 * math.Pi * x) }

func TestGoldenFitCurves(t *testing.T) {
	df := wave(t)
	p := get(FitCurves(df, &CurveSettings{Title: "Two polynomials", Truth: fullWave},
		curve(t, df, "y ~ x"), curve(t, df, "y ~ poly(x, 3)")))(t)
	checkImage(t, "fitcurves", Sized(p, 5, 3.2))
}

func TestGoldenFitCurvePanels(t *testing.T) {
	df := wave(t)
	f := get(FitCurvePanels(df, &CurveSettings{Truth: fullWave, Columns: 3, Title: "Degrees"},
		curve(t, df, "y ~ x"), curve(t, df, "y ~ poly(x, 3)"), curve(t, df, "y ~ poly(x, 10)")))(t)
	checkImage(t, "fitcurvepanels", f)
}

// A basis as a Go value and the same one in a formula make the same curve, and
// the curve of a fit passes through its fitted values.
func TestCurveLine(t *testing.T) {
	df := wave(t)
	x := get(frames.Floats(df, "x"))(t)
	f := curve(t, df, "y ~ poly(x, 3)")
	basis := get(mlreg.NewPowers(3))(t)
	d := get(mlreg.Expand(basis, mat.NewVecDense(len(x), x), f.Design.Y))(t)
	fit := get(mlreg.FitOLS(d, nil))(t)
	v, a, err := f.line(df, CurveSettings{})
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := CurveFit{Fit: fit, Design: d}.line(df, CurveSettings{})
	if err != nil {
		t.Fatal(err)
	}
	one, two := a.(Line), b.(Line)
	for i := range one.Y {
		if math.Abs(one.Y[i]-two.Y[i]) > 1e-10 {
			t.Fatalf("at %v: %v and %v", one.X[i], one.Y[i], two.Y[i])
		}
	}
	fitted := get(fit.Fitted(d))(t)
	if v.at[0] != x[0] || v.at[240] != x[11] || math.Abs(one.Y[0]-fitted[0]) > 1e-10 || math.Abs(one.Y[240]-fitted[11]) > 1e-10 {
		t.Errorf("from (%v, %v) to (%v, %v)", v.at[0], one.Y[0], v.at[240], one.Y[240])
	}
}

// A curve that leaves the data by far is cut off, not the data.
func TestCurvesAreCut(t *testing.T) {
	df := wave(t)
	f := curve(t, df, "y ~ poly(x, 10)")
	p := get(FitCurves(df, &CurveSettings{From: -1, To: 2}, f))(t)
	low, high := slices.Min(f.Design.Y), slices.Max(f.Design.Y)
	if room := (high - low) / 2; p.Y.Min != low-room || p.Y.Max != high+room {
		t.Errorf("the axis reaches from %v to %v, the data from %v to %v", p.Y.Min, p.Y.Max, low, high)
	}
}

func TestFitCurvesErrors(t *testing.T) {
	df := wave(t)
	good := curve(t, df, "y ~ poly(x, 3)")
	rows := good
	rows.Design = good.Design.Rows(0, 1)
	plain := get(mlreg.NewDesign(good.Design.X, good.Design.Y))(t)
	for name, c := range map[string]struct {
		s    CurveSettings
		fits []CurveFit
		want error
	}{
		"none":      {CurveSettings{}, nil, mlreg.ErrNoData},
		"nil":       {CurveSettings{}, []CurveFit{good, {Name: "second"}}, mlreg.ErrNoData},
		"columns":   {CurveSettings{Columns: -1}, []CurveFit{good}, mlreg.ErrSetting},
		"interval":  {CurveSettings{From: 2, To: 1}, []CurveFit{good}, mlreg.ErrSetting},
		"no column": {CurveSettings{Input: "z"}, []CurveFit{good}, frames.ErrNoColumn},
		"rows":      {CurveSettings{}, []CurveFit{rows}, mlreg.ErrShape},
		"no recipe": {CurveSettings{}, []CurveFit{{Fit: good.Fit, Design: plain}}, frames.ErrNoRecipe},
	} {
		if _, err := FitCurvePanels(df, &c.s, c.fits...); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := FitCurves(df, nil, good, CurveFit{Name: "second"}); err == nil || !strings.Contains(err.Error(), "fit 2 of 2 (\"second\")") {
		t.Error(err)
	}
}
