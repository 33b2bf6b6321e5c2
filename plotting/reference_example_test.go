package plotting_test

import (
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/plotting"
)

func ExampleHLine() {
	plotting.Show(plotting.Draw(plotting.Labels{X: "iterations", Y: "loss"},
		plotting.Line{X: []float64{1, 2, 3, 4}, Y: []float64{8, 3, 2.2, 2.05}}, plotting.HLine{Y: 2, Name: "optimum"}))
	// Output:
	// Figure: loss against iterations (horizontal 0.88 to 4.12, vertical 1.76 to 8.24)
}

func ExampleVLine() {
	plotting.Show(plotting.Draw(plotting.Labels{X: "z", Y: "density"},
		plotting.Curve{F: distuv.UnitNormal.Prob, From: -4, To: 4},
		plotting.VLine{X: -1.96}, plotting.VLine{X: 1.96, Name: "95%"}))
	// Output:
	// Figure: density against z (horizontal -4.32 to 4.32, vertical -0.0158 to 0.415)
}

// The name of a point.
func ExampleNote() {
	plotting.Show(plotting.Draw(plotting.Labels{X: "x", Y: "x² - 2x"},
		plotting.Curve{F: func(x float64) float64 { return x*x - 2*x }, From: -1, To: 3},
		plotting.Note{X: 1, Y: -1, Text: "the minimum", Side: plotting.Above}))
	// Output:
	// Figure: x² - 2x against x (horizontal -1.16 to 3.16, vertical -1.16 to 3.16)
}
