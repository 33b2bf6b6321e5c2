package lecture

import (
	"image/color"
	"math"

	"github.com/regbook/regbook/plotting/internal/look"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// View is the direction from which a scene of three dimensions is seen, in
// degrees: the azimuth turns it about the third axis, the elevation is the
// height of the eye above the plane of the first two.
type View struct {
	Azimuth, Elevation float64
}

// vec is a point or direction in space.
type vec [3]float64

func (a vec) add(b vec) vec           { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) scale(s float64) vec     { return vec{s * a[0], s * a[1], s * a[2]} }
func (a vec) sub(b vec) vec           { return a.add(b.scale(-1)) }
func (a vec) dot(b vec) float64       { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) norm() float64           { return math.Sqrt(a.dot(a)) }
func (a vec) to(b vec, t float64) vec { return a.add(b.sub(a).scale(t)) }

// project returns the orthographic picture of p: right and up on the page.
func (v View) project(p vec) (x, y float64) {
	sinA, cosA := math.Sincos(v.Azimuth * math.Pi / 180)
	sinE, cosE := math.Sincos(v.Elevation * math.Pi / 180)
	right := vec{-sinA, cosA, 0}
	up := vec{-cosA * sinE, -sinA * sinE, cosE}
	return p.dot(right), p.dot(up)
}

// length returns the distance of a and b on the page.
func (v View) length(a, b vec) float64 { return math.Hypot(v.project(b.sub(a))) }

// distance returns the distance on the page of p from the segment from a to b.
func (v View) distance(p, a, b vec) float64 {
	dx, dy := v.project(b.sub(a))
	px, py := v.project(p.sub(a))
	var t float64
	if l := dx*dx + dy*dy; l > 0 {
		t = math.Max(0, math.Min(1, (px*dx+py*dy)/l))
	}
	return math.Hypot(px-t*dx, py-t*dy)
}

// scene is a plotter of things in space, drawn in the order in which they were
// added, without perspective and in the same scale in all directions. It takes
// no notice of the axes of the plot.
type scene struct {
	view   View
	room   *room // nil: what is drawn
	shapes []shape
	labels []spaceLabel
	// spotted is told where spots are on the page.
	spots   []vec
	spotted func(k int, p vg.Point)
}

// room is a cylinder that is in the picture from every azimuth.
type room struct {
	center            vec
	radius, low, high float64
}

// shape is a filled polygon, or a line with or without a head.
type shape struct {
	points []vec
	fill   color.Color // nil: a line
	style  draw.LineStyle
	arrow  bool
	thin   bool // not an obstacle for labels
}

// spaceLabel is a text near a point, best in the given direction from it.
type spaceLabel struct {
	text   string
	at     vec
	toward vec
	color  color.Color
}

func (s *scene) polygon(fill color.Color, points ...vec) {
	s.shapes = append(s.shapes, shape{points: points, fill: fill})
}

func (s *scene) line(style draw.LineStyle, points ...vec) {
	s.shapes = append(s.shapes, shape{points: points, style: style, thin: style.Width < look.ThinWidth})
}

func (s *scene) arrow(style draw.LineStyle, from, to vec) {
	s.shapes = append(s.shapes, shape{points: []vec{from, to}, style: style, arrow: true})
}

func (s *scene) label(text string, c color.Color, at, toward vec) {
	s.labels = append(s.labels, spaceLabel{text, at, toward, c})
}

// fit returns the map from space to the canvas that fills it, up to a margin
// for labels.
func (s *scene) fit(c draw.Canvas) func(vec) vg.Point {
	const margin = vg.Length(20)
	xmin, xmax, ymin, ymax := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, sh := range s.shapes {
		for _, p := range sh.points {
			x, y := s.view.project(p)
			xmin, xmax = math.Min(xmin, x), math.Max(xmax, x)
			ymin, ymax = math.Min(ymin, y), math.Max(ymax, y)
		}
	}
	if s.room != nil {
		x, y := s.view.project(s.room.center)
		sin, cos := math.Sincos(s.view.Elevation * math.Pi / 180)
		deep := s.room.radius * math.Abs(sin)
		xmin, xmax = x-s.room.radius, x+s.room.radius
		ymin, ymax = y-deep+math.Min(s.room.low*cos, s.room.high*cos), y+deep+math.Max(s.room.low*cos, s.room.high*cos)
	}
	size := c.Size()
	scale := math.Min(float64(size.X-2*margin)/(xmax-xmin), float64(size.Y-2*margin)/(ymax-ymin))
	center := c.Center()
	return func(p vec) vg.Point {
		x, y := s.view.project(p)
		return vg.Point{
			X: center.X + vg.Length(scale*(x-(xmin+xmax)/2)),
			Y: center.Y + vg.Length(scale*(y-(ymin+ymax)/2)),
		}
	}
}

// Plot implements plot.Plotter.
func (s *scene) Plot(c draw.Canvas, _ *plot.Plot) {
	if len(s.shapes) == 0 {
		return
	}
	onPage := s.fit(c)
	for k, spot := range s.spots {
		if s.spotted != nil {
			s.spotted(k, onPage(spot))
		}
	}
	placer := look.LabelPlacer{Bounds: c.Rectangle}
	for _, sh := range s.shapes {
		pts := make([]vg.Point, len(sh.points))
		for i, p := range sh.points {
			pts[i] = onPage(p)
		}
		switch {
		case sh.fill != nil:
			c.FillPolygon(sh.fill, pts)
		case sh.arrow:
			drawArrow(c, sh.style, pts[0], pts[1])
			placer.Avoid(pts...)
		default:
			c.StrokeLines(sh.style, pts)
			if !sh.thin {
				placer.Avoid(pts...)
			}
		}
	}
	for _, l := range s.labels {
		style := look.Text(look.LabelSize, l.color)
		from := onPage(l.at)
		toward := onPage(l.at.add(l.toward)).Sub(from)
		width := style.Width(l.text)
		height := style.FontExtents().Ascent
		corner := placer.Place(from, toward, width, height)
		c.FillText(style, corner, l.text)
	}
}

// drawArrow draws a line with a filled head that ends at to.
func drawArrow(c draw.Canvas, style draw.LineStyle, from, to vg.Point) {
	const headLength, headWidth = vg.Length(8), vg.Length(6)
	d := to.Sub(from)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if length == 0 {
		return
	}
	u := d.Scale(1 / length)
	head := min(headLength, length/2)
	base := to.Sub(u.Scale(head))
	side := vg.Point{X: -u.Y, Y: u.X}.Scale(headWidth / 2)
	c.StrokeLines(style, []vg.Point{from, base.Add(u.Scale(head / 4))})
	c.FillPolygon(style.Color, []vg.Point{to, base.Add(side), base.Sub(side)})
}
