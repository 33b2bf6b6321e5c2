package plotting

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/plotting/internal/look"
)

// legend is what the colors of a figure stand for. It is drawn to the right of
// all panels, never over data.
type legend struct {
	title   string
	entries plot.Legend
}

func newLegend(title string) *legend {
	l := &legend{title: title, entries: look.Bare("", "", "").Legend}
	l.entries.Top, l.entries.Left = true, true
	return l
}

const legendTitleGap = vg.Length(5)

// size returns the size of the legend.
func (l *legend) size() vg.Point {
	style := look.Text(look.LegendSize, look.Quiet)
	size := l.entries.Rectangle(draw.Canvas{}).Size()
	if l.title != "" {
		size.X = max(size.X, style.Width(l.title))
		size.Y += style.Height(l.title) + legendTitleGap
	}
	return size
}

// draw draws the legend with its upper left corner at a point.
func (l *legend) draw(c draw.Canvas, at vg.Point) {
	if l.title != "" {
		style := look.Text(look.LegendSize, look.Quiet)
		at.Y -= style.Height(l.title)
		c.FillText(style, at, l.title)
		at.Y -= legendTitleGap
	}
	l.entries.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: at.X, Y: c.Min.Y}, Max: vg.Point{X: c.Max.X, Y: at.Y}}})
}
