// Package look is the look that all figures share: sizes, the colors of what is
// not data, and text.
package look

import (
	"image/color"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Colors of the parts of a figure that are not data.
var (
	Ink   = color.NRGBA{R: 0x26, G: 0x26, B: 0x26, A: 0xFF} // titles, labels
	Quiet = color.NRGBA{R: 0x55, G: 0x55, B: 0x55, A: 0xFF} // tick labels, axis lines
	Faint = color.NRGBA{R: 0xE4, G: 0xE4, B: 0xE4, A: 0xFF} // the grid
)

// Sizes of the theme. Text of 10 points is about as large as the text of a
// notebook page, since a figure is shown at its size in inches.
const (
	TitleSize  = vg.Length(12)
	LabelSize  = vg.Length(10.5)
	TickSize   = vg.Length(9.5)
	LegendSize = vg.Length(9.5)

	LineWidth   = vg.Length(1.75)
	ThinWidth   = vg.Length(1)
	GridWidth   = vg.Length(0.6)
	PointRadius = vg.Length(2.6)

	BandOpacity = 0.20

	// PageWidth is the width in inches that a notebook page shows without
	// scrolling.
	PageWidth = 9.6
)

// Text returns a sans-serif style of the size and color given, placed by its
// baseline's left end.
func Text(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    plotfont.From(plotfont.Font{Typeface: "Liberation", Variant: "Sans"}, size),
		XAlign:  text.XLeft,
		YAlign:  text.YBottom,
		Handler: textHandler,
	}
}

// Bare returns an empty plot in the theme, without a grid.
func Bare(title, xlabel, ylabel string) *plot.Plot {
	p := plot.New()
	p.TextHandler = textHandler
	p.Title.Text = title
	p.Title.Padding = vg.Points(6)
	p.Title.TextStyle = Text(TitleSize, Ink)
	p.Title.TextStyle.Font.Weight = font.WeightBold
	p.Title.TextStyle.XAlign = text.XCenter
	p.Title.TextStyle.YAlign = text.YTop

	p.X.Label.Text, p.Y.Label.Text = xlabel, ylabel
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle = Text(LabelSize, Ink)
		axis.Label.TextStyle.XAlign = text.XCenter
		axis.Label.Padding = vg.Points(4)
		x, y := axis.Tick.Label.XAlign, axis.Tick.Label.YAlign
		axis.Tick.Label = Text(TickSize, Quiet)
		axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = x, y
		axis.Tick.Length = vg.Points(3.5)
		axis.Tick.LineStyle = draw.LineStyle{Color: Quiet, Width: GridWidth}
		axis.LineStyle = draw.LineStyle{Color: Quiet, Width: GridWidth}
		axis.Padding = 0
	}
	p.Legend.TextStyle = Text(LegendSize, Ink)
	p.Legend.Padding = vg.Points(3)
	p.Legend.ThumbnailWidth = vg.Points(18)
	return p
}
