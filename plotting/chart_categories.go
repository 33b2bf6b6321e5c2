package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// suitsCategories returns an error if the chart is not of categories, or of a column of
// numbers over categories. It makes categories of numbers on the horizontal axis.
func (c *chart) suitsCategories() error {
	if c.x.levels == nil {
		c.x.makeLevels()
	}
	switch {
	case c.y != nil && c.y.text && !c.y.truth() && !c.x.text:
		return fmt.Errorf("%w: column %q is text: put it on the horizontal axis, and %q on the vertical", mlreg.ErrSetting, c.y.name, c.x.name)
	case len(c.x.levels) > mostLevels:
		return tooMany("the horizontal axis", c.x, mostLevels)
	case c.y == nil && c.s.Marks != AsBars:
		return fmt.Errorf("%w: Marks (%s) need a column on the vertical axis", mlreg.ErrSetting, c.s.Marks)
	case c.y != nil && c.y.text && !c.y.truth():
		return fmt.Errorf("%w: Marks (%s) need numbers, and column %q is text, such as %q", mlreg.ErrSetting, c.s.Marks, c.y.name, c.y.labels[0])
	case c.s.Marks&AsBars != 0 && c.s.Marks&(AsBoxes|AsMeans) != 0:
		return fmt.Errorf("%w: bars cover boxes and means; take one of them", mlreg.ErrSetting)
	}
	return nil
}

// slot is the place of a group over a category.
type slot struct {
	g     int
	color color.NRGBA
	x     float64 // its middle
	width float64
	y     []float64
	count int
}

// slots returns the groups of a panel that have rows, by category. Groups stand side by
// side, unless the colors are those of the categories.
func (c *chart) slots(p int) []slot {
	n := len(c.groups)
	if c.color != nil && c.color.name == c.x.name {
		n = 1
	}
	width := 0.75 / float64(n)
	byLevel := make([][]slot, len(c.x.levels))
	for k := range byLevel {
		byLevel[k] = make([]slot, len(c.groups))
	}
	for g, cell := range c.cells[p] {
		for i, v := range cell.x {
			s := &byLevel[c.x.level(v)][g]
			s.count++
			if cell.y != nil {
				s.y = append(s.y, cell.y[i])
			}
		}
	}
	var all []slot
	for k, groups := range byLevel {
		for g, s := range groups {
			if s.count == 0 {
				continue
			}
			s.g, s.color, s.x, s.width = g, c.groups[g].color, float64(k+1), width
			if n > 1 {
				s.x += (float64(g) - float64(n-1)/2) * width
				s.width *= 0.9
			}
			all = append(all, s)
		}
	}
	return all
}

// categoryLayers returns the layers of a panel over categories.
func (c *chart) categoryLayers(p int) ([]Layer, error) {
	slots := c.slots(p)
	if c.y == nil {
		return c.countLayers(slots), nil
	}
	var layers []Layer
	marks := c.s.Marks
	if marks&AsBars != 0 {
		bars, err := c.summaryLayers(slots, true)
		if err != nil {
			return nil, err
		}
		layers = append(layers, bars...)
	}
	if marks&AsBoxes != 0 {
		for _, s := range slots {
			b, err := newBox(s.x, s.width, s.y, s.color, marks&AsStrip == 0)
			if err != nil {
				return nil, err
			}
			layers = append(layers, drawn{b})
		}
	}
	if marks&AsStrip != 0 {
		layers = append(layers, c.stripLayers(slots)...)
	}
	if marks&AsMeans != 0 {
		means, err := c.summaryLayers(slots, false)
		if err != nil {
			return nil, err
		}
		layers = append(layers, means...)
	}
	return layers, nil
}

// countLayers draws bars of the numbers of rows, and writes few of them.
func (c *chart) countLayers(slots []slot) []Layer {
	var layers []Layer
	for _, s := range slots {
		layers = append(layers, Bars{X: []float64{s.x}, Y: []float64{float64(s.count)}, Width: s.width, Color: fillOf(c.groups, s.g)})
	}
	if len(slots) <= 9 && len(c.panels) <= 2 {
		for _, s := range slots {
			layers = append(layers, Note{X: s.x, Y: float64(s.count), Text: format.Grouped(float64(s.count)), Side: Above})
		}
	}
	return layers
}

// summaryLayers draws the mean of every group, or its share of ones, as a bar or a
// point, with its limits.
func (c *chart) summaryLayers(slots []slot, asBars bool) ([]Layer, error) {
	var bars, limits []Layer
	for _, s := range slots {
		c.summaries++
		summary := meanLimits(s.y, c.s.Level)
		if c.shares {
			summary = shareLimits(s.y, c.s.Level)
		}
		if !check.IsFinite(summary.mean) || math.IsInf(summary.upper-summary.lower, 0) {
			return nil, fmt.Errorf("the means: %w: values of %q are too large for float64; scale the column", mlreg.ErrNotFinite, c.y.name)
		}
		tint := color.Color(s.color)
		if asBars || c.s.Marks&AsBoxes != 0 {
			tint = look.Ink // stands out from bars and boxes
		}
		at := plotter.XYs{{X: s.x, Y: summary.mean}}
		if asBars {
			bars = append(bars, Bars{X: []float64{s.x}, Y: []float64{summary.mean}, Width: s.width, Color: fillOf(c.groups, s.g)})
		} else {
			bars = append(bars, drawn{&plotter.Scatter{XYs: at, GlyphStyle: draw.GlyphStyle{Color: tint, Radius: 3.6, Shape: draw.CircleGlyph{}}}})
		}
		if math.IsNaN(summary.lower) {
			c.untrended[AsMeans]++
			continue
		}
		limits = append(limits, drawn{&plotter.YErrorBars{
			XYs: at, YErrors: plotter.YErrors{{Low: summary.mean - summary.lower, High: summary.upper - summary.mean}},
			LineStyle: draw.LineStyle{Color: tint, Width: look.ThinWidth + 0.3}, CapWidth: vg.Points(6),
		}})
	}
	return append(bars, limits...), nil
}

// goldenShare is the fractional part of the golden ratio, whose multiples are spread
// evenly over a unit.
const goldenShare = 0.6180339887498949

// stripLayers draws a point for every row, spread across the width of its group: bins
// if there are many.
func (c *chart) stripLayers(slots []slot) []Layer {
	if c.widest >= manyPoints {
		return c.binnedStrips(slots)
	}
	faint, radius := opacity(c.widest)
	var layers []Layer
	for _, s := range slots {
		xys := make(plotter.XYs, len(s.y))
		for i, y := range s.y {
			_, part := math.Modf(float64(i+1) * goldenShare)
			xys[i] = plotter.XY{X: s.x + 0.7*s.width*(part-0.5), Y: y}
		}
		style := draw.GlyphStyle{Color: Fade(s.color, math.Min(faint, 0.7)), Radius: vg.Points(radius) - 0.4, Shape: draw.CircleGlyph{}}
		layers = append(layers, drawn{&plotter.Scatter{XYs: xys, GlyphStyle: style}})
	}
	return layers
}

// stripBins is in how many bins a strip of many rows is drawn.
const stripBins = 60

// binnedStrips draws the rows of every group in bins, darker where there are more.
func (c *chart) binnedStrips(slots []slot) []Layer {
	low, high := slices.Min(c.y.present()), slices.Max(c.y.present())
	step := (high - low) / stripBins
	if !(step > 0) || !check.IsFinite(step) {
		low, step = low-0.5, 1
	}
	const note = "Strips are darker where they have more rows."
	if !slices.Contains(c.notes, note) {
		c.notes = append(c.notes, note)
	}
	var layers []Layer
	for _, s := range slots {
		counts := make([]int, stripBins)
		for _, y := range s.y {
			counts[min(int((y-low)/step), stripBins-1)]++
		}
		layers = append(layers, drawn{stripCells{s, counts, low, step}})
	}
	return layers
}

// stripCells is the plotter of a strip in bins.
type stripCells struct {
	slot
	counts    []int
	low, step float64
}

// Plot implements plot.Plotter.
func (s stripCells) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	most := slices.Max(s.counts)
	for k, n := range s.counts {
		if n > 0 {
			const overlap = 0.3 // no seams
			left, right := trX(s.x-s.width/2), trX(s.x+s.width/2)
			bottom, top := trY(s.low+float64(k)*s.step)-overlap, trY(s.low+float64(k+1)*s.step)+overlap
			c.FillPolygon(mix(s.slot.color, countShade(n, most)), c.ClipPolygonXY(corners(left, bottom, right, top)))
		}
	}
}

// DataRange implements plot.DataRanger.
func (s stripCells) DataRange() (xmin, xmax, ymin, ymax float64) {
	return s.x - s.width/2, s.x + s.width/2, s.low, s.low + s.step*stripBins
}
