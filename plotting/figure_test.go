package plotting

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/golden"
	"github.com/regbook/regbook/plotting/internal/look"
)

func scatter(t *testing.T) *plot.Plot {
	t.Helper()
	x, y := lineData(20)
	p := get(Draw(Labels{Title: "A scatter", X: "x", Y: "y"}, Points{X: x, Y: y, Name: "data"}))(t)
	return p
}

func TestPNGIsReproducible(t *testing.T) {
	p := scatter(t)
	var first []byte
	for range 3 {
		data := get(Grid(1, p).PNG())(t)
		if first == nil {
			first = data
		} else if !bytes.Equal(first, data) {
			t.Fatal("the same plot gave other bytes")
		}
	}
	if c := golden.Decode(t, first).Bounds(); c.Dx() != 1229 || c.Dy() != 768 {
		t.Errorf("size %v", c)
	}
}

func TestSave(t *testing.T) {
	f := Sized(scatter(t), 3, 2)
	dir := t.TempDir()
	for ext, start := range map[string]string{".png": "\x89PNG", ".SVG": "<?xml"} {
		path := filepath.Join(dir, "figure"+ext)
		if err := f.Save(path); err != nil {
			t.Errorf("%s: %v", ext, err)
			continue
		}
		data := get(os.ReadFile(path))(t)
		if !strings.HasPrefix(string(data), start) {
			t.Errorf("%s begins with %q", ext, data[:8])
		}
	}
	if err := f.Save(filepath.Join(dir, "figure.bmp")); err == nil || !strings.Contains(err.Error(), ".bmp") {
		t.Errorf("bmp: %v", err)
	}
	if err := f.Save(filepath.Join(dir, "none", "figure.png")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

func TestFigureErrors(t *testing.T) {
	p := scatter(t)
	for name, c := range map[string]struct {
		f  *Figure
		is error
	}{
		"no panels":      {&Figure{}, mlreg.ErrNoData},
		"only nil":       {Grid(2, nil, nil), mlreg.ErrNoData},
		"ragged":         {&Figure{Panels: [][]*plot.Plot{{p, p}, {p}}}, mlreg.ErrShape},
		"size":           {Sized(p, -1, 3), mlreg.ErrSetting},
		"size not a one": {Sized(p, math.NaN(), 3), mlreg.ErrSetting},
		"huge":           {Sized(p, 1e6, 3), mlreg.ErrSetting},
	} {
		if _, err := c.f.PNG(); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
		if _, err := c.f.Bundle(); !errors.Is(err, c.is) {
			t.Errorf("%s: Bundle: %v, want %v", name, err, c.is)
		}
	}
}

// What gonum/plot panics about is an error that says which figure it is.
func TestPanicsBecomeErrors(t *testing.T) {
	p := scatter(t)
	p.X.Scale = plot.LogScale{}
	p.X.Min = -1
	_, err := Grid(1, p).PNG()
	if err == nil || !strings.Contains(err.Error(), `"A scatter"`) || !strings.Contains(err.Error(), "greater than 0") {
		t.Errorf("error %v", err)
	}
}

func TestGridShapes(t *testing.T) {
	p := scatter(t)
	f := Grid(2, p, p, p)
	if rows, cols := f.dims(); rows != 2 || cols != 2 || f.check() != nil || f.Panels[1][1] != nil {
		t.Errorf("%d x %d, %v", rows, cols, f.check())
	}
	if rows, cols := Grid(0, p, p).dims(); rows != 2 || cols != 1 {
		t.Errorf("no columns: %d x %d", rows, cols)
	}
	for _, c := range []struct{ rows, cols int }{{1, 1}, {1, 2}, {1, 3}, {2, 2}, {4, 4}} {
		w, h, err := Grid(c.cols, slices.Repeat([]*plot.Plot{p}, c.rows*c.cols)...).size()
		if err != nil || w > look.PageWidth || h < 2 {
			t.Errorf("%v: %v x %v, %v", c, w, h, err)
		}
	}
}

// Drawing leaves the plot as it is.
func TestDrawingLeavesThePlot(t *testing.T) {
	p := scatter(t)
	before := *p
	f := Grid(2, p, p)
	f.ShareX, f.ShareY = true, true
	f.Panels[0][1] = New("other", "", "")
	f.Panels[0][1].X.Max = 99
	if _, err := f.PNG(); err != nil {
		t.Fatal(err)
	}
	if p.X.Min != before.X.Min || p.X.Max != before.X.Max || p.X.Tick.Marker != before.X.Tick.Marker || p.Title.Text != before.Title.Text || p.Legend.Top != before.Legend.Top {
		t.Error("the plot has changed")
	}
}

func TestDescription(t *testing.T) {
	f := Grid(1, scatter(t))
	if got := f.Description(); !strings.HasPrefix(got, "A scatter: y against x (horizontal -0.4 to 10.4") {
		t.Errorf("alt %q", got)
	}
	f.Title = "Page"
	f.Panels = append(f.Panels, []*plot.Plot{New("", "", "log λ")}, []*plot.Plot{New("", "", "")})
	if got := f.Description(); !strings.HasPrefix(got, "Page; A scatter") || !strings.HasSuffix(got, "; log λ; a plot without title and labels") {
		t.Errorf("alt %q", got)
	}
	f.Alt = "mine"
	if b, err := f.Bundle(); err != nil || b.Text != "Figure: mine" {
		t.Errorf("alt %q, %v", b.Text, err)
	}
}

// The legend goes where nothing is drawn.
func TestLegendPlace(t *testing.T) {
	corners := map[place][2]float64{topRight: {1, 1}, topLeft: {0, 1}, bottomRight: {1, 0}, bottomLeft: {0, 0}}
	cloud := func(x, y float64) Points {
		p := Points{Name: "cloud"}
		for i := range 400 {
			p.X, p.Y = append(p.X, x+0.5*float64(i%20)/20-0.25), append(p.Y, y+0.5*float64(i/20)/20-0.25)
		}
		return p
	}
	for free := range corners {
		layers := []Layer{cloud(0.5, 0.5)}
		for other, c := range corners {
			if other != free {
				layers = append(layers, cloud(c[0], c[1]))
			}
		}
		if got := placed(t, layers...); got != free {
			t.Errorf("legend at %v, free is %v", got, free)
		}
	}
	full := Points{Name: "everywhere"}
	for i := range 2500 {
		full.X, full.Y = append(full.X, float64(i%50)), append(full.Y, float64(i/50))
	}
	if got := placed(t, full); got != outside {
		t.Errorf("legend on a full plot at %v", got)
	}
}

func placed(t *testing.T, layers ...Layer) place {
	t.Helper()
	p := get(Draw(Labels{}, layers...))(t)
	q := newPanel(p)
	q.prepare(draw.NewCanvas(nil, 4*vg.Inch, 3*vg.Inch))
	return q.place
}

// A legend that the user has placed stays there, and is drawn by gonum/plot.
func TestLegendOfTheUser(t *testing.T) {
	p := scatter(t)
	p.Legend.Top = true
	if newPanel(p).auto {
		t.Error("the user's legend is moved")
	}
}

// Plots that were not made by this package are shown as well.
func TestPlainGonumPlot(t *testing.T) {
	p := plot.New()
	line := get(plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}))(t)
	p.Add(line)
	p.Legend.Add("line", line)
	if _, err := Grid(1, p).PNG(); err != nil {
		t.Error(err)
	}
}

// A name that is longer than its axis is broken in two. A legend that would take
// much of the width is above the data, below the title.
func TestPanelMargins(t *testing.T) {
	page := draw.NewCanvas(vgimg.New(310, 223), 310, 223)
	data := func(labels Labels, layers ...Layer) (*panel, vg.Rectangle) {
		t.Helper()
		p := get(Draw(labels, layers...))(t)
		q := newPanel(p)
		q.prepare(page)
		return q, q.plot.DataCanvas(page).Rectangle
	}
	curve := Curve{F: math.Exp, From: 0, To: 10}
	q, _ := data(Labels{Y: "a name that is longer than the axis, which is why it has two lines"}, curve)
	if name := q.plot.Y.Label.Text; name != "a name that is longer than the\naxis, which is why it has two lines" {
		t.Errorf("name %q", name)
	}
	curve = Curve{F: func(x float64) float64 { return math.Sin(20 * x) }, To: 10, N: 2000}
	for name, want := range map[string]place{"sin": outside, "a legend of half the width": above} {
		curve.Name = name
		if q, rect := data(Labels{}, curve); q.place != want || want == above && rect.Max.X < 290 {
			t.Errorf("%s: place %v, data in %v", name, q.place, rect)
		}
	}
}
