package plotting

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/plotting/internal/look"
)

// drawnSVG returns the file of what draw draws on 100 x 50 points, and its body.
func drawnSVG(t *testing.T, draw func(c *svg)) (file, body string) {
	t.Helper()
	c := newSVG(100, 50)
	draw(c)
	var b bytes.Buffer
	n := get(c.WriteTo(&b))(t)
	if n != int64(b.Len()) {
		t.Errorf("%d bytes, it says %d", b.Len(), n)
	}
	for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return b.String(), string(c.body)
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
	}
}

func faceOf(size vg.Length) font.Face {
	return font.DefaultCache.Lookup(look.Text(size, color.Black).Font, size)
}

func TestSVG(t *testing.T) {
	file, _ := drawnSVG(t, func(*svg) {})
	if want := `width="100pt" height="50pt" viewBox="0 0 100 50">` + "\n" + `<g transform="matrix(1,0,0,-1,0,50)">`; !strings.Contains(file, want) {
		t.Errorf("no %s in\n%s", want, file)
	}
	var triangle vg.Path
	triangle.Move(vg.Point{X: 1, Y: 2})
	triangle.Line(vg.Point{X: 10.126, Y: -0.004})
	triangle.QuadTo(vg.Point{X: 3, Y: 4.5}, vg.Point{X: 5, Y: 6})
	triangle.CubeTo(vg.Point{X: 1}, vg.Point{Y: 1}, vg.Point{X: -0.05, Y: -1})
	triangle.Close()
	const d = `d="M1,2L10.13,0Q3,4.5,5,6C1,0,0,1,-.05,-1Z"/>`
	for _, c := range []struct {
		name, want string
		draw       func(c *svg)
	}{
		{"fill", `<path fill="#000000" ` + d, func(c *svg) { c.Fill(triangle) }},
		{"no color", `<path fill="#000000" ` + d, func(c *svg) { c.SetColor(nil); c.Fill(triangle) }},
		{"opacity", `<path fill="#0A64FF" fill-opacity="0.502" ` + d, func(c *svg) {
			c.SetColor(color.NRGBA{R: 10, G: 100, B: 255, A: 128})
			c.Fill(triangle)
		}},
		{"stroke", `<path fill="none" stroke="#000000" stroke-width="1.5" stroke-dasharray="5,2.5" stroke-dashoffset="1" ` + d, func(c *svg) {
			c.SetLineWidth(1.5)
			c.SetLineDash([]vg.Length{5, 2.5}, 1)
			c.Stroke(triangle)
		}},
		{"no width", "", func(c *svg) { c.SetLineWidth(0); c.Stroke(triangle) }},
		{"a space", "", func(c *svg) { c.FillString(faceOf(10), vg.Point{}, " ") }},
		{"groups", "<g transform=\"rotate(90)\">\n<g transform=\"translate(3,4)\">\n<g transform=\"scale(2,-1)\">\n</g>\n</g>\n</g>\n" + `<path fill="#000000" ` + d, func(c *svg) {
			c.Push()
			c.SetColor(color.White)
			c.Rotate(math.Pi / 2)
			c.Translate(vg.Point{X: 3, Y: 4})
			c.Scale(2, -1)
			c.Pop()
			c.Fill(triangle)
		}},
		{"image", `<image x="1" y="-7" width="3" height="5" preserveAspectRatio="none" transform="scale(1,-1)" href="data:image/png;base64,iVBOR`, func(c *svg) {
			c.DrawImage(vg.Rectangle{Min: vg.Point{X: 1, Y: 2}, Max: vg.Point{X: 4, Y: 7}}, image.NewRGBA(image.Rect(0, 0, 2, 2)))
		}},
	} {
		_, body := drawnSVG(t, c.draw)
		if got := strings.TrimSuffix(body, "\n"); got != c.want && (c.name != "image" || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// A circle and an arc are in two halves, whose ends are on them.
func TestSVGArc(t *testing.T) {
	for _, c := range []struct {
		turn float64
		want string
	}{
		{2 * math.Pi, "M13,5A3,3,0,0,1,7,5A3,3,0,0,1,13,5Z"},
		{-2 * math.Pi, "M13,5A3,3,0,0,0,7,5A3,3,0,0,0,13,5Z"},
		{math.Pi, "M13,5A3,3,0,0,1,10,8A3,3,0,0,1,7,5Z"},
		{9, "M13,5A3,3,0,0,1,7,5A3,3,0,0,1,13,5Z"},
	} {
		_, body := drawnSVG(t, func(s *svg) {
			var p vg.Path
			p.Move(vg.Point{X: 13, Y: 5})
			p.Arc(vg.Point{X: 10, Y: 5}, 3, 0, c.turn)
			p.Close()
			s.Fill(p)
		})
		if !strings.Contains(body, c.want) {
			t.Errorf("%g: %s, want %s", c.turn, body, c.want)
		}
	}
}

// The points of a text's outlines are where the font has them, to half a hundredth in each direction.
func TestSVGText(t *testing.T) {
	face := faceOf(9)
	const text, x, y = "Äβ& iAV", 12.34, 5.67
	_, body := drawnSVG(t, func(c *svg) { c.FillString(face, vg.Point{X: x, Y: y}, text) })
	var got [][2]float64
	var at, begin [2]float64
	for _, m := range regexp.MustCompile(`([MmlqczZ])([-0-9.,]*)`).FindAllStringSubmatch(body[strings.Index(body, ` d="`)+4:], -1) {
		var v []float64
		for s := range strings.SplitSeq(m[2], ",") {
			if s != "" {
				v = append(v, get(strconv.ParseFloat(s, 64))(t))
			}
		}
		switch m[1] {
		case "M":
			at = [2]float64{v[0], v[1]}
			continue
		case "z":
			at = begin
			continue
		}
		from := at
		for k := 0; k < len(v); k += 2 {
			at = [2]float64{from[0] + v[k], from[1] + v[k+1]}
			got = append(got, at)
		}
		if m[1] == "m" {
			begin = at
		}
	}
	set, scale := look.Set(face, text), 9/float64(face.Face.UnitsPerEm())
	k := 0
	for i, glyph := range set.Glyphs {
		for _, s := range outline(face, glyph) {
			points := map[sfnt.SegmentOp]int{sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2, sfnt.SegmentOpCubeTo: 3}[s.Op]
			for _, p := range s.Args[:points] {
				want := [2]float64{x + float64(set.X[i]+p.X)*scale, y - float64(p.Y)*scale}
				if k >= len(got) || math.Abs(got[k][0]-want[0]) > 0.0101 || math.Abs(got[k][1]-want[1]) > 0.0101 {
					t.Fatalf("point %d of %q: %v, want %v", k, text, got[min(k, len(got)-1)], want)
				}
				k++
			}
		}
	}
	if k != len(got) || k < 50 {
		t.Errorf("%d points, want %d", len(got), k)
	}
}

func TestSVGHundredths(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 5: ".05", -5: "-.05", 10: ".1", 100: "1", -120: "-1.2", 12345: "123.45", 1205: "12.05"} {
		if got := string(svgHundredths(nil, n)); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// A line is drawn as gonum/plot draws it: within the axes and cut off at them, of a single point, on a logarithmic axis.
func TestOutermostOfDraws(t *testing.T) {
	x := Range(0.1, 1, 50)
	y := make([]float64, len(x))
	for k := range x {
		y[k] = 2 + math.Sin(9*x[k])
	}
	longest := 0
	for _, n := range []int{1, 2, 50} {
		for _, r := range [][4]float64{{0.05, 1.1, 0.5, 4}, {0.2, 0.5, 1.5, 2.5}, {2, 3, 1, 2}} {
			for _, scale := range []plot.Normalizer{plot.LinearScale{}, plot.LogScale{}} {
				line := get(plotter.NewLine(points(x[:n], y[:n])))(t)
				drawn := func(add plot.Plotter) string {
					p := New("", "x", "y")
					p.Add(add)
					p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = r[0], r[1], r[2], r[3]
					p.X.Scale, p.Y.Scale = scale, scale
					c := newSVG(200, 100)
					p.Draw(draw.New(c))
					return string(c.body)
				}
				got, want := drawn(outermostOf{line}), drawn(line)
				if got != want {
					t.Errorf("%d points, ranges %v, %T:\n%s\nwant\n%s", n, r, scale, got, want)
				}
				longest = max(longest, strings.Count(got, "L"))
			}
		}
	}
	if longest < 40 {
		t.Errorf("the longest line has %d pieces", longest)
	}
}

// A line asks for the room that it would ask for at every point.
func TestOutermostOf(t *testing.T) {
	x := Range(0, 1, 50)
	y := make([]float64, len(x))
	for k := range x {
		y[k] = math.Sin(9 * x[k])
	}
	for _, width := range []float64{0, 1, 6} {
		for _, r := range [][4]float64{{0, 1, -1, 1}, {0.2, 0.5, 0, 0.5}, {2, 3, 0, 1}} {
			drawn := get(plotter.NewLine(points(x, y)))(t)
			drawn.Width = vg.Points(width)
			room := func(add plot.Plotter) vg.Rectangle {
				p := New("", "x", "y")
				p.Add(add)
				p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = r[0], r[1], r[2], r[3]
				return p.DataCanvas(draw.New(newSVG(200, 100))).Rectangle
			}
			if got, want := room(outermostOf{drawn}), room(drawn); got != want {
				t.Errorf("width %g, ranges %v: %v, want %v", width, r, got, want)
			}
		}
	}
}
