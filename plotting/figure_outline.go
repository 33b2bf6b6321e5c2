package plotting

import (
	"fmt"
	"image/color"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"github.com/regbook/regbook/plotting/internal/look"
)

// outlines is a canvas that fills the outlines of letters in place of writing
// text: the PDF writer of gonum/plot knows neither Greek letters nor bold ones.
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
	text, scale := look.Set(face, str), face.Font.Size/vg.Length(face.Face.UnitsPerEm())
	var path vg.Path
	for i, glyph := range text.Glyphs {
		at := func(p fixed.Point26_6) vg.Point { // y runs down in fonts
			return pt.Add(vg.Point{X: vg.Length(text.X[i]+p.X) * scale, Y: -vg.Length(p.Y) * scale})
		}
		segments := outline(face, glyph)
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
	}
	if len(path) > 0 {
		c.Fill(path)
	}
}

// outline returns the outline of a glyph, at one pixel a font unit, where the fixed-point numbers are whole font units.
func outline(face font.Face, glyph sfnt.GlyphIndex) sfnt.Segments {
	var buf sfnt.Buffer
	segments, err := face.Face.LoadGlyph(&buf, glyph, fixed.Int26_6(face.Face.UnitsPerEm()), nil)
	if err != nil {
		panic(fmt.Errorf("no outline of glyph %d: %w", glyph, err))
	}
	return segments
}
