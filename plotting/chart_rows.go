package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/plot/plotter"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
)

// chart is the data of a Chart.
type chart struct {
	s                  ChartSettings
	x, y, color, panel *frameColumn // nil if there is none
	groups             []chartGroup // by color; one without
	shade              *shades      // of a numeric Color
	panels             []string     // the titles of the panels; one, empty, without
	cells              [][]chartCell
	rows, drawn        int
	widest             int // the largest number of rows in a panel

	hex       hexGrid
	hexagons  [][]hexagon // by panel; nil if there are few points
	legend    *legend     // of what has no group
	bins      []plotter.HistogramBin
	shares    bool // y is 0 and 1
	mayCount  bool // of many points hexagons are drawn
	notes     []string
	untrended map[Marks]int // how many groups have no curve, or no limits
	summaries int           // how many groups have a mean
}

// chartCell is the rows of a group in a panel.
type chartCell struct {
	x, y   []float64 // y is nil if there is no such column
	shade  []float64 // of a numeric Color
	breaks []float64 // x of rows whose y is missing
}

// columnsOf returns the columns of the chart that there are.
func (c *chart) columnsOf() []*frameColumn {
	return slices.DeleteFunc([]*frameColumn{c.x, c.y, c.color, c.panel}, func(f *frameColumn) bool { return f == nil })
}

// read takes the columns out of the frame.
func (c *chart) read(df dataframe.DataFrame, x, y string) error {
	if df.Err != nil {
		return fmt.Errorf("the frame holds an error: %w", df.Err)
	}
	if df.Nrow() == 0 {
		return fmt.Errorf("%w: the data frame has no rows", frames.ErrNoRows)
	}
	if x == "" {
		return fmt.Errorf("%w: the name of the column on the horizontal axis is empty", mlreg.ErrSetting)
	}
	c.rows = df.Nrow()
	used := given(x, y, c.s.Color, c.s.Panels)
	for _, name := range c.s.Categories {
		if !slices.Contains(used, name) {
			return fmt.Errorf("%w: category %q is not among the columns drawn, %s", mlreg.ErrSetting, name, format.Line(strings.Join(used, ", ")))
		}
	}
	for _, one := range []struct {
		name string
		into **frameColumn
	}{{x, &c.x}, {y, &c.y}, {c.s.Color, &c.color}, {c.s.Panels, &c.panel}} {
		if one.name == "" {
			continue
		}
		column, err := FrameSettings{Categories: c.s.Categories}.column(df, one.name, allKinds)
		if err != nil {
			return err
		}
		*one.into = &column
	}
	c.shares = c.y != nil && !slices.ContainsFunc(c.y.present(), func(v float64) bool { return v != 0 && v != 1 })
	return nil
}

// group finds the groups and panels.
func (c *chart) group() error {
	c.groups = []chartGroup{{color: Blue}}
	if f := c.color; f != nil {
		c.fewValues(f)
		switch {
		case f.levels == nil:
			c.shade = newShades(*f)
		case len(f.levels) > mostColors:
			return tooMany("Color", f, mostColors)
		default:
			c.groups = f.groups()
		}
	}
	c.panels = []string{""}
	if f := c.panel; f != nil {
		if f.levels == nil {
			f.makeLevels()
		}
		if len(f.levels) > mostLevels {
			return tooMany("Panels", f, mostLevels)
		}
		c.panels = nil
		for _, label := range f.labels {
			if !f.text || f.truth() {
				label = f.name + " = " + label
			}
			c.panels = append(c.panels, shorten(label))
		}
	}
	return nil
}

// fewValues makes categories of a column with few values, whole or not, that occur twice
// or more on average.
func (c *chart) fewValues(f *frameColumn) {
	if f.levels != nil || f.date || c.s.Categories != nil {
		return
	}
	g := *f
	if g.makeLevels(); len(g.levels) <= fewLevels && 2*len(g.levels) <= len(f.present()) {
		*f = g
	}
}

// groups returns the groups of a column of categories.
func (c *frameColumn) groups() []chartGroup {
	var all []chartGroup
	for k, label := range c.labels {
		all = append(all, chartGroup{shorten(label), Palette(k)})
	}
	return all
}

// truth says whether a column is of true/false, or of these texts alone.
func (c *frameColumn) truth() bool {
	return c.text && !slices.ContainsFunc(c.labels, func(label string) bool { return label != "false" && label != "true" })
}

// makeLevels makes categories of the values of a column of numbers.
func (c *frameColumn) makeLevels() {
	c.levels = slices.Compact(slices.Sorted(slices.Values(c.present())))
	for _, v := range c.levels {
		label := format.Number(v, 6)
		if c.date {
			label = timeOf(v).Format("2006-01-02")
		}
		c.labels = append(c.labels, label)
	}
}

// level returns the number of the level of a value.
func (c *frameColumn) level(v float64) int {
	k, _ := slices.BinarySearch(c.levels, v)
	return k
}

// split puts the rows that are complete into the cells of panels and groups, and
// notes how many are not.
func (c *chart) split() error {
	c.cells = make([][]chartCell, len(c.panels))
	for p := range c.cells {
		c.cells[p] = make([]chartCell, len(c.groups))
	}
	columns := c.columnsOf()
	for i := range c.rows {
		missing := 0
		for _, f := range columns {
			if math.IsNaN(f.values[i]) {
				missing++
			}
		}
		gap := c.y != nil && math.IsNaN(c.y.values[i])
		if missing > 1 || missing == 1 && !gap {
			continue
		}
		p, g := 0, 0
		if c.panel != nil {
			p = c.panel.level(c.panel.values[i])
		}
		if c.color != nil && c.shade == nil {
			g = c.color.level(c.color.values[i])
		}
		cell := &c.cells[p][g]
		if gap {
			cell.breaks = append(cell.breaks, c.x.values[i])
			continue
		}
		c.drawn++
		cell.x = append(cell.x, c.x.values[i])
		if c.y != nil {
			cell.y = append(cell.y, c.y.values[i])
		}
		if c.shade != nil {
			cell.shade = append(cell.shade, c.color.values[i])
		}
	}
	c.dropEmpty()
	if left := c.leftOut(); c.drawn == 0 {
		return fmt.Errorf("%w: no row is complete; %s", mlreg.ErrNoData, format.Line(left))
	} else if left != "" {
		c.notes = append(c.notes, left)
	}
	return nil
}

// dropEmpty drops the panels without rows, and finds the largest.
func (c *chart) dropEmpty() {
	var panels []string
	var cells [][]chartCell
	for p, row := range c.cells {
		n := 0
		for _, cell := range row {
			n += len(cell.x)
		}
		if n > 0 {
			panels, cells = append(panels, c.panels[p]), append(cells, row)
		}
		c.widest = max(c.widest, n)
	}
	c.panels, c.cells = panels, cells
}

// leftOut says how many rows are left out, and which columns have no value there.
func (c *chart) leftOut() string {
	if c.drawn == c.rows {
		return ""
	}
	var why []string
	seen := map[string]bool{}
	for _, f := range c.columnsOf() {
		if missing := len(f.values) - len(f.present()); missing > 0 && !seen[f.name] {
			why, seen[f.name] = append(why, fmt.Sprintf("%s (%s)", f.name, format.Grouped(float64(missing)))), true
		}
	}
	return fmt.Sprintf("%s of %s %s left out: missing values of %s.", format.Grouped(float64(c.rows-c.drawn)), format.Grouped(float64(c.rows)), map[bool]string{true: "row", false: "rows"}[c.rows == 1], strings.Join(why, ", "))
}
