package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// Plate draws a directed graphical model: a circle for every node, shaded if it is
// observed, a dot for a constant, arrows from parents to children, and around what is
// repeated a plate with its name. Nodes stand at their Column and Row. The error is that of
// the graph's Check, or mlreg.ErrSetting for places that are not finite.
func Plate(g frames.Graph) (*Figure, error) {
	if err := g.Check(); err != nil {
		return nil, fmt.Errorf("plotting: plate: %w", err)
	}
	p := look.Bare("", "", "")
	p.HideAxes()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	var observed []string
	for _, n := range g {
		if !check.IsFinite(n.Column) || !check.IsFinite(n.Row) || math.Abs(n.Column)+math.Abs(n.Row) > 100 {
			return nil, check.Nothing("plate", fmt.Sprintf("the place of %q is (%v, %v)", n.Name, n.Column, n.Row))
		}
		p.X.Min, p.X.Max = math.Min(p.X.Min, n.Column-0.9), math.Max(p.X.Max, n.Column+0.9)
		p.Y.Min, p.Y.Max = math.Min(p.Y.Min, -n.Row-0.85), math.Max(p.Y.Max, -n.Row+0.7)
		if n.Observed {
			observed = append(observed, n.Name)
		}
	}
	p.Add(plates(g))
	f := Sized(p, math.Min(math.Max(0.85*(p.X.Max-p.X.Min), 2), 12), math.Min(math.Max(0.85*(p.Y.Max-p.Y.Min), 1.2), 12))
	f.Alt = fmt.Sprintf("directed model of %s", check.Plural(len(g), "node"))
	if len(observed) > 0 {
		f.Alt += ", observed " + strings.Join(observed, ", ")
	}
	return f, nil
}

// plates is the plotter of Plate.
type plates frames.Graph

const nodeRadius, dotRadius = vg.Length(15), vg.Length(3)

func (g plates) radius(n *frames.GraphNode) vg.Length {
	if n.Fixed {
		return dotRadius
	}
	return nodeRadius
}

// Plot implements plot.Plotter.
func (g plates) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	at := func(n *frames.GraphNode) vg.Point { return vg.Point{X: tx(n.Column), Y: ty(-n.Row)} }
	line := draw.LineStyle{Color: look.Ink, Width: vg.Points(0.9)}
	name, quiet := look.Text(look.LabelSize, look.Ink), look.Text(look.TickSize, look.Quiet)
	name.XAlign, name.YAlign = text.XCenter, text.YCenter
	for depth, plate := range g.names() {
		low, high := vg.Point{X: vg.Inch * 1e4, Y: vg.Inch * 1e4}, vg.Point{X: -vg.Inch * 1e4, Y: -vg.Inch * 1e4}
		inside := 0 // plates in this one take room
		for i := range g {
			n := &g[i]
			if k := slices.Index(n.Plates, plate); k >= 0 {
				inside = max(inside, len(n.Plates)-1-k)
				q := at(n)
				low.X, low.Y, high.X, high.Y = min(low.X, q.X), min(low.Y, q.Y), max(high.X, q.X), max(high.Y, q.Y)
			}
		}
		room := vg.Length(22 + 7*inside)
		below := room + vg.Length(9+11*inside)
		box := corners(low.X-room, low.Y-below, high.X+room, high.Y+room)
		c.StrokeLines(draw.LineStyle{Color: Palette(depth), Width: vg.Points(1.1)}, append(box, box[0]))
		c.FillText(quiet, vg.Point{X: box[0].X + 4, Y: box[0].Y + 4}, plate)
	}
	for i := range g {
		for _, parent := range g[i].Parents {
			from := &g[slices.IndexFunc(g, func(n frames.GraphNode) bool { return n.Name == parent })]
			arrow(c, line, at(from), at(&g[i]), g.radius(from), g.radius(&g[i]), 6)
		}
	}
	for i := range g {
		n := &g[i]
		q := at(n)
		fill := color.Color(color.White)
		if n.Observed {
			fill = look.Faint
		}
		if n.Fixed {
			c.DrawGlyph(draw.GlyphStyle{Color: look.Ink, Radius: dotRadius, Shape: draw.CircleGlyph{}}, q)
			c.FillText(name, vg.Point{X: q.X, Y: q.Y + 12}, n.Name)
			continue
		}
		c.DrawGlyph(draw.GlyphStyle{Color: fill, Radius: nodeRadius, Shape: draw.CircleGlyph{}}, q)
		c.DrawGlyph(draw.GlyphStyle{Color: look.Ink, Radius: nodeRadius, Shape: draw.RingGlyph{}}, q)
		c.FillText(name, q, n.Name)
	}
}

// names are those of all plates, the outer ones first.
func (g plates) names() []string {
	var out []string
	for depth := 0; ; depth++ {
		more := false
		for _, n := range g {
			if depth < len(n.Plates) {
				more = true
				if !slices.Contains(out, n.Plates[depth]) {
					out = append(out, n.Plates[depth])
				}
			}
		}
		if !more {
			return out
		}
	}
}

// arrow draws one between two circles, with a head of some length.
func arrow(c draw.Canvas, style draw.LineStyle, a, b vg.Point, from, to, head vg.Length) {
	d := b.Sub(a)
	l := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if l <= from+to {
		return
	}
	u := d.Scale(1 / l)
	a, b = a.Add(u.Scale(from)), b.Add(u.Scale(-to))
	c.StrokeLine2(style, a.X, a.Y, b.X, b.Y)
	side := vg.Point{X: -u.Y, Y: u.X}
	back := b.Add(u.Scale(-head))
	c.FillPolygon(style.Color, []vg.Point{b, back.Add(side.Scale(head * 0.43)), back.Add(side.Scale(-head * 0.43))})
}
