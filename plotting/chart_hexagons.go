package plotting

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/plotting/internal/check"
)

// manyPoints is from how many points in a panel on a chart draws hexagons.
const manyPoints = 5000

// hexGrid divides the plane into hexagons. A place is measured in widths of a hexagon
// across, and in sqrt(3) widths upward, which are 1.5 times its height: the centers
// are then at whole numbers, and half-way between four of them.
type hexGrid struct{ x0, y0, width, height float64 }

// newHexGrid returns a grid with the given number of hexagons across the values of x,
// which are regular in a panel of the given height for its width.
func newHexGrid(x, y []float64, across int, aspect float64) hexGrid {
	extent := func(values []float64) (low, size float64) {
		low = slices.Min(values)
		if size = slices.Max(values) - low; size == 0 {
			size = math.Max(1, 1e-9*math.Abs(low))
		}
		return low, size
	}
	x0, width := extent(x)
	y0, height := extent(y)
	return hexGrid{x0, y0, width / float64(across), height / (float64(across) * aspect / math.Sqrt(3))}
}

// center returns twice the numbers of the hexagon that holds a point, which are whole.
func (g hexGrid) center(x, y float64) [2]int {
	u, v := (x-g.x0)/g.width, (y-g.y0)/g.height
	distance := func(i, j float64) float64 { return (u-i)*(u-i) + 3*(v-j)*(v-j) }
	i, j := math.Round(u), math.Round(v)
	k, l := math.Floor(u)+0.5, math.Floor(v)+0.5
	if distance(k, l) < distance(i, j) {
		i, j = k, l
	}
	return [2]int{int(2 * i), int(2 * j)}
}

// hexagon is a hexagon with its rows.
type hexagon struct {
	x, y  float64
	count []int   // of rows, by group
	shade float64 // the sum of a numeric color
	fill  color.Color
}

func (h hexagon) rows() int {
	n := 0
	for _, c := range h.count {
		n += c
	}
	return n
}

// corners returns the corners on the page.
func (h hexagon) corners(g hexGrid, at func(x, y float64) vg.Point) []vg.Point {
	var all []vg.Point
	for _, k := range [...][2]float64{{0, 1. / 3}, {0.5, 1. / 6}, {0.5, -1. / 6}, {0, -1. / 3}, {-0.5, -1. / 6}, {-0.5, 1. / 6}} {
		all = append(all, at(h.x+k[0]*g.width, h.y+k[1]*g.height))
	}
	return all
}

// shaded returns the color of the group with the most rows, dark if these are many of
// the largest number in a hexagon.
func (h hexagon) shaded(groups []chartGroup, largest int) color.NRGBA {
	most := slices.Max(h.count)
	return mix(groups[slices.Index(h.count, most)].color, countShade(most, largest))
}

// bin returns the hexagons that hold rows, in the order of their places.
func (g hexGrid) bin(cells []chartCell) []hexagon {
	at := map[[2]int]*hexagon{}
	var places [][2]int
	for k, cell := range cells {
		for i, x := range cell.x {
			place := g.center(x, cell.y[i])
			h := at[place]
			if h == nil {
				h = &hexagon{x: g.x0 + g.width*float64(place[0])/2, y: g.y0 + g.height*float64(place[1])/2, count: make([]int, len(cells))}
				at[place], places = h, append(places, place)
			}
			h.count[k]++
			if cell.shade != nil {
				h.shade += cell.shade[i]
			}
		}
	}
	slices.SortFunc(places, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	all := make([]hexagon, len(places))
	for i, place := range places {
		all[i] = *at[place]
	}
	return all
}

// hexagons is the plotter of hexagons.
type hexagons struct {
	grid hexGrid
	all  []hexagon
	// seamless draws them a little larger, so that those of one color join.
	seamless bool
}

// Plot implements plot.Plotter.
func (h hexagons) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for _, one := range h.all {
		grow := 1.0
		if h.seamless {
			grow = 1.06
		}
		corners := one.corners(h.grid, func(x, y float64) vg.Point {
			return vg.Point{X: trX(one.x + grow*(x-one.x)), Y: trY(one.y + grow*(y-one.y))}
		})
		c.FillPolygon(one.fill, c.ClipPolygonXY(corners))
	}
}

// DataRange implements plot.DataRanger.
func (h hexagons) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, one := range h.all {
		xmin, xmax = math.Min(xmin, one.x-h.grid.width/2), math.Max(xmax, one.x+h.grid.width/2)
		ymin, ymax = math.Min(ymin, one.y-h.grid.height/3), math.Max(ymax, one.y+h.grid.height/3)
	}
	return xmin, xmax, ymin, ymax
}

// countShade returns how dark a count is among those up to the largest, by its
// logarithm.
func countShade(count, largest int) float64 {
	if largest <= 1 {
		return 0.5
	}
	return 0.15 + 0.85*math.Log(float64(count))/math.Log(float64(largest))
}

// countSteps returns the counts that a legend names, up to the largest.
func countSteps(largest int) []int {
	steps := []int{1}
	for _, share := range []float64{1. / 3, 2. / 3} {
		v := math.Pow(float64(largest), share)
		power := math.Pow(10, math.Floor(math.Log10(v)))
		steps = append(steps, int(math.Round(v/power)*power))
	}
	return slices.Compact(append(steps, largest))
}

// hexLayers fills the hexagons of all panels, and adds to the legend and the notes
// what their colors are.
func (c *chart) hexLayers(panelColumns int) [][]hexagon {
	var x, y []float64
	for _, cells := range c.cells {
		for _, cell := range cells {
			x, y = append(x, cell.x...), append(y, cell.y...)
		}
	}
	c.hex = newHexGrid(x, y, max(20, 40/panelColumns), 0.62)
	all, largest := make([][]hexagon, len(c.cells)), 1
	for p, cells := range c.cells {
		all[p] = c.hex.bin(cells)
		for _, h := range all[p] {
			largest = max(largest, slices.Max(h.count))
		}
	}
	for _, panel := range all {
		for i, h := range panel {
			panel[i].fill = h.shaded(c.groups, largest)
			if c.shade != nil {
				panel[i].fill = c.shade.at(h.shade / float64(h.rows()))
			}
		}
	}
	switch {
	case c.shade != nil:
		c.notes = append(c.notes, "Hexagons have the color of their mean "+c.color.name+".")
	case c.color != nil:
		c.notes = append(c.notes, "Hexagons have the color of the group with the most rows in them, darker where it has more.")
	default:
		c.legend = newLegend("rows")
		for _, n := range countSteps(largest) {
			c.legend.entries.Add(format.Grouped(float64(n)), swatch{color: mix(Blue, countShade(n, largest)), box: true})
		}
	}
	return all
}

// shades gives the values of a column of numbers colors between pale and dark.
type shades struct {
	low, high float64
	date      bool
}

func newShades(f frameColumn) *shades {
	present := f.present()
	return &shades{slices.Min(present), slices.Max(present), f.date}
}

// at returns the color of a value.
func (s *shades) at(v float64) color.NRGBA {
	share := 0.5
	if s.low < s.high {
		share = (v/2 - s.low/2) / (s.high/2 - s.low/2)
	}
	pale, dark := color.NRGBA{R: 0xB5, G: 0xD8, B: 0xF0, A: 0xFF}, color.NRGBA{R: 0x06, G: 0x24, B: 0x4F, A: 0xFF}
	part := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return color.NRGBA{R: part(pale.R, dark.R), G: part(pale.G, dark.G), B: part(pale.B, dark.B), A: 0xFF}
}

// ticks returns the values that a legend names.
func (s *shades) ticks() []plot.Tick {
	if s.date {
		return DateTicks{Target: 4}.Ticks(s.low, s.high)
	}
	if !check.IsFinite(s.high - s.low) {
		return []plot.Tick{{Value: s.low, Label: format.Number(s.low, 3)}, {Value: s.high, Label: format.Number(s.high, 3)}}
	}
	return Ticks{Target: 4}.Ticks(s.low, s.high)
}
