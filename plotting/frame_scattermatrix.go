package plotting

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// mostScattered is how many columns a scatter matrix has at most.
const mostScattered = 16

// ScatterMatrix draws every column of numbers of a frame against every other, and
// its distribution on the diagonal: a histogram, or the bars of categories.
//
//	plotting.Show(plotting.ScatterMatrix(df, nil))
//
// A column is on the horizontal axis in the panels below its name, and on the
// vertical axis in those beside it. A panel leaves out points with a missing
// value. With Color, groups have their colors, and their bars stand on each other. A
// column without values is left out and named below, unless Columns lists
// it. Nil settings are the defaults. The error names a column that does not exist,
// is text, has no values or infinite ones, or says that there are more than 16
// columns.
func ScatterMatrix(df dataframe.DataFrame, settings *FrameSettings) (_ *Figure, err error) {
	defer check.Named("scatter matrix", &err)
	s := check.OrDefaults(settings)
	df, groups, err := s.grouped(df)
	if err != nil {
		return nil, err
	}
	columns, err := s.columns(df, numbersAndDates)
	if err != nil {
		return nil, err
	}
	columns, without, err := leaveOut(columns)
	if err != nil {
		return nil, err
	}
	n := len(columns)
	if n > mostScattered {
		return nil, fmt.Errorf("%w: %d columns; name up to %d of them in Columns", mlreg.ErrSetting, n, mostScattered)
	}
	names := format.Each(columns, func(c frameColumn) string { return c.name })
	f := s.scatterCells(df.Nrow(), columns, groups, without)
	f.Title = s.Title
	f.Alt = fmt.Sprintf("scatter matrix of %s, %s: %s", check.Plural(n, "column"), check.Plural(df.Nrow(), "row"), strings.Join(names, ", "))
	groups.adorn(f, s.Color)
	if df.Nrow() >= manyPoints {
		f.Note = strings.Join(given(f.Note, "Hexagons are darker where they have more rows."), " ")
	}
	if without != "" {
		f.Alt += "; " + without
	}
	f.Alt = captioned(s.Title, f.Alt)
	return f, nil
}

// scatterCells draws the cells of some columns, with the ticks of each column below and beside it.
func (s *FrameSettings) scatterCells(rows int, columns []frameColumn, groups *frameGroups, without string) *Figure {
	n := len(columns)
	m := &scatterCells{radius: 1.6, groups: groups}
	if rows > 300 {
		m.radius = 1
	}
	side := math.Min(look.PageWidth, 0.9+2*float64(n))
	width := vg.Length(side-0.9) / vg.Length(n) * vg.Inch
	var bottom, left plot.ConstantTicks
	for j, c := range columns {
		cell := newScatterColumn(c, s.Bins)
		cell.divide(groups)
		m.columns = append(m.columns, cell)
		ticks := cell.ticks(n)
		for _, t := range ticks {
			left = append(left, plot.Tick{Value: float64(n-1-j) + cell.at(t.Value), Label: t.Label})
		}
		for _, t := range cell.apart(ticks, width) {
			bottom = append(bottom, plot.Tick{Value: float64(j) + cell.at(t.Value), Label: t.Label})
		}
	}
	p := newBare("", without, "")
	for axis, ticks := range map[*plot.Axis]plot.ConstantTicks{&p.X: bottom, &p.Y: left} {
		axis.Min, axis.Max = 0, float64(n)
		axis.LineStyle.Width, axis.Tick.Length = 0, vg.Points(2)
		axis.Tick.Marker, axis.Tick.Label.Font.Size = ticks, cellTickSize
	}
	p.Add(m)
	f := Sized(p, side, side)
	f.cells = true
	return f
}

const (
	cellTickSize = vg.Length(7.5)
	cellMargin   = 0.09            // between data and frame, of the side of a cell
	cellGap      = vg.Length(2)    // between a frame and the edge of its cell
	nameStrip    = vg.Length(15.5) // above and to the right of the cells
)

// scatterColumn is a column of a scatter matrix.
type scatterColumn struct {
	frameColumn
	low, high float64
	bars      []scatterBar
}

// scatterBar is a bar on the diagonal, its height a share of the highest, and those of
// its groups on each other.
type scatterBar struct {
	from, to, height float64
	tops             []float64
}

func newScatterColumn(c frameColumn, bins int) scatterColumn {
	s := scatterColumn{frameColumn: c}
	if c.levels != nil {
		half := 0.3 * smallestGap(c.levels)
		for k, count := range c.counts() {
			s.bars = append(s.bars, scatterBar{from: c.levels[k] - half, to: c.levels[k] + half, height: count})
		}
	} else {
		for _, b := range c.histogram(bins).bins() {
			s.bars = append(s.bars, scatterBar{from: b.Min, to: b.Max, height: b.Weight})
		}
	}
	s.low, s.high = s.bars[0].from, s.bars[len(s.bars)-1].to
	highest := slices.MaxFunc(s.bars, func(a, b scatterBar) int { return cmp.Compare(a.height, b.height) }).height
	for k := range s.bars {
		s.bars[k].height /= highest
	}
	return s
}

// divide divides the bars by groups.
func (s scatterColumn) divide(groups *frameGroups) {
	counts := make([][]float64, len(s.bars))
	for k := range counts {
		counts[k] = make([]float64, len(groups.groups))
	}
	for g, values := range groups.split(s.values) {
		for _, v := range values {
			counts[s.barOf(v)][g]++
		}
	}
	for k, bar := range s.bars {
		total, sum := floats.Sum(counts[k]), 0.0
		for _, n := range counts[k] {
			sum += n
			s.bars[k].tops = append(s.bars[k].tops, bar.height*sum/math.Max(total, 1))
		}
	}
}

// barOf returns the number of the bar of a value.
func (s scatterColumn) barOf(v float64) int {
	if s.levels != nil {
		return s.level(v)
	}
	if len(s.bars) == 1 {
		return 0
	}
	width := (s.high - s.low) / float64(len(s.bars))
	return min(int((v-s.low)/width), len(s.bars)-1)
}

// at returns the place of a value between the edges of its cell, 0 to 1.
func (s scatterColumn) at(v float64) float64 {
	return cellMargin + (1-2*cellMargin)*(v-s.low)/(s.high-s.low)
}

// ticks returns the ticks of the column in a matrix of n columns: the levels of
// categories, or two or more round numbers.
func (s scatterColumn) ticks(n int) []plot.Tick {
	if s.levels != nil && len(s.levels) <= 4 {
		ticks := make([]plot.Tick, len(s.levels))
		for k, v := range s.levels {
			ticks[k] = plot.Tick{Value: v, Label: s.labels[k]}
		}
		return ticks
	}
	target := 2
	if n <= 5 {
		target = 4
	}
	if s.date {
		return DateTicks{Target: target}.Ticks(s.low, s.high)
	}
	return Ticks{Target: target}.Ticks(s.low, s.high)
}

// apart returns the ticks whose labels stand apart under a cell of the given
// width, and clear of the next cell's: every tick, every second ... or, if no two
// do, the middle one.
func (s scatterColumn) apart(ticks []plot.Tick, width vg.Length) []plot.Tick {
	style := look.Text(cellTickSize, look.Quiet)
	const gap = vg.Length(4)
	for step := 1; step < len(ticks); step++ {
		var kept []plot.Tick
		fits, end := true, -gap // the first may begin a little before the cell
		for k := 0; k < len(ticks); k += step {
			at, half := vg.Length(s.at(ticks[k].Value))*width, style.Width(ticks[k].Label)/2
			fits = fits && at-half > end && at+half < width
			end = at + half + gap
			kept = append(kept, ticks[k])
		}
		if fits {
			return kept
		}
	}
	return ticks[len(ticks)/2 : min(len(ticks)/2+1, len(ticks))]
}

// scatterCells is the plotter of ScatterMatrix: cells on integer coordinates, the
// first column at the left and on top.
type scatterCells struct {
	columns []scatterColumn
	radius  vg.Length
	groups  *frameGroups
}

// Plot implements plot.Plotter.
func (m *scatterCells) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	n := len(m.columns)
	frame := draw.LineStyle{Color: color.NRGBA{R: 0xB8, G: 0xB8, B: 0xB8, A: 0xFF}, Width: look.GridWidth}
	glyph := draw.GlyphStyle{Radius: m.radius, Shape: draw.CircleGlyph{}}
	var tints []color.Color
	for _, group := range m.groups.groups {
		tints = append(tints, Fade(group.color, 0.55))
	}
	style := m.nameStyle(trX(1) - trX(0))
	for i, row := range m.columns {
		bottom := float64(n - 1 - i)
		for j, col := range m.columns {
			x0, x1 := trX(float64(j))+cellGap, trX(float64(j+1))-cellGap
			y0, y1 := trY(bottom)+cellGap, trY(bottom+1)-cellGap
			box := corners(x0, y0, x1, y1)
			c.StrokeLines(frame, append(box, box[0]))
			if i == j {
				for _, b := range col.bars {
					bottom := y0
					for g, top := range b.tops {
						to := y0 + vg.Length(0.9*top)*(y1-y0)
						fillBox(c, m.barColor(g), trX(float64(j)+col.at(b.from))+0.3, bottom, trX(float64(j)+col.at(b.to))-0.3, to)
						bottom = to
					}
				}
				continue
			}
			if len(m.groups.of) >= manyPoints {
				m.plotHexagons(c, col, row, func(x, y float64) vg.Point {
					return vg.Point{X: trX(float64(j) + col.at(x)), Y: trY(bottom + row.at(y))}
				})
				continue
			}
			for k, x := range col.values {
				if y := row.values[k]; !math.IsNaN(x) && !math.IsNaN(y) {
					glyph.Color = tints[m.groups.of[k]]
					c.DrawGlyph(glyph, vg.Point{X: trX(float64(j) + col.at(x)), Y: trY(bottom + row.at(y))})
				}
			}
		}
		across := style
		c.FillText(across, vg.Point{X: trX(float64(i) + 0.5), Y: c.Max.Y + nameStrip/2}, row.name)
		across.Rotation = -math.Pi / 2
		c.FillText(across, vg.Point{X: c.Max.X + nameStrip/2, Y: trY(bottom + 0.5)}, row.name)
	}
}

// plotHexagons draws the cell of two columns with many rows: hexagons are darker where
// there are more, in the color of the group with the most.
func (m *scatterCells) plotHexagons(c draw.Canvas, col, row scatterColumn, at func(x, y float64) vg.Point) {
	cells := make([]chartCell, len(m.groups.groups))
	var xs, ys []float64
	for k, x := range col.values {
		if y := row.values[k]; !math.IsNaN(x) && !math.IsNaN(y) {
			cell := &cells[m.groups.of[k]]
			cell.x, cell.y = append(cell.x, x), append(cell.y, y)
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	if len(xs) == 0 {
		return
	}
	grid := newHexGrid(xs, ys, 30, 1)
	all, largest := grid.bin(cells), 1
	for _, h := range all {
		largest = max(largest, slices.Max(h.count))
	}
	for _, h := range all {
		c.FillPolygon(h.shaded(m.groups.groups, largest), h.corners(grid, at))
	}
}

// barColor returns the color of the bars of a group.
func (m *scatterCells) barColor(g int) color.Color {
	if len(m.groups.groups) == 1 {
		return Fade(Blue, loneFill)
	}
	return fillOf(m.groups.groups, g)
}

// nameStyle returns the style of the names, small enough for a cell of the given
// width.
func (m *scatterCells) nameStyle(width vg.Length) text.Style {
	style := look.Text(look.LabelSize, look.Ink)
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	var longest vg.Length
	for _, c := range m.columns {
		longest = max(longest, style.Width(c.name))
	}
	style.Font.Size *= min(1, max(0.5, width/longest))
	return style
}

// GlyphBoxes implements plot.GlyphBoxer: it keeps the place of the names free.
func (m *scatterCells) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{{X: 1, Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{X: nameStrip, Y: nameStrip}}}}
}
