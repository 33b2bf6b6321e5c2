package plotting

import (
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"github.com/regbook/regbook/plotting/internal/look"
)

// svg is a canvas that writes an SVG file. Texts are outlines, so that they look the same everywhere: the
// reader may not have the font. Lengths are in points, to a hundredth.
type svg struct {
	w, h   vg.Length
	body   []byte
	states []svgState
}

// svgState is what Push keeps.
type svgState struct {
	width, dashOffset vg.Length
	dashes            []vg.Length
	color             color.Color
	fill, stroke      string // the attributes of the color
	groups            int    // opened since Push
}

func newSVG(w, h vg.Length) *svg {
	c := &svg{w: w, h: h, states: []svgState{{}}}
	vg.Initialize(c)
	return c
}

func (c *svg) state() *svgState { return &c.states[len(c.states)-1] }

// Size implements vg.CanvasSizer.
func (c *svg) Size() (w, h vg.Length) { return c.w, c.h }

// SetLineWidth implements vg.Canvas.
func (c *svg) SetLineWidth(w vg.Length) { c.state().width = w }

// SetLineDash implements vg.Canvas.
func (c *svg) SetLineDash(dashes []vg.Length, offset vg.Length) {
	c.state().dashes, c.state().dashOffset = slices.Clone(dashes), offset
}

// SetColor implements vg.Canvas.
func (c *svg) SetColor(clr color.Color) {
	s := c.state()
	if clr == nil {
		clr = color.Black
	}
	if s.color == clr {
		return
	}
	n := color.NRGBA64Model.Convert(clr).(color.NRGBA64)
	paint := func(what string) string {
		text := fmt.Sprintf(` %s="#%02X%02X%02X"`, what, n.R>>8, n.G>>8, n.B>>8)
		if n.A < math.MaxUint16 {
			text += fmt.Sprintf(` %s-opacity="%.3g"`, what, float64(n.A)/math.MaxUint16)
		}
		return text
	}
	s.color, s.fill, s.stroke = clr, paint("fill"), paint("stroke")
}

// Rotate implements vg.Canvas.
func (c *svg) Rotate(radians float64) { c.group("rotate(%g)", radians*180/math.Pi) }

// Translate implements vg.Canvas.
func (c *svg) Translate(pt vg.Point) { c.group("translate(%g,%g)", pt.X.Points(), pt.Y.Points()) }

// Scale implements vg.Canvas.
func (c *svg) Scale(x, y float64) { c.group("scale(%g,%g)", x, y) }

func (c *svg) group(transform string, numbers ...any) {
	c.body = fmt.Appendf(c.body, `<g transform="`+transform+"\">\n", numbers...)
	c.state().groups++
}

// Push implements vg.Canvas.
func (c *svg) Push() {
	top := *c.state()
	top.groups = 0
	c.states = append(c.states, top)
}

// Pop implements vg.Canvas.
func (c *svg) Pop() {
	for range c.state().groups {
		c.body = append(c.body, "</g>\n"...)
	}
	c.states = c.states[:len(c.states)-1]
}

// Stroke implements vg.Canvas.
func (c *svg) Stroke(p vg.Path) {
	s := c.state()
	if s.width <= 0 {
		return
	}
	c.write(`<path fill="none"`, s.stroke, ` stroke-width="`)
	c.body = svgNumber(c.body, s.width)
	if len(s.dashes) > 0 {
		c.write(`" stroke-dasharray="`)
		for i, d := range s.dashes {
			if i > 0 {
				c.body = append(c.body, ',')
			}
			c.body = svgNumber(c.body, d)
		}
		if s.dashOffset != 0 {
			c.write(`" stroke-dashoffset="`)
			c.body = svgNumber(c.body, s.dashOffset)
		}
	}
	c.write(`" d="`)
	c.path(p)
	c.write("\"/>\n")
}

// Fill implements vg.Canvas.
func (c *svg) Fill(p vg.Path) {
	c.write("<path", c.state().fill, ` d="`)
	c.path(p)
	c.write("\"/>\n")
}

// write writes texts.
func (c *svg) write(texts ...string) {
	for _, s := range texts {
		c.body = append(c.body, s...)
	}
}

// point writes the coordinates of a point, or the radii of an ellipse.
func (c *svg) point(p vg.Point) {
	c.body = append(svgNumber(c.body, p.X), ',')
	c.body = svgNumber(c.body, p.Y)
}

// to writes a command and the points that it takes.
func (c *svg) to(command byte, points ...vg.Point) {
	c.body = append(c.body, command)
	for i, p := range points {
		if i > 0 {
			c.body = append(c.body, ',')
		}
		c.point(p)
	}
}

// path writes the commands of a path.
func (c *svg) path(p vg.Path) {
	var at vg.Point
	for _, comp := range p {
		switch comp.Type {
		case vg.MoveComp:
			c.to('M', comp.Pos)
		case vg.LineComp:
			c.to('L', comp.Pos)
		case vg.CurveComp:
			if len(comp.Control) == 1 {
				c.to('Q', comp.Control[0], comp.Pos)
			} else {
				c.to('C', comp.Control[0], comp.Control[1], comp.Pos)
			}
		case vg.CloseComp:
			c.body = append(c.body, 'Z')
		case vg.ArcComp:
			at = c.arc(comp, at)
			continue
		}
		at = comp.Pos
	}
}

// arc writes a line to the beginning of an arc, unless that is where the path is, and the arc: in two halves, since an
// arc of SVG cannot be a whole circle. It returns the end.
func (c *svg) arc(comp vg.PathComp, at vg.Point) vg.Point {
	on := func(angle float64) vg.Point {
		sin, cos := math.Sincos(angle)
		return comp.Pos.Add(vg.Point{X: comp.Radius * vg.Length(cos), Y: comp.Radius * vg.Length(sin)})
	}
	if from := on(comp.Start); from != at {
		c.to('L', from)
	}
	turn, sweep := comp.Angle, ",0,0,1,"
	if math.Abs(turn) > 2*math.Pi {
		turn = math.Copysign(2*math.Pi, turn)
	}
	if turn < 0 {
		sweep = ",0,0,0,"
	}
	for _, share := range []float64{0.5, 1} {
		at = on(comp.Start + share*turn)
		c.write("A")
		c.point(vg.Point{X: comp.Radius, Y: comp.Radius})
		c.write(sweep)
		c.point(at)
	}
	return at
}

// FillString implements vg.Canvas.
func (c *svg) FillString(face font.Face, pt vg.Point, str string) {
	text, scale := look.Set(face, str), face.Font.Size/vg.Length(face.Face.UnitsPerEm())
	begin := len(c.body)
	c.write("<path", c.state().fill, ` d="`)
	drawn := false
	for i, glyph := range text.Glyphs {
		if shape := svgGlyph(face, glyph); shape != "" {
			c.to('M', pt.Add(vg.Point{X: vg.Length(text.X[i]) * scale}))
			c.write(shape)
			drawn = true
		}
	}
	c.write("\"/>\n")
	if !drawn {
		c.body = c.body[:begin]
	}
}

// svgGlyphs has the outlines that were written last, as commands relative to where the glyph begins.
var svgGlyphs = struct {
	sync.Mutex
	of map[svgGlyphKey]string
}{of: map[svgGlyphKey]string{}}

type svgGlyphKey struct {
	font  *opentype.Font
	glyph sfnt.GlyphIndex
	size  vg.Length
}

// mostSVGGlyphs is the number of outlines that are kept; when there are more, all are dropped.
const mostSVGGlyphs = 4096

// svgGlyph returns the outline of a glyph, empty for a space. Rounded are the points, not the steps between them: the
// outline closes.
func svgGlyph(face font.Face, glyph sfnt.GlyphIndex) string {
	svgGlyphs.Lock()
	defer svgGlyphs.Unlock()
	key := svgGlyphKey{face.Face, glyph, face.Font.Size}
	if s, ok := svgGlyphs.of[key]; ok {
		return s
	}
	scale := float64(face.Font.Size) / float64(face.Face.UnitsPerEm())
	var b []byte
	var at, begin [2]int64 // in hundredths
	segments := outline(face, glyph)
	for k, s := range segments {
		command, points := byte('l'), s.Args[:1]
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if command = 'm'; k > 0 {
				b, at = append(b, 'z'), begin
			}
		case sfnt.SegmentOpQuadTo:
			command, points = 'q', s.Args[:2]
		case sfnt.SegmentOpCubeTo:
			command, points = 'c', s.Args[:3]
		}
		b = append(b, command)
		var to [2]int64
		for i, p := range points {
			to = [2]int64{int64(math.Round(100 * scale * float64(p.X))), int64(math.Round(-100 * scale * float64(p.Y)))} // y runs down in fonts
			if i > 0 {
				b = append(b, ',')
			}
			b = append(svgHundredths(b, to[0]-at[0]), ',')
			b = svgHundredths(b, to[1]-at[1])
		}
		if at = to; command == 'm' {
			begin = to
		}
	}
	if len(segments) > 0 {
		b = append(b, 'z')
	}
	if len(svgGlyphs.of) >= mostSVGGlyphs {
		clear(svgGlyphs.of)
	}
	svgGlyphs.of[key] = string(b)
	return string(b)
}

// DrawImage implements vg.Canvas.
func (c *svg) DrawImage(at vg.Rectangle, img image.Image) {
	data, err := fastPNG(img)
	if err != nil {
		panic(fmt.Errorf("an image cannot be written: %w", err))
	}
	c.body = fmt.Appendf(c.body, `<image x="%g" y="%g" width="%g" height="%g" preserveAspectRatio="none" transform="scale(1,-1)" href="data:image/png;base64,%s"/>`+"\n",
		at.Min.X.Points(), -at.Max.Y.Points(), at.Size().X.Points(), at.Size().Y.Points(), base64.StdEncoding.EncodeToString(data))
}

// WriteTo implements io.WriterTo.
func (c *svg) WriteTo(w io.Writer) (int64, error) {
	width, height := string(svgNumber(nil, c.w)), string(svgNumber(nil, c.h))
	out := fmt.Appendf(nil, `<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" width="%[1]spt" height="%[2]spt" viewBox="0 0 %[1]s %[2]s">
<g transform="matrix(1,0,0,-1,0,%[2]s)">
`, width, height)
	out = append(append(out, c.body...), "</g>\n</svg>\n"...)
	n, err := w.Write(out)
	return int64(n), err
}

// svgNumber appends a length in points, to a hundredth.
func svgNumber(b []byte, x vg.Length) []byte {
	return svgHundredths(b, int64(math.Round(100*x.Points())))
}

// svgHundredths appends n/100.
func svgHundredths(b []byte, n int64) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	whole, rest := n/100, n%100
	if whole > 0 || rest == 0 {
		b = strconv.AppendInt(b, whole, 10)
	}
	if rest > 0 {
		b = append(b, '.', byte('0'+rest/10))
		if rest%10 > 0 {
			b = append(b, byte('0'+rest%10))
		}
	}
	return b
}
