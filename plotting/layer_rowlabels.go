package plotting

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/plotting/internal/look"
)

// rowLabels writes the names of some points next to them, where
// they hide neither points nor lines nor each other.
type rowLabels struct {
	x, y    []float64 // of all points
	lines   []Line    // others than points to keep clear of
	labeled []int
	names   []string // of the labeled ones
	notes   []Note   // placed first; Side is UpperLeft or LowerLeft
}

// Plot implements plot.Plotter.
func (l rowLabels) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	placer := look.LabelPlacer{Bounds: c.Rectangle}
	on := func(x, y float64) vg.Point { return vg.Point{X: trX(x), Y: trY(y)} }
	for i := range l.x {
		placer.Obstacles = append(placer.Obstacles, on(l.x[i], l.y[i]))
	}
	for _, line := range l.lines {
		path := make([]vg.Point, len(line.X))
		for i := range path {
			path[i] = on(line.X[i], line.Y[i])
		}
		placer.Avoid(path...)
	}
	for _, note := range l.notes {
		toward := vg.Point{X: -1, Y: 1}
		if note.Side == LowerLeft {
			toward.Y = -1
		}
		style := look.Text(look.TickSize, colorOr(note.Color, look.Ink))
		corner := placer.Place(on(note.X, note.Y), toward, style.Width(note.Text), style.Height(note.Text))
		c.FillText(style, corner, note.Text)
	}
	style := look.Text(look.TickSize-1, look.Ink)
	for k, i := range l.labeled {
		point := on(l.x[i], l.y[i])
		outward := vg.Point{X: c.Center().X - point.X, Y: 0} // toward the middle, where there is room
		corner := placer.Place(point, outward, style.Width(l.names[k]), style.Height(l.names[k]))
		c.FillText(style, corner, l.names[k])
	}
}

// largest returns the numbers of the k largest of the values, the largest
// first, of equals the first; NaN is smaller than anything.
func largest(k int, values []float64) []int {
	compare := func(a, b int) int {
		switch x, y := values[a], values[b]; {
		case x > y || x == x && y != y:
			return -1
		case y > x || y == y && x != x:
			return 1
		}
		return a - b
	}
	k = min(max(k, 0), len(values))
	const few = 32
	if k <= few { // most values are looked at once
		best := make([]int, 0, k+1)
		for i := range values {
			if len(best) == k && (k == 0 || compare(i, best[k-1]) > 0) {
				continue
			}
			at, _ := slices.BinarySearchFunc(best, i, compare)
			if best = slices.Insert(best, at, i); len(best) > k {
				best = best[:k]
			}
		}
		return best
	}
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, compare)
	return order[:k]
}

// rising returns the numbers of the values, that of the smallest first, and of equals the first.
func rising(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	return order
}

// sortedBy returns the terms with the largest value first.
func sortedBy(terms []string, value func(term string) float64) []string {
	sorted := make([]string, 0, len(terms))
	for _, i := range largest(len(terms), format.Each(terms, value)) {
		sorted = append(sorted, terms[i])
	}
	return sorted
}
