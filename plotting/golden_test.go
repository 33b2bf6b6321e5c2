package plotting

import (
	"math"
	"testing"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/golden"
)

// checkImage holds a figure against testdata/name.png.
func checkImage(t *testing.T, name string, f *Figure) {
	t.Helper()
	img := get(f.image(figureDPI))(t)
	golden.Image(t, name, img)
}

// lineData is y = 2 + 0.8 x and a disturbance that is the same on every
// machine.
func lineData(n int) (x, y []float64) {
	for i := range n {
		u := float64((i*37)%n) / float64(n-1)
		x = append(x, 10*u)
		y = append(y, 2+8*u+float64((i*i*29)%41)/10-2)
	}
	return x, y
}

func TestGoldenLayers(t *testing.T) {
	x, y := lineData(48)
	grid := Range(0, 10, 41)
	var lower, middle, upper []float64
	for i, v := range grid {
		m, s := 2+0.8*v, 0.4+0.03*(v-5)*(v-5)
		if i == 25 {
			m = math.NaN()
		}
		lower, middle, upper = append(lower, m-s), append(middle, m), append(upper, m+s)
	}
	p := get(Draw(Labels{Title: "Layers: σ² = 1, ŷ = Xβ̂, ‖xⱼ‖", X: "x₁ (cm³)", Y: "y = Xβ + ε"},
		Points{X: x, Y: y, Name: "data"},
		Ribbon{X: grid, Lower: lower, Upper: upper, Name: "95% confidence"},
		Line{X: grid, Y: middle, Name: "ŷ = β̂₀ + β̂₁x"},
		HLine{Y: 4},
		VLine{X: 5, Name: "mean"},
		Note{X: 5, Y: 4, Text: "the point (5, 4)", Side: LowerRight}))(t)
	checkImage(t, "layers", Sized(p, 5, 3.2))
}

func TestGoldenGrid(t *testing.T) {
	var plots []*plot.Plot
	for _, layers := range [][]Layer{
		{Curve{F: math.Sin, From: 0, To: 10, Name: "sin"}, Curve{F: math.Cos, From: 0, To: 10, Name: "cos", Dashed: true}},
		{ErrorBars{X: []float64{1, 2, 3}, Y: []float64{3, 2, 2.5}, Lower: []float64{2, 1.5, 2}, Upper: []float64{4, 2.5, 3.5}}},
		{Curve{F: math.Log, From: -1, To: 3}},
	} {
		p := get(Draw(Labels{Title: "panel", X: "x", Y: "y"}, layers...))(t)
		plots = append(plots, p)
	}
	plots[1].Y.Label.Text = "a longer name\nin two lines"
	f := Grid(2, plots...)
	f.Title, f.Width, f.ShareX = "Three panels", 6, true
	checkImage(t, "grid", f)
}

func TestGoldenHeatMap(t *testing.T) {
	f := get(HeatMap(hat(t), &HeatMapSettings{Labels: Labels{Title: "The hat matrix H", X: "column", Y: "row"}}))(t)
	f.Width, f.Height = 4, 3.2
	checkImage(t, "heatmap", f)
}

func TestGoldenFitLine(t *testing.T) {
	d, fit := lineFit(t)
	p := get(FitLine(d, fit, 0.95))(t)
	checkImage(t, "fitline", Sized(p, 5, 3.2))
}

func lineFit(t *testing.T) (*mlreg.Design, *mlreg.OLS) {
	t.Helper()
	x, y := lineData(24)
	d := get(mlreg.NewDesign(columns(x), y, "dose"))(t)
	d.Response = "yield"
	fit := get(mlreg.FitOLS(d, nil))(t)
	return d, fit
}
