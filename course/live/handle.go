package live

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Handle is what a reader drags in a figure: a point, whose place two values of Draw, or one,
// decide; all of the figure, which turns; or the place for a point of the reader's own.
type Handle struct {
	Name string
	Kind HandleKind
	// Values are the positions, among those of Draw, of the values that move, and Base are
	// these values. A point that is added is as far as Reach from Base at most.
	Values      []int
	Base, Reach []float64

	spots []vg.Point
}

// HandleKind says where a reader takes hold of a handle.
type HandleKind string

const (
	// Drag is a point of the figure.
	Drag HandleKind = "drag"
	// Turn is anywhere in the figure.
	Turn HandleKind = "turn"
	// Place is anywhere on a panel: a point is added there.
	Place HandleKind = "place"
)

// Spots returns where the handle was drawn, and then where it would be if each of its values
// alone were larger by one, or by the factor e if its parameter is logarithmic, in points of 1/72 inch
// to the right of the figure's lower left corner and above it. Between these a value moves in
// proportion. It returns nil before the figure has been drawn.
func (h *Handle) Spots() [][2]float64 {
	if slices.Contains(h.spots, unknown) {
		return nil
	}
	var spots [][2]float64
	for _, p := range h.spots {
		spots = append(spots, [2]float64{p.X.Points(), p.Y.Points()})
	}
	return spots
}

// unknown is the place of what has not been drawn.
var unknown = vg.Point{X: vg.Length(math.Inf(1)), Y: vg.Length(math.Inf(1))}

func newHandle(kind HandleKind, name string, values []int, base []float64) *Handle {
	h := &Handle{Name: name, Kind: kind, Values: values, Base: base}
	for range len(values) + 1 {
		h.spots = append(h.spots, unknown)
	}
	return h
}

// handle returns a handle that moves parameters, with the points at which each of
// them is the next.
func (p Point) handle(kind HandleKind, name string, params ...string) (h *Handle, next []Point) {
	var values []int
	var base []float64
	for _, param := range params {
		k := slices.IndexFunc(p.params, func(q Param) bool { return q.Name == param })
		at := p
		at.values = slices.Clone(p.values)
		if at.values[k]++; p.params[k].Log {
			at.values[k] = math.E * p.values[k]
		}
		values, base, next = append(values, k), append(base, p.values[k]), append(next, at)
	}
	return newHandle(kind, name, values, base), next
}

// drag gives a panel a handle that moves parameters; where returns its place on the axes.
func (v *View) drag(at Point, panel *plot.Plot, name string, where func(at Point) (x, y float64), params ...string) {
	h, next := at.handle(Drag, name, params...)
	spots := spotted{handle: h}
	for _, p := range append([]Point{at}, next...) {
		x, y := where(p)
		spots.x, spots.y = append(spots.x, x), append(spots.y, y)
	}
	panel.Add(spots)
	v.Handles = append(v.Handles, h)
}

// turn has a parameter in degrees grow by 180 over the width of the figure, which is given.
func (v *View) turn(at Point, name, param string, width vg.Length) {
	h, _ := at.handle(Turn, name, param)
	h.spots = []vg.Point{{}, {X: width / 180}}
	v.Handles = append(v.Handles, h)
}

// own gives a panel a handle for each of the reader's points, and lets more be added.
func (v *View) own(at Point, panel *plot.Plot) {
	x, y := at.Own()
	first := len(at.params)
	for i := range x {
		v.point(panel, Drag, "your point", []int{first + 2*i, first + 2*i + 1}, x[i], y[i])
	}
	v.point(panel, Place, "a point of your own", []int{len(at.values), len(at.values) + 1},
		(panel.X.Min+panel.X.Max)/2, (panel.Y.Min+panel.Y.Max)/2)
	v.Handles[len(v.Handles)-1].Reach = []float64{(panel.X.Max - panel.X.Min) / 2, (panel.Y.Max - panel.Y.Min) / 2}
}

func (v *View) point(panel *plot.Plot, kind HandleKind, name string, values []int, x, y float64) {
	h := newHandle(kind, name, values, []float64{x, y})
	panel.Add(spotted{h, []float64{x, x + 1, x}, []float64{y, y, y + 1}})
	v.Handles = append(v.Handles, h)
}

// spotted is a plotter that draws nothing: it notes where points are on the page.
type spotted struct {
	handle *Handle
	x, y   []float64
}

// Plot implements plot.Plotter.
func (s spotted) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i := range s.x {
		s.handle.spots[i] = vg.Point{X: x(s.x[i]), Y: y(s.y[i])}
	}
}
