// Package golden holds figures and texts of tests against files in testdata.
package golden

import (
	"bytes"
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// go test -update rewrites the files; look at them then.
var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// Image holds a picture against testdata/name.png. Pictures agree if no
// more than 0.1% of the pixels differ by more than 32 of 255 in any channel:
// room for another rounding of edges, not for a moved label.
func Image(t *testing.T, name string, img image.Image) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *update {
		var buf bytes.Buffer
		if err := png.Encode(&buf, img); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a, b := pixels(img), Decode(t, want)
	if a.Bounds() != b.Bounds() {
		t.Fatalf("%s: size %v, golden %v", name, a.Bounds(), b.Bounds())
	}
	if share := Differing(a, b); share > 0.001 {
		t.Errorf("%s: %.3g%% of the pixels differ from %s; go test -update rewrites it", name, 100*share, path)
	}
}

// PNG is Image of an encoded picture.
func PNG(t *testing.T, name string, got []byte) {
	t.Helper()
	Image(t, name, Decode(t, got))
}

// Decode returns the pixels of a picture.
func Decode(t *testing.T, data []byte) *image.RGBA {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return pixels(img)
}

func pixels(img image.Image) *image.RGBA {
	p := image.NewRGBA(img.Bounds())
	draw.Draw(p, p.Bounds(), img, img.Bounds().Min, draw.Src)
	return p
}

// Differing returns the share of pixels of two pictures of one size that are
// not alike.
func Differing(a, b *image.RGBA) float64 {
	differ := 0
	for i := 0; i < len(a.Pix); i += 4 {
		for k := i; k < i+3; k++ {
			if d := int(a.Pix[k]) - int(b.Pix[k]); d > 32 || d < -32 {
				differ++
				break
			}
		}
	}
	return float64(differ) / float64(len(a.Pix)/4)
}

// Text holds a text against testdata/name.
func Text(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
	}
}
