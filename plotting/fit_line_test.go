package plotting

import (
	"errors"
	"math"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

// Limits of R's predict.lm, level 0.9: testdata/band.R.
func TestBands(t *testing.T) {
	x := []float64{1, 2, 3, 5, 8, 13}
	y := []float64{2.1, 2.9, 4.2, 5.1, 9.7, 13.3}
	at := []float64{1, 7, 13}
	const tol = 1e-10
	for _, c := range []struct {
		noIntercept        bool
		mean, lower, upper []float64
		low, high          []float64 // of the prediction band
	}{
		{false, []float64{2.04440789474, 7.82138157895, 13.59835526316},
			[]float64{1.23744923785, 7.22216281839, 12.42299142535},
			[]float64{2.85136655163, 8.42060033951, 14.77371910097},
			[]float64{0.462867433744, 6.335060254725, 11.800698981479},
			[]float64{3.62594835573, 9.30770290317, 15.39601154484}},
		{true, []float64{1.09007352941, 7.63051470588, 14.17095588235},
			[]float64{0.977519072176, 6.842633505232, 12.707747938287},
			[]float64{1.20262798665, 8.41839590653, 15.63416382642},
			[]float64{-0.769631311501, 5.613935826738, 11.807312280401},
			[]float64{2.94977837032, 9.64709358503, 16.53459948431}},
	} {
		d := get(mlreg.NewDesign(columns(x), y))(t)
		d.NoIntercept = c.noIntercept
		fit := get(mlreg.FitOLS(d, nil))(t)
		new := get(mlreg.NewDesign(columns(at), nil))(t)
		layers := get(bandLayers(fit, new, at, 0.9, []mlreg.BandKind{mlreg.Confidence, mlreg.Prediction, mlreg.Confidence}))(t)
		if len(layers) != 2 {
			t.Fatalf("%d bands", len(layers))
		}
		prediction, confidence := layers[0].(Ribbon), layers[1].(Ribbon)
		if confidence.Name != "90% confidence" || prediction.Name != "90% prediction" {
			t.Errorf("bands are named %q and %q", confidence.Name, prediction.Name)
		}
		for i := range at {
			if math.Abs(confidence.Lower[i]-c.lower[i]) > tol || math.Abs(confidence.Upper[i]-c.upper[i]) > tol {
				t.Errorf("intercept %v, x = %v: (%v, %v), R has (%v, %v)", !c.noIntercept, at[i],
					confidence.Lower[i], confidence.Upper[i], c.lower[i], c.upper[i])
			}
			if math.Abs(prediction.Lower[i]-c.low[i]) > tol || math.Abs(prediction.Upper[i]-c.high[i]) > tol {
				t.Errorf("intercept %v, x = %v, prediction: (%v, %v), R has (%v, %v)", !c.noIntercept, at[i],
					prediction.Lower[i], prediction.Upper[i], c.low[i], c.high[i])
			}
		}
	}
}

// The band is narrowest at the mean of x, not at 0.
func TestBandIsNarrowestAtTheData(t *testing.T) {
	x := []float64{101, 102, 104, 107}
	d := get(mlreg.NewDesign(columns(x), []float64{1, 3, 2, 5}))(t)
	fit := get(mlreg.FitOLS(d, nil))(t)
	at := Range(100, 108, 33)
	grid := get(mlreg.NewDesign(columns(at), nil))(t)
	layers := get(bandLayers(fit, grid, at, 0.95, []mlreg.BandKind{mlreg.Confidence}))(t)
	band, best := layers[0].(Ribbon), 0
	for i := range at {
		if band.Upper[i]-band.Lower[i] < band.Upper[best]-band.Lower[best] {
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
	two := get(mlreg.NewDesign(columns(x, y), y))(t)
	noResponse := *d
	noResponse.Y = nil
	exact := get(mlreg.NewDesign(columns([]float64{1, 2}), []float64{1, 2}))(t)
	exactFit := get(mlreg.FitOLS(exact, nil))(t)
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
		"no variance": {exact, exactFit, 0.95, mlreg.ErrSaturated},
	} {
		if _, err := FitLine(c.d, c.fit, c.level); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
	for name, c := range map[string]struct {
		d     *mlreg.Design
		fit   *mlreg.OLS
		level float64
		is    error
	}{
		"nil fit":   {d, nil, 0.95, mlreg.ErrNoData},
		"two terms": {two, fit, 0.95, mlreg.ErrShape},
		"level":     {d, fit, 95, mlreg.ErrSetting},
		"saturated": {exact, exactFit, 0.95, mlreg.ErrSaturated},
	} {
		if _, err := SlopeLimits(c.d, c.fit, c.level); !errors.Is(err, c.is) {
			t.Errorf("slope limits, %s: %v, want %v", name, err, c.is)
		}
	}
	if _, err := FitLine(d, fit, 0.9, mlreg.BandKind(7)); !errors.Is(err, mlreg.ErrSetting) {
		t.Errorf("unknown band: %v", err)
	}
	if _, err := FitLine(exact, exactFit, 0); err != nil {
		t.Errorf("a line through two points: %v", err)
	}
}

// R's confint, and its cov.unscaled with qnorm for a known sigma:
// testdata/band.R.
func TestSlopeLimits(t *testing.T) {
	x := []float64{1, 2, 3, 5, 8, 13}
	y := []float64{2.1, 2.9, 4.2, 5.1, 9.7, 13.3}
	d := get(mlreg.NewDesign(columns(x), y))(t)
	for _, c := range []struct {
		sigma2       float64
		lower, upper string
	}{
		{0.25, "0.865", "1.060"},
		{0, "0.787", "1.139"},
	} {
		fit := get(mlreg.FitOLS(d, &mlreg.OLSSettings{Sigma2: c.sigma2}))(t)
		p := get(SlopeLimits(d, fit, 0.95))(t)
		if want := "slope 0.963, limits " + c.lower + " and " + c.upper; p.Title.Text != want {
			t.Errorf("%q, want %q", p.Title.Text, want)
		}
	}
}

// Lines of any slope go through the weighted means, or the origin.
func TestThroughMeans(t *testing.T) {
	d := get(mlreg.NewDesign(columns([]float64{0, 2, 4}), []float64{1, 1, 5}))(t)
	d.Weights = []float64{1, 1, 2} // means 2.5 and 3
	for _, noIntercept := range []bool{false, true} {
		d.NoIntercept = noIntercept
		fit := get(mlreg.FitOLS(d, nil))(t)
		l := throughMeans(d, fit, 2)
		at := 3 - 2*2.5
		if noIntercept {
			at = 0
		}
		if l.X[0] != 0 || l.X[1] != 4 || l.Y[0] != at || l.Y[1] != at+8 {
			t.Errorf("no intercept %v: from (%v, %v) to (%v, %v)", noIntercept, l.X[0], l.Y[0], l.X[1], l.Y[1])
		}
	}
}
