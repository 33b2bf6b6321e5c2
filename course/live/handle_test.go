package live

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// drawn returns an explorable's view after its figure has been drawn.
func drawn(t *testing.T, e *Explorable, values []float64) *View {
	t.Helper()
	view, err := e.Draw(values, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range view.Handles {
		if h.Kind != Turn && h.Spots() != nil {
			t.Errorf("%s: %s has a place before it is drawn", e.ID, h.Name)
		}
	}
	if _, err := view.Figure.SVG(); err != nil {
		t.Fatal(err)
	}
	return view
}

// A handle that is moved to the place of its next value is there when that value is drawn.
func TestHandlesGoWhereTheySay(t *testing.T) {
	for _, e := range All() {
		if len(drawn(t, e, nil).Handles) == 0 {
			continue
		}
		values := e.Defaults()
		for range min(2, e.MaxPoints) {
			values = append(values, 0.5, 1)
		}
		view := drawn(t, e, values)
		for i, h := range view.Handles {
			spots := h.Spots()
			if len(h.Base) != len(h.Values) || len(spots) != len(h.Values)+1 {
				t.Fatalf("%s: %+v", e.ID, h)
			}
			for k, v := range h.Values {
				moved := append([]float64(nil), values...)
				switch {
				case h.Kind == Place && v >= len(values):
					moved = append(moved, h.Base...)
					moved[v]++
				case h.Base[k] != values[v]:
					t.Errorf("%s: %s begins at %g, the value is %g", e.ID, h.Name, h.Base[k], values[v])
				case v < len(e.Params) && e.Params[v].Log:
					moved[v] *= math.E
				default:
					moved[v]++
				}
				if h.Kind == Turn || v < len(e.Params) && e.Params[v].check(moved[v]) != nil {
					continue
				}
				next := drawn(t, e, moved).Handles[i].Spots()
				along, across := next[0][0]-spots[k+1][0], next[0][1]-spots[k+1][1]
				if len(h.Values) == 1 { // what counts is how far the handle goes in its direction
					x, y := spots[1][0]-spots[0][0], spots[1][1]-spots[0][1]
					along, across = (along*x+across*y)/math.Hypot(x, y), 0
				}
				if d := math.Hypot(along, across); !(d < 0.01) {
					t.Errorf("%s: %s would be at %.2f, and is at %.2f", e.ID, h.Name, spots[k+1], next[0])
				}
			}
		}
	}
}

// A handle is where the figure has its point.
func TestHandlesAreOnTheirPoints(t *testing.T) {
	for _, log := range []bool{false, true} {
		e := &Explorable{ID: "x", Title: "x", Seed: 1, Params: []Param{
			{Name: "x", Label: "x", Min: 0.1, Max: 10, Step: 1.1, Log: log, Default: 3}, {Name: "y", Label: "y", Min: 0, Max: 1, Step: 0.1, Default: 0.3},
		}, draw: func(at Point) *View {
			p := try.Get(plotting.Draw(plotting.Labels{Title: "a title", X: "x", Y: "y"},
				plotting.Points{X: []float64{at.Value("x")}, Y: []float64{at.Value("y")}, Color: color.NRGBA{R: 255, A: 255}, Radius: 6}))
			p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0.1, 10, 0, 1
			if log {
				try.Check(plotting.Add(p, plotting.LogX{}))
			}
			q := plotting.New("", "", "")
			q.X.Min, q.X.Max, q.Y.Min, q.Y.Max = 0, 1, 0, 1
			view := &View{Figure: plotting.Grid(2, q, p), Sentence: fmt.Sprint(at.values, ".")}
			view.drag(at, p, "the point", func(at Point) (x, y float64) { return at.Value("x"), at.Value("y") }, "x", "y")
			return view
		}}
		view, err := e.Draw(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := view.Figure.PNG()
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		var sumX, sumY, n float64
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				if r, g, b, _ := img.At(x, y).RGBA(); r > g+0x4000 && r > b+0x4000 {
					sumX, sumY, n = sumX+float64(x)+0.5, sumY+float64(y)+0.5, n+1
				}
			}
		}
		const dotsAPoint = 192.0 / 72
		spot := view.Handles[0].Spots()[0]
		x, y := sumX/n/dotsAPoint, (float64(img.Bounds().Dy())-sumY/n)/dotsAPoint
		if !(math.Hypot(spot[0]-x, spot[1]-y) < 0.3) {
			t.Errorf("log %t: the handle is at %.2f, the point at (%.2f, %.2f)", log, spot, x, y)
		}
	}
}

// Points of the reader's own are values after those of the parameters, in pairs and not too many.
func TestOwnPoints(t *testing.T) {
	e := PriorWidth()
	many := e.Defaults()
	for range e.MaxPoints + 1 {
		many = append(many, 0, 0)
	}
	for _, c := range []struct {
		values []float64
		want   error
	}{
		{append(e.Defaults(), 1), mlreg.ErrShape}, {many, mlreg.ErrShape}, {nil, nil}, {many[:len(many)-2], nil}, {[]float64{0.1}, nil},
		{append(e.Defaults(), 1, math.NaN()), mlreg.ErrSetting}, {append(e.Defaults(), 2e6, 0), mlreg.ErrSetting},
	} {
		if _, err := e.Draw(c.values, nil); !errors.Is(err, c.want) {
			t.Errorf("%g: %v, want %v", c.values, err, c.want)
		}
	}
	// A figure turns by 180 degrees over its width.
	for _, h := range drawn(t, Projection(), nil).Handles {
		if width := vg.Length(6) * vg.Inch; h.Kind == Turn && math.Abs(180*h.Spots()[1][0]-width.Points()) > 1e-9 {
			t.Errorf("%g points turn by a degree", h.Spots()[1][0])
		}
	}
}
