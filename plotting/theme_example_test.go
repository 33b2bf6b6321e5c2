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

// The colours of the first two layers, and so on.
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
