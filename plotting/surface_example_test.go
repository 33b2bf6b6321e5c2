package plotting_test

import (
	"math"

	"github.com/regbook/regbook/plotting"
)

// White where the density is 0.
func ExampleHeat() {
	density := func(x, y float64) float64 { return math.Exp(-(x*x + y*y - x*y) / 2) }
	over := plotting.Rect{XMin: -3, XMax: 3, YMin: -3, YMax: 3}
	plotting.Show(plotting.Draw(plotting.Labels{Title: "A density", X: "w₁", Y: "w₂"}, plotting.Heat{F: density, Over: over}))
	// Output:
	// Figure: A density: w₂ against w₁ (horizontal -3.24 to 3.24, vertical -3.24 to 3.24)
}

// The residual sum of squares of two weights.
func ExampleContours() {
	rss := func(w1, w2 float64) float64 { return 10 + 4*math.Pow(w1-1, 2) + math.Pow(w2-2, 2) }
	plotting.Show(plotting.Draw(plotting.Labels{Title: "RSS", X: "w₁", Y: "w₂"},
		plotting.Contours{F: rss, Over: plotting.Rect{XMin: -1, XMax: 3, YMin: -2, YMax: 6}, Levels: []float64{11, 14, 19}},
		plotting.Points{X: []float64{1}, Y: []float64{2}, Name: "least squares"}))
	// Output:
	// Figure: RSS: w₂ against w₁ (horizontal -1.14 to 3.14, vertical -2.28 to 6.28)
}
