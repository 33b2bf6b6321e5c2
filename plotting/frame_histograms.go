package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// HistogramGrid draws the distribution of every column of a frame in a panel of
// its own: numbers as histograms, categories as a bar for each, with its count.
//
//	plotting.Show(plotting.HistogramGrid(df, nil))
//
// Missing values are left out; the panel says how many. The panel of a column
// without values, or of text with more than 30 categories, says so. Nil settings
// are the defaults. With Color, the bars of groups stand on each other. The error
// names a column that does not exist, has infinite values, or is listed in Columns
// although its panel would be empty.
func HistogramGrid(df dataframe.DataFrame, settings *FrameSettings) (_ *Figure, err error) {
	defer check.Named("histograms", &err)
	s := check.OrDefaults(settings)
	df, groups, err := s.grouped(df)
	if err != nil {
		return nil, err
	}
	columns, err := s.columns(df, allKinds)
	if err != nil {
		return nil, err
	}
	across := 3
	if len(columns) > 9 {
		across = 4
	}
	across = min(across, len(columns))
	var plots []*plot.Plot
	var names []string
	for k, c := range columns {
		labels := Labels{X: c.name}
		if missing := len(c.values) - len(c.present()); missing > 0 {
			labels.X += fmt.Sprintf(" (%d missing)", missing)
		}
		if k%across == 0 {
			labels.Y = "count"
		}
		if c.why != "" {
			p, err := c.excused(labels)
			if err != nil {
				return nil, err
			}
			plots, names = append(plots, p), append(names, c.name+" ("+c.why+")")
			continue
		}
		p, err := c.distribution(labels, s.Bins, groups)
		if err != nil {
			return nil, err
		}
		plots, names = append(plots, p), append(names, c.name)
	}
	f := Grid(across, plots...)
	f.Title = s.Title
	f.Width = []float64{4.2, 6.8, 9.2, look.PageWidth}[across-1]
	f.Height = 0.3 + 2.1*float64(len(f.Panels))
	f.Alt = fmt.Sprintf("histograms of %s in %s: %s", check.Plural(len(columns), "column"), check.Plural(df.Nrow(), "row"), strings.Join(names, ", "))
	groups.adorn(f, s.Color)
	f.Alt = captioned(s.Title, f.Alt)
	return f, nil
}

// distribution draws a column: a histogram, or the bars of its categories. Groups are on
// each other.
func (c frameColumn) distribution(labels Labels, bins int, groups *frameGroups) (*plot.Plot, error) {
	if c.levels == nil {
		h := c.histogram(bins)
		layers := []Layer{h}
		if len(groups.groups) > 1 {
			layers = stacked(h.bins(), groups.split(c.values), 1, groups.groups)
		}
		p, err := Draw(labels, layers...)
		if err != nil {
			return nil, err
		}
		p.Y.Min = 0
		if c.date {
			p.X.Tick.Marker = DateTicks{}
		}
		return p, nil
	}
	n := len(c.levels)
	if n > mostLevels {
		return nil, fmt.Errorf("%w: column %q has %d categories, such as %q; up to %d are drawn: leave it out of Columns",
			mlreg.ErrSetting, c.name, n, c.labels[0], mostLevels)
	}
	counts, at := c.counts(), Range(1, float64(n), n)
	layers := []Layer{Bars{X: at, Y: counts, Color: Fade(Blue, loneFill)}}
	if len(groups.groups) > 1 {
		layers = c.stackedBars(at, groups)
	}
	for i, count := range counts {
		layers = append(layers, Note{X: at[i], Y: count, Text: format.Number(count, 7), Side: Above})
	}
	p, err := Draw(labels, layers...)
	if err != nil {
		return nil, err
	}
	categoryAxis(p, c.labels, vg.Points(150))
	p.Y.Min, p.Y.Max = 0, 1.12*p.Y.Max
	return p, nil
}

// stackedBars draws the categories of the groups on each other.
func (c frameColumn) stackedBars(at []float64, groups *frameGroups) []Layer {
	stack := make([]float64, len(c.levels))
	var layers []Layer
	for g, values := range groups.split(c.values) {
		for _, v := range values {
			stack[c.level(v)]++
		}
		layers = append(layers, Bars{X: at, Y: slices.Clone(stack), Color: fillOf(groups.groups, g)})
	}
	slices.Reverse(layers)
	return layers
}

// excused is the panel of a column that cannot be drawn.
func (c frameColumn) excused(labels Labels) (*plot.Plot, error) {
	p := newBare("", labels.X, labels.Y)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.ConstantTicks{}, plot.ConstantTicks{}
	return p, Add(p, Note{X: 0.5, Y: 0.5, Text: c.why, Side: Above})
}

// categoryAxis labels the horizontal axis, of so much length, with categories at 1, 2 ...
func categoryAxis(p *plot.Plot, labels []string, length vg.Length) {
	names := format.Each(labels, shorten)
	p.X.Tick.Marker = namedTicks(names, fromOne)
	uprightIfWide(p, names, length)
	p.X.Min, p.X.Max = 0.4, float64(len(names))+0.6
}

// uprightIfWide writes the labels of the horizontal axis upright if they are wider
// than their share of its length.
func uprightIfWide(p *plot.Plot, labels []string, length vg.Length) {
	style := &p.X.Tick.Label
	for _, label := range labels {
		if style.Width(label)+vg.Points(5) > length/vg.Length(len(labels)) {
			style.Rotation, style.XAlign, style.YAlign = math.Pi/2, text.XRight, text.YCenter
			p.X.Tick.LineStyle.Color = color.Transparent // its length is a gap
			return
		}
	}
}
