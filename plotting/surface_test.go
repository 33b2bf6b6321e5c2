package plotting

import (
	"errors"
	"math"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

func TestGoldenSurface(t *testing.T) {
	f := func(x, y float64) float64 { return math.Exp(-x*x/2 - (y-x)*(y-x)) }
	over := Rect{-3, 3, -3, 3}
	p, err := Draw(Labels{X: "x", Y: "y"}, Heat{F: f, Over: over},
		Contours{F: f, Over: over, Levels: []float64{math.Exp(-0.5), math.Exp(-2)}, Name: "one and two std. dev.", Color: Vermillion})
	if err != nil {
		t.Fatal(err)
	}
	figure := Sized(p, 5, 3.2)
	figure.EqualAxes = true
	checkImage(t, "surface", figure)
}

func TestSurfaceErrors(t *testing.T) {
	unit := Rect{0, 1, 0, 1}
	one := func(x, y float64) float64 { return 1 }
	for name, c := range map[string]struct {
		layer Layer
		is    error
	}{
		"no function":  {Heat{Over: unit}, mlreg.ErrSetting},
		"empty":        {Heat{F: one}, mlreg.ErrSetting},
		"negative":     {Heat{F: func(x, y float64) float64 { return -1 }, Over: unit}, mlreg.ErrSetting},
		"infinite":     {Heat{F: func(x, y float64) float64 { return math.Inf(1) }, Over: unit}, mlreg.ErrNotFinite},
		"NaN":          {Heat{F: func(x, y float64) float64 { return math.NaN() }, Over: unit}, mlreg.ErrNotFinite},
		"N":            {Heat{F: one, Over: unit, N: 1}, mlreg.ErrSetting},
		"no levels":    {Contours{F: one, Over: unit}, mlreg.ErrSetting},
		"level":        {Contours{F: one, Over: unit, Levels: []float64{math.NaN()}}, mlreg.ErrNotFinite},
		"no function ": {Contours{Over: unit, Levels: []float64{1}}, mlreg.ErrSetting},
		"bars":         {Bars{X: []float64{1}, Y: nil}, mlreg.ErrShape},
		"bars NaN":     {Bars{X: []float64{1}, Y: []float64{math.NaN()}}, mlreg.ErrNotFinite},
	} {
		if _, err := Draw(Labels{}, c.layer); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
	if _, err := Draw(Labels{}, LogY{}, Bars{X: []float64{1}, Y: []float64{1}}); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
}
