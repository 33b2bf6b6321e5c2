package plotting

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
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
	of, all := countColors(img)
	order := make([]int, len(all)) // the most frequent first
	for n := range order {
		order[n] = n
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(all[b].pixels, all[a].pixels), slices.Compare(all[a].rgb[:], all[b].rgb[:]))
	})
	index := make([]uint8, len(all)) // in the palette, by number
	for off := 0; off <= paletteError; off += 2 {
		palette := thin(all, order, off, index)
		if palette == nil {
			continue
		}
		p := image.NewPaletted(img.Rect, nil)
		for _, c := range palette {
			p.Palette = append(p.Palette, color.RGBA{R: c[0], G: c[1], B: c[2], A: 255})
		}
		for k, n := range of {
			p.Pix[k] = index[n]
		}
		return p
	}
	return nil
}

// A counted color is the color of so many pixels.
type counted struct {
	rgb    [3]uint8
	pixels int
}

// countColors numbers the colors of a picture as they come, and returns the
// number of each pixel and the colors.
func countColors(img *image.RGBA) (of []uint32, all []counted) {
	of = make([]uint32, len(img.Pix)/4)
	numbers := map[[3]uint8]uint32{}
	var recent [1 << 12]struct {
		rgb    [3]uint8
		number uint32
		known  bool
	} // one for every value of the hash: most pixels need no map
	for k := range of {
		c := [3]uint8(img.Pix[4*k : 4*k+3])
		if k > 0 && c == all[of[k-1]].rgb { // as most are
			of[k] = of[k-1]
			all[of[k]].pixels++
			continue
		}
		slot := &recent[(uint32(c[0])<<16|uint32(c[1])<<8|uint32(c[2]))*0x9e3779b1>>20]
		if !slot.known || slot.rgb != c {
			n, ok := numbers[c]
			if !ok {
				n = uint32(len(all))
				numbers[c], all = n, append(all, counted{rgb: c})
			}
			slot.rgb, slot.number, slot.known = c, n, true
		}
		of[k] = slot.number
		all[slot.number].pixels++
	}
	return of, all
}

// thin takes colors, in the given order, that differ by more than off from all
// taken before. It returns them, and sets index to the one that stands for each
// color: nil if they are more than 256.
func thin(all []counted, order []int, off int, index []uint8) (palette [][3]uint8) {
	for _, n := range order {
		c := all[n].rgb
		i := slices.IndexFunc(palette, func(f [3]uint8) bool { return distance(c, f) <= off })
		if i < 0 {
			i = len(palette)
			palette = append(palette, c)
		}
		if len(palette) > 256 {
			return nil
		}
		index[n] = uint8(i)
	}
	return palette
}

// distance returns the largest difference of a channel.
func distance(a, b [3]uint8) int {
	d := 0
	for i := range a {
		d = max(d, int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	return d
}
