package plotting

import (
	"image/color"
	"math"

	"github.com/regbook/regbook/plotting/internal/look"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The colors of the figures, by Okabe and Ito (2008, "Color Universal
// Design"), which readers with any of the common color-vision deficiencies
// can tell apart. Their yellow is left out: it is too pale for lines on white.
var (
	Blue       = color.NRGBA{R: 0x00, G: 0x72, B: 0xB2, A: 0xFF}
	Vermillion = color.NRGBA{R: 0xD5, G: 0x5E, B: 0x00, A: 0xFF}
	Green      = color.NRGBA{R: 0x00, G: 0x9E, B: 0x73, A: 0xFF}
	Purple     = color.NRGBA{R: 0xCC, G: 0x79, B: 0xA7, A: 0xFF}
	Orange     = color.NRGBA{R: 0xE6, G: 0x9F, B: 0x00, A: 0xFF}
	Sky        = color.NRGBA{R: 0x56, G: 0xB4, B: 0xE9, A: 0xFF}
	Black      = color.NRGBA{R: 0x1A, G: 0x1A, B: 0x1A, A: 0xFF}
	Gray       = color.NRGBA{R: 0x80, G: 0x80, B: 0x80, A: 0xFF}
)

// Palette returns the i-th automatic color of layers, counted from 0: Blue,
// Vermillion, Green, Purple, Orange, Sky, Black, and again Blue.
func Palette(i int) color.NRGBA {
	cycle := [...]color.NRGBA{Blue, Vermillion, Green, Purple, Orange, Sky, Black}
	return cycle[((i%len(cycle))+len(cycle))%len(cycle)]
}

// Fade returns c with the opacity given, 0 (invisible) to 1.
func Fade(c color.Color, opacity float64) color.NRGBA {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = uint8(math.Round(float64(n.A) * math.Max(0, math.Min(1, opacity))))
	return n
}

// mix returns white with the given share of c.
func mix(c color.NRGBA, share float64) color.NRGBA {
	if !(share > 0) {
		share = 0
	}
	share = math.Min(1, share)
	part := func(v uint8) uint8 { return uint8(math.Round(255 + share*(float64(v)-255))) }
	return color.NRGBA{R: part(c.R), G: part(c.G), B: part(c.B), A: 0xFF}
}

// New returns an empty plot in the theme of this package: sans-serif text, a
// light grid, round tick values. It is an ordinary plot: add layers with Add,
// or any plotter of gonum.org/v1/plot/plotter with its own methods. Labels may
// use Greek letters, sub- and superscripts and accents as Unicode (λ, σ², ŷ, β̂₁); a
// character that Liberation Sans lacks is drawn as □.
//
// Show and Figure.Save put the legend where it hides least, unless one of the
// fields Top, Left, XOffs and YOffs of p.Legend is set.
func New(title, xlabel, ylabel string) *plot.Plot {
	p := newBare(title, xlabel, ylabel)
	grid := plotter.NewGrid()
	grid.Horizontal = draw.LineStyle{Color: look.Faint, Width: look.GridWidth}
	grid.Vertical = grid.Horizontal
	p.Add(grid)
	return p
}

// newBare is New without the grid.
func newBare(title, xlabel, ylabel string) *plot.Plot {
	p := look.Bare(title, xlabel, ylabel)
	p.X.Tick.Marker, p.Y.Tick.Marker = Ticks{}, Ticks{}
	return p
}

// fillBox fills a rectangle on the page.
func fillBox(c draw.Canvas, fill color.Color, x0, y0, x1, y1 vg.Length) {
	c.FillPolygon(fill, corners(x0, y0, x1, y1))
}

// corners returns those of a rectangle on the page, in their order around it.
func corners(x0, y0, x1, y1 vg.Length) []vg.Point {
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}
