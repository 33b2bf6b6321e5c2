package plotting

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars are upright bars from 0 to every y, as for probabilities. Values must be
// finite, and the axis not logarithmic.
type Bars struct {
	X, Y  []float64
	Name  string
	Color color.Color
	Width float64 // in units of x; the default is 0.6 of the smallest distance of two
}

func (l Bars) addTo(p *plot.Plot, auto color.Color) error {
	what := layerName("bars", l.Name)
	if err := checkFromZero(what, p, l.X, l.Y); err != nil {
		return err
	}
	b := bars{l.X, l.Y, l.Width, colorOr(l.Color, auto)}
	if b.width <= 0 {
		b.width = 0.6 * smallestGap(l.X)
	}
	p.Add(b)
	legendEntry(p, l.Name, b)
	return nil
}

func (l Bars) advances() bool { return l.Color == nil }

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

// bars is the plotter of Bars.
type bars struct {
	x, y  []float64
	width float64
	color color.Color
}

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for i, x := range b.x {
		x0, x1 := trX(x-b.width/2), trX(x+b.width/2)
		y0, y1 := trY(0), trY(b.y[i])
		box := []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
		c.FillPolygon(b.color, c.ClipPolygonXY(box))
	}
}

// DataRange implements plot.DataRanger: the bars' width counts, and 0.
func (b bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = math.Inf(1), math.Inf(-1)
	for i, x := range b.x {
		xmin, xmax = math.Min(xmin, x-b.width/2), math.Max(xmax, x+b.width/2)
		ymin, ymax = math.Min(ymin, b.y[i]), math.Max(ymax, b.y[i])
	}
	return xmin, xmax, ymin, ymax
}

// Thumbnail implements plot.Thumbnailer.
func (b bars) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(b.color, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
}
