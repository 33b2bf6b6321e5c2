package plotting

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"slices"
)

// compactPNG encodes a picture with a palette, in half the bytes or less, if
// that gives every channel to within paletteError of 255: the colors of lines
// and areas are exact then, and those of the pixels at their edges nearly so.
func compactPNG(img image.Image) ([]byte, error) {
	pixels := image.NewRGBA(img.Bounds())
	draw.Draw(pixels, pixels.Rect, img, pixels.Rect.Min, draw.Src)
	if p := paletted(pixels); p != nil {
		img = p
	}
	var buf bytes.Buffer
	err := png.Encode(&buf, img)
	return buf.Bytes(), err
}

// paletteError is the largest error of a channel in a picture with a palette.
const paletteError = 16

// paletted returns an opaque picture in at most 256 of its colors, the most
// frequent first: every other is replaced by one of them that differs by no
// more than some error, which is as small as it can be. It returns nil if that
// is more than paletteError.
func paletted(img *image.RGBA) *image.Paletted {
	rgb := func(k int) [3]uint8 { return [3]uint8(img.Pix[4*k : 4*k+3]) }
	p := image.NewPaletted(img.Rect, nil)
	count := map[[3]uint8]int{}
	for k := 0; k < len(p.Pix); { // neighbors are mostly equal
		c, from := rgb(k), k
		for k++; k < len(p.Pix) && rgb(k) == c; k++ {
		}
		count[c] += k - from
	}
	colors := slices.SortedFunc(maps.Keys(count), func(a, b [3]uint8) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), slices.Compare(a[:], b[:]))
	})
	for off := 0; off <= paletteError; off += 2 {
		palette, index := thin(colors, off)
		if palette == nil {
			continue
		}
		for _, c := range palette {
			p.Palette = append(p.Palette, color.RGBA{R: c[0], G: c[1], B: c[2], A: 255})
		}
		for k := range p.Pix {
			if k > 0 && rgb(k) == rgb(k-1) {
				p.Pix[k] = p.Pix[k-1]
			} else {
				p.Pix[k] = index[rgb(k)]
			}
		}
		return p
	}
	return nil
}

// thin takes colors that differ by more than off from all taken before, and
// returns them with the number of the one that stands for each color: nil if
// they are more than 256.
func thin(colors [][3]uint8, off int) (palette [][3]uint8, index map[[3]uint8]uint8) {
	index = make(map[[3]uint8]uint8, len(colors))
	for _, c := range colors {
		i := slices.IndexFunc(palette, func(f [3]uint8) bool { return distance(c, f) <= off })
		if i < 0 {
			i = len(palette)
			palette = append(palette, c)
		}
		if len(palette) > 256 {
			return nil, nil
		}
		index[c] = uint8(i)
	}
	return palette, index
}

// distance returns the largest difference of a channel.
func distance(a, b [3]uint8) int {
	d := 0
	for i := range a {
		d = max(d, int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	return d
}
