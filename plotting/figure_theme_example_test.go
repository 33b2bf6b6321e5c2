package plotting_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/stat/distuv"
	"gonum.org/v1/plot/plotter"

	"github.com/regbook/regbook/plotting"
)

// An empty plot takes layers, and plotters of gonum/plot.
func ExampleNew() {
	p := plotting.New("The standard normal distribution", "z", "φ(z)")
	must.M(plotting.Add(p, plotting.Curve{F: distuv.UnitNormal.Prob, From: -4, To: 4}))
	p.Add(must.M1(plotter.NewScatter(plotter.XYs{{X: 1.96, Y: distuv.UnitNormal.Prob(1.96)}})))
	plotting.Show(p)
	// Output:
	// Figure: The standard normal distribution: φ(z) against z (horizontal -4 to 4, vertical 0.000134 to 0.399)
}

// The colors of the first two layers, and so on.
func ExamplePalette() {
	fmt.Println(plotting.Palette(0) == plotting.Blue, plotting.Palette(1) == plotting.Vermillion)
	// Output:
	// true true
}

// Many lines, of which none hides the others.
func ExampleFade() {
	var lines []plotting.Layer
	for slope := -1.0; slope <= 1; slope += 0.25 {
		lines = append(lines, plotting.Line{X: []float64{-1, 1}, Y: []float64{-slope, slope}, Color: plotting.Fade(plotting.Blue, 0.4)})
	}
	plotting.Show(plotting.Draw(plotting.Labels{Title: "Slopes from -1 to 1"}, lines...))
	// Output:
	// Figure: Slopes from -1 to 1 (horizontal -1.08 to 1.08, vertical -1.08 to 1.08)
}

// Three or so marks on the vertical axis.
func ExampleTicks() {
	p := must.M1(plotting.Draw(plotting.Labels{Title: "A parabola"}, plotting.Curve{F: func(x float64) float64 { return x * x }, To: 10}))
	p.Y.Tick.Marker = plotting.Ticks{Target: 3}
	plotting.Show(p)
	for _, tick := range (plotting.Ticks{Target: 3}).Ticks(0, 100) {
		fmt.Print(tick.Label, " ")
	}
	// Output:
	// Figure: A parabola (horizontal -0.4 to 10.4, vertical -4 to 104)
	// 0 50 100
}

// LogX and LogY set these marks.
func ExampleLogTicks() {
	for _, tick := range (plotting.LogTicks{}).Ticks(0.5, 200) {
		if !tick.IsMinor() {
			fmt.Print(tick.Label, " ")
		}
	}
	// Output:
	// 1 10 100
}
