package plotting

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// manyCounts are counts of which two of five are zero, whatever the term.
func manyCounts(t *testing.T) (*mlreg.GLM, *mlreg.Design) {
	t.Helper()
	x, y := mat.NewDense(120, 1, nil), make([]float64, 120)
	for i := range y {
		x.Set(i, 0, float64(i%4))
		y[i] = float64(i % 5 * (i % 3) * (1 + i%2) / 2)
	}
	d := get(mlreg.NewDesign(x, y, "x"))(t)
	fit := get(mlreg.FitGLM(d, mlreg.Poisson, nil))(t)
	return fit, d
}

func TestGoldenRootogram(t *testing.T) {
	fit, d := manyCounts(t)
	counts := get(fit.Frequencies(d, 0))(t)
	p := get(Rootogram(counts))(t)
	checkImage(t, "rootogram", Sized(p, 5, 3.2))
	f := get(QuantileResiduals(fit, d, rand.NewPCG(5, 6)))(t)
	checkImage(t, "quantileresiduals", f)
}

// Bars hang between the root of the expected frequency and that less the root of the observed.
func TestRootogramBars(t *testing.T) {
	p := get(Rootogram(&mlreg.CountFrequencies{Response: "y", Width: 3, Observed: []float64{4, 9}, Expected: []float64{9, 1}}))(t)
	hanging := blocks{all: []Rect{{XMin: 1 - 1.35, XMax: 1 + 1.35, YMin: 1, YMax: 3}, {XMin: 4 - 1.35, XMax: 4 + 1.35, YMin: -2, YMax: 1}}}
	left, right, low, high := hanging.DataRange()
	if math.Abs(left+0.35) > 1e-15 || right != 5.35 || low != -2 || high != 3 {
		t.Errorf("bars reach from %v to %v, and from %v to %v", left, right, low, high)
	}
	const margin = 0.04
	for _, c := range [][2]float64{{p.Y.Min, low - margin*(high-low)}, {p.Y.Max, high + margin*(high-low)},
		{p.X.Min, left - margin*(right-left)}, {p.X.Max, right + margin*(right-left)}} {
		if math.Abs(c[0]-c[1]) > 1e-12 {
			t.Errorf("an axis ends at %v, want %v", c[0], c[1])
		}
	}
	if _, err := Rootogram(&mlreg.CountFrequencies{Width: 1, Observed: []float64{1}}); !errors.Is(err, mlreg.ErrShape) {
		t.Errorf("no expected frequencies: %v", err)
	}
	if _, err := Rootogram(&mlreg.CountFrequencies{Width: 1, Observed: []float64{1}, Expected: []float64{math.NaN()}}); !errors.Is(err, mlreg.ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
}
