package lecture

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// Network draws a linear model as a network of units,
//
//	y = w_0 + w_1 g_1(x) + w_2 g_2(x) + ...:
//
// on the left the inputs, in the middle a unit for every basis function, joined
// to its inputs, on the right their weighted sum. Each line to the sum shows
// its weight; its width is proportional to the size of the weight, its color
// shows the sign. The constant 1 is the unit of the intercept. Aliased terms
// have no line.
//
// The design d was fitted. Its inputs are known if frames.Design made it; the
// columns of any other design are drawn as inputs. (In a neural network the
// units have weights of their own, learned together with w.)
//
// Errors: mlreg.ErrNoData if the fit or the design is nil, and mlreg.ErrShape if
// the terms of design and fit differ, in names or order, or if there are more
// than 60.
func Network(fit LinearFit, d *mlreg.Design) (*plotting.Figure, error) {
	n, err := newNetwork(fit, d)
	if err != nil {
		return nil, fmt.Errorf("plotting: network: %w", err)
	}
	p := look.Bare("", "", "")
	p.HideAxes()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.Add(n)
	p.Legend.Add("positive weight", &plotter.Line{LineStyle: n.style(n.largest)})
	p.Legend.Add("negative weight", &plotter.Line{LineStyle: n.style(-n.largest)})
	f := plotting.Sized(p, 6.4, math.Max(2.6, 0.34*float64(len(n.units))+0.5))
	f.Alt = n.alt()
	return f, nil
}

// LinearFit is a fit y = w_0 + w'g(x).
type LinearFit interface {
	Names() []string // "(Intercept)" first, if there is one
	Intercept() float64
	Slopes() []float64
}

// network is the plotter of Network.
type network struct {
	inputs  []string
	links   [][]int // of each unit, its inputs
	units   []string
	weights []float64
	output  string
	largest float64 // of the weights, in size
}

func newNetwork(fit LinearFit, d *mlreg.Design) (*network, error) {
	const most = 60
	if check.IsNil(fit) || d == nil {
		return nil, fmt.Errorf("%w: the fit or the design is nil", mlreg.ErrNoData)
	}
	if err := check.SameTerms(fit.Names(), d); err != nil {
		return nil, err
	}
	if d.NTerms() > most {
		return nil, fmt.Errorf("%w: %d units; a drawing holds %d", mlreg.ErrShape, d.NTerms(), most)
	}
	n := &network{output: d.Response}
	if !d.NoIntercept {
		n.add("1", fit.Intercept(), nil)
	}
	terms := frames.TermsOf(d)
	for k, w := range fit.Slopes() {
		var inputs []string
		if terms != nil {
			var err error
			if inputs, err = terms.Inputs(d.Names[k]); err != nil {
				return nil, err
			}
		}
		n.add(look.ShortTerm(d.Names[k]), w, inputs)
	}
	return n, nil
}

func (n *network) add(unit string, w float64, inputs []string) {
	var links []int
	for _, name := range inputs {
		i := slices.Index(n.inputs, name)
		if i < 0 {
			i = len(n.inputs)
			n.inputs = append(n.inputs, name)
		}
		links = append(links, i)
	}
	n.units, n.weights, n.links = append(n.units, unit), append(n.weights, w), append(n.links, links)
	if check.IsFinite(w) {
		n.largest = math.Max(n.largest, math.Abs(w))
	}
}

// style is that of the line of a weight.
func (n *network) style(w float64) draw.LineStyle {
	const thinnest, widest = 0.5, 5
	s := draw.LineStyle{Color: plotting.Fade(plotting.Blue, 0.75), Width: vg.Points(thinnest)}
	if w < 0 {
		s.Color = plotting.Fade(plotting.Vermillion, 0.75)
	}
	if n.largest > 0 {
		s.Width += vg.Points((widest - thinnest) * math.Abs(w) / n.largest)
	}
	return s
}

// value writes a weight, all with the decimals that give the largest three digits.
func (n *network) value(w float64) string {
	if n.largest == 0 || !check.IsFinite(w) {
		return format.Number(w, 3)
	}
	return format.Decimal(w, max(0, 2-int(math.Floor(math.Log10(n.largest)))))
}

func (n *network) alt() string {
	s := fmt.Sprintf("network of %s as a weighted sum of %s", n.output, check.Plural(len(n.units), "unit"))
	for k, u := range n.units {
		s += fmt.Sprintf(", %s × %s", n.value(n.weights[k]), u)
	}
	return s
}

const (
	nodeHeight = vg.Length(17)
	nodePad    = vg.Length(7) // between the text of a node and its outline
)

// Plot implements plot.Plotter.
func (n *network) Plot(c draw.Canvas, _ *plot.Plot) {
	label := look.Text(look.TickSize, look.Ink)
	width := func(names []string) vg.Length {
		w := nodeHeight
		for _, s := range names {
			w = max(w, label.Width(s)+2*nodePad)
		}
		return w
	}
	unitWidth, outputWidth := width(n.units), width([]string{n.output})
	sum := vg.Point{X: c.Max.X - outputWidth - 38, Y: c.Center().Y}
	const radius = vg.Length(13)
	units := vg.Length(0) // left end of the units
	inputWidth := width(n.inputs)
	if len(n.inputs) > 0 {
		units = inputWidth + (sum.X-radius-c.Min.X-inputWidth-unitWidth)*0.32
	}
	units += c.Min.X

	heights := column(c, len(n.units), 1)
	inputs := column(c, len(n.inputs), 0.6)
	link := draw.LineStyle{Color: plotting.Gray, Width: look.ThinWidth}
	for k, y := range heights {
		for _, i := range n.links[k] {
			c.StrokeLine2(link, c.Min.X+inputWidth, inputs[i], units, y)
		}
	}
	n.drawWeights(c, units+unitWidth, heights, sum, radius)
	label.XAlign, label.YAlign = text.XCenter, text.YCenter
	node := func(left, y, w vg.Length, name string) {
		box(c, left, y, w, nodeHeight, color.White, look.Quiet)
		c.FillText(label, vg.Point{X: left + w/2, Y: y + 1}, name)
	}
	for i, y := range inputs {
		node(c.Min.X, y, inputWidth, n.inputs[i])
	}
	for k, y := range heights {
		node(units, y, unitWidth, n.units[k])
	}
	drawArrow(c, draw.LineStyle{Color: look.Quiet, Width: look.ThinWidth}, vg.Point{X: sum.X + radius, Y: sum.Y}, vg.Point{X: c.Max.X - outputWidth, Y: sum.Y})
	node(c.Max.X-outputWidth, sum.Y, outputWidth, n.output)
	drawSum(c, sum, radius, label)
}

// drawWeights draws a line from every unit, whose right end is given, to the sum, and the weight on it.
func (n *network) drawWeights(c draw.Canvas, right vg.Length, heights []vg.Length, sum vg.Point, radius vg.Length) {
	number := look.Text(look.TickSize-1, look.Ink)
	number.YAlign = text.YCenter
	for k, y := range heights {
		w := n.weights[k]
		if !check.IsFinite(w) {
			continue
		}
		from := vg.Point{X: right, Y: y}
		d := sum.Sub(from)
		to := sum.Sub(d.Scale(radius / vg.Length(math.Hypot(float64(d.X), float64(d.Y)))))
		c.StrokeLine2(n.style(w), from.X, from.Y, to.X, to.Y)
	}
	for k, y := range heights {
		if w := n.weights[k]; check.IsFinite(w) {
			// On the line, a little after the unit, where the lines are apart.
			from := vg.Point{X: right, Y: y}
			value := n.value(w)
			at := from.Add(sum.Sub(from).Scale(0.2))
			size := vg.Point{X: number.Width(value) + 4, Y: number.FontExtents().Ascent + 2}
			box(c, at.X-size.X/2, at.Y, size.X, size.Y, plotting.Fade(color.White, 0.9), nil)
			c.FillText(number, vg.Point{X: at.X - size.X/2 + 2, Y: at.Y + 0.5}, value)
		}
	}
}

// drawSum draws the circle of the sum.
func drawSum(c draw.Canvas, sum vg.Point, radius vg.Length, sigma text.Style) {
	var circle vg.Path
	circle.Move(vg.Point{X: sum.X + radius, Y: sum.Y})
	circle.Arc(sum, radius, 0, 2*math.Pi)
	circle.Close()
	c.SetColor(color.White)
	c.Fill(circle)
	c.SetLineStyle(draw.LineStyle{Color: look.Quiet, Width: look.ThinWidth})
	c.Stroke(circle)
	sigma.Font.Size = look.LabelSize + 2
	c.FillText(sigma, sum.Add(vg.Point{Y: 1}), "Σ")
}

// column returns the heights of so many nodes, from the top, over a share of the
// canvas.
func column(c draw.Canvas, count int, share float64) []vg.Length {
	heights := make([]vg.Length, count)
	span := (c.Size().Y - nodeHeight - 2) * vg.Length(share)
	if count == 1 {
		span = 0
	}
	for k := range heights {
		heights[k] = c.Center().Y + span/2 - span*vg.Length(k)/vg.Length(max(1, count-1))
	}
	return heights
}

// box draws a filled rectangle centered at the height y, outlined unless line is
// nil.
func box(c draw.Canvas, left, y, width, height vg.Length, fill, line color.Color) {
	corners := []vg.Point{
		{X: left, Y: y - height/2}, {X: left + width, Y: y - height/2},
		{X: left + width, Y: y + height/2}, {X: left, Y: y + height/2},
	}
	c.FillPolygon(fill, corners)
	if line != nil {
		c.StrokeLines(draw.LineStyle{Color: line, Width: look.ThinWidth}, append(corners, corners[0], corners[1]))
	}
}
