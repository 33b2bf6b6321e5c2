package plotting

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/regbook/regbook/mlreg"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

func TestGoldenSurface(t *testing.T) {
	f := func(x, y float64) float64 { return math.Exp(-x*x/2 - (y-x)*(y-x)) }
	over := Rect{-3, 3, -3, 3}
	p := get(Draw(Labels{X: "x", Y: "y"}, Heat{F: f, Over: over},
		Contours{F: f, Over: over, Levels: []float64{math.Exp(-0.5), math.Exp(-2)}, Name: "one and two std. dev.", Color: Vermillion}))(t)
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

// Contours ask for the room that gonum's do, whatever part of the grid the axes
// show.
func TestContourRoom(t *testing.T) {
	over := Rect{XMin: -1, XMax: 2, YMin: 0, YMax: 5}
	g := get(sample("test", func(x, y float64) float64 { return x * y }, over, 0, 20))(t)
	lines := plotter.NewContour(g, []float64{1}, nil)
	onPoints := Rect{XMin: g.x[2], XMax: g.x[10], YMin: g.y[3], YMax: g.y[7]}
	for _, axes := range []Rect{over, onPoints, {XMin: 0, XMax: 9, YMin: 1, YMax: 2}, {XMin: -3, XMax: -2, YMin: 0, YMax: 5}} {
		room := func(of plot.Plotter) []float64 {
			p := plot.New()
			p.Add(of)
			p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = axes.XMin, axes.XMax, axes.YMin, axes.YMax
			c := p.DataCanvas(draw.New(vgimg.New(300, 200)))
			return []float64{float64(c.Min.X), float64(c.Max.X), float64(c.Min.Y), float64(c.Max.Y)}
		}
		if got, want := room(contours{lines, g}), room(lines); !slices.Equal(got, want) {
			t.Errorf("axes %v: room %v, want %v", axes, got, want)
		}
	}
}
