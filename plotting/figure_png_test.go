package plotting

import (
	"bytes"
	"hash/adler32"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"
)

// samePixels fails if a file does not decode to the picture.
func samePixels(t *testing.T, want image.Image, file []byte) {
	t.Helper()
	got := get(png.Decode(bytes.NewReader(file)))(t)
	if got.Bounds().Size() != want.Bounds().Size() {
		t.Fatalf("decodes to %v, want %v", got.Bounds(), want.Bounds())
	}
	d, o := got.Bounds().Min, want.Bounds().Min
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			g := color.NRGBAModel.Convert(got.At(d.X+x, d.Y+y))
			if w := color.NRGBAModel.Convert(want.At(o.X+x, o.Y+y)); g != w {
				t.Fatalf("pixel %d, %d is %v, want %v", x, y, g, w)
			}
		}
	}
}

func TestFastPNGKeepsEveryPixel(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []image.Point{{1, 1}, {1, 9}, {9, 1}, {64, 48}, {0, 3}} {
		for _, opaque := range []bool{true, false} {
			whole := image.NewRGBA(image.Rect(-3, -2, size.X+5, size.Y+5))
			for i := range whole.Pix {
				whole.Pix[i] = 255
				if y := i / whole.Stride; i%4 < 3 && y%3 > 0 { // every third row repeats
					whole.Pix[i] = byte(random.IntN(256))
				}
			}
			if !opaque {
				clear(whole.Pix)
			}
			part := whole.SubImage(image.Rect(0, 0, size.X, size.Y)).(*image.RGBA)
			file, err := fastPNG(part)
			if size.X == 0 {
				if err == nil {
					t.Error("an empty picture was encoded")
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			samePixels(t, part, file)
		}
	}
}

func TestJoinAdler32(t *testing.T) {
	text := bytes.Repeat([]byte{255, 254, 7}, 70_000)
	for _, at := range []int{0, 1, 13_440, 65520, 65521, 65522, 131_042, len(text)} {
		want := adler32.Checksum(text)
		if got := joinAdler32(adler32.Checksum(text[:at]), adler32.Checksum(text[at:]), len(text)-at); got != want {
			t.Errorf("divided at %d: %08x, want %08x", at, got, want)
		}
	}
}

// TestFastPNGIsNoLarger compares with image/png, which tries all filters.
func TestFastPNGIsNoLarger(t *testing.T) {
	x, y := make([]float64, 300), make([]float64, 300)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range x {
		x[i], y[i] = random.NormFloat64(), random.NormFloat64()
	}
	p := get(Draw(Labels{Title: "Scatter", X: "x", Y: "y"}, Points{X: x, Y: y, Name: "points"}))(t)
	img := get(Grid(1, p).image(figureDPI))(t)
	file := get(fastPNG(img))(t)
	samePixels(t, img, file)
	var theirs bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&theirs, img); err != nil {
		t.Fatal(err)
	}
	if len(file) > theirs.Len() {
		t.Errorf("%d bytes, image/png takes %d", len(file), theirs.Len())
	}
}
