package plotting

import (
	"image/color"
	"math"

	"github.com/regbook/regbook/plotting/internal/look"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// endLabel is the name of a line, for its right end.
type endLabel struct {
	x, y  float64
	text  string
	color color.Color
}

// endLabels writes names to the right of the data, each as near to the end of its
// line as the others leave room, and joins the two.
type endLabels []endLabel

const endLabelGap = vg.Length(14) // between the data and the labels

func (endLabels) style() text.Style {
	style := look.Text(look.TickSize, look.Ink)
	style.YAlign = text.YCenter
	return style
}

// Plot implements plot.Plotter.
func (l endLabels) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	style := l.style()
	wanted := make([]float64, len(l))
	for i, e := range l {
		wanted[i] = float64(trY(e.y))
	}
	height := style.FontExtents().Height
	half := height / 2
	placed := spread(wanted, float64(height), float64(c.Min.Y+half-2), float64(c.Max.Y-half+2))
	for i, e := range l {
		at := vg.Point{X: c.Max.X + endLabelGap, Y: vg.Length(placed[i])}
		from := vg.Point{X: trX(e.x), Y: trY(e.y)}
		c.StrokeLines(draw.LineStyle{Color: Fade(e.color, 0.6), Width: look.GridWidth},
			[]vg.Point{{X: from.X + 1, Y: from.Y}, {X: from.X + 3, Y: from.Y}, {X: at.X - 3, Y: at.Y}, {X: at.X - 1.5, Y: at.Y}})
		style.Color = e.color
		c.FillText(style, at, e.text)
	}
}

// GlyphBoxes implements plot.GlyphBoxer: it keeps the place of the labels free.
func (l endLabels) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	if len(l) == 0 {
		return nil
	}
	var widest vg.Length
	for _, e := range l {
		widest = max(widest, l.style().Width(e.text))
	}
	return rightMargin(endLabelGap + widest + 2).GlyphBoxes(p)
}

// spread moves values apart, as little as possible in the sum of squares, so that
// they keep their order, are at least gap from each other, and stay between low
// and high. Where there is no room for that the gap becomes smaller.
//
// With z_i = y_(i) - i gap this is isotonic regression, which the pool adjacent
// violators algorithm solves, cut off at the ends.
func spread(y []float64, gap, low, high float64) []float64 {
	n := len(y)
	if n == 0 {
		return nil
	}
	if n > 1 {
		gap = math.Min(gap, (high-low)/float64(n-1))
	}
	order := rising(y)
	type block struct {
		sum float64
		n   int
	}
	mean := func(b block) float64 { return b.sum / float64(b.n) }
	var blocks []block
	for i, k := range order {
		b := block{y[k] - float64(i)*gap, 1}
		for len(blocks) > 0 && mean(blocks[len(blocks)-1]) >= mean(b) {
			last := blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			b = block{b.sum + last.sum, b.n + last.n}
		}
		blocks = append(blocks, b)
	}
	placed := make([]float64, n)
	i := 0
	for _, b := range blocks {
		for range b.n {
			z := math.Min(math.Max(mean(b), low), high-float64(n-1)*gap)
			placed[order[i]] = z + float64(i)*gap
			i++
		}
	}
	return placed
}
