package plotting

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/plotting/internal/look"
)

// lineMark is a vertical line with its name at the top of the plot.
type lineMark struct {
	x      float64
	text   string
	color  color.Color
	dashed bool
}

// lineMarks is a layer of such lines, without the names.
type lineMarks []lineMark

func (l lineMarks) addTo(p *plot.Plot, _ *autoColor) error {
	for _, m := range l {
		if err := (VLine{X: m.x, Color: m.color, Solid: !m.dashed}).addTo(p, nil); err != nil {
			return err
		}
	}
	return nil
}

// makeRoom moves the top of the vertical axis up, so that the names hide no data.
func (l lineMarks) makeRoom(p *plot.Plot) {
	p.Y.Max += 0.075 * float64(len(l)) * (p.Y.Max - p.Y.Min)
}

// lineMarkTexts draws the names, on the side of the line where there is room: to
// the left for the first, to the right for the last. One that would reach into the
// name before stands below it.
type lineMarkTexts []lineMark

// Plot implements plot.Plotter.
func (l lineMarkTexts) Plot(c draw.Canvas, p *plot.Plot) {
	const gap = vg.Length(5)
	trX, _ := p.Transforms(&c)
	style := look.Text(look.TickSize, look.Ink)
	style.YAlign = text.YTop
	height := style.FontExtents().Height
	order := rising(format.Each(l, func(m lineMark) float64 { return math.Trunc(float64(trX(m.x) * 8)) }))
	row, end := 0, c.Min.X // of the name before
	for k, i := range order {
		x, width := trX(l[i].x), style.Width(l[i].text)
		left := x - gap - width
		if onRight := k > 0 || left < c.Min.X; onRight && x+gap+width <= c.Max.X {
			left = x + gap
		}
		left = max(c.Min.X+2, min(c.Max.X-2-width, left))
		if left < end {
			row++
		}
		end = left + width + 2*gap
		at := vg.Point{X: left, Y: c.Max.Y - 2 - vg.Length(row)*(height+2)}
		fillBox(c, Fade(color.White, 0.85), at.X-2, at.Y-height, at.X+width+2, at.Y)
		c.FillText(style, at, l[i].text)
	}
}
