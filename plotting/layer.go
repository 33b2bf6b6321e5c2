package plotting

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/internal/limit"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// Labels are the texts around a plot.
type Labels struct {
	Title, X, Y string
}

// Layer is what Draw and Add put on a plot: Points, Line, Curve, Ribbon, ErrorBars,
// Stems, Bars, Histogram, Smooth, Ellipse, Heat, Contours, HLine, VLine, Note, and
// LogX and LogY for the axes. A layer with a Name gets an entry in the legend; one
// without a Color takes the next of Palette (a Ribbon that of the layer after it;
// Heat is blue, reference lines and notes are gray).
type Layer interface {
	// addTo adds the layer to p, in the next automatic color unless it has its own.
	addTo(p *plot.Plot, auto *autoColor) error
}

// autoColor is the number of colors of Palette that layers have used up.
type autoColor int

// orNext returns c or, if c is nil, the next color, which is used up then.
func (a *autoColor) orNext(c color.Color) color.Color {
	if c == nil {
		c = a.next()
		*a++
	}
	return c
}

// next returns the color of the next layer without one.
func (a *autoColor) next() color.Color { return Palette(int(*a)) }

// Draw returns a plot in the theme with the layers on it, the first at the
// bottom, and with axes that reach 4% beyond the data (Bars, Histogram and Stems
// stand on the horizontal axis); set p.X.Min, p.X.Max and so on to change that.
// If all x are whole numbers, the axis marks whole numbers only.
//
// The error names the layer whose data cannot be drawn: lengths that do not match
// (mlreg.ErrShape), no data (mlreg.ErrNoData), values that are not finite
// (mlreg.ErrNotFinite), or not positive on a logarithmic axis (mlreg.ErrSetting).
//
//	p, err := plotting.Draw(plotting.Labels{Title: "Training set", X: "age", Y: "lpsa"},
//		plotting.Points{X: age, Y: lpsa, Name: "patients"},
//		plotting.Line{X: grid, Y: fitted, Name: "least squares"})
func Draw(labels Labels, layers ...Layer) (*plot.Plot, error) {
	p := New(labels.Title, labels.X, labels.Y)
	if err := Add(p, layers...); err != nil {
		return nil, err
	}
	ground := p.Y.Min == 0 && slices.ContainsFunc(layers, fromZero)
	if p.X.Tick.Marker == (Ticks{}) && countsOnly(layers) {
		p.X.Tick.Marker = Ticks{Whole: true}
	}
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		if err := widen(axis); err != nil {
			return nil, err
		}
	}
	if ground {
		p.Y.Min = 0
	}
	return p, nil
}

// fromZero tells whether a layer is bars that stand on the horizontal axis.
func fromZero(l Layer) bool {
	switch l.(type) {
	case Bars, Histogram, Stems:
		return true
	}
	return false
}

// countsOnly tells whether the layers are over whole numbers, such as the degrees
// of polynomials, and nothing between them.
func countsOnly(layers []Layer) bool {
	counts := false
	for _, l := range layers {
		var x []float64
		switch l := l.(type) {
		case Points:
			x = l.X
		case Line:
			x = l.X
		case ErrorBars:
			x = l.X
		case Stems:
			x = l.X
		case Bars:
			x = l.X
		case HLine, VLine, Note, LogY, drawn, lineMarks:
			continue
		default:
			return false
		}
		if slices.ContainsFunc(x, func(v float64) bool { return v != math.Trunc(v) }) {
			return false
		}
		counts = true
	}
	return counts
}

// widen sets an axis a little back from the data on both sides. The error says
// if a logarithmic axis reaches zero.
func widen(axis *plot.Axis) error {
	const margin = 0.04
	low, high := axis.Min, axis.Max
	if low > high { // nothing to be seen yet
		return nil
	}
	if axis.Scale != (plot.LogScale{}) {
		axis.Min, axis.Max = low-margin*(high-low), high+margin*(high-low)
		return nil
	}
	if low <= 0 {
		return fmt.Errorf("plotting: logarithmic axis %q: %w: the data reach down to %v; leave out values that are not positive", axis.Label.Text, mlreg.ErrSetting, low)
	}
	factor := math.Pow(high/low, margin)
	axis.Min, axis.Max = low/factor, high*factor
	return nil
}

// LogX gives the plot a logarithmic horizontal axis.
type LogX struct{}

func (LogX) addTo(p *plot.Plot, _ *autoColor) error {
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, LogTicks{}
	return nil
}

// LogY gives the plot a logarithmic vertical axis.
type LogY struct{}

func (LogY) addTo(p *plot.Plot, _ *autoColor) error {
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, LogTicks{}
	return nil
}

// Add puts layers on a plot, with the errors of Draw, and mlreg.ErrNoData without a
// plot. Automatic colors start
// again with every call.
func Add(p *plot.Plot, layers ...Layer) error {
	if p == nil {
		return check.Nothing("layers", "the plot is nil")
	}
	for i, l := range layers {
		switch l.(type) {
		case LogX, LogY: // what others are drawn on
			if err := l.addTo(p, nil); err != nil {
				return err
			}
		default:
			if check.IsNil(l) {
				return check.Nothing("layers", fmt.Sprintf("layer %d of %d is nil", i+1, len(layers)))
			}
		}
	}
	var auto autoColor
	for _, l := range layers {
		if err := l.addTo(p, &auto); err != nil {
			return err
		}
	}
	return nil
}

// drawn is a layer of a plotter without automatic color and without name.
type drawn struct{ plot.Plotter }

func (l drawn) addTo(p *plot.Plot, _ *autoColor) error {
	p.Add(l.Plotter)
	return nil
}

// colorOr returns c, or another color if c is nil.
func colorOr(c, other color.Color) color.Color {
	if c == nil {
		return other
	}
	return c
}

// layerName returns the name of a layer in messages.
func layerName(kind, name string) string {
	if name == "" {
		return kind
	}
	return fmt.Sprintf("%s %q", kind, name)
}

// Points is a scatter of filled points. Values must be finite.
type Points struct {
	X, Y   []float64
	Name   string
	Color  color.Color
	Radius float64          // in points of 1/72 inch; the default is 2.6
	Shape  draw.GlyphDrawer // the default is a filled circle
	Edge   float64          // the width of a white edge, for points on bars, in points of 1/72 inch; the default 0 is none
}

func (l Points) addTo(p *plot.Plot, auto *autoColor) error {
	what := layerName("points", l.Name)
	if err := check.Drawable(what, check.XY(l.X, l.Y)...); err != nil {
		return err
	}
	style := draw.GlyphStyle{Color: Fade(auto.orNext(l.Color), 0.85), Radius: look.PointRadius, Shape: draw.CircleGlyph{}}
	s := &plotter.Scatter{XYs: points(l.X, l.Y), GlyphStyle: style}
	if l.Radius > 0 {
		s.GlyphStyle.Radius = vg.Points(l.Radius)
	}
	if l.Shape != nil {
		s.GlyphStyle.Shape = l.Shape
	}
	if l.Edge > 0 {
		edge := *s
		edge.Color = color.White
		edge.Radius += vg.Points(l.Edge)
		p.Add(&edge)
	}
	p.Add(s)
	legendEntry(p, l.Name, s)
	return nil
}

func legendEntry(p *plot.Plot, name string, thumb plot.Thumbnailer) {
	if name != "" {
		p.Legend.Add(name, thumb)
	}
}

// Line joins points in the order given. Where a value is NaN or infinite the
// line has a gap.
type Line struct {
	X, Y   []float64
	Name   string
	Color  color.Color
	Width  float64 // in points of 1/72 inch; the default is 1.75
	Dashed bool
}

func (l Line) addTo(p *plot.Plot, auto *autoColor) error {
	what := layerName("line", l.Name)
	data := check.XY(l.X, l.Y)
	if err := check.Lengths(what, data...); err != nil {
		return err
	}
	spans, err := runs(what, data...)
	if err != nil {
		return err
	}
	style := lineStyle(auto.orNext(l.Color), look.LineWidth, l.Width, l.Dashed)
	for k, span := range spans {
		line := &plotter.Line{XYs: points(l.X[span[0]:span[1]], l.Y[span[0]:span[1]]), LineStyle: style}
		p.Add(outermostOf{line})
		if k == 0 {
			legendEntry(p, l.Name, line)
		}
	}
	return nil
}

// outermostOf is a line that asks for room at its outermost points within the axes, and not at each.
type outermostOf struct{ *plotter.Line }

// Plot implements plot.Plotter.
func (l outermostOf) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := normOf(&p.X), normOf(&p.Y)
	at, inside := make([]vg.Point, len(l.XYs)), len(l.XYs) > 1 // of a single point gonum/plot draws nothing
	for i, v := range l.XYs {
		at[i] = vg.Point{X: c.X(x(v.X)), Y: c.Y(y(v.Y))}
		inside = inside && c.Contains(at[i])
	}
	if inside {
		c.StrokeLines(l.LineStyle, at)
	} else {
		c.StrokeLines(l.LineStyle, c.ClipLinesXY(at)...)
	}
}

// GlyphBoxes implements plot.GlyphBoxer.
func (l outermostOf) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	var left, right, low, high plotter.XY
	normX, normY := normOf(&p.X), normOf(&p.Y)
	found := false
	for _, v := range l.XYs {
		at := plotter.XY{X: normX(v.X), Y: normY(v.Y)}
		if !(at.X >= 0 && at.X <= 1 && at.Y >= 0 && at.Y <= 1) {
			continue
		}
		if !found {
			left, right, low, high, found = at, at, at, at, true
		}
		if at.X < left.X {
			left = at
		}
		if at.X > right.X {
			right = at
		}
		if at.Y < low.Y {
			low = at
		}
		if at.Y > high.Y {
			high = at
		}
	}
	if !found {
		return nil
	}
	r := l.Width / 2
	box := vg.Rectangle{Min: vg.Point{X: -r, Y: -r}, Max: vg.Point{X: r, Y: r}}
	return format.Each([]plotter.XY{left, right, low, high}, func(at plotter.XY) plot.GlyphBox {
		return plot.GlyphBox{X: at.X, Y: at.Y, Rectangle: box}
	})
}

// normOf returns a.Norm, which copies the axis at every call, for many.
func normOf(a *plot.Axis) func(v float64) float64 {
	low, high := a.Min, a.Max
	if _, linear := a.Scale.(plot.LinearScale); linear {
		return func(v float64) float64 { return (v - low) / (high - low) }
	}
	scale := a.Scale
	return func(v float64) float64 { return scale.Normalize(low, high, v) }
}

func lineStyle(c color.Color, width vg.Length, own float64, dashed bool) draw.LineStyle {
	s := draw.LineStyle{Color: c, Width: width}
	if own > 0 {
		s.Width = vg.Points(own)
	}
	if dashed {
		s.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
	}
	return s
}

// Curve is the graph of a function over an interval. Where the function is not
// finite the curve has a gap. Its points have equal distances, on a logarithmic
// axis equal ratios.
type Curve struct {
	F        func(x float64) float64
	From, To float64
	N        int // number of points; the default is 400
	Name     string
	Color    color.Color
	Width    float64 // in points of 1/72 inch; the default is 1.75
	Dashed   bool
}

func (l Curve) addTo(p *plot.Plot, auto *autoColor) error {
	what := layerName("curve", l.Name)
	if l.F == nil {
		return fmt.Errorf("plotting: %s: %w: its function F is nil", what, mlreg.ErrSetting)
	}
	if !check.IsFinite(l.From) || !check.IsFinite(l.To) || l.From >= l.To {
		return fmt.Errorf("plotting: %s: %w: the interval from %v to %v is empty or not finite", what, mlreg.ErrSetting, l.From, l.To)
	}
	n := cmp.Or(l.N, 400)
	if n < 2 {
		return fmt.Errorf("plotting: %s: %w: N = %d; at least 2 points make a curve", what, mlreg.ErrSetting, n)
	}
	x := Range(l.From, l.To, n)
	if p.X.Scale == (plot.LogScale{}) && l.From > 0 {
		for i := range x[1 : n-1] {
			x[i+1] = l.From * math.Pow(l.To/l.From, float64(i+1)/float64(n-1))
		}
	}
	y := format.Each(x, l.F)
	return Line{X: x, Y: y, Name: l.Name, Color: l.Color, Width: l.Width, Dashed: l.Dashed}.addTo(p, auto)
}

// Range returns n equally spaced values from a to b, both included; of n = 1
// it returns a alone. It panics if n is above 2^28.
func Range(a, b float64, n int) []float64 {
	if limit.Exceeded(float64(n)) {
		panic("plotting: Range: " + limit.Text("a grid", float64(n), "take fewer points"))
	}
	x := make([]float64, max(n, 0))
	for i := range x {
		if i == n-1 && n > 1 {
			x[i] = b
		} else {
			x[i] = a + (b-a)*float64(i)/math.Max(1, float64(n-1))
		}
	}
	return x
}

// LogRange returns n values from a to b, both included, whose logarithms are equally
// spaced, as on a logarithmic axis: a grid of penalties or of variances. Of n = 1 it
// returns a alone. It returns NaNs if a or b is not positive. It panics if n is above 2^28.
func LogRange(a, b float64, n int) []float64 {
	x := Range(math.Log(a), math.Log(b), n)
	for i, v := range x {
		switch {
		case !(a > 0 && b > 0):
			x[i] = math.NaN()
		case i == 0:
			x[i] = a
		case i == n-1:
			x[i] = b
		default:
			x[i] = math.Exp(v)
		}
	}
	return x
}

// Ribbon fills the area between two curves over the same x, as for confidence
// limits. Where a value is NaN or infinite the band has a gap.
type Ribbon struct {
	X, Lower, Upper []float64
	Name            string
	Color           color.Color // of the edge; the area is a fainter tone of it
	Opacity         float64     // of the area; the default is 0.2
}

func (l Ribbon) addTo(p *plot.Plot, auto *autoColor) error {
	what := layerName("band", l.Name)
	data := []check.Series{{Name: "x", Values: l.X}, {Name: "the lower limit", Values: l.Lower}, {Name: "the upper limit", Values: l.Upper}}
	if err := check.Lengths(what, data...); err != nil {
		return err
	}
	spans, err := runs(what, data...)
	if err != nil {
		return err
	}
	opacity := l.Opacity
	if opacity <= 0 {
		opacity = look.BandOpacity
	}
	for k, span := range spans {
		from, to := span[0], span[1]
		outline := points(l.X[from:to], l.Lower[from:to])
		back := points(l.X[from:to], l.Upper[from:to])
		slices.Reverse(back)
		area := &plotter.Polygon{XYs: []plotter.XYs{append(outline, back...)}, Color: Fade(colorOr(l.Color, auto.next()), opacity)}
		p.Add(area)
		if k == 0 {
			legendEntry(p, l.Name, area)
		}
	}
	return nil
}

// ErrorBars is points with a vertical bar each, from Lower to Upper. Values
// must be finite.
type ErrorBars struct {
	X, Y, Lower, Upper []float64
	Name               string
	Color              color.Color
}

func (l ErrorBars) addTo(p *plot.Plot, auto *autoColor) error {
	what := layerName("error bars", l.Name)
	data := append(check.XY(l.X, l.Y), check.Series{Name: "the lower limit", Values: l.Lower}, check.Series{Name: "the upper limit", Values: l.Upper})
	if err := check.Drawable(what, data...); err != nil {
		return err
	}
	limits := make(plotter.YErrors, len(l.X))
	for i := range limits {
		if l.Lower[i] > l.Y[i] || l.Upper[i] < l.Y[i] {
			return fmt.Errorf("plotting: %s: %w: y = %v of row %d is not between its limits %v and %v",
				what, mlreg.ErrSetting, l.Y[i], i+1, l.Lower[i], l.Upper[i])
		}
		limits[i].Low, limits[i].High = l.Y[i]-l.Lower[i], l.Upper[i]-l.Y[i]
	}
	bars, err := plotter.NewYErrorBars(struct {
		plotter.XYs
		plotter.YErrors
	}{points(l.X, l.Y), limits})
	if err != nil {
		return fmt.Errorf("plotting: %s: %w", what, err)
	}
	c := auto.orNext(l.Color)
	bars.LineStyle = draw.LineStyle{Color: c, Width: look.ThinWidth}
	p.Add(bars)
	return Points{X: l.X, Y: l.Y, Name: l.Name, Color: c}.addTo(p, auto)
}
