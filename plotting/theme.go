package plotting

import (
	"image/color"
	"math"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The colours of the figures, by Okabe and Ito (2008, "Color Universal
// Design"), which readers with any of the common colour-vision deficiencies
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

// Colours of the parts of a figure that are not data.
var (
	inkColor  = color.NRGBA{R: 0x26, G: 0x26, B: 0x26, A: 0xFF} // titles, labels
	tickColor = color.NRGBA{R: 0x55, G: 0x55, B: 0x55, A: 0xFF} // tick labels, axis lines
	gridColor = color.NRGBA{R: 0xE4, G: 0xE4, B: 0xE4, A: 0xFF}
)

// Palette returns the i-th colour, counted from 0, in which layers without a
// colour of their own are drawn: Blue, Vermillion, Green, Purple, Orange, Sky,
// Black, and again Blue.
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

// Sizes of the theme. Text of 10 points is about as large as the text of a
// notebook page, since a figure is shown at its size in inches.
const (
	titleSize  = vg.Length(12)
	labelSize  = vg.Length(10.5)
	tickSize   = vg.Length(9.5)
	legendSize = vg.Length(9.5)

	lineWidth   = vg.Length(1.75)
	thinWidth   = vg.Length(1)
	gridWidth   = vg.Length(0.6)
	pointRadius = vg.Length(2.6)

	bandOpacity = 0.20
)

// textStyle returns a sans-serif style of the size and colour given, placed by
// its baseline's left end.
func textStyle(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    plotfont.From(plotfont.Font{Typeface: "Liberation", Variant: "Sans"}, size),
		XAlign:  text.XLeft,
		YAlign:  text.YBottom,
		Handler: textHandler,
	}
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
	grid.Horizontal = draw.LineStyle{Color: gridColor, Width: gridWidth}
	grid.Vertical = grid.Horizontal
	p.Add(grid)
	return p
}

// newBare is New without the grid.
func newBare(title, xlabel, ylabel string) *plot.Plot {
	p := plot.New()
	p.TextHandler = textHandler
	p.Title.Text = title
	p.Title.Padding = vg.Points(6)
	p.Title.TextStyle = textStyle(titleSize, inkColor)
	p.Title.TextStyle.Font.Weight = font.WeightBold
	p.Title.TextStyle.XAlign = text.XCenter
	p.Title.TextStyle.YAlign = text.YTop

	p.X.Label.Text, p.Y.Label.Text = xlabel, ylabel
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle = textStyle(labelSize, inkColor)
		axis.Label.TextStyle.XAlign = text.XCenter
		axis.Label.Padding = vg.Points(4)
		x, y := axis.Tick.Label.XAlign, axis.Tick.Label.YAlign
		axis.Tick.Label = textStyle(tickSize, tickColor)
		axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = x, y
		axis.Tick.Length = vg.Points(3.5)
		axis.Tick.LineStyle = draw.LineStyle{Color: tickColor, Width: gridWidth}
		axis.LineStyle = draw.LineStyle{Color: tickColor, Width: gridWidth}
		axis.Padding = 0
		axis.Tick.Marker = Ticks{}
	}
	p.Legend.TextStyle = textStyle(legendSize, inkColor)
	p.Legend.Padding = vg.Points(3)
	p.Legend.ThumbnailWidth = vg.Points(18)
	return p
}
