package plotting

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// Bars are upright bars from 0 to every y, as for probabilities, with limits if they are given.
// Values must be finite, and the axis not logarithmic.
type Bars struct {
	X, Y []float64
	// Lower and Upper, if not nil, are the limits of every y, drawn as a line with caps: values on the axis,
	// not distances. NaN in either is a bar without limits.
	Lower, Upper []float64
	Name         string
	Color        color.Color
	Width        float64 // in units of x; the default is 0.6 of the smallest distance of two
}

func (l Bars) addTo(p *plot.Plot, auto *autoColor) error {
	what := layerName("bars", l.Name)
	if err := checkFromZero(what, p, l.X, l.Y); err != nil {
		return err
	}
	width := l.Width
	if width <= 0 {
		width = 0.6 * smallestGap(l.X)
	}
	b := blocks{fill: auto.orNext(l.Color)}
	for i, x := range l.X {
		b.all = append(b.all, Rect{x - width/2, x + width/2, 0, l.Y[i]})
	}
	limits, err := l.limits(what)
	if err != nil {
		return err
	}
	p.Add(b)
	if limits != nil {
		p.Add(limits)
	}
	legendEntry(p, l.Name, b)
	return nil
}

// limits returns the lines of the limits, nil if there are none.
func (l Bars) limits(what string) (plot.Plotter, error) {
	if l.Lower == nil && l.Upper == nil {
		return nil, nil
	}
	if err := check.Lengths(what, check.Series{Name: "y", Values: l.Y}, check.Series{Name: "lower", Values: l.Lower}, check.Series{Name: "upper", Values: l.Upper}); err != nil {
		return nil, err
	}
	e := &plotter.YErrorBars{LineStyle: draw.LineStyle{Color: look.Ink, Width: look.ThinWidth + 0.3}, CapWidth: vg.Points(6)}
	for i, y := range l.Y {
		low, high := l.Lower[i], l.Upper[i]
		if math.IsNaN(low) || math.IsNaN(high) {
			continue
		}
		if !(low <= high) || !check.IsFinite(high-low) {
			return nil, fmt.Errorf("plotting: %s: %w: the limits of bar %d are %v and %v", what, mlreg.ErrSetting, i+1, low, high)
		}
		e.XYs = append(e.XYs, plotter.XY{X: l.X[i], Y: y})
		e.YErrors = append(e.YErrors, struct{ Low, High float64 }{y - low, high - y})
	}
	if len(e.XYs) == 0 {
		return nil, nil
	}
	return e, nil
}

// smallestGap returns the smallest distance of two values, 1 if they are all
// the same.
func smallestGap(x []float64) float64 {
	gap := math.Inf(1)
	for i, a := range x {
		for _, b := range x[:i] {
			if d := math.Abs(a - b); d > 0 {
				gap = math.Min(gap, d)
			}
		}
	}
	if math.IsInf(gap, 1) {
		return 1
	}
	return gap
}

// blocks is the plotter of rectangles, one or more, whose YMin may be above their YMax.
type blocks struct {
	all  []Rect
	fill color.Color
}

// Plot implements plot.Plotter.
func (b blocks) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for _, r := range b.all {
		c.FillPolygon(b.fill, c.ClipPolygonXY(corners(trX(r.XMin), trY(r.YMin), trX(r.XMax), trY(r.YMax))))
	}
}

// DataRange implements plot.DataRanger.
func (b blocks) DataRange() (xmin, xmax, ymin, ymax float64) {
	var ends plotter.XYs
	for _, r := range b.all {
		ends = append(ends, plotter.XY{X: r.XMin, Y: r.YMin}, plotter.XY{X: r.XMax, Y: r.YMax})
	}
	return plotter.XYRange(ends)
}

// Thumbnail implements plot.Thumbnailer.
func (b blocks) Thumbnail(c *draw.Canvas) { fillBox(*c, b.fill, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y) }
