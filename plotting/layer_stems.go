package plotting

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// Stems is a vertical line from 0 to every y, as for a value of each row or
// coefficient. Values must be finite, and the axis not logarithmic.
type Stems struct {
	X, Y  []float64
	Name  string
	Color color.Color
	Width float64 // in points of 1/72 inch; the default is 1.75
}

func (l Stems) addTo(p *plot.Plot, auto *autoColor) error {
	what := layerName("stems", l.Name)
	if err := checkFromZero(what, p, l.X, l.Y); err != nil {
		return err
	}
	s := stems{l.X, l.Y, lineStyle(auto.orNext(l.Color), look.LineWidth, l.Width, false)}
	p.Add(s)
	legendEntry(p, l.Name, s)
	return nil
}

// checkFromZero checks the data of a layer of things that begin at y = 0.
func checkFromZero(what string, p *plot.Plot, x, y []float64) error {
	if err := check.Drawable(what, check.XY(x, y)...); err != nil {
		return err
	}
	if p.Y.Scale == (plot.LogScale{}) {
		return fmt.Errorf("plotting: %s: %w: they begin at 0, which a logarithmic axis cannot show", what, mlreg.ErrSetting)
	}
	return nil
}

type stems struct {
	x, y  []float64
	style draw.LineStyle
}

// Plot implements plot.Plotter.
func (s stems) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for i := range s.x {
		foot, head := vg.Point{X: trX(s.x[i]), Y: trY(0)}, vg.Point{X: trX(s.x[i]), Y: trY(s.y[i])}
		c.StrokeLines(s.style, c.ClipLinesXY([]vg.Point{foot, head})...)
	}
}

// DataRange implements plot.DataRanger: 0 counts.
func (s stems) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = plotter.XYRange(points(s.x, s.y))
	return xmin, xmax, min(ymin, 0), max(ymax, 0)
}

// Thumbnail implements plot.Thumbnailer.
func (s stems) Thumbnail(c *draw.Canvas) {
	x := c.Center().X
	c.StrokeLine2(s.style, x, c.Min.Y, x, c.Max.Y)
}
