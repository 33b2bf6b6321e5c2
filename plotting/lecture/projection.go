package lecture

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// ProjectionSettings are the options of Projection.
type ProjectionSettings struct {
	// Title is above the figure; the default says what is shown.
	Title string
	// View is the viewing direction. The default has elevation 24 and the
	// azimuth at which the arrows overlap least.
	View View
	// Others are further vectors to compare with the projection; their
	// differences from y are drawn, too.
	Others []NamedVector
	// Stage, if it is not nil, are vectors that the picture has room for, from every
	// azimuth, whether they are drawn or not, and the side of the plane on which the first
	// of them lies is up. Pictures of several y, or from several directions, with one
	// Stage are frames of one slider: plane and scale stay as they are.
	Stage [][]float64
	// Spots are vectors whose ends Spotted is told when the figure is drawn: where the
	// end of Spots[k] is on the page, drawn or not.
	Spots   [][]float64
	Spotted func(k int, end vg.Point)
}

// NamedVector is a vector with its name in a figure.
type NamedVector struct {
	Name   string
	Values []float64
}

// Projection draws least squares as geometry: the vectors x1, x2 and y of
// length n, the plane that x1 and x2 span, the projection yhat of y onto it,
// and the residual y - yhat, which is at a right angle to the plane. The legend
// gives the lengths.
//
// The picture is the three-dimensional space that x1, x2 and y span, turned so
// that the plane is level and the residual upright: lengths and angles in it
// are those of R^n, whatever n. The other vectors must lie in that space.
// Nil settings are the defaults.
//
// The error says if lengths differ, if a value is not finite, if x1 and x2 do
// not span a plane, or which of the other vectors lies outside.
//
// Figure 3.2 of Hastie, Tibshirani and Friedman, The Elements of Statistical
// Learning, 2nd ed., is of this kind.
func Projection(x1, x2, y []float64, settings *ProjectionSettings) (*plotting.Figure, error) {
	s := check.OrDefaults(settings)
	stage, spots := numbered("Stage", s.Stage), numbered("Spots", s.Spots)
	all := []check.Series{{Name: "x1", Values: x1}, {Name: "x2", Values: x2}, {Name: "y", Values: y}}
	for _, o := range slices.Concat(s.Others, stage, spots) {
		all = append(all, check.Series{Name: o.Name, Values: o.Values})
	}
	if err := check.Lengths("projection", all...); err != nil {
		return nil, err
	}
	if err := check.Finite("projection", all...); err != nil {
		return nil, err
	}
	up := y
	if stage != nil {
		up = s.Stage[0]
	}
	g, err := newGeometry(x1, x2, y, up)
	if err != nil {
		return nil, err
	}
	if g.stage, err = g.allInside(stage); err != nil {
		return nil, err
	}
	others, err := g.allInside(s.Others)
	if err != nil {
		return nil, err
	}
	view := s.View
	if view == (View{}) {
		view = g.bestView(others)
	}
	title := cmp.Or(s.Title, "Least squares projects y onto the plane of x₁ and x₂")
	p := look.Bare(title, "", "")
	p.HideAxes()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	sc := g.scene(view, others, s.Others)
	sc.spotted = s.Spotted
	if sc.spots, err = g.allInside(spots); err != nil {
		return nil, err
	}
	p.Add(sc)
	alt := title + ": "
	for i, v := range g.lengths(others, s.Others) {
		p.Legend.Add(v.text, arrowThumb{v.style})
		if i > 0 {
			alt += ", "
		}
		alt += v.text
	}
	f := plotting.Sized(p, 6.4, 4.6)
	f.Alt = alt
	return f, nil
}

// numbered names vectors of a setting, for errors.
func numbered(setting string, vectors [][]float64) []NamedVector {
	var out []NamedVector
	for i, v := range vectors {
		out = append(out, NamedVector{fmt.Sprintf("vector %d of %s", i+1, setting), v})
	}
	return out
}

// geometry is the projection in an orthonormal basis of span{x1, x2, y}: the
// first two directions span the plane, the third is that of the residual.
type geometry struct {
	basis           [3][]float64
	x1, x2, y, yhat vec
	stage           []vec
}

// newGeometry has the residual of up upright, or that of y, if up lies in the plane.
func newGeometry(x1, x2, y, up []float64) (*geometry, error) {
	n := len(y)
	x := mat.NewDense(n, 2, nil)
	x.SetCol(0, x1)
	x.SetCol(1, x2)
	fitted, residual, err := mlreg.Project(x, y)
	if err != nil {
		return nil, err
	}
	_, above, err := mlreg.Project(x, up)
	if err != nil {
		return nil, err
	}
	e1, e2 := unit(x1), make([]float64, n)
	if e1 == nil {
		return nil, fmt.Errorf("plotting: projection: %w: x1 is zero", mlreg.ErrRankDeficient)
	}
	floats.AddScaledTo(e2, x2, -floats.Dot(e1, x2), e1)
	floats.AddScaled(e2, -floats.Dot(e1, e2), e1) // once more, against rounding
	if floats.Norm(e2, 2) <= 1e-10*floats.Norm(x2, 2) {
		return nil, fmt.Errorf("plotting: projection: %w: x1 and x2 lie on one line and span no plane", mlreg.ErrRankDeficient)
	}
	g := &geometry{basis: [3][]float64{e1, unit(e2), nil}}
	flat := func(residual, of []float64) bool { return floats.Norm(residual, 2) <= 1e-10*floats.Norm(of, 2) }
	switch {
	case !flat(residual, y):
		g.basis[2] = unit(residual)
		if !flat(above, up) && floats.Dot(residual, above) < 0 {
			floats.Scale(-1, g.basis[2])
		}
	case !flat(above, up):
		g.basis[2] = unit(above)
	}
	g.x1, g.x2, g.y, g.yhat = g.coords(x1), g.coords(x2), g.coords(y), g.coords(fitted)
	g.yhat[2] = 0
	if flat(residual, y) {
		g.y = g.yhat
	}
	return g, nil
}

// unit returns v scaled to length 1, or nil if v is zero.
func unit(v []float64) []float64 {
	length := floats.Norm(v, 2)
	if length == 0 {
		return nil
	}
	u := make([]float64, len(v))
	return floats.ScaleTo(u, 1/length, v)
}

// coords returns the coordinates of v in the basis.
func (g *geometry) coords(v []float64) (c vec) {
	for k, e := range g.basis {
		if e != nil {
			c[k] = floats.Dot(e, v)
		}
	}
	return c
}

// inside returns the coordinates of a vector of the space. The error says how
// far outside it lies.
func (g *geometry) inside(o NamedVector) (vec, error) {
	c := g.coords(o.Values)
	rest := append([]float64(nil), o.Values...)
	for k, e := range g.basis {
		if e != nil {
			floats.AddScaled(rest, -c[k], e)
		}
	}
	if length := floats.Norm(o.Values, 2); floats.Norm(rest, 2) > 1e-9*length {
		return vec{}, fmt.Errorf("plotting: projection: %w: %q is not in the space of x1, x2 and y: %s of its length %s is outside",
			mlreg.ErrShape, o.Name, format.Number(floats.Norm(rest, 2), 3), format.Number(length, 3))
	}
	return c, nil
}

// allInside are the coordinates of vectors.
func (g *geometry) allInside(vectors []NamedVector) ([]vec, error) {
	var out []vec
	for _, v := range vectors {
		c, err := g.inside(v)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// bestView returns the azimuth, in steps of 5 degrees, at which the ends of
// the arrows keep most clear of the other arrows on the page.
func (g *geometry) bestView(others []vec) View {
	arrows := [][2]vec{{{}, g.x1}, {{}, g.x2}, {{}, g.y}, {{}, g.yhat}, {g.yhat, g.y}}
	for _, o := range others {
		arrows = append(arrows, [2]vec{{}, o}, [2]vec{o, g.y})
	}
	best, bestGap := View{}, -1.0
	for k := range 360 / 5 {
		v := View{Azimuth: 5 * float64(k), Elevation: 24}
		gap, size := math.Inf(1), 0.0
		for i, a := range arrows {
			size = math.Max(size, v.length(a[0], a[1]))
			for j, b := range arrows {
				if j == i {
					continue
				}
				for _, t := range []float64{0.5, 1} { // the middle and the end of b
					if p := b[0].to(b[1], t); p != a[0] && p != a[1] {
						gap = math.Min(gap, v.distance(p, a[0], a[1]))
					}
				}
			}
		}
		if gap/size > bestGap*(1+1e-9) {
			best, bestGap = v, gap/size
		}
	}
	return best
}

// otherColors are those of Others and of their differences from y.
var otherColors = [...]color.NRGBA{plotting.Purple, plotting.Orange, plotting.Sky, plotting.Gray}

func otherColor(i int) color.NRGBA { return otherColors[i%len(otherColors)] }

// scene returns what is drawn: first what lies in the plane, then what stands
// on it.
func (g *geometry) scene(view View, others []vec, names []NamedVector) *scene {
	s := &scene{view: view}
	if g.y[2] < 0 { // below the plane, which is drawn over it
		s.arrow(draw.LineStyle{Color: plotting.Vermillion, Width: look.LineWidth + 0.5}, g.yhat, g.y)
		s.arrow(draw.LineStyle{Color: plotting.Blue, Width: look.LineWidth + 0.5}, vec{}, g.y)
	}
	g.plane(s, others)
	column := draw.LineStyle{Color: plotting.Black, Width: look.LineWidth}
	s.arrow(column, vec{}, g.x1)
	s.arrow(column, vec{}, g.x2)
	s.arrow(draw.LineStyle{Color: plotting.Green, Width: look.LineWidth + 0.5}, vec{}, g.yhat)
	for i, o := range others {
		s.arrow(draw.LineStyle{Color: otherColor(i), Width: look.LineWidth}, vec{}, o)
		s.arrow(otherStyle(i), o, g.y)
	}
	g.rightAngle(s)
	if g.y[2] >= 0 {
		s.arrow(draw.LineStyle{Color: plotting.Vermillion, Width: look.LineWidth + 0.5}, g.yhat, g.y)
		s.arrow(draw.LineStyle{Color: plotting.Blue, Width: look.LineWidth + 0.5}, vec{}, g.y)
	}

	s.label("0", look.Quiet, vec{}, g.x1.add(g.x2).add(g.yhat).scale(-1))
	s.label("x₁", plotting.Black, g.x1, g.x1)
	s.label("x₂", plotting.Black, g.x2, g.x2)
	s.label("y", plotting.Blue, g.y, g.y)
	s.label("ŷ", plotting.Green, g.yhat, g.yhat)
	if g.y != g.yhat {
		s.label("y − ŷ", plotting.Vermillion, g.yhat.to(g.y, 0.5), g.yhat)
	}
	for i, o := range others {
		s.label(names[i].Name, otherColor(i), o, o)
	}
	return s
}

func otherStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: otherColor(i), Width: look.LineWidth, Dashes: []vg.Length{vg.Points(5), vg.Points(3)}}
}

// plane draws the part of the plane that holds all feet, with a grid of round
// distances.
func (g *geometry) plane(s *scene, others []vec) {
	corners := append([]vec{{}, g.x1, g.x2, g.yhat}, others...)
	corners = append(corners, g.stage...)
	var low, high [2]float64
	for _, c := range corners {
		for k := range 2 {
			low[k], high[k] = math.Min(low[k], c[k]), math.Max(high[k], c[k])
		}
	}
	margin := 0.10 * math.Max(high[0]-low[0], high[1]-low[1])
	for k := range 2 {
		low[k], high[k] = low[k]-margin, high[k]+margin
	}
	if g.stage != nil {
		s.room = &room{center: vec{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, 0}, radius: math.Hypot(high[0]-low[0], high[1]-low[1]) / 2}
		for _, v := range append([]vec{g.y}, append(others, g.stage...)...) {
			s.room.low, s.room.high = math.Min(s.room.low, v[2]), math.Max(s.room.high, v[2])
		}
	}
	s.polygon(plotting.Fade(plotting.Sky, 0.18), vec{low[0], low[1]}, vec{high[0], low[1]}, vec{high[0], high[1]}, vec{low[0], high[1]})
	step := look.RoundStep(0, math.Max(high[0]-low[0], high[1]-low[1]), 10)
	style := draw.LineStyle{Color: plotting.Fade(plotting.Blue, 0.22), Width: look.GridWidth}
	first, n := look.Multiples(low[0], high[0], step, 0)
	for k := range n {
		u := float64(first+k) * step
		s.line(style, vec{u, low[1]}, vec{u, high[1]})
	}
	first, n = look.Multiples(low[1], high[1], step, 0)
	for k := range n {
		v := float64(first+k) * step
		s.line(style, vec{low[0], v}, vec{high[0], v})
	}
}

// rightAngle marks the foot of the residual, unless there is none.
func (g *geometry) rightAngle(s *scene) {
	height := g.y[2]
	if height == 0 {
		return
	}
	size := math.Min(0.06*math.Max(g.y.norm(), g.x1.norm()), 0.35*math.Abs(height))
	back := vec{1, 0, 0}
	if length := g.yhat.norm(); length > 0 {
		back = g.yhat.scale(-1 / length)
	}
	a := g.yhat.add(back.scale(size))
	up := vec{0, 0, math.Copysign(size, height)}
	s.line(draw.LineStyle{Color: plotting.Black, Width: look.ThinWidth}, a, a.add(up), g.yhat.add(up))
}

// lengthEntry is a line of the legend.
type lengthEntry struct {
	text  string
	style draw.LineStyle
}

// lengths returns the legend: the vectors and their lengths.
func (g *geometry) lengths(others []vec, names []NamedVector) []lengthEntry {
	entry := func(name string, v vec, style draw.LineStyle) lengthEntry {
		style.Width = look.LineWidth
		return lengthEntry{fmt.Sprintf("‖%s‖ = %s", name, format.Number(v.norm(), 4)), style}
	}
	list := []lengthEntry{
		entry("y", g.y, draw.LineStyle{Color: plotting.Blue}),
		entry("ŷ", g.yhat, draw.LineStyle{Color: plotting.Green}),
		entry("y − ŷ", g.y.sub(g.yhat), draw.LineStyle{Color: plotting.Vermillion}),
	}
	for i, o := range others {
		list = append(list, entry("y − "+names[i].Name, g.y.sub(o), otherStyle(i)))
	}
	return list
}

// arrowThumb draws a small arrow in the legend.
type arrowThumb struct{ style draw.LineStyle }

// Thumbnail implements plot.Thumbnailer.
func (t arrowThumb) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	drawArrow(*c, t.style, vg.Point{X: c.Min.X, Y: y}, vg.Point{X: c.Max.X, Y: y})
}
