package plotting

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// scatterLayers returns the layers of a panel of two columns of numbers.
func (c *chart) scatterLayers(p int) ([]Layer, error) {
	var layers []Layer
	marks := c.s.Marks
	if marks&AsPoints != 0 && c.hexagons != nil {
		layers = append(layers, drawn{hexagons{c.hex, c.hexagons[p], false}})
	}
	for g, cell := range c.cells[p] {
		if marks&AsLines != 0 {
			layers = append(layers, cell.lines(c.groups[g].color)...)
		}
	}
	for g, cell := range c.cells[p] {
		if marks&AsPoints != 0 && c.hexagons == nil && len(cell.x) > 0 {
			layers = append(layers, c.points(g, cell))
		}
	}
	var curves []Layer
	for g, cell := range c.cells[p] {
		tint := c.groups[g].color
		if len(c.groups) == 1 {
			tint = Vermillion // stands out from the points
		}
		for _, kind := range []Marks{AsLinear, AsSmooth} {
			if marks&kind == 0 {
				continue
			}
			t, err := c.trend(kind, cell)
			if err != nil {
				return nil, err
			}
			if t == nil {
				continue
			}
			if t.lower != nil {
				layers = append(layers, Ribbon{X: t.x, Lower: t.lower, Upper: t.upper, Color: tint})
			}
			curves = append(curves, Line{X: t.x, Y: t.y, Color: tint, Dashed: kind == AsSmooth && marks&AsLinear != 0})
		}
	}
	return append(layers, curves...), nil
}

// opacity returns that of points, by their number in a panel, and their radius.
func opacity(n int) (opacity, radius float64) {
	opacity = math.Min(0.85, math.Max(0.25, 0.85*math.Pow(100/float64(n), 0.3)))
	switch {
	case n > 1500:
		return opacity, 1.6
	case n > 300:
		return opacity, 2.1
	}
	return opacity, float64(look.PointRadius)
}

// points draws the rows of a group.
func (c *chart) points(g int, cell chartCell) Layer {
	faint, radius := opacity(c.widest)
	style := draw.GlyphStyle{Color: Fade(c.groups[g].color, faint), Radius: vg.Points(radius), Shape: draw.CircleGlyph{}}
	s := &plotter.Scatter{XYs: points(cell.x, cell.y), GlyphStyle: style}
	if c.shade != nil {
		s.GlyphStyleFunc = func(i int) draw.GlyphStyle {
			style.Color = Fade(c.shade.at(cell.shade[i]), math.Max(faint, 0.6))
			return style
		}
	}
	return drawn{s}
}

// lines joins the rows of a group in the order of x, with a gap where y is missing. A
// row between two gaps is a point.
func (cell chartCell) lines(tint color.Color) []Layer {
	n := len(cell.x) + len(cell.breaks)
	type row struct{ x, y float64 }
	rows := make([]row, 0, n)
	for i, x := range cell.x {
		rows = append(rows, row{x, cell.y[i]})
	}
	for _, x := range cell.breaks {
		rows = append(rows, row{x, math.NaN()})
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.x, b.x) })
	x, y := make([]float64, n), make([]float64, n)
	var alone plotter.XYs
	gap := func(i int) bool { return i < 0 || i >= n || math.IsNaN(rows[i].y) }
	for i, r := range rows {
		x[i], y[i] = r.x, r.y
		if !gap(i) && gap(i-1) && gap(i+1) {
			alone = append(alone, plotter.XY{X: r.x, Y: r.y})
		}
	}
	if len(cell.x) == 0 {
		return nil
	}
	x, y = thinned(x, y)
	layers := pieces(Line{X: x, Y: y, Color: tint, Width: 1.4})
	if alone != nil {
		layers = append(layers, drawn{&plotter.Scatter{XYs: alone, GlyphStyle: draw.GlyphStyle{Color: tint, Radius: 1.6, Shape: draw.CircleGlyph{}}}})
	}
	return layers
}

// pieces divides a long line: the time to draw one grows with the square of its points.
func pieces(l Line) []Layer {
	const most = 1000
	if len(l.X) <= most {
		return []Layer{l}
	}
	var all []Layer
	for from := 0; from < len(l.X)-1; from += 50 {
		to := min(from+51, len(l.X))
		one := l
		one.X, one.Y = l.X[from:to], l.Y[from:to]
		if slices.ContainsFunc(one.Y, check.IsFinite) {
			all = append(all, one)
		}
	}
	return all
}

// A line of so many points is drawn by four in each of so many columns.
const (
	linePoints  = 8000
	lineColumns = 1500
)

// thinned returns what can be seen of a long line: of the points in each of many narrow
// columns, the first, the last, the lowest and the highest, and the gaps.
func thinned(x, y []float64) (xs, ys []float64) {
	n := len(x)
	if n <= linePoints || !check.IsFinite(x[n-1]-x[0]) || x[0] == x[n-1] {
		return x, y
	}
	column := func(i int) int { return int((x[i] - x[0]) / (x[n-1] - x[0]) * lineColumns) }
	for from := 0; from < n; {
		if math.IsNaN(y[from]) {
			xs, ys = append(xs, x[from]), append(ys, y[from])
			from++
			continue
		}
		to := from
		low, high := from, from
		for ; to < n && !math.IsNaN(y[to]) && column(to) == column(from); to++ {
			if y[to] < y[low] {
				low = to
			}
			if y[to] > y[high] {
				high = to
			}
		}
		keep := []int{from, low, high, to - 1}
		slices.Sort(keep)
		for _, i := range slices.Compact(keep) {
			xs, ys = append(xs, x[i]), append(ys, y[i])
		}
		from = to
	}
	return xs, ys
}

var _ plot.Thumbnailer = swatch{}
