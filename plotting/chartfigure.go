package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// family is a group of marks that can be drawn together.
type family struct {
	name   string
	marks  Marks
	layers func(c *chart, p int) ([]Layer, error)
}

var families = []family{
	{"points, lines and curves", AsPoints | AsLines | AsLinear | AsSmooth, (*chart).scatterLayers},
}

// newChart draws a chart.
func newChart(df dataframe.DataFrame, x, y string, s ChartSettings) (*Figure, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	c := &chart{s: s, untrended: map[Marks]int{}}
	if err := c.read(df, x, y); err != nil {
		return nil, err
	}
	of, err := c.choose()
	if err != nil {
		return nil, err
	}
	if err := c.group(); err != nil {
		return nil, err
	}
	if err := c.split(); err != nil {
		return nil, err
	}
	return c.draw(of)
}

// choose completes the marks, and returns their family.
func (c *chart) choose() (family, error) {
	if c.s.Marks == 0 {
		c.s.Marks = AsPoints
		if c.x.date {
			c.s.Marks = AsLines
		}
	}
	for _, f := range families {
		if c.s.Marks&^f.marks == 0 {
			return f, c.suits(f)
		}
	}
	return family{}, fmt.Errorf("%w: Marks = %d joins marks that cannot be drawn together", mlreg.ErrSetting, c.s.Marks)
}

// suits returns an error if the columns do not suit a family of marks.
func (c *chart) suits(f family) error {
	if c.y == nil {
		return fmt.Errorf("%w: %s need a column on the vertical axis", mlreg.ErrSetting, f.name)
	}
	for _, column := range []*frameColumn{c.x, c.y} {
		if column.text && column.labels[0] != "false" && column.labels[0] != "true" {
			return fmt.Errorf("%w: %s need numbers, and column %q is text, such as %q", mlreg.ErrSetting, f.name, column.name, column.labels[0])
		}
	}
	return nil
}

// draw draws the panels and joins them to a figure.
func (c *chart) draw(of family) (*Figure, error) {
	columns := c.columnsAcross()
	if c.s.Marks&AsPoints != 0 && c.widest >= manyPoints {
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
		c.mark(plots[p])
	}
	f := Grid(columns, plots...)
	if c.panel != nil {
		f.Title, f.xName, f.yName = c.s.Title, labels.X, labels.Y
		strips(f)
	}
	c.size(f, columns)
	f.legend = c.makeLegend()
	c.noteCurves()
	f.Note = strings.Join(c.notes, " ")
	f.Alt = c.alt(f)
	return f, nil
}

// mark gives the axes of dates their marks.
func (c *chart) mark(p *plot.Plot) {
	if c.x.date {
		p.X.Tick.Marker = DateTicks{}
	}
	if c.y != nil && c.y.date {
		p.Y.Tick.Marker = DateTicks{}
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

// noteCurves notes what the bands are, and how many groups have no curve.
func (c *chart) noteCurves() {
	curves := AsLinear | AsSmooth
	if c.s.Marks&curves != 0 {
		c.notes = append(c.notes, fmt.Sprintf("Bands are %s%% confidence limits of the mean.", Number(100*c.s.Level, 4)))
	}
	for _, kind := range []Marks{AsLinear, AsSmooth} {
		if n := c.untrended[kind]; n > 0 {
			c.notes = append(c.notes, fmt.Sprintf("%s: no %s, for want of different x.", check.Plural(n, "group"), kind))
		}
	}
}

// labels returns the texts around the data.
func (c *chart) labels() Labels {
	labels := c.s.Labels
	if labels.X == "" {
		labels.X = c.x.name
	}
	if labels.Y == "" && c.y != nil {
		labels.Y = c.y.name
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
			if j > 0 {
				p.Y.Tick.Marker = unlabeled{p.Y.Tick.Marker}
			}
			if i+1 < len(f.Panels) && f.Panels[i+1][j] != nil {
				p.X.Tick.Marker = unlabeled{p.X.Tick.Marker}
			}
		}
	}
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
	if c.hexagons != nil {
		sample.point, sample.box = false, true
	}
	switch {
	case c.shade != nil:
		l := newLegend(c.color.name)
		for _, t := range c.shade.ticks() {
			sample.color = c.shade.at(t.Value)
			l.entries.Add(strings.ReplaceAll(t.Label, "\n", " "), sample)
		}
		return l
	case c.color != nil:
		l := newLegend(c.color.name)
		for g, group := range c.groups {
			if !slices.ContainsFunc(c.cells, func(row []chartCell) bool { return len(row[g].x) > 0 }) {
				continue
			}
			sample.color = group.color
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
	s := c.s.Marks.String() + " of " + strings.Join(given(labels.Y, labels.X), " against ")
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
