package plotting

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// A line on logarithmic axes is the power law that the data are, and the marks are the numbers themselves.
func TestChartLogAxes(t *testing.T) {
	var x, y []float64
	for k := range 40 {
		x = append(x, math.Pow(10, float64(k)/10))
		y = append(y, 3*math.Pow(x[k], -1.5))
	}
	df := get(frames.Frame(frames.Col("x", x), frames.Col("y", y)))(t)
	f := get(Chart(df, "x", "y", &ChartSettings{Marks: AsPoints | AsLinear, LogX: true, LogY: true}))(t)
	p := f.Panels[0][0]
	if got := p.X.Min; math.Abs(got) > 0.2 {
		t.Errorf("x begins at 10^%g", got)
	}
	ticks := p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max)
	var labels []string
	for _, tick := range ticks {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	if !slices.Equal(labels, []string{"1", "10", "100", "1000", "10000"}) || !slices.ContainsFunc(ticks, func(k plot.Tick) bool { return k.Label == "10" && math.Abs(k.Value-1) < 1e-12 }) {
		t.Errorf("marks %v", ticks)
	}
	if !strings.Contains(f.Note, "logarithmic") {
		t.Errorf("note %q", f.Note)
	}
	narrow := get(Chart(df, "x", "y", &ChartSettings{LogX: true}))(t).WithXRange(1, 40)
	q := narrow.Panels[0][0]
	if math.Abs(q.X.Max-math.Log10(40)) > 1e-12 {
		t.Errorf("range ends at %g", q.X.Max)
	}
	labels = nil
	for _, tick := range q.X.Tick.Marker.Ticks(q.X.Min, q.X.Max) {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	if !slices.Equal(labels, []string{"1", "2", "5", "10", "20"}) {
		t.Errorf("marks of few decades %q", labels)
	}
	bad := get(frames.Frame(frames.Col("x", []float64{1, 0, 3, 5}), frames.Col("y", []float64{1, 2, 3, 4}), frames.Col("g", []string{"a", "b", "a", "b"})))(t)
	for name, call := range map[string]func() error{
		`"x" is 0 in row 2`: func() error { _, err := Chart(bad, "x", "y", &ChartSettings{LogX: true}); return err },
		"LogY needs":        func() error { _, err := Chart(bad, "y", "", &ChartSettings{LogY: true}); return err },
		"not of numbers":    func() error { _, err := Chart(bad, "g", "y", &ChartSettings{LogX: true}); return err },
		"bars begin at 0":   func() error { _, err := Chart(bad, "g", "y", &ChartSettings{LogY: true, Marks: AsBars}); return err },
	} {
		if err := call(); !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}

// Many rows are drawn as points if points are what is asked for.
func TestManyPointsAsPoints(t *testing.T) {
	n := manyPoints + 10
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = float64(i%97), float64(i%89)
	}
	df := get(frames.Frame(frames.Col("x", x), frames.Col("y", y)))(t)
	for marks, hexagons := range map[Marks]bool{0: true, AsPoints: false} {
		f := get(Chart(df, "x", "y", &ChartSettings{Marks: marks}))(t)
		if got := strings.Contains(f.Alt, "hexagons"); got != hexagons {
			t.Errorf("%v: %s", marks, f.Alt)
		}
	}
}

// A heat map of a frame has the labels of its own, missing cells, and one row a cell.
func TestHeatMapOf(t *testing.T) {
	df := get(frames.Frame(frames.Col("hour", []float64{0, 1, 23, 1, math.NaN()}), frames.Col("day", []string{"Mon", "Mon", "Tue", "Tue", "Mon"}), frames.Col("v", []float64{1, 2, 3, 4, 5})))(t)
	f := get(HeatMapOf(df, "hour", "day", "v", nil))(t)
	var labels []string
	for _, tick := range f.Panels[0][0].X.Tick.Marker.Ticks(0, 3) {
		labels = append(labels, tick.Label)
	}
	if !slices.Equal(labels, []string{"0", "1", "23"}) || !strings.Contains(f.Note, "1 of 5 rows left out") || f.Panels[0][0].X.Label.Text != "hour" {
		t.Errorf("labels %q, note %q", labels, f.Note)
	}
	twice := get(frames.Frame(frames.Col("a", []int{1, 1}), frames.Col("b", []int{2, 2}), frames.Col("v", []float64{1, 2})))(t)
	if _, err := HeatMapOf(twice, "a", "b", "v", nil); !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), "rows 1 and 2") {
		t.Errorf("%v", err)
	}
	if _, err := HeatMapOf(df, "hour", "v", "day", nil); !errors.Is(err, mlreg.ErrSetting) {
		t.Errorf("%v", err)
	}
	if _, err := HeatMapOf(df, "hours", "day", "v", nil); !errors.Is(err, frames.ErrNoColumn) {
		t.Errorf("%v", err)
	}
}

// Limits of bars are places on the axis.
func TestBarsWithLimits(t *testing.T) {
	f := get(Draw(Labels{}, Bars{X: []float64{1, 2}, Y: []float64{3, 4}, Lower: []float64{2, math.NaN()}, Upper: []float64{6, 9}}))(t)
	if f.Y.Max < 6 || f.Y.Max > 7 {
		t.Errorf("the axis ends at %g", f.Y.Max)
	}
	for _, b := range []Bars{{X: []float64{1}, Y: []float64{1}, Lower: []float64{2}, Upper: []float64{1}}, {X: []float64{1}, Y: []float64{1}, Upper: []float64{1}}} {
		if _, err := Draw(Labels{}, b); err == nil {
			t.Errorf("%v is drawn", b)
		}
	}
}

// Diagnostics of many rows draw counts: their picture is small.
func TestDiagnosticsOfManyRows(t *testing.T) {
	n := 36545
	x, y := make([]float64, n), make([]float64, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i] = r.NormFloat64()
		y[i] = 2*x[i] + r.NormFloat64()*math.Exp(0.3*x[i])
	}
	d := get(frames.Design(get(frames.Frame(frames.Col("x", x), frames.Col("y", y)))(t), "y ~ x"))(t)
	fit := get(mlreg.FitOLS(d, nil))(t)
	f := get(Diagnostics(fit, d, nil))(t)
	img := get(f.PNG())(t)
	if dir := os.Getenv("REGBOOK_LOOK"); dir != "" {
		os.WriteFile(dir+"/d.png", img, 0o600)
	}
	if len(img) > 300_000 || f.Note == "" {
		t.Errorf("%d bytes, note %q", len(img), f.Note)
	}
}

// Seven numbers are seven groups where marks have no shades.
func TestSevenNumbersAreGroups(t *testing.T) {
	var g, x []float64
	for i := range 70 {
		g, x = append(g, float64(i%7)), append(x, float64(i))
	}
	df := get(frames.Frame(frames.Col("g", g), frames.Col("x", x)))(t)
	f := get(Chart(df, "x", "", &ChartSettings{Color: "g", Marks: AsHistogram}))(t)
	if f.legend == nil || !strings.Contains(f.Alt, "0, 1, 2, 3, 4, 5, 6") {
		t.Errorf("%s", f.Alt)
	}
}
