package plotting

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/golden"
)

// waves returns the sines of 0.5 to 2.5 over points, in five frames.
func waves(t *testing.T, s *InteractiveSettings) *InteractiveFigure {
	t.Helper()
	x, y := lineData(30)
	f := get(Interactive("ω", []float64{0.5, 1, 1.5, 2, 2.5}, func(i int) (*plot.Plot, error) {
		w := 0.5 * float64(i+1)
		return Draw(Labels{Title: "Waves", X: "x", Y: "y"}, Points{X: x, Y: y},
			Curve{F: func(x float64) float64 { return 5 + 2*w*math.Sin(w*x) }, From: 0, To: 10, Name: "5 + 2ω sin ωx"})
	}, s))(t)
	return f
}

// frameImages takes the frames out of the page as a browser would.
func frameImages(t *testing.T, page string) []*image.RGBA {
	t.Helper()
	m := regexp.MustCompile(`data-frames="([^"]*)"`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no frames in %.200q", page)
	}
	var images []*image.RGBA
	for _, s := range strings.Split(m[1], "\n") {
		data := get(base64.StdEncoding.DecodeString(s))(t)
		images = append(images, golden.Decode(t, data))
	}
	return images
}

func TestGoldenInteractive(t *testing.T) {
	b := get(waves(t, nil).Bundles())(t)
	if len(b) != 2 || len(b[0].PNG) == 0 || b[0].HTML != "" || b[1].HTML == "" {
		t.Fatalf("outputs are not a picture and a slider")
	}
	images := frameImages(t, b[1].HTML)
	if len(images) != 5 {
		t.Fatalf("%d frames", len(images))
	}
	// All frames on one sheet, and the page without them.
	size := images[0].Rect.Size()
	sheet := image.NewRGBA(image.Rect(0, 0, size.X, 5*size.Y))
	for i, img := range images {
		draw.Draw(sheet, image.Rect(0, i*size.Y, size.X, (i+1)*size.Y), img, image.Point{}, draw.Src)
	}
	golden.Image(t, "interactive", sheet)
	golden.Text(t, "interactive.html", regexp.MustCompile(`iVBORw0KGgo[A-Za-z0-9+/=]*`).ReplaceAllString(b[1].HTML, "PNG")+"\n")
	golden.Text(t, "interactive.txt", b[0].Text+"\n"+b[1].Text+"\n")
}

func TestInteractiveIsDeterministic(t *testing.T) {
	a := get(waves(t, nil).Bundles())(t)
	b := get(waves(t, nil).Bundles())(t)
	if a[1].HTML != b[1].HTML || !bytes.Equal(a[0].PNG, b[0].PNG) {
		t.Error("two figures of one kind have different bytes")
	}
}

func TestInteractiveSettings(t *testing.T) {
	labels := []string{"a\n< b", "b$", `"c"`, "d", "e"}
	b := get(waves(t, &InteractiveSettings{Labels: labels, Still: 5}).Bundles())(t)
	if !strings.HasSuffix(b[0].Text, " (e)") || !strings.Contains(b[1].Text, "5 frames, from a < b to e") {
		t.Errorf("texts %q, %q", b[0].Text, b[1].Text)
	}
	if want := "data-labels=\"a &lt; b\nb$\n&#34;c&#34;\nd\ne\""; !strings.Contains(b[1].HTML, want) {
		t.Errorf("page has no %s", want)
	}
	// The frames have the same axes, and the user's plot has its own.
	var plots []*plot.Plot
	figure := func(free bool) *InteractiveFigure {
		plots = nil
		f := get(Interactive("k", []float64{1, 2}, func(i int) (*Figure, error) {
			p, err := Draw(Labels{}, Points{X: []float64{0, float64(i)}, Y: []float64{0, 1}})
			plots = append(plots, p)
			return Grid(2, p, nil), err
		}, &InteractiveSettings{FreeAxes: free}))(t)
		return f
	}
	for _, free := range []bool{false, true} {
		f := figure(free)
		a, b := f.frames[0].Panels[0][0].X, f.frames[1].Panels[0][0].X
		if same := a.Min == b.Min && a.Max == b.Max; same == free {
			t.Errorf("FreeAxes %v: ranges %v to %v and %v to %v", free, a.Min, a.Max, b.Min, b.Max)
		}
		if plots[0].X.Max == plots[1].X.Max {
			t.Errorf("FreeAxes %v: the range of the user's plot has changed", free)
		}
	}
}

// Labels have as many digits as tell the values apart.
func TestInteractiveLabels(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{1e-4, 0.5, 1e7}, "τ² = 0.0001|τ² = 0.5|τ² = 1e+07"},
		{[]float64{1000.25, 1000.5, 2}, "τ² = 1000.2|τ² = 1000.5|τ² = 2"},
		{[]float64{0.1, 0.1 + 1e-9}, "τ² = 0.1|τ² = 0.100000001"},
		{[]float64{3, 3, math.NaN(), math.NaN()}, "τ² = 3|τ² = 3|τ² = NA|τ² = NA"},
	} {
		if got := strings.Join(valueLabels("τ²", c.values), "|"); got != c.want {
			t.Errorf("%v: labels %s, want %s", c.values, got, c.want)
		}
	}
	x := []float64{0, 1}
	f := get(Interactive("a\nb", x, func(i int) (*plot.Plot, error) { return New(fmt.Sprint("title ", i), "", ""), nil }, nil))(t)
	b := get(f.Bundles())(t)
	for _, want := range []string{
		"aria-label=\"a b\" aria-valuetext=\"a b = 0\"", "data-labels=\"a b = 0\na b = 1\"",
		"data-alts=\"title 0 (a b = 0)\ntitle 1 (a b = 1)\"", "alt=\"title 0 (a b = 0)\"",
	} {
		if !strings.Contains(b[1].HTML, want) {
			t.Errorf("page has no %s", want)
		}
	}
}

// What stops the drawing leaves the frames that are drawn.
func TestInteractiveStops(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5}
	for _, c := range []struct {
		stopAt, frames int // 0 frames: no figure
		inside         bool
	}{{1, 0, false}, {1, 0, true}, {2, 2, false}, {2, 0, true}, {3, 2, true}, {5, 5, false}, {9, 5, false}} {
		var told []float64
		draw := func(i int) (*plot.Plot, error) {
			if c.inside && i+1 == c.stopAt {
				return nil, fmt.Errorf("fit: %w", ErrInterrupted)
			}
			return New("", "", ""), nil
		}
		f, err := Interactive("λ", values, draw, &InteractiveSettings{Still: 5, Progress: func(done, total float64) error {
			told = append(told, done)
			if total != 5 {
				t.Errorf("stop at %d: total %v", c.stopAt, total)
			}
			if !c.inside && int(done) == c.stopAt {
				return ErrInterrupted
			}
			return nil
		}})
		if errors.Is(err, ErrInterrupted) != (c.stopAt <= 5) || (f == nil) != (c.frames == 0) {
			t.Errorf("stop at %d: figure %v, error %v", c.stopAt, f, err)
			continue
		}
		if want := values[:min(len(told), 5)]; !slices.Equal(told, want) {
			t.Errorf("stop at %d: Progress was told %v", c.stopAt, told)
		}
		if f == nil {
			continue
		}
		b := get(f.Bundles())(t)
		if got, want := b[1].Text, fmt.Sprintf("Slider: %d frames, from λ = 1 to λ = %d", c.frames, c.frames); got != want {
			t.Errorf("stop at %d: %q, want %q", c.stopAt, got, want)
		}
	}
}

// What cannot be drawn is named, and Show displays nothing of the figure.
func TestInteractiveDrawingFails(t *testing.T) {
	f := get(Interactive("λ", []float64{1, 2, 3}, func(i int) (*plot.Plot, error) {
		p := New("", "", "")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
		if i == 2 {
			p.Y.Scale = plot.LogScale{}
		}
		return p, nil
	}, nil))(t)
	got := record(t)
	if err := Display(f); err == nil || !strings.Contains(err.Error(), "frame 3 of 3 (λ = 3): plotting: figure \"\" cannot be drawn") {
		t.Errorf("error %v", err)
	}
	if len(*got) != 0 {
		t.Errorf("%d outputs", len(*got))
	}
}

// A small budget is met at a lower resolution, and refused where that cannot
// be.
func TestInteractiveBudget(t *testing.T) {
	full := bytesOfFrames(t, nil)
	if full > 150e3 {
		t.Errorf("five frames take %d bytes", full)
	}
	for _, part := range []float64{0.9, 0.65} {
		most := int(part * float64(full))
		if got := bytesOfFrames(t, &InteractiveSettings{MaxBytes: most}); got > most || got < most/2 {
			t.Errorf("frames take %d bytes of %d allowed", got, most)
		}
	}
	_, err := waves(t, &InteractiveSettings{MaxBytes: 10000}).Bundles()
	if !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), "2 of 5 frames take") {
		t.Errorf("error %v", err) // and the other three are not drawn
	}
}

func bytesOfFrames(t *testing.T, s *InteractiveSettings) (n int) {
	t.Helper()
	pictures := get(waves(t, s).pictures())(t)
	for _, p := range pictures {
		n += len(p)
	}
	return n
}

func TestInteractiveRefuses(t *testing.T) {
	draw := func(i int) (*plot.Plot, error) {
		return Draw(Labels{}, HLine{Y: 1}, Points{X: []float64{1, 2}, Y: []float64{1, 2}})
	}
	two := []float64{1, 2}
	sized := func(sizes ...float64) func(i int) (*Figure, error) {
		return func(i int) (*Figure, error) { return Sized(New("", "", ""), sizes[i], 3), nil }
	}
	cases := []struct {
		err  error
		want error
		text string
	}{
		{second(Interactive(" \n", two, draw, nil)), mlreg.ErrSetting, "the name is empty"},
		{second(Interactive[*Figure]("λ", two, nil, nil)), mlreg.ErrSetting, "the drawing function is nil"},
		{second(Interactive("λ", nil, draw, nil)), mlreg.ErrNoData, "0 values; a slider needs two"},
		{second(Interactive("λ", two[:1], draw, nil)), mlreg.ErrNoData, "1 value; a slider needs two"},
		{second(Interactive("λ", two, draw, &InteractiveSettings{Labels: []string{"a"}})), mlreg.ErrShape, "1 label and 2 values"},
		{second(Interactive("λ", two, draw, &InteractiveSettings{Still: 3})), mlreg.ErrSetting, "Still is 3"},
		{second(Interactive("λ", two, draw, &InteractiveSettings{MaxBytes: -1})), mlreg.ErrSetting, "MaxBytes is -1"},
		{second(Interactive("λ", two, sized(3, 4), nil)), mlreg.ErrShape, "frame 2 (λ = 2) has 4 x 3 inches with 1 x 1 panels, the first has 3 x 3"},
		{second(Interactive("λ", two, sized(3, 400), nil)), mlreg.ErrSetting, "frame 2 of 2 (λ = 2): plotting: figure \"\": mlreg: invalid setting: size 400"},
		{second(Interactive("λ", two, func(i int) (*Figure, error) { return &Figure{}, nil }, nil)), mlreg.ErrNoData, "frame 1 of 2 (λ = 1)"},
		{second(Interactive("λ", two, func(i int) (*Figure, error) {
			plots := []*plot.Plot{New("", "", ""), nil, New("", "", "")}
			return Grid(2, plots[i:i+2]...), nil
		}, nil)), mlreg.ErrShape, "panel 2 of row 1 empty"},
		{second(Interactive("λ", two, func(i int) (*Figure, error) { return nil, nil }, nil)), nil, "(λ = 1): the function returned nil"},
		{second(Interactive("λ", two, func(i int) (*Figure, error) { return nil, io.ErrNoProgress }, nil)), io.ErrNoProgress, "frame 1 of 2 (λ = 1)"},
	}
	for i, c := range cases {
		if c.err == nil || c.want != nil && !errors.Is(c.err, c.want) || !strings.Contains(fmt.Sprint(c.err), c.text) {
			t.Errorf("case %d: error %v, want %q", i, c.err, c.text)
		}
	}
}

// twoSliders returns lines with slope i and intercept j, in 3 x 2 frames.
func twoSliders(t *testing.T, s *InteractiveSettings) (*InteractiveFigure, error) {
	t.Helper()
	slope := Slider{Name: "slope", Values: []float64{-1, 0, 1}}
	intercept := Slider{Name: "intercept", Values: []float64{0, 2}, Labels: []string{"through zero", "above < it"}}
	return InteractivePair(slope, intercept, func(i, j int) (*plot.Plot, error) {
		return Draw(Labels{Title: fmt.Sprint("line ", i, j)}, Line{X: []float64{0, 1}, Y: []float64{intercept.Values[j], intercept.Values[j] + slope.Values[i]}})
	}, s)
}

// Two sliders have a frame for each pair of values, the second moving first.
func TestGoldenInteractivePair(t *testing.T) {
	f := get(twoSliders(t, nil))(t)
	b := get(f.Bundles())(t)
	if n := len(frameImages(t, b[1].HTML)); n != 6 {
		t.Fatalf("%d frames", n)
	}
	golden.Text(t, "interactivepair.html", regexp.MustCompile(`iVBORw0KGgo[A-Za-z0-9+/=]*`).ReplaceAllString(b[1].HTML, "PNG")+"\n")
	golden.Text(t, "interactivepair.txt", b[0].Text+"\n"+b[1].Text+"\n")
	var titles []string
	for _, frame := range f.frames {
		titles = append(titles, frame.Panels[0][0].Title.Text)
	}
	if want := []string{"line 0 0", "line 0 1", "line 1 0", "line 1 1", "line 2 0", "line 2 1"}; !slices.Equal(titles, want) {
		t.Errorf("frames %q", titles)
	}
}

// What stops the drawing leaves whole rows; settings of one slider are refused.
func TestInteractivePairStops(t *testing.T) {
	for stop, frames := range map[float64]int{2: 0, 3: 0, 4: 4, 5: 4} {
		f, err := twoSliders(t, &InteractiveSettings{Still: 6, Progress: func(done, _ float64) error {
			if done == stop {
				return ErrInterrupted
			}
			return nil
		}})
		if !errors.Is(err, ErrInterrupted) || (f == nil) != (frames == 0) {
			t.Errorf("stop at %v: %v, %v", stop, f, err)
			continue
		}
		if f != nil && (len(f.frames) != frames || len(f.sliders[0].Labels) != frames/2) {
			t.Errorf("stop at %v: %d frames, labels %q", stop, len(f.frames), f.sliders[0].Labels)
		}
	}
	draw := func(i, j int) (*plot.Plot, error) { return New("", "", ""), nil }
	a := Slider{Name: "a", Values: []float64{1, 2}}
	for i, c := range []struct {
		err  error
		want error
		text string
	}{
		{second(twoSliders(t, &InteractiveSettings{Labels: []string{"x"}})), mlreg.ErrSetting, "slope and intercept: mlreg: invalid setting: Labels"},
		{second(twoSliders(t, &InteractiveSettings{Still: 7})), mlreg.ErrSetting, "counted from 1 to 6"},
		{second(InteractivePair(a, Slider{Name: "b"}, draw, nil)), mlreg.ErrNoData, "of b: "},
		{second(InteractivePair(a, Slider{Values: a.Values}, draw, nil)), mlreg.ErrSetting, "the name is empty"},
		{second(InteractivePair[*Figure](a, a, nil, nil)), mlreg.ErrSetting, "the drawing function is nil"},
		{second(InteractivePair(a, a, func(i, j int) (*plot.Plot, error) { return nil, nil }, nil)), nil, "frame 1 of 4 (a = 1, a = 1): the function returned nil"},
	} {
		if c.err == nil || c.want != nil && !errors.Is(c.err, c.want) || !strings.Contains(fmt.Sprint(c.err), c.text) {
			t.Errorf("case %d: error %v, want %q", i, c.err, c.text)
		}
	}
}

func second(_ *InteractiveFigure, err error) error { return err }

func TestShowInteractive(t *testing.T) {
	got := record(t)
	Show("before", waves(t, nil))
	if len(*got) != 3 {
		t.Fatalf("%d outputs", len(*got))
	}
	if err := Display((*InteractiveFigure)(nil)); err == nil {
		t.Error("a nil figure was shown")
	}
}

// Few colors are kept exactly, many to within paletteError, and a picture of
// all colors as it is.
func TestCompactPNG(t *testing.T) {
	for _, c := range []struct {
		step, off int
		paletted  bool
	}{{64, 0, true}, {37, 0, true}, {32, paletteError, true}, {1, 0, false}} {
		img := image.NewRGBA(image.Rect(0, 0, 256, 256))
		for y := range 256 {
			for x := range 256 {
				blue := (x ^ y) / c.step * c.step
				if c.step == 1 {
					blue = x * y
				}
				img.SetRGBA(x, y, color.RGBA{R: uint8(x / c.step * c.step), G: uint8(y / c.step * c.step), B: uint8(blue), A: 255})
			}
		}
		if c.off > 0 { // more than 256 colors, a part of them seldom
			for i := range 400 {
				img.SetRGBA(i%20, i/20, color.RGBA{R: uint8(i % 20), G: uint8(i / 20), A: 255})
			}
		}
		data := get(compactPNG(img))(t)
		raw := get(png.Decode(bytes.NewReader(data)))(t)
		if _, ok := raw.(*image.Paletted); ok != c.paletted {
			t.Errorf("step %d: encoded as %T", c.step, raw)
		}
		back := golden.Decode(t, data)
		for k, v := range img.Pix {
			if d := int(v) - int(back.Pix[k]); d > c.off || -d > c.off {
				t.Errorf("step %d: byte %d is %d, was %d", c.step, k, back.Pix[k], v)
				break
			}
		}
	}
}
