package plotting

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Rect is a rectangle of the plane.
type Rect struct {
	XMin, XMax, YMin, YMax float64
}

func (r Rect) check(what string) error {
	if !(r.XMin < r.XMax && r.YMin < r.YMax) || math.IsInf(r.XMax-r.XMin, 1) || math.IsInf(r.YMax-r.YMin, 1) {
		return fmt.Errorf("plotting: %s: %w: the rectangle from (%v, %v) to (%v, %v) is empty or not finite",
			what, mlreg.ErrSetting, r.XMin, r.YMin, r.XMax, r.YMax)
	}
	return nil
}

// Heat colors a rectangle by the values of a function that is not negative,
// such as a density: white where it is 0, Color where it is largest. Where it is
// NaN, nothing is drawn. It has no entry in the legend.
type Heat struct {
	F     func(x, y float64) float64
	Over  Rect
	Color color.Color // the default is Blue
	N     int         // number of values along each side, 3 to 2000; the default is 160
}

func (l Heat) addTo(p *plot.Plot, _ *autoColor) error {
	g, err := sample("heat", l.F, l.Over, l.N, 160)
	if err != nil {
		return err
	}
	low, high := g.extremes()
	if low < 0 || !(high > 0) {
		return fmt.Errorf("plotting: heat: %w: its values run from %v to %v; they are 0 or more, and some are more", mlreg.ErrSetting, low, high)
	}
	c := color.NRGBAModel.Convert(colorOr(l.Color, Blue)).(color.NRGBA)
	img := image.NewNRGBA(image.Rect(0, 0, len(g.x), len(g.y)))
	for i := range g.x {
		for j := range g.y {
			if v := g.Z(i, j); !math.IsNaN(v) {
				img.Set(i, len(g.y)-1-j, mix(c, v/high))
			}
		}
	}
	p.Add(heat{img, l.Over})
	return nil
}

// heat is the plotter of Heat.
type heat struct {
	img  image.Image
	over Rect
}

// Plot implements plot.Plotter: the part of the picture that is in the range
// of the axes.
func (h heat) Plot(c draw.Canvas, p *plot.Plot) {
	size := h.img.Bounds().Size()
	x0, x1 := math.Max(h.over.XMin, p.X.Min), math.Min(h.over.XMax, p.X.Max)
	y0, y1 := math.Max(h.over.YMin, p.Y.Min), math.Min(h.over.YMax, p.Y.Max)
	column := func(x float64) int {
		return int(math.Round((x - h.over.XMin) / (h.over.XMax - h.over.XMin) * float64(size.X)))
	}
	row := func(y float64) int {
		return int(math.Round((h.over.YMax - y) / (h.over.YMax - h.over.YMin) * float64(size.Y)))
	}
	part := image.Rect(column(x0), row(y1), column(x1), row(y0))
	if part.Empty() {
		return
	}
	// Drawn at the size of the pixels of the page, so that the writer has
	// nothing to interpolate.
	trX, trY := p.Transforms(&c)
	box := vg.Rectangle{Min: vg.Point{X: trX(x0), Y: trY(y0)}, Max: vg.Point{X: trX(x1), Y: trY(y1)}}
	width, height := max(1, int(box.Size().X.Dots(figureDPI))), max(1, int(box.Size().Y.Dots(figureDPI)))
	fine := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range width {
		for j := range height {
			fine.Set(i, j, h.img.At(part.Min.X+i*part.Dx()/width, part.Min.Y+j*part.Dy()/height))
		}
	}
	c.DrawImage(box, fine)
}

// DataRange implements plot.DataRanger.
func (h heat) DataRange() (xmin, xmax, ymin, ymax float64) {
	return h.over.XMin, h.over.XMax, h.over.YMin, h.over.YMax
}

// Contours are the lines on which a function has the values Levels,
// interpolated between its values on a grid. They end at the edge of the
// rectangle.
type Contours struct {
	F      func(x, y float64) float64
	Over   Rect
	Levels []float64
	Name   string
	Color  color.Color
	Width  float64 // in points of 1/72 inch; the default is 1.2
	Dashed bool
	N      int // number of values along each side, 3 to 2000; the default is 120
}

func (l Contours) addTo(p *plot.Plot, auto *autoColor) error {
	what := layerName("contours", l.Name)
	if len(l.Levels) == 0 {
		return fmt.Errorf("plotting: %s: %w: no Levels are given", what, mlreg.ErrSetting)
	}
	if err := check.Finite(what, check.Series{Name: "the levels", Values: l.Levels}); err != nil {
		return err
	}
	g, err := sample(what, l.F, l.Over, l.N, 120)
	if err != nil {
		return err
	}
	levels := slices.Clone(l.Levels)
	slices.Sort(levels)
	lines := plotter.NewContour(g, levels, nil)
	style := lineStyle(auto.orNext(l.Color), 1.2, l.Width, l.Dashed)
	lines.LineStyles = []draw.LineStyle{style}
	p.Add(contours{lines, g})
	legendEntry(p, l.Name, &plotter.Line{LineStyle: style})
	return nil
}

// contours ask for room where gonum's do, but at the outermost points of the grid
// and not at each of them, which took longer than to draw them.
type contours struct {
	*plotter.Contour
	grid *values
}

// GlyphBoxes implements plot.GlyphBoxer.
func (c contours) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	const room = 2.5
	var boxes []plot.GlyphBox
	for _, x := range outermost(c.grid.x, p.X.Norm) {
		for _, y := range outermost(c.grid.y, p.Y.Norm) {
			boxes = append(boxes, plot.GlyphBox{X: x, Y: y, Rectangle: vg.Rectangle{
				Min: vg.Point{X: -room, Y: -room}, Max: vg.Point{X: room, Y: room},
			}})
		}
	}
	return boxes
}

// outermost returns where on an axis the first and the last of the values are
// that are on it.
func outermost(v []float64, norm func(float64) float64) []float64 {
	var on []float64
	for _, v := range v {
		if at := norm(v); at >= 0 && at <= 1 {
			on = append(on, at)
		}
	}
	if len(on) == 0 {
		return nil
	}
	return []float64{on[0], on[len(on)-1]}
}

// values are those of a function on a grid; they are a plotter.GridXYZ.
type values struct {
	x, y, z []float64 // z row by row, the lowest y first
}

// sample evaluates f at the middle of n x n cells.
func sample(what string, f func(x, y float64) float64, over Rect, n, standard int) (*values, error) {
	if f == nil {
		return nil, fmt.Errorf("plotting: %s: %w: its function F is nil", what, mlreg.ErrSetting)
	}
	if err := over.check(what); err != nil {
		return nil, err
	}
	n = cmp.Or(n, standard)
	if n < 3 || n > 2000 {
		return nil, fmt.Errorf("plotting: %s: %w: N = %d; it may be 3 to 2000", what, mlreg.ErrSetting, n)
	}
	dx, dy := (over.XMax-over.XMin)/float64(n), (over.YMax-over.YMin)/float64(n)
	g := &values{x: Range(over.XMin+dx/2, over.XMax-dx/2, n), y: Range(over.YMin+dy/2, over.YMax-dy/2, n)}
	for _, y := range g.y {
		for _, x := range g.x {
			v := f(x, y)
			if math.IsInf(v, 0) {
				return nil, fmt.Errorf("plotting: %s: %w: the function is %v at (%v, %v)", what, mlreg.ErrNotFinite, v, x, y)
			}
			g.z = append(g.z, v)
		}
	}
	if low, high := g.extremes(); low > high {
		return nil, fmt.Errorf("plotting: %s: %w: the function is NaN everywhere", what, mlreg.ErrNotFinite)
	}
	return g, nil
}

// extremes returns the smallest and largest value, NaN left out.
func (g *values) extremes() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range g.z {
		if !math.IsNaN(v) {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	return low, high
}

// Dims, X, Y and Z implement plotter.GridXYZ.
func (g *values) Dims() (c, r int)   { return len(g.x), len(g.y) }
func (g *values) X(c int) float64    { return g.x[c] }
func (g *values) Y(r int) float64    { return g.y[r] }
func (g *values) Z(c, r int) float64 { return g.z[r*len(g.x)+c] }
