package plotting

import (
	"errors"
	"math"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

// A straight line is its own smooth, whatever the spacing.
func TestLowessKeepsLines(t *testing.T) {
	var x, y []float64
	for i := range 50 {
		x = append(x, math.Pow(float64(i), 1.5))
		y = append(y, 3-0.25*x[i])
	}
	xs, smooth := lowess(x, y, 0.4, 3)
	for i := range xs {
		if math.Abs(smooth[i]-(3-0.25*xs[i])) > 1e-11 {
			t.Fatalf("at %v: %v", xs[i], smooth[i])
		}
	}
}

// An outlier hardly moves the smooth, because of the robust steps.
func TestLowessResistsOutliers(t *testing.T) {
	x, y := lineData(60)
	_, plain := lowess(x, y, 2./3, 3)
	y[30] += 1e6
	_, robust := lowess(x, y, 2./3, 3)
	_, once := lowess(x, y, 2./3, 0)
	if d := math.Abs(robust[30] - plain[30]); d > 0.2 {
		t.Errorf("moved by %v", d)
	}
	if d := math.Abs(once[30] - plain[30]); d < 1e4 {
		t.Errorf("without robust steps moved by %v only", d)
	}
}

// R's stats::lowess: testdata/lowess.R.
func TestLowess(t *testing.T) {
	const tol = 1e-10
	check := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > tol {
			t.Errorf("%s: %v, R has %v", what, got, want)
		}
	}
	var x, y []float64
	for i := range 40 {
		x = append(x, float64(i*7%20))
		y = append(y, math.Sin(x[i]/3)+float64(i*13%11)/20)
	}
	x, y = append(x, 25), append(y, 0.2)
	y[18] += 6
	_, wide := lowess(x, y, 2./3, 3)
	_, narrow := lowess(x, y, 0.3, 3)
	for _, c := range []struct {
		i            int
		wide, narrow float64
	}{
		{0, 0.7304368938504, 0.211186526713},
		{13, 0.8534967730386, 1.149802275631},
		{18, 0.3763693158076, 0.428956069451},
		{31, -0.3584206872635, -0.671472054210},
		{40, 0.2855371555565, 0.289212162119},
	} {
		check("span 2/3", wide[c.i], c.wide)
		check("span 0.3", narrow[c.i], c.narrow)
	}
	x, y = nil, nil
	for j := range 300 {
		x = append(x, math.Pow(float64(j)/299, 3))
		y = append(y, math.Cos(5*x[j])+float64(j*17%23)/30)
	}
	_, dense := lowess(x, y, 2./3, 3)
	for j, want := range map[int]float64{
		0: 1.396317023490, 1: 1.396316950342, 50: 1.387173581748, 120: 1.264768469722, 121: 1.261300354342,
		122: 1.257774438367, 200: 0.434222163454, 260: -0.234629036690, 299: -0.394034122544,
	} {
		check("dense", dense[j], want)
	}
}

func TestLowessOfFewPoints(t *testing.T) {
	for _, c := range []struct{ x, y, want []float64 }{
		{[]float64{3}, []float64{5}, []float64{5}},
		{[]float64{4, 3}, []float64{6, 5}, []float64{5, 6}},
		{[]float64{2, 2, 2, 2}, []float64{1, 2, 3, 2}, []float64{2, 2, 2, 2}},
	} {
		_, got := lowess(c.x, c.y, 2./3, 3)
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("x %v, y %v: %v, want %v", c.x, c.y, got, c.want)
			}
		}
	}
}

func TestNewLayerErrors(t *testing.T) {
	one, nan := []float64{1}, []float64{math.NaN()}
	cov := hatCov(1, 0.5, 1)
	for name, c := range map[string]struct {
		layer Layer
		is    error
	}{
		"smooth lengths":     {Smooth{X: one, Y: nil}, mlreg.ErrShape},
		"smooth NaN":         {Smooth{X: one, Y: nan}, mlreg.ErrNotFinite},
		"smooth span":        {Smooth{X: one, Y: one, Span: 1.5}, mlreg.ErrSetting},
		"stems lengths":      {Stems{X: one, Y: nil}, mlreg.ErrShape},
		"stems NaN":          {Stems{X: nan, Y: one}, mlreg.ErrNotFinite},
		"ellipse centre":     {Ellipse{X: math.NaN(), Cov: cov, Level: 0.5}, mlreg.ErrNotFinite},
		"ellipse covariance": {Ellipse{Level: 0.5}, mlreg.ErrShape},
		"ellipse indefinite": {Ellipse{Cov: hatCov(1, 2, 1), Level: 0.5}, mlreg.ErrSetting},
		"ellipse level":      {Ellipse{Cov: cov, Level: 95}, mlreg.ErrSetting},
		"ellipse neither":    {Ellipse{Cov: cov}, mlreg.ErrSetting},
		"ellipse both":       {Ellipse{Cov: cov, Level: 0.5, Radius: 1}, mlreg.ErrSetting},
	} {
		if _, err := Draw(Labels{}, c.layer); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
	if _, err := Draw(Labels{}, LogY{}, Stems{X: one, Y: one}); !errors.Is(err, mlreg.ErrSetting) {
		t.Errorf("stems on a logarithmic axis: %v", err)
	}
}
