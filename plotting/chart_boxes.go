package plotting

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/plotting/internal/look"
)

// boxStats are what a box plot shows.
type boxStats struct {
	lowest, hinge1, median, hinge3, highest float64 // the whiskers' ends and the box
	outside                                 []int   // the numbers of the values beyond
}

// newBoxStats returns R's boxplot.stats: the hinges are the medians of the lower and of
// the upper half of the values, both with the median if their number is odd, and whiskers
// reach to the last values within 1.5 box heights of the box.
//
// Tukey (1977), Exploratory Data Analysis, section 2.
func newBoxStats(values []float64) boxStats {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	half := (n + 1) / 2
	s := boxStats{hinge1: middle(sorted[:half]), median: middle(sorted), hinge3: middle(sorted[n-half:])}
	reach := 1.5 * (s.hinge3 - s.hinge1)
	inside := func(v float64) bool { return v >= s.hinge1-reach && v <= s.hinge3+reach }
	for i, v := range values {
		if !inside(v) {
			s.outside = append(s.outside, i)
		}
	}
	s.lowest = sorted[slices.IndexFunc(sorted, inside)]
	for k := n - 1; ; k-- {
		if inside(sorted[k]) {
			s.highest = sorted[k]
			return s
		}
	}
}

// middle returns the median of sorted values.
func middle(sorted []float64) float64 {
	n := len(sorted)
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// box is a gonum/plot box plot with R's statistics, whose width is in units of x.
type box struct {
	plotter.BoxPlot
	width float64
}

// newBox returns the box of values at x. Without outside, values beyond the whiskers are
// not drawn.
func newBox(x, width float64, values []float64, tint color.NRGBA, outside bool) (*box, error) {
	b, err := plotter.NewBoxPlot(0, x, plotter.Values(values))
	if err != nil {
		return nil, err
	}
	s := newBoxStats(values)
	b.AdjLow, b.Quartile1, b.Median, b.Quartile3, b.AdjHigh, b.Outside = s.lowest, s.hinge1, s.median, s.hinge3, s.highest, s.outside
	if !outside {
		b.Outside = nil
	}
	b.FillColor = Fade(tint, 0.25)
	b.BoxStyle = draw.LineStyle{Color: tint, Width: look.ThinWidth}
	b.WhiskerStyle = b.BoxStyle
	b.MedianStyle = draw.LineStyle{Color: tint, Width: 1.4 * look.LineWidth}
	b.GlyphStyle = draw.GlyphStyle{Color: Fade(tint, 0.7), Radius: 2, Shape: draw.CircleGlyph{}}
	return &box{*b, width}, nil
}

// Plot implements plot.Plotter.
func (b *box) Plot(c draw.Canvas, p *plot.Plot) {
	trX, _ := p.Transforms(&c)
	drawn := b.BoxPlot
	drawn.Width = trX(b.Location+b.width/2) - trX(b.Location-b.width/2)
	drawn.CapWidth = min(drawn.Width/3, vg.Points(12))
	drawn.Plot(c, p)
}

// DataRange implements plot.DataRanger.
func (b *box) DataRange() (xmin, xmax, ymin, ymax float64) {
	_, _, ymin, ymax = b.BoxPlot.DataRange()
	return b.Location - b.width/2, b.Location + b.width/2, ymin, ymax
}

// GlyphBoxes implements plot.GlyphBoxer: a box is inside the range.
func (b *box) GlyphBoxes(*plot.Plot) []plot.GlyphBox { return nil }
