package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func ExampleHeatMap() {
	d := must.M1(frames.Design(datasets.Projection(), "y ~ x2"))
	h := must.M1(mlreg.HatMatrix(d))
	plotting.Show(plotting.HeatMap(h, &plotting.HeatMapSettings{Labels: plotting.Labels{Title: "The hat matrix"}}))
	// Output:
	// Figure: heat map The hat matrix: 3 x 3 matrix with values from -0.167 to 0.833
}
