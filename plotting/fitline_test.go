package plotting

import (
	"errors"
	"math"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

// Limits of R's predict.lm, interval = "confidence", level 0.9: testdata/band.R.
func TestConfidenceBand(t *testing.T) {
	x := []float64{1, 2, 3, 5, 8, 13}
	y := []float64{2.1, 2.9, 4.2, 5.1, 9.7, 13.3}
	at := []float64{1, 7, 13}
	const tol = 1e-10
	for _, c := range []struct {
		noIntercept        bool
		mean, lower, upper []float64
	}{
		{false, []float64{2.04440789474, 7.82138157895, 13.59835526316},
			[]float64{1.23744923785, 7.22216281839, 12.42299142535},
			[]float64{2.85136655163, 8.42060033951, 14.77371910097}},
		{true, []float64{1.09007352941, 7.63051470588, 14.17095588235},
			[]float64{0.977519072176, 6.842633505232, 12.707747938287},
			[]float64{1.20262798665, 8.41839590653, 15.63416382642}},
	} {
		d, err := mlreg.NewDesign(columns(x), y)
		if err != nil {
			t.Fatal(err)
		}
		d.NoIntercept = c.noIntercept
		fit, err := mlreg.FitOLS(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		new, err := mlreg.NewDesign(columns(at), nil)
		if err != nil {
			t.Fatal(err)
		}
		mean, err := fit.Predict(new)
		if err != nil {
			t.Fatal(err)
		}
		band, err := confidenceBand(fit, at, mean, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		for i := range at {
			if math.Abs(mean[i]-c.mean[i]) > tol || math.Abs(band.Lower[i]-c.lower[i]) > tol || math.Abs(band.Upper[i]-c.upper[i]) > tol {
				t.Errorf("intercept %v, x = %v: %v (%v, %v), R has %v (%v, %v)", !c.noIntercept, at[i],
					mean[i], band.Lower[i], band.Upper[i], c.mean[i], c.lower[i], c.upper[i])
			}
		}
	}
}

// The band is narrowest at the mean of x, not at 0.
func TestBandIsNarrowestAtTheData(t *testing.T) {
	x := []float64{101, 102, 104, 107}
	d, err := mlreg.NewDesign(columns(x), []float64{1, 3, 2, 5})
	if err != nil {
		t.Fatal(err)
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := Range(100, 108, 33)
	band, err := confidenceBand(fit, at, make([]float64, len(at)), 0.95)
	if err != nil {
		t.Fatal(err)
	}
	best := 0
	for i := range at {
		if band.Upper[i] < band.Upper[best] {
			best = i
		}
	}
	if at[best] != 103.5 {
		t.Errorf("narrowest at %v", at[best])
	}
}

func TestFitLineErrors(t *testing.T) {
	d, fit := lineFit(t)
	x, y := lineData(12)
	two, err := mlreg.NewDesign(columns(x, y), y)
	if err != nil {
		t.Fatal(err)
	}
	noResponse := *d
	noResponse.Y = nil
	exact, err := mlreg.NewDesign(columns([]float64{1, 2}), []float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	exactFit, err := mlreg.FitOLS(exact, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		d     *mlreg.Design
		fit   *mlreg.OLS
		level float64
		is    error
	}{
		"nil design":  {nil, fit, 0, mlreg.ErrNoData},
		"nil fit":     {d, nil, 0, mlreg.ErrNoData},
		"two terms":   {two, fit, 0, mlreg.ErrShape},
		"no response": {&noResponse, fit, 0, mlreg.ErrNoData},
		"level":       {d, fit, 95, mlreg.ErrSetting},
		"no variance": {exact, exactFit, 0.95, mlreg.ErrNotFinite},
	} {
		if _, err := FitLine(c.d, c.fit, c.level); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
	if _, err := FitLine(exact, exactFit, 0); err != nil {
		t.Errorf("a line through two points: %v", err)
	}
}
