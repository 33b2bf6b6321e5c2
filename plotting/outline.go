package plotting

import (
	"fmt"
	"image/color"

	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// outlines is a canvas that fills the outlines of letters in place of writing
// text. Vector files then look the same everywhere, Greek and bold included:
// an SVG file names fonts that the reader may not have, and the PDF writer of
// gonum/plot knows neither.
type outlines struct{ vg.Canvas }

// straight makes translucent colors right in PDF files: gonum/plot writes the
// channels that a color gives as they are, and those of color.Color are
// multiplied by its opacity.
type straight struct{ vg.Canvas }

// SetColor implements vg.Canvas.
func (c straight) SetColor(clr color.Color) { c.Canvas.SetColor(unmultiplied{clr}) }

// unmultiplied is a color whose RGBA does not multiply.
type unmultiplied struct{ color.Color }

// RGBA returns the channels as they are without opacity, and the opacity.
func (c unmultiplied) RGBA() (r, g, b, a uint32) {
	n := color.NRGBA64Model.Convert(c.Color).(color.NRGBA64)
	return uint32(n.R), uint32(n.G), uint32(n.B), uint32(n.A)
}

// FillString implements vg.Canvas.
func (c outlines) FillString(face font.Face, pt vg.Point, str string) {
	// At one pixel a font unit the fixed-point numbers are whole font units.
	unitsPerEm := fixed.Int26_6(face.Face.UnitsPerEm())
	scale := face.Font.Size / vg.Length(unitsPerEm)
	var buf sfnt.Buffer
	var previous sfnt.GlyphIndex
	var x fixed.Int26_6
	var path vg.Path
	for i, r := range []rune(str) {
		glyph, err := face.Face.GlyphIndex(&buf, r)
		if err != nil {
			panic(fmt.Errorf("no glyph of %q: %w", r, err))
		}
		if i > 0 {
			if kern, err := face.Face.Kern(&buf, previous, glyph, unitsPerEm, stdfont.HintingNone); err == nil {
				x += kern
			}
		}
		segments, err := face.Face.LoadGlyph(&buf, glyph, unitsPerEm, nil)
		if err != nil {
			panic(fmt.Errorf("no outline of %q: %w", r, err))
		}
		at := func(p fixed.Point26_6) vg.Point { // y runs down in fonts
			return pt.Add(vg.Point{X: vg.Length(x+p.X) * scale, Y: -vg.Length(p.Y) * scale})
		}
		for k, s := range segments {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				if k > 0 {
					path.Close()
				}
				path.Move(at(s.Args[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(at(s.Args[0]))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(at(s.Args[0]), at(s.Args[1]))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
			}
		}
		if len(segments) > 0 {
			path.Close()
		}
		advance, err := face.Face.GlyphAdvance(&buf, glyph, unitsPerEm, stdfont.HintingNone)
		if err != nil {
			panic(fmt.Errorf("no width of %q: %w", r, err))
		}
		x += advance
		previous = glyph
	}
	if len(path) > 0 {
		c.Fill(path)
	}
}
