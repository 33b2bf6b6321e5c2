package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// figure returns a grey square of PNG in base64, n of whose pixels are lighter
// by d.
func figure(t *testing.T, side, n int, d uint8) string {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, side, side))
	for i := range img.Pix {
		img.Pix[i] = 100
		if i < n {
			img.Pix[i] += d
		}
	}
	img.Set(side-1, side-1, color.Gray{200})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestComparePNG(t *testing.T) {
	same := figure(t, 200, 0, 0)
	for _, test := range []struct {
		name, now string
		want      string // part of the error, "" for none
	}{
		{"same", same, ""},
		{"all a little lighter", figure(t, 200, 39999, channelTolerance), ""},
		{"a few much lighter", figure(t, 200, 4, 90), ""}, // 4 of 40000 are the share allowed
		{"one too many", figure(t, 200, 5, 90), "5 of 40000 pixels (0.0125%) differ, by up to 90 of 255"},
		{"all just too light", figure(t, 200, 39999, channelTolerance+1), "39999 of 40000 pixels (100%) differ, by up to 9"},
		{"other size", figure(t, 100, 0, 0), "committed (200,200) pixels, now (100,100)"},
		{"not a figure", "aGVsbG8=", "figure: "},
	} {
		prefix := filepath.Join(t.TempDir(), "diff", "nb")
		err := comparePNG(same, test.now, prefix)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), prefix) {
			for name, content := range map[string]string{"-committed.png": same, "-now.png": test.now} {
				b, err := os.ReadFile(prefix + name)
				if err != nil || base64.StdEncoding.EncodeToString(b) != content {
					t.Errorf("%s: %s is not the figure (%v)", test.name, name, err)
				}
			}
		}
	}
}

// A difference counts in every channel, of images of whatever type.
func TestPixels(t *testing.T) {
	box := image.Rect(0, 0, 3, 2)
	grey := color.NRGBA{R: 100, G: 100, B: 100, A: 255}
	for channel := range 4 {
		for _, off := range []uint8{channelTolerance, 50} {
			other := grey
			switch channel {
			case 0:
				other.R -= off
			case 1:
				other.G += off
			case 2:
				other.B += off
			case 3:
				other.A -= off
			}
			for name, fresh := range map[string]func() draw.Image{
				"RGBA": func() draw.Image { return image.NewRGBA(box) }, "NRGBA": func() draw.Image { return image.NewNRGBA(box) },
				"part": func() draw.Image { return image.NewRGBA(image.Rect(0, 0, 9, 9)).SubImage(box).(draw.Image) },
			} {
				a, b := image.NewNRGBA64(box), fresh()
				draw.Draw(a, box, image.NewUniform(grey), image.Point{}, draw.Src)
				draw.Draw(b, box, a, image.Point{}, draw.Src)
				b.Set(2, 1, other)
				want := 0
				if off > channelTolerance {
					want = 1
				}
				if n, largest := pixels(a, b); n != want || largest != int(off) {
					t.Errorf("%s, channel %d off by %d: %d pixels differ, by up to %d", name, channel, off, n, largest)
				}
			}
		}
	}
}

func TestCompare(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*notebook)
		want   []string // parts of the error
	}{
		{"nothing", func(*notebook) {}, nil},
		{"text", func(nb *notebook) { nb.Cells[2].Outputs[0].Text = "⎡1  2⎤\n⎣3  5⎦\n" },
			[]string{"cell 3, In [2], output 1: stdout differs", " ⎡1  2⎤\n    -⎣3  4⎦\n    +⎣3  5⎦"}},
		{"table", func(nb *notebook) { nb.Cells[4].Outputs[1].Data["text/html"] = json.RawMessage(`"<p>"`) },
			[]string{"cell 5, In [3], output 2: text/html differs", "+<p>"}},
		{"figure", func(nb *notebook) {
			nb.Cells[4].Outputs[0].Data["image/png"] = json.RawMessage(`"` + figure(t, 9, 0, 0) + `"`)
		}, []string{"cell 5, In [3], output 1: image/png differs: committed (384,288) pixels, now (9,9)"}},
		{"an output less", func(nb *notebook) { nb.Cells[4].Outputs = nb.Cells[4].Outputs[:2] },
			[]string{"cell 5, In [3]: 3 outputs committed, 2 now", "-done"}},
		{"kind of output", func(nb *notebook) { nb.Cells[2].Outputs[0].Name = "stderr" },
			[]string{`committed "stream stdout", now "stream stderr"`}},
		{"size of figure", func(nb *notebook) { nb.Cells[4].Outputs[0].Metadata["width"] = 3 },
			[]string{"cell 5, In [3], output 1: metadata differs"}},
		{"count", func(nb *notebook) { nb.Cells[2].ExecutionCount = json.RawMessage("4") },
			[]string{"cell 3, In [4]: committed as In [2]"}},
		{"two cells", func(nb *notebook) { nb.Cells[1].Outputs, nb.Cells[2].Outputs[0].Text = nil, "" },
			[]string{"cell 2, In [1]: 1 outputs", "cell 3, In [2], output 1"}},
	} {
		executed := fixture(t, "01_figure.ipynb")
		test.change(executed)
		err := compare(fixture(t, "01_figure.ipynb"), executed, "01_figure", t.TempDir())
		if (err == nil) != (test.want == nil) {
			t.Errorf("%s: error %v", test.name, err)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: no %q in\n%v", test.name, want, err)
			}
		}
	}
}

// The order of what is printed, what is printed as an error and what is displayed is
// not defined; that within each of them is.
func TestCompareOrder(t *testing.T) {
	print := func(name, s string) *output { return &output{Type: "stream", Name: name, Text: text(s)} }
	show := func(s string) *output {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return &output{Type: "display_data", Data: map[string]json.RawMessage{"text/plain": b}, Metadata: map[string]any{}}
	}
	a, b, c, x, y := print("stdout", "a\n"), print("stdout", "b\n"), print("stdout", "c\n"), show("x"), show("y")
	warn := print("stderr", "warning\n")
	committed := []*output{a, x, b, warn, y, c}
	for _, test := range []struct {
		name string
		now  []*output
		part string // of the error, "" for none
	}{
		{"the same", committed, ""},
		{"a figure overtakes", []*output{x, a, b, y, warn, c}, ""},
		{"a figure is late", []*output{a, b, x, warn, y, c}, ""},
		{"all text first", []*output{warn, print("stdout", "a\nb\nc\n"), x, y}, ""},
		{"figures change places", []*output{a, y, b, warn, x, c}, "output 2: text/plain differs"},
		{"lines change places", []*output{b, x, a, warn, y, c}, "output 1: stdout differs"},
		{"another pipe", []*output{a, x, b, print("stdout", "warning\n"), y, c}, "6 outputs committed, 5 now"},
		{"a line more", []*output{x, a, b, y, warn, c, c}, "6 outputs committed"},
		{"a figure less", []*output{x, a, b, warn, c}, "6 outputs committed"},
	} {
		nb := func(o []*output) *notebook {
			return &notebook{Cells: []*cell{{Type: "code", ExecutionCount: json.RawMessage("1"), Outputs: coalesce(o)}}}
		}
		executed := nb(test.now)
		err := compare(nb(committed), executed, "nb", t.TempDir())
		if (err == nil) != (test.part == "") || err != nil && !strings.Contains(err.Error(), test.part) {
			t.Errorf("%s: %v, want %q", test.name, err, test.part)
		}
		// What is rewritten has the committed order, if that is all there is.
		if err := keepOrder(nb(committed), executed); err != nil {
			t.Fatal(err)
		}
		want, err1 := encode(coalesce(committed), "")
		got, err2 := encode(executed.Cells[0].Outputs, "")
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if kept := bytes.Equal(want, got); kept != (test.part == "") {
			t.Errorf("%s: kept is %v:\n%s", test.name, kept, got)
		}
	}
}

func TestCompareEmbeddedFigures(t *testing.T) {
	a, b := figure(t, 200, 0, 0), figure(t, 200, 4, 90)
	page := func(figures ...string) string { return `<img src="` + strings.Join(figures, ",") + `">` }
	for _, test := range []struct {
		name, want, now string
		part            string // of the error, "" for none
	}{
		{"same", page(a, b), page(a, b), ""},
		{"within the tolerance", page(a, b), page(b, a), ""},
		{"too different", page(a, a), page(a, figure(t, 200, 5, 90)), "text/html, figure 2: image/png differs: 5 of"},
		{"one more", page(a), page(a, a), `+<img src="(figure),(figure)">`},
		{"other text", page(a), page(a) + "<p>", "+<img src=\"(figure)\"><p>"},
	} {
		err := compareText("text/html", test.want, test.now, filepath.Join(t.TempDir(), "nb"))
		if (err == nil) != (test.part == "") || err != nil && !strings.Contains(err.Error(), test.part) {
			t.Errorf("%s: %v, want %q", test.name, err, test.part)
		}
	}
}
