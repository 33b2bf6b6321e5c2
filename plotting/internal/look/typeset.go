package look

import (
	"errors"
	"fmt"

	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Typeset is a text in a font, at one pixel a font unit: the glyphs, and how far each begins from the left end.
type Typeset struct {
	Glyphs []sfnt.GlyphIndex
	X      []fixed.Int26_6
	Width  fixed.Int26_6
}

// typesets has the texts that were set last: the next figure often has the same.
var typesets recent[typesetKey, *Typeset]

type typesetKey struct {
	font *opentype.Font
	text string
}

// Set sets a text in a font, with kerning. It panics if the font is broken.
func Set(face font.Face, text string) *Typeset {
	return typesets.at(typesetKey{face.Face, text}, func() *Typeset {
		t, err := typeset(face.Face, text)
		if err != nil {
			panic(fmt.Errorf("the text %q cannot be set: %w", text, err))
		}
		return t
	})
}

func typeset(f *opentype.Font, text string) (*Typeset, error) {
	t, size := &Typeset{}, fixed.Int26_6(f.UnitsPerEm())
	var buf sfnt.Buffer
	for _, r := range text {
		glyph, err := f.GlyphIndex(&buf, r)
		if err != nil {
			return nil, err
		}
		if n := len(t.Glyphs); n > 0 {
			kern, err := f.Kern(&buf, t.Glyphs[n-1], glyph, size, stdfont.HintingNone)
			if err != nil && !errors.Is(err, sfnt.ErrNotFound) {
				return nil, err
			}
			t.Width += kern
		}
		t.Glyphs, t.X = append(t.Glyphs, glyph), append(t.X, t.Width)
		advance, err := f.GlyphAdvance(&buf, glyph, size, stdfont.HintingNone)
		if err != nil {
			return nil, err
		}
		t.Width += advance
	}
	return t, nil
}

// Width returns the width of a text in a font, as font.Face does.
func Width(face font.Face, text string) vg.Length {
	return vg.Points(float64(Set(face, text).Width)) * (face.Font.Size / vg.Points(float64(face.Face.UnitsPerEm())))
}
