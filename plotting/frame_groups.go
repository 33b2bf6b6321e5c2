package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// frameGroups are the groups of the rows of a frame: one of all rows without Color.
type frameGroups struct {
	groups []chartGroup
	of     []int // the group of each row
	legend *legend
	note   string
}

// grouped divides the rows by the column Color, and returns those that have it.
func (s FrameSettings) grouped(df dataframe.DataFrame) (dataframe.DataFrame, *frameGroups, error) {
	g := &frameGroups{groups: []chartGroup{{color: Blue}}, of: make([]int, max(0, df.Nrow()))}
	if s.Color == "" || df.Err != nil {
		return df, g, nil
	}
	c, err := s.column(df, s.Color, allKinds)
	if err != nil {
		return df, nil, err
	}
	if c.levels == nil {
		c.makeLevels()
		return df, nil, fmt.Errorf("%w: Color: column %q has %d different values, and is not of categories; name it in Categories if it is", mlreg.ErrSetting, s.Color, len(c.levels))
	}
	if len(c.levels) > mostColors {
		return df, nil, tooMany("Color", &c, mostColors)
	}
	g.groups, g.of = c.groups(), nil
	var rows []int
	for i, v := range c.values {
		if !math.IsNaN(v) {
			rows, g.of = append(rows, i), append(g.of, c.level(v))
		}
	}
	if missing := len(c.values) - len(rows); missing > 0 {
		df = df.Subset(rows)
		g.note = fmt.Sprintf("%s of %s left out: missing values of %s.", format.Grouped(float64(missing)), check.Plural(len(c.values), "row"), s.Color)
	}
	g.legend = newLegend(s.Color)
	for _, group := range g.groups {
		g.legend.entries.Add(group.name, swatch{color: mix(group.color, groupFill), box: true})
	}
	return df, g, df.Err
}

// split returns the values present of each group.
func (g *frameGroups) split(values []float64) [][]float64 {
	all := make([][]float64, len(g.groups))
	for i, v := range values {
		if !math.IsNaN(v) {
			all[g.of[i]] = append(all[g.of[i]], v)
		}
	}
	return all
}

// adorn adds the legend and the note to a figure, and says the colors in its
// description.
func (g *frameGroups) adorn(f *Figure, name string) {
	if g.legend == nil {
		return
	}
	f.legend, f.Note = g.legend, g.note
	f.Width = math.Min(look.PageWidth, f.Width+1)
	f.Alt += "; colors by " + name
	if g.note != "" {
		f.Alt += "; " + g.note
	}
}

// How strong the colors of areas are, of one group and of several.
const (
	loneFill  = 0.45
	groupFill = 0.7
)

// fillOf returns the color of the areas of a group.
func fillOf(groups []chartGroup, g int) color.NRGBA {
	if len(groups) == 1 {
		return mix(groups[g].color, loneFill)
	}
	return mix(groups[g].color, groupFill)
}

// stacked draws the histograms of groups on each other. Bins has the bins, whose weights
// do not count; each value counts as the weight given.
func stacked(bins []plotter.HistogramBin, values [][]float64, weight float64, groups []chartGroup) []Layer {
	stack := slices.Clone(bins)
	for i := range stack {
		stack[i].Weight = 0
	}
	var layers []Layer
	for g, group := range values {
		if len(group) == 0 {
			continue
		}
		for _, x := range group {
			stack[binOf(stack, x)].Weight += weight
		}
		layers = append(layers, drawn{&plotter.Histogram{
			Bins: slices.Clone(stack), Width: stack[0].Max - stack[0].Min, FillColor: fillOf(groups, g),
			LineStyle: draw.LineStyle{Color: color.White, Width: vg.Points(0.7)},
		}})
	}
	slices.Reverse(layers) // the lower ones cover what is below them
	return layers
}

// mostColors is how many groups have a color of their own.
const mostColors = 7

// chartGroup is a group of rows of one color.
type chartGroup struct {
	name  string
	color color.NRGBA
}

// tooMany is the error of a column with more categories than can be drawn.
func tooMany(setting string, f *frameColumn, most int) error {
	kind := "categories"
	if !f.text {
		kind = "different values"
	}
	return fmt.Errorf("%w: %s: column %q has %d %s, such as %q; up to %d can be told apart: take another column, or join some",
		mlreg.ErrSetting, setting, f.name, len(f.levels), kind, f.labels[0], most)
}

// swatch is the sample of a color in a legend.
type swatch struct {
	color            color.NRGBA
	point, line, box bool
	dashed           bool
}

// Thumbnail implements plot.Thumbnailer.
func (s swatch) Thumbnail(c *draw.Canvas) {
	center := c.Center()
	if s.box {
		const half = vg.Length(5)
		fillBox(*c, s.color, center.X-half, center.Y-half, center.X+half, center.Y+half)
	}
	if s.line {
		style := lineStyle(s.color, look.LineWidth, 0, s.dashed)
		c.StrokeLine2(style, c.Min.X, center.Y, c.Max.X, center.Y)
	}
	if s.point {
		c.DrawGlyph(draw.GlyphStyle{Color: Fade(s.color, 0.85), Radius: look.PointRadius + 0.4, Shape: draw.CircleGlyph{}}, center)
	}
}
