package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/plotting"
)

// Is the effect of age a line? A smooth curve through the data says.
func ExampleSmooth() {
	df := datasets.Prostate()
	x, y := must.M1(frames.Floats(df, "age")), must.M1(frames.Floats(df, "lbph"))
	plotting.Show(plotting.Draw(plotting.Labels{X: "age", Y: "lbph"},
		plotting.Points{X: x, Y: y}, plotting.Smooth{X: x, Y: y, Span: 0.5, Name: "LOWESS, span 1/2"}))
	// Output:
	// Figure: lbph against age (horizontal 39.5 to 80.5, vertical -1.69 to 2.48)
}
