package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// family is a group of marks that can be drawn together.
type family struct {
	marks      Marks
	suits      func(c *chart) error // whether the columns do, which it may change
	layers     func(c *chart, p int) ([]Layer, error)
	categories bool // on the horizontal axis
}

var families = []family{
	{AsPoints | AsLines | AsLinear | AsSmooth, (*chart).suitsScatter, (*chart).scatterLayers, false},
	{AsHistogram | AsDensity, (*chart).suitsDistribution, (*chart).distributionLayers, false},
	{AsBars | AsMeans | AsBoxes | AsStrip, (*chart).suitsCategories, (*chart).categoryLayers, true},
}

// choose completes the marks, and returns their family.
func (c *chart) choose() (family, error) {
	if c.mayCount = c.s.Marks == 0 || c.s.Marks&(AsLinear|AsSmooth) != 0; c.s.Marks == 0 {
		c.s.Marks = c.defaultMarks()
	}
	for _, f := range families {
		if c.s.Marks&^f.marks == 0 {
			return f, f.suits(c)
		}
	}
	return family{}, fmt.Errorf("%w: %s cannot be drawn together", mlreg.ErrSetting, c.s.Marks)
}

func (c *chart) defaultMarks() Marks {
	switch {
	case c.y == nil && c.x.levels != nil:
		return AsBars
	case c.y == nil:
		return AsHistogram
	case c.x.text || slices.Contains(c.s.Categories, c.x.name):
		return AsBoxes
	case c.x.date:
		return AsLines
	}
	return AsPoints
}

// suitsScatter returns an error if the chart is not of two columns of numbers.
func (c *chart) suitsScatter() error {
	if c.y == nil {
		return fmt.Errorf("%w: Marks (%s) need a column on the vertical axis", mlreg.ErrSetting, c.s.Marks)
	}
	for _, column := range []*frameColumn{c.x, c.y} {
		if column.text && !column.truth() {
			return fmt.Errorf("%w: Marks (%s) need numbers, and column %q is text, such as %q", mlreg.ErrSetting, c.s.Marks, column.name, column.labels[0])
		}
	}
	return nil
}

// draw draws the panels and joins them to a figure.
func (c *chart) draw(of family) (*Figure, error) {
	columns := c.columnsAcross()
	if c.s.Marks&AsPoints != 0 && c.mayCount && c.widest >= manyPoints {
		c.hexagons = c.hexLayers(columns)
	}
	labels := c.labels()
	layers := make([][]Layer, len(c.panels))
	var all extent
	for p := range c.panels {
		var err error
		if layers[p], err = of.layers(c, p); err != nil {
			return nil, err
		}
		if err := all.add(layers[p]); err != nil {
			return nil, err
		}
	}
	plots := make([]*plot.Plot, len(c.panels))
	for p, title := range c.panels {
		panelLabels := labels
		if c.panel != nil {
			panelLabels = Labels{Title: title}
		}
		var err error
		if plots[p], err = Draw(panelLabels, append(layers[p], drawn{all})...); err != nil {
			return nil, err
		}
	}
	f := Grid(columns, plots...)
	c.size(f, columns)
	for _, p := range plots {
		c.mark(p, of, f.Width/float64(columns))
		if c.s.Marks&(AsHistogram|AsDensity|AsBars) != 0 && all.ymin == 0 {
			p.Y.Min, p.Y.Max = 0, p.Y.Max*1.02 // a number above the highest bar
		}
	}
	if c.panel != nil {
		f.Title, f.xName, f.yName = c.s.Title, labels.X, labels.Y
		strips(f)
	}
	f.legend = c.makeLegend()
	c.noteCurves()
	c.noteLogs()
	f.Note = strings.Join(c.notes, " ")
	f.Alt = c.alt(f)
	return f, nil
}

// mark gives the axes the marks of dates and categories. The panel has this width in
// inches.
func (c *chart) mark(p *plot.Plot, of family, width float64) {
	switch {
	case of.categories:
		width = cmp.Or(width, singleWidth)
		categoryAxis(p, c.x.labels, vg.Length(width-1)*vg.Inch)
	case c.x.date:
		p.X.Tick.Marker = DateTicks{}
	case c.s.LogX:
		p.X.Tick.Marker = decades{}
	}
	switch {
	case c.y != nil && c.y.date:
		p.Y.Tick.Marker = DateTicks{}
	case c.s.LogY:
		p.Y.Tick.Marker = decades{}
	case c.y == nil && c.s.Marks&AsDensity == 0: // rows
		p.Y.Tick.Marker = Ticks{Whole: true}
	}
}

// extent is the common range of the panels: a plotter that draws nothing.
type extent struct {
	xmin, xmax, ymin, ymax float64
	some                   bool
}

// add widens the range to that of the layers of a panel.
func (e *extent) add(layers []Layer) error {
	p := newBare("", "", "")
	if err := Add(p, layers...); err != nil {
		return err
	}
	if !e.some {
		*e = extent{p.X.Min, p.X.Max, p.Y.Min, p.Y.Max, true}
	}
	e.xmin, e.xmax = math.Min(e.xmin, p.X.Min), math.Max(e.xmax, p.X.Max)
	e.ymin, e.ymax = math.Min(e.ymin, p.Y.Min), math.Max(e.ymax, p.Y.Max)
	return nil
}

// Plot implements plot.Plotter.
func (extent) Plot(draw.Canvas, *plot.Plot) {}

// DataRange implements plot.DataRanger.
func (e extent) DataRange() (xmin, xmax, ymin, ymax float64) { return e.xmin, e.xmax, e.ymin, e.ymax }

// noteCurves notes what bands and limits are, and how many groups have none.
func (c *chart) noteCurves() {
	level, what := format.Number(100*c.s.Level, 4), "mean"
	if c.shares {
		what = "share"
	}
	switch {
	case c.s.Marks&(AsLinear|AsSmooth) != 0:
		c.notes = append(c.notes, fmt.Sprintf("Bands are %s%% confidence limits of the mean.", level))
		if c.s.Marks&(AsLinear|AsSmooth) == AsLinear|AsSmooth && c.color != nil && c.shade == nil {
			c.notes = append(c.notes, "Smooth curves are dashed.")
		}
	case c.y != nil && c.s.Marks&(AsMeans|AsBars) != 0 && c.untrended[AsMeans] < c.summaries:
		c.notes = append(c.notes, fmt.Sprintf("Limits are %s%% confidence limits of the %s.", level, what))
	}
	for _, one := range []struct {
		kind Marks
		why  string
	}{
		{AsLinear, ": no least-squares line, for want of different " + c.x.name},
		{AsSmooth, ": no smooth curve, for want of different " + c.x.name},
		{AsDensity, ": no density, for want of different values"},
		{AsMeans, " of one row: no limits"},
	} {
		if n := c.untrended[one.kind]; n > 0 && n < max(c.summaries, n+1) {
			c.notes = append(c.notes, check.Plural(n, "group")+one.why+".")
		}
	}
}

// labels returns the texts around the data.
func (c *chart) labels() Labels {
	labels := c.s.Labels
	labels.X = cmp.Or(labels.X, c.x.name)
	if labels.Y != "" {
		return labels
	}
	switch {
	case c.shares && c.s.Marks&(AsBars|AsMeans) != 0:
		labels.Y = "share of " + c.y.name
	case c.y != nil:
		labels.Y = c.y.name
	case c.s.Marks&AsDensity != 0:
		labels.Y = "density"
	default:
		labels.Y = "rows"
	}
	return labels
}

// columnsAcross returns the number of panels in a row.
func (c *chart) columnsAcross() int {
	n := len(c.panels)
	if c.s.PanelColumns > 0 {
		return min(c.s.PanelColumns, n)
	}
	switch {
	case n == 4:
		return 2
	case n <= 9:
		return min(n, 3)
	}
	return 4
}

// strips makes the titles of panels quiet, and labels the outer axes only.
func strips(f *Figure) {
	for i, row := range f.Panels {
		for j, p := range row {
			if p == nil {
				continue
			}
			p.Title.TextStyle.Font.Size, p.Title.TextStyle.Font.Weight = look.LabelSize, font.WeightNormal
			p.Title.Padding = 3
			if room := vg.Length(f.Width-1.5) / vg.Length(len(row)) * vg.Inch; p.Title.TextStyle.Width(p.Title.Text) > room {
				p.Title.TextStyle.Font.Size *= max(0.6, room/p.Title.TextStyle.Width(p.Title.Text))
			}
			if j > 0 {
				unlabel(&p.Y)
			}
			if i+1 < len(f.Panels) && f.Panels[i+1][j] != nil {
				unlabel(&p.X)
			}
		}
	}
}

// unlabel takes the labels off an axis, and their place.
func unlabel(axis *plot.Axis) {
	axis.Tick.Marker, axis.Tick.Label.Font.Size = unlabeled{axis.Tick.Marker}, 1
}

// size gives the figure its width and height.
func (c *chart) size(f *Figure, columns int) {
	if c.panel == nil {
		if c.color != nil || c.legend != nil {
			f.Width, f.Height = 7.2, singleHeight
		}
		return
	}
	rows := len(f.Panels)
	f.Width = math.Min(look.PageWidth, 2.2+2.6*float64(columns))
	f.Height = 1 + float64(rows)*math.Max(1.7, math.Min(2.6, 0.75*(f.Width-1.5)/float64(columns)))
}

// makeLegend returns the legend, nil if there is nothing to tell.
func (c *chart) makeLegend() *legend {
	marks := c.s.Marks
	sample := swatch{
		point: marks&AsPoints != 0, line: marks&(AsLines|AsLinear|AsSmooth) != 0,
	}
	switch {
	case c.hexagons != nil, marks&(AsHistogram|AsDensity|AsBars|AsBoxes) != 0, marks&AsStrip != 0 && c.widest >= manyPoints:
		sample.point, sample.box = false, true
	case marks&(AsMeans|AsStrip) != 0:
		sample.point = true
	}
	switch {
	case c.shade != nil:
		sample.line = false // those are of all rows
		l := newLegend(c.color.name)
		for _, t := range c.shade.ticks() {
			sample.color = c.shade.at(t.Value)
			l.entries.Add(strings.ReplaceAll(t.Label, "\n", " "), sample)
		}
		return l
	case c.color != nil && c.color.name == c.x.name:
		return nil // the axis says it
	case c.color != nil:
		l := newLegend(c.color.name)
		for g, group := range c.groups {
			if !slices.ContainsFunc(c.cells, func(row []chartCell) bool { return len(row[g].x) > 0 }) {
				continue
			}
			sample.color = group.color
			if marks&(AsHistogram|AsBars) != 0 {
				sample.color = fillOf(c.groups, g)
			}
			l.entries.Add(group.name, sample)
		}
		return l
	case c.legend != nil:
		return c.legend
	case marks&AsLinear != 0 && marks&AsSmooth != 0:
		l := newLegend("")
		l.entries.Add(AsLinear.String(), swatch{color: Vermillion, line: true})
		l.entries.Add(AsSmooth.String(), swatch{color: Vermillion, line: true, dashed: true})
		return l
	}
	return nil
}

// alt describes the chart.
func (c *chart) alt(f *Figure) string {
	labels := c.labels()
	if c.y == nil {
		labels.Y = ""
	}
	marks := c.s.Marks.String()
	if c.hexagons != nil {
		marks = strings.Replace(marks, markNames[0], "hexagons", 1)
	}
	s := marks + " of " + strings.Join(given(labels.Y, labels.X), " against ")
	if c.color != nil {
		s += ", colors by " + c.color.name
		if c.shade == nil {
			s += " (" + strings.Join(c.color.labels, ", ") + ")"
		}
	}
	if c.panel != nil {
		s += ", panels by " + c.panel.name + " (" + strings.Join(c.panel.labels, ", ") + ")"
	}
	s += "; " + format.Grouped(float64(c.drawn)) + map[bool]string{true: " row", false: " rows"}[c.drawn == 1]
	return strings.Join(given(c.s.Title, s, f.Note), ": ")
}
