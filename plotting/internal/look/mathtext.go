package look

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// mathText sets text with subscripts, superscripts and accents written in
// Unicode (β̂₁, xⱼ, σ²). The font has only some of these glyphs, at unlike
// sizes, and its accents do not know the width of the letter below them: so
// scripts are set in smaller ordinary characters, and accents centered.
type mathText struct{ text.Plain }

// textHandler sets all text of the theme.
var textHandler = mathText{text.Plain{Fonts: font.DefaultCache}}

const (
	scriptScale = 0.72
	subDrop     = -0.16 // of the font size
	superRise   = 0.36
	accentRise  = 0.19 // over letters with an ascender
)

// Letters whose scripts have a character of their own, and what they stand
// for, in the same order.
const (
	subscripts, subscripted     = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧ", "0123456789+−=()aehijklmnoprstuvxβγ"
	superscripts, superscripted = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿᵀᵈᵏᵐᵖᵗˢ", "0123456789+−=()inTdkmpts"
	ascending                   = "bdfhklβδθλABCDEFGHIJKLMNOPQRSTUVWXYZΓΔΘΛΣΦΨΩ"
)

// accents maps combining accents to characters that stand by themselves.
var accents = map[rune]string{'\u0302': "ˆ", '\u0303': "˜", '\u0304': "¯"}

// scripts maps every script character to its run: how it is set.
var scripts = func() map[rune]run {
	m := make(map[rune]run)
	for _, set := range []struct {
		from, to string
		rise     float64
	}{{subscripts, subscripted, subDrop}, {superscripts, superscripted, superRise}} {
		to := []rune(set.to)
		for i, r := range []rune(set.from) {
			m[r] = run{string(to[i]), scriptScale, set.rise}
		}
	}
	return m
}()

// run is a piece of a line in one size: scale is its share of the font size,
// rise its height above the baseline in font sizes.
type run struct {
	s           string
	scale, rise float64
}

// glyphs hands the runs of a line to set, each with its distance from the left
// end, and returns the width of the line.
func (h mathText) glyphs(line string, f font.Font, set func(r run, face font.Face, x vg.Length)) vg.Length {
	var x vg.Length
	var plain strings.Builder
	var last rune
	put := func(r run) {
		face := h.Fonts.Lookup(f, f.Size*vg.Length(r.scale))
		set(r, face, x)
		x += Width(face, r.s)
	}
	ordinary := h.Fonts.Lookup(f, f.Size)
	flush := func() {
		if plain.Len() > 0 {
			put(run{plain.String(), 1, 0})
			plain.Reset()
		}
	}
	for _, c := range shortened(line) {
		if script, ok := scripts[c]; ok {
			flush()
			put(script)
		} else if accent, ok := accents[c]; ok {
			flush()
			r := run{s: accent, scale: 1}
			if strings.ContainsRune(ascending, last) {
				r.rise = accentRise
			}
			letter := Width(ordinary, string(last))
			set(r, ordinary, x-letter+(letter-Width(ordinary, r.s))/2)
		} else {
			plain.WriteRune(known(c, ordinary))
		}
		last = c
	}
	flush()
	return x
}

// shortened cuts what is far longer than a page is wide, which would take long to draw and
// not be read.
func shortened(line string) string {
	const most = 1000 // characters
	n := 0
	for at := range line {
		if n++; n > most {
			return line[:at] + "…"
		}
	}
	return line
}

// known returns c, or an empty box if the font has no glyph for it: the font
// renderer would leave it out.
func known(c rune, face font.Face) rune {
	if c >= ' ' && c <= '~' {
		return c // every font has these
	}
	var buf sfnt.Buffer
	if i, err := face.Face.GlyphIndex(&buf, c); err != nil || i == 0 {
		return '□'
	}
	return c
}

// Box implements text.Handler.
func (h mathText) Box(txt string, f font.Font) (width, height, depth vg.Length) {
	const long = 200 // bytes of a text that is measured anew
	measure := func() box {
		_, height, depth := h.Plain.Box("", f)
		return box{h.glyphs(txt, f, func(run, font.Face, vg.Length) {}), height, depth}
	}
	var b box
	if len(txt) > long {
		b = measure()
	} else {
		b = boxes.at(boxKey{txt, f}, measure)
	}
	return b.width, b.height, b.depth
}

// Extents implements text.Handler.
func (h mathText) Extents(f font.Font) font.Extents {
	return extents.at(f, func() font.Extents { return h.Plain.Extents(f) })
}

// boxes and extents have what was measured last: a layout measures every text several times.
var (
	boxes   recent[boxKey, box]
	extents recent[font.Font, font.Extents]
)

type boxKey struct {
	text string
	font font.Font
}

type box struct{ width, height, depth vg.Length }

// Draw implements text.Handler; it places lines as text.Plain does.
func (h mathText) Draw(c vg.Canvas, txt string, style text.Style, pt vg.Point) {
	txt = strings.TrimRight(txt, "\n")
	if txt == "" {
		return
	}
	c.SetColor(style.Color)
	if style.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(style.Rotation)
	}
	sin, cos := math.Sincos(style.Rotation)
	pt.X, pt.Y = pt.Y*vg.Length(sin)+pt.X*vg.Length(cos), pt.Y*vg.Length(cos)-pt.X*vg.Length(sin)

	size := style.Font.Size
	pt.Y += style.Height(txt)*vg.Length(style.YAlign) - h.Extents(style.Font).Ascent
	lines := h.Lines(txt)
	for i, line := range lines {
		width, _, _ := h.Box(line, style.Font)
		at := pt.Add(vg.Point{X: vg.Length(style.XAlign) * width, Y: vg.Length(len(lines)-i) * size})
		h.glyphs(line, style.Font, func(r run, face font.Face, x vg.Length) {
			c.FillString(face, at.Add(vg.Point{X: x, Y: size * vg.Length(r.rise)}), r.s)
		})
	}
}

// Unmeasured hides the width of the label of an axis that is not linear.
// gonum/plot draws a label at the middle of its axis, but keeps free what it
// would need at the mean of the axis' limits: on a logarithmic axis that is near
// the end, and the label's width would become an empty margin beyond it.
type Unmeasured struct{ text.Handler }

// Box implements text.Handler.
func (u Unmeasured) Box(txt string, f font.Font) (width, height, depth vg.Length) {
	_, height, depth = u.Handler.Box(txt, f)
	return 0, height, depth
}

// PowerOfTen returns 10ᵉ, its exponent in superscripts.
func PowerOfTen(e int) string {
	from, to := []rune(superscripted), []rune(superscripts)
	return "10" + strings.Map(func(r rune) rune {
		return to[slices.Index(from, r)]
	}, strings.ReplaceAll(strconv.Itoa(e), "-", "−"))
}

// ShortTerm returns the name of a column, and if it is long, without what its
// function takes besides the first argument: rbf(x…)3.
func ShortTerm(name string) string {
	const long = 16
	if utf8.RuneCountInString(name) <= long {
		return name
	}
	depth, drop := 0, false
	return strings.Map(func(r rune) rune {
		switch {
		case r == '(':
			depth++
		case r == ')' && depth > 0:
			if depth--; depth == 0 {
				drop = false
			}
		case r == ',' && depth == 1 && !drop:
			drop = true
			return '…'
		}
		if drop {
			return -1
		}
		return r
	}, name)
}
