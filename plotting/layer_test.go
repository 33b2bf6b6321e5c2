package plotting

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

func TestLayerErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		layer Layer
		is    error
		says  string
	}{
		{Points{}, mlreg.ErrNoData, "points"},
		{Points{X: []float64{1, 2}, Y: []float64{1}, Name: "train"}, mlreg.ErrShape, `points "train": mlreg: shapes do not match: 1 values of y for 2 of x`},
		{Points{X: []float64{1, 2, 3}, Y: []float64{1, nan, nan}}, mlreg.ErrNotFinite, "2 of 3 values of y; the first is NaN in row 2"},
		{Points{X: []float64{inf}, Y: []float64{1}}, mlreg.ErrNotFinite, "the first is +Inf in row 1"},
		{Line{X: []float64{1}, Y: []float64{nan}}, mlreg.ErrNotFinite, "none of the 1 rows"},
		{Line{X: []float64{1}}, mlreg.ErrShape, "0 values of y"},
		{Ribbon{X: []float64{1}, Lower: []float64{1}}, mlreg.ErrShape, "0 values of the upper limit"},
		{Ribbon{}, mlreg.ErrNoData, "band"},
		{Curve{From: 0, To: 1}, mlreg.ErrSetting, "is nil"},
		{Curve{F: math.Sin, From: 1, To: 1}, mlreg.ErrSetting, "from 1 to 1"},
		{Curve{F: math.Sin, From: 0, To: inf}, mlreg.ErrSetting, "not finite"},
		{Curve{F: math.Sin, To: 1, N: 1}, mlreg.ErrSetting, "N = 1"},
		{Curve{F: math.Log, From: -2, To: -1, Name: "log"}, mlreg.ErrNotFinite, `"log"`},
		{ErrorBars{X: []float64{1}, Y: []float64{1}, Lower: []float64{2}, Upper: []float64{3}}, mlreg.ErrSetting, "row 1 is not between its limits 2 and 3"},
		{ErrorBars{X: []float64{1}, Y: []float64{1}, Lower: []float64{nan}, Upper: []float64{3}}, mlreg.ErrNotFinite, "lower limit"},
		{HLine{Y: nan}, mlreg.ErrNotFinite, "reference line"},
		{VLine{X: inf, Name: "here"}, mlreg.ErrNotFinite, `"here"`},
		{Note{X: nan, Text: "hi"}, mlreg.ErrNotFinite, `note "hi"`},
	} {
		_, err := Draw(Labels{}, c.layer)
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, want %v with %q", c.layer, err, c.is, c.says)
		}
	}
	if _, err := Draw(Labels{}, HLine{}, nil); err == nil || !strings.Contains(err.Error(), "layer 2 of 2") {
		t.Errorf("nil layer: %v", err)
	}
}

func TestRuns(t *testing.T) {
	nan := math.NaN()
	a := check.Series{Name: "a", Values: []float64{nan, 1, 2, nan, nan, 3, 4, 5}}
	b := check.Series{Name: "b", Values: []float64{1, 1, 1, 1, 1, 1, math.Inf(-1), 1}}
	got, err := runs("x", a, b)
	if want := [][2]int{{1, 3}, {5, 6}, {7, 8}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("runs %v, want %v, error %v", got, want, err)
	}
}

// Draw leaves a margin of 4%; reference lines count in their own direction.
func TestDrawRange(t *testing.T) {
	p := get(Draw(Labels{}, Points{X: []float64{0, 10}, Y: []float64{5, 5}}, VLine{X: 20}, HLine{Y: 7}))(t)
	got := []float64{p.X.Min, p.X.Max, p.Y.Min, p.Y.Max}
	for i, want := range []float64{-0.8, 20.8, 4.92, 7.08} {
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("range %v", got)
			break
		}
	}
}

func TestLogAxes(t *testing.T) {
	line := Line{X: []float64{0.01, 1, 100}, Y: []float64{1e-6, 1e2, 1e10}}
	p := get(Draw(Labels{}, LogX{}, LogY{}, line))(t)
	if lo, hi := p.X.Norm(0.01), p.X.Norm(100); math.Abs(lo-0.04/1.08) > 1e-12 || math.Abs(hi-1.04/1.08) > 1e-12 {
		t.Errorf("the data lie from %v to %v of the axis", lo, hi)
	}
	if _, err := Grid(1, p).PNG(); err != nil {
		t.Error(err)
	}
	line.X[0] = 0
	if _, err := Draw(Labels{X: "λ"}, LogX{}, line); !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), `"λ"`) {
		t.Errorf("from 0 on: %v", err)
	}
}

// A long name of a logarithmic axis takes no more of the figure than a short one.
func TestLogAxisNames(t *testing.T) {
	data := func(x, y string) vg.Rectangle {
		p := get(Draw(Labels{X: x, Y: y}, LogX{}, LogY{}, Line{X: []float64{0.001, 300}, Y: []float64{0.001, 300}}))(t)
		c := draw.New(vgimg.New(5*vg.Inch, 4*vg.Inch))
		return newPanel(p).plot.DataCanvas(c).Rectangle
	}
	if short, long := data("x", "y"), data("variance of the prior", "mean squared error"); short != long {
		t.Errorf("data between %v with short names, %v with long ones", short, long)
	}
}

// A plot of one point, or with nothing on it, is drawn all the same.
func TestDrawLittle(t *testing.T) {
	for _, layers := range [][]Layer{nil, {Points{X: []float64{3}, Y: []float64{-2}, Name: "one"}}, {HLine{Y: 1}}, {Line{X: []float64{1}, Y: []float64{1}}}} {
		p := get(Draw(Labels{}, layers...))(t)
		if _, err := Grid(1, p).PNG(); err != nil {
			t.Errorf("%+v: %v", layers, err)
		}
	}
}

func TestAutomaticColors(t *testing.T) {
	var seen []any
	own, next := colorProbe{&seen, true}, colorProbe{&seen, false}
	x := []float64{1, 2}
	line, band := Line{X: x, Y: x}, Ribbon{X: x, Lower: x, Upper: x}
	gray := line
	gray.Color = Gray
	if err := Add(New("", "", ""), own, next, own, own, gray, next, line, next, band, own); err != nil {
		t.Fatal(err)
	}
	if want := []any{Blue, Vermillion, Vermillion, Green, Purple, Orange, Orange}; !reflect.DeepEqual(seen, want) {
		t.Errorf("colors %v", seen)
	}
	if Palette(7) != Blue || Palette(-1) != Black {
		t.Error("the palette does not repeat")
	}
}

// colorProbe sees the automatic color, and may use it up.
type colorProbe struct {
	seen  *[]any
	useUp bool
}

func (c colorProbe) addTo(_ *plot.Plot, auto *autoColor) error {
	*c.seen = append(*c.seen, auto.next())
	if c.useUp {
		auto.orNext(nil)
	}
	return nil
}

func TestRange(t *testing.T) {
	if got := Range(0, 1, 5); !reflect.DeepEqual(got, []float64{0, 0.25, 0.5, 0.75, 1}) {
		t.Errorf("Range %v", got)
	}
	if got := Range(0.1, 0.7, 7); got[0] != 0.1 || got[6] != 0.7 {
		t.Errorf("ends %v", got)
	}
	if len(Range(1, 2, 0)) != 0 || len(Range(1, 2, -1)) != 0 || Range(1, 2, 1)[0] != 1 {
		t.Error("short ranges")
	}
}

func TestLogRange(t *testing.T) {
	got := LogRange(0.01, 100, 5)
	for i, want := range []float64{0.01, 0.1, 1, 10, 100} {
		if math.Abs(got[i]/want-1) > 1e-14 {
			t.Errorf("value %d is %v, want %v", i, got[i], want)
		}
	}
	if got[0] != 0.01 || got[4] != 100 || len(LogRange(1, 2, 0)) != 0 || LogRange(3, 5, 1)[0] != 3 {
		t.Error("ends and short ranges")
	}
	for _, x := range append(LogRange(0, 1, 3), LogRange(1, -1, 2)...) {
		if !math.IsNaN(x) {
			t.Errorf("%v on the way to what has no logarithm", x)
		}
	}
}

// On a logarithmic axis, which may come after it, the points of a curve are
// equally far from each other in the ratio.
func TestCurveOnLogAxis(t *testing.T) {
	var at []float64
	curve := Curve{F: func(x float64) float64 { at = append(at, x); return x }, From: 0.1, To: 1000, N: 5}
	if _, err := Draw(Labels{}, curve, LogX{}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.1, 1, 10, 100, 1000} {
		if math.Abs(at[i]/want-1) > 1e-12 {
			t.Errorf("points at %v", at)
		}
	}
}

// Over whole numbers alone, whole numbers are marked.
func TestWholeTicks(t *testing.T) {
	points := Points{X: []float64{1, 3}, Y: []float64{0.5, 2}}
	for _, c := range []struct {
		layers []Layer
		labels string
	}{
		{[]Layer{points, HLine{Y: 1}}, "1 2 3"},
		{[]Layer{points, Line{X: []float64{1, 2.5}, Y: []float64{1, 2}}}, "1.0 1.5 2.0 2.5 3.0"},
		{[]Layer{points, Curve{F: math.Sqrt, From: 1, To: 3}}, "1.0 1.5 2.0 2.5 3.0"},
	} {
		p := get(Draw(Labels{}, c.layers...))(t)
		var labels []string
		for _, tick := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.labels {
			t.Errorf("marks %s, want %s", got, c.labels)
		}
	}
}
