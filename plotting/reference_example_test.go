package plotting_test

import (
	"math"

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
	plotting.Show(plotting.Draw(plotting.Labels{X: "log odds", Y: "probability"},
		plotting.Curve{F: func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, From: -5, To: 5},
		plotting.Note{X: 0, Y: 0.5, Text: "even odds", Side: plotting.LowerRight}))
	// Output:
	// Figure: probability against log odds (horizontal -5.4 to 5.4, vertical -0.0328 to 1.03)
}
