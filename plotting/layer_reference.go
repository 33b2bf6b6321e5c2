package plotting

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// HLine is a horizontal reference line across the plot, gray and dashed unless
// said otherwise.
type HLine struct {
	Y     float64
	Name  string
	Color color.Color
	Solid bool
}

func (l HLine) addTo(p *plot.Plot, _ *autoColor) error {
	return reference{at: l.Y, horizontal: true}.addTo(p, l.Name, l.Color, l.Solid)
}

// VLine is a vertical reference line across the plot, gray and dashed unless
// said otherwise.
type VLine struct {
	X     float64
	Name  string
	Color color.Color
	Solid bool
}

func (l VLine) addTo(p *plot.Plot, _ *autoColor) error {
	return reference{at: l.X}.addTo(p, l.Name, l.Color, l.Solid)
}

// reference is the plotter of HLine and VLine.
type reference struct {
	at         float64
	horizontal bool
	style      draw.LineStyle
}

func (r reference) addTo(p *plot.Plot, name string, c color.Color, solid bool) error {
	if !check.IsFinite(r.at) {
		return fmt.Errorf("plotting: %s: %w: its position is %v", layerName("reference line", name), mlreg.ErrNotFinite, r.at)
	}
	r.style = lineStyle(colorOr(c, Gray), look.ThinWidth, 0, !solid)
	p.Add(r)
	legendEntry(p, name, r)
	return nil
}

// Plot implements plot.Plotter.
func (r reference) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	if r.horizontal {
		if y := trY(r.at); c.ContainsY(y) {
			c.StrokeLine2(r.style, c.Min.X, y, c.Max.X, y)
		}
		return
	}
	if x := trX(r.at); c.ContainsX(x) {
		c.StrokeLine2(r.style, x, c.Min.Y, x, c.Max.Y)
	}
}

// DataRange implements plot.DataRanger: the line's own position counts, the
// other axis is left alone.
func (r reference) DataRange() (xmin, xmax, ymin, ymax float64) {
	if r.horizontal {
		return math.Inf(1), math.Inf(-1), r.at, r.at
	}
	return r.at, r.at, math.Inf(1), math.Inf(-1)
}

// Thumbnail implements plot.Thumbnailer.
func (r reference) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(r.style, c.Min.X, y, c.Max.X, y)
}

// Note writes a text at a point of the plot, to its upper right unless said
// otherwise.
type Note struct {
	X, Y  float64
	Text  string
	Color color.Color // the default is dark gray
	Side  Side
}

// Side is where a Note stands, seen from its point.
type Side int

const (
	UpperRight Side = iota
	UpperLeft
	LowerRight
	LowerLeft
	Above
	Below
	Centered // on the point
)

func (l Note) addTo(p *plot.Plot, _ *autoColor) error {
	what := layerName("note", l.Text)
	if err := check.Finite(what, check.XY([]float64{l.X}, []float64{l.Y})...); err != nil {
		return err
	}
	labels := &plotter.Labels{XYs: plotter.XYs{{X: l.X, Y: l.Y}}, Labels: []string{l.Text}}
	style := look.Text(look.TickSize, colorOr(l.Color, look.Ink))
	const gap = vg.Length(4)
	switch l.Side {
	case UpperRight, LowerRight:
		labels.Offset.X = gap
	case UpperLeft, LowerLeft:
		labels.Offset.X, style.XAlign = -gap, text.XRight
	default:
		style.XAlign = text.XCenter
	}
	switch l.Side {
	case UpperRight, UpperLeft, Above:
		labels.Offset.Y = gap
	case LowerRight, LowerLeft, Below:
		labels.Offset.Y, style.YAlign = -gap, text.YTop
	default:
		style.YAlign = text.YCenter
	}
	labels.TextStyle = []text.Style{style}
	p.Add(labels)
	return nil
}
