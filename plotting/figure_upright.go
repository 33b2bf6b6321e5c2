package plotting

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/regbook/regbook/plotting/internal/look"
)

// upright is a vgimg.Canvas that draws text at right angles, level or upright, by painting
// the pixels of its glyphs. vgimg interpolates them as for any angle, which takes a sixth
// of the time of a figure and gives the same picture.
type upright struct {
	*vgimg.Canvas
	img   *image.RGBA
	state uprightState
	stack []uprightState
	// within is where texts are wanted, in points; without a width, everywhere.
	within vg.Rectangle
}

// An uprightState is what Push keeps.
type uprightState struct {
	m     affine
	color color.Color
}

// newUpright returns a canvas of the given size and resolution.
func newUpright(w, h vg.Length, dpi int) *upright {
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))
	u := &upright{Canvas: c, state: uprightState{m: affine{xx: 1, yy: 1}, color: color.Black}}
	u.img, _ = c.Image().(*image.RGBA)
	u.invert()
	return u
}

// An affine map takes (x, y) to (xx x + xy y + x0, yx x + yy y + y0), in pixels from the
// top left.
type affine struct{ xx, xy, x0, yx, yy, y0 float64 }

// after returns the map that applies b first.
func (a affine) after(b affine) affine {
	return affine{
		xx: a.xx*b.xx + a.xy*b.yx, xy: a.xx*b.xy + a.xy*b.yy, x0: a.xx*b.x0 + a.xy*b.y0 + a.x0,
		yx: a.yx*b.xx + a.yy*b.yx, yy: a.yx*b.xy + a.yy*b.yy, y0: a.yx*b.x0 + a.yy*b.y0 + a.y0,
	}
}

// keepsPixels reports whether pixels come to pixels: the map turns by right angles, or
// mirrors, and moves by whole numbers, but for rounding.
func (a affine) keepsPixels() bool {
	const near = 1e-9
	for _, v := range []float64{a.xx, a.xy, a.yx, a.yy, a.x0, a.y0} {
		if math.Abs(v-math.Round(v)) > near*max(1, math.Abs(v)) {
			return false
		}
	}
	return math.Abs(math.Abs(a.xx)+math.Abs(a.xy)-1) < near && math.Abs(math.Abs(a.yx)+math.Abs(a.yy)-1) < near &&
		math.Abs(math.Abs(a.xx)-math.Abs(a.yy)) < near
}

// invert counts heights from the other end of the picture.
func (u *upright) invert() {
	u.state.m = u.state.m.after(affine{xx: 1, yy: -1, y0: float64(u.Image().Bounds().Dy())})
}

// SetColor implements vg.Canvas.
func (u *upright) SetColor(c color.Color) {
	if c == nil {
		c = color.Black
	}
	u.state.color = c
	u.Canvas.SetColor(c)
}

// Rotate implements vg.Canvas.
func (u *upright) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	u.state.m = u.state.m.after(affine{xx: cos, xy: -sin, yx: sin, yy: cos})
	u.Canvas.Rotate(angle)
}

// Translate implements vg.Canvas.
func (u *upright) Translate(pt vg.Point) {
	u.state.m = u.state.m.after(affine{xx: 1, yy: 1, x0: pt.X.Dots(u.DPI()), y0: pt.Y.Dots(u.DPI())})
	u.Canvas.Translate(pt)
}

// Scale implements vg.Canvas.
func (u *upright) Scale(x, y float64) {
	u.state.m = u.state.m.after(affine{xx: x, yy: y})
	u.Canvas.Scale(x, y)
}

// Push implements vg.Canvas.
func (u *upright) Push() {
	u.stack = append(u.stack, u.state)
	u.Canvas.Push()
}

// Pop implements vg.Canvas.
func (u *upright) Pop() {
	u.state, u.stack = u.stack[len(u.stack)-1], u.stack[:len(u.stack)-1]
	u.Canvas.Pop()
}

// FillString implements vg.Canvas.
func (u *upright) FillString(f font.Face, pt vg.Point, text string) {
	before := u.state.m
	u.invert()
	m := u.state.m
	u.state.m = before
	if u.img == nil || f.Font.Size == 0 || !m.keepsPixels() {
		u.Canvas.FillString(f, pt, text)
		return
	}
	_, height := u.Size()
	if u.within.Size().X > 0 && u.beyond(m, vg.Rectangle{
		Min: vg.Point{X: pt.X, Y: height - pt.Y - f.Font.Size}, Max: vg.Point{X: pt.X + look.Width(f, text), Y: height - pt.Y + f.Font.Size},
	}) {
		return
	}
	at := func(x vg.Length) fixed.Int26_6 { return fixed.Int26_6(math.Round(x.Dots(u.DPI()) * 64)) }
	face := f.FontFace(u.DPI())
	defer face.Close()
	dot := fixed.Point26_6{X: at(pt.X), Y: fixed.Int26_6(math.Round((height.Dots(u.DPI()) - pt.Y.Dots(u.DPI())) * 64))}
	last := rune(-1)
	for _, r := range text {
		if last >= 0 {
			dot.X += face.Kern(last, r)
		}
		box, mask, corner, advance, ok := face.Glyph(dot, r)
		if !ok {
			continue
		}
		u.paint(m, box, mask, corner)
		dot.X += advance
		last = r
	}
}

// beyond reports whether nothing of a rectangle comes within what is looked at. Heights of the rectangle are
// counted from the top, and m moves it.
func (u *upright) beyond(m affine, r vg.Rectangle) bool {
	low, high := vg.Point{X: vg.Length(math.Inf(1)), Y: vg.Length(math.Inf(1))}, vg.Point{X: vg.Length(math.Inf(-1)), Y: vg.Length(math.Inf(-1))}
	for _, p := range []vg.Point{r.Min, r.Max} { // opposite corners stay so, as m turns by right angles
		x, y := p.X.Dots(u.DPI()), p.Y.Dots(u.DPI())
		px, py := vg.Length(m.xx*x+m.xy*y+m.x0), vg.Length(m.yx*x+m.yy*y+m.y0)
		low, high = vg.Point{X: min(low.X, px), Y: min(low.Y, py)}, vg.Point{X: max(high.X, px), Y: max(high.Y, py)}
	}
	_, height := u.Size()
	dots := func(v vg.Length) vg.Length { return vg.Length(v.Dots(u.DPI())) }
	return high.X < dots(u.within.Min.X) || low.X > dots(u.within.Max.X) ||
		high.Y < dots(height-u.within.Max.Y) || low.Y > dots(height-u.within.Min.Y)
}

// paint paints a mask, whose corner comes to the corner of box before m moves it, as
// Over of package image/draw does, in 16 bits.
func (u *upright) paint(m affine, box image.Rectangle, mask image.Image, corner image.Point) {
	const most = 0xffff
	sr, sg, sb, sa := u.state.color.RGBA()
	alpha, plain := mask.(*image.Alpha)
	for y := range box.Dy() {
		for x := range box.Dx() {
			var ma uint32
			if plain {
				ma = uint32(alpha.AlphaAt(corner.X+x, corner.Y+y).A) * 0x101
			} else {
				_, _, _, ma = mask.At(corner.X+x, corner.Y+y).RGBA()
			}
			if ma == 0 {
				continue
			}
			px, py := float64(box.Min.X+x)+0.5, float64(box.Min.Y+y)+0.5
			to := image.Point{
				X: int(math.Floor(m.xx*px + m.xy*py + m.x0)),
				Y: int(math.Floor(m.yx*px + m.yy*py + m.y0)),
			}
			if !to.In(u.img.Rect) {
				continue
			}
			pixel := u.img.Pix[u.img.PixOffset(to.X, to.Y):][:4:4]
			under := most - sa*ma/most
			for k, s := range [4]uint32{sr, sg, sb, sa} {
				pixel[k] = uint8((uint32(pixel[k])*0x101*under/most + s*ma/most) >> 8)
			}
		}
	}
}
