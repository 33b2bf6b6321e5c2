package plotting_test

import (
	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/plotting"
)

// The response of 442 patients, beside the normal density of their mean and
// standard deviation.
func ExampleHistogram() {
	y := must.M1(frames.Floats(datasets.Diabetes(), "progression"))
	mean, sd := stat.MeanStdDev(y, nil)
	plotting.Show(plotting.Draw(plotting.Labels{X: "progression", Y: "density"},
		plotting.Histogram{X: y, Density: true, Name: "442 patients"},
		plotting.Curve{F: distuv.Normal{Mu: mean, Sigma: sd}.Prob, From: 0, To: 360, Name: "normal"}))
	// Output:
	// Figure: density against progression (horizontal -14.4 to 374, vertical 0 to 0.00586)
}
