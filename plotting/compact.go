package plotting

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
)

// compactPNG encodes a picture with a palette, in half the bytes or less, where
// 256 colours give every channel to within 4 of 255, and as PNG writes it where they
// do not.
func compactPNG(img image.Image) ([]byte, error) {
	pixels := image.NewRGBA(img.Bounds())
	draw.Draw(pixels, pixels.Rect, img, pixels.Rect.Min, draw.Src)
	for _, step := range []int{1, 2, 4, 8} {
		if p := paletted(pixels, step); p != nil {
			img = p
			break
		}
	}
	var buf bytes.Buffer
	err := png.Encode(&buf, img)
	return buf.Bytes(), err
}

// paletted returns an opaque picture with its channels rounded to multiples of
// step, nil if these are more than 256 colours.
func paletted(img *image.RGBA, step int) *image.Paletted {
	p := image.NewPaletted(img.Rect, nil)
	index := map[color.RGBA]uint8{}
	last := color.RGBA{} // transparent: not that of any pixel
	i := uint8(0)
	for k := range p.Pix {
		var c color.RGBA
		c.R, c.G, c.B, c.A = round(img.Pix[4*k], step), round(img.Pix[4*k+1], step), round(img.Pix[4*k+2], step), 255
		if c != last {
			var ok bool
			if i, ok = index[c]; !ok {
				if len(p.Palette) == 256 {
					return nil
				}
				i = uint8(len(p.Palette))
				index[c] = i
				p.Palette = append(p.Palette, c)
			}
			last = c
		}
		p.Pix[k] = i
	}
	return p
}

// round returns the multiple of step that is nearest to v, at most 255.
func round(v uint8, step int) uint8 {
	return uint8(min(255, (int(v)+step/2)/step*step))
}
