package plotting

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/regbook/regbook/plotting/internal/look"
)

// Text at any angle, and in any color, is what vgimg draws, to the pixel.
func TestUprightIsVgimg(t *testing.T) {
	for _, dpi := range []int{48, 192} {
		for _, size := range []vg.Length{100, 101.3} {
			want := vgimg.NewWith(vgimg.UseWH(size, size), vgimg.UseDPI(dpi))
			got := newUpright(size, size, dpi)
			ink := 0
			for _, c := range []vg.Canvas{want, got} {
				for i, angle := range []float64{math.Pi / 2, -math.Pi / 2, 0, math.Pi, math.Pi / 4, 3 * math.Pi / 2} {
					style := look.Text(vg.Length(7+i), color.NRGBA{uint8(40 * i), 90, 200, uint8(255 - 30*i)})
					c.Push()
					c.Translate(vg.Point{X: 48.2, Y: 51.7}) // no whole number of pixels
					style.Rotation = angle
					style.Handler.Draw(c, "Ŵ² AVfy", style, vg.Point{X: 3, Y: 2})
					c.Pop()
					style.Handler.Draw(c, "AV residual β̂₁, σ²", style, vg.Point{X: vg.Length(20 + 9*i), Y: 4})
					c.Push()
					c.Scale(-1, 1)
					style.Handler.Draw(c, "gj", style, vg.Point{X: 30, Y: vg.Length(-10 * i)})
					c.Pop()
				}
			}
			w, g := want.Image().(*image.RGBA), got.Image().(*image.RGBA)
			for _, p := range w.Pix {
				if p != 255 {
					ink++
				}
			}
			if ink < 1000 {
				t.Fatalf("%d bytes are drawn on", ink)
			}
			if !bytes.Equal(w.Pix, g.Pix) {
				n := 0
				for i := range w.Pix {
					if w.Pix[i] != g.Pix[i] {
						n++
					}
				}
				t.Errorf("at %d dpi, size %v: %d bytes of %d drawn differ", dpi, size, n, ink)
			}
		}
	}
}

// Of what is looked at every pixel is drawn, and texts beyond it are not.
func TestUprightWithin(t *testing.T) {
	const size, dpi = 100, 48
	within := vg.Rectangle{Min: vg.Point{X: 30, Y: 40}, Max: vg.Point{X: 70, Y: 90}}
	draw := func(within vg.Rectangle) *image.RGBA {
		c := newUpright(size, size, dpi)
		c.within = within
		for _, angle := range []float64{0, math.Pi / 2} {
			style := look.Text(9, color.Black)
			style.Rotation = angle
			for x := vg.Length(-20); x < size; x += 17 {
				for y := vg.Length(-20); y < size; y += 13 {
					style.Handler.Draw(c, "AVfy", style, vg.Point{X: x, Y: y})
				}
			}
		}
		return c.img
	}
	all, some := draw(vg.Rectangle{}), draw(within)
	inside, outside := 0, 0
	for y := range all.Rect.Dy() {
		for x := range all.Rect.Dx() {
			at := vg.Point{X: vg.Length(x) * 72 / dpi, Y: vg.Length(all.Rect.Dy()-1-y) * 72 / dpi}
			switch in := at.X >= 30 && at.X < 69 && at.Y >= 40 && at.Y < 89; {
			case all.RGBAAt(x, y) == some.RGBAAt(x, y):
			case in:
				inside++
			default:
				outside++
			}
		}
	}
	if inside > 0 || outside < 500 {
		t.Errorf("%d pixels that are looked at differ, and %d others", inside, outside)
	}
}
