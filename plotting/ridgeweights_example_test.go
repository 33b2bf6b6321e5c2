package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The degrees of freedom that two penalties leave.
func ExampleDoFPlot() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	d = must.M1(d.Standardize(nil))
	plotting.Show(plotting.DoFPlot(
		plotting.NamedPath{Name: "ridge", Path: must.M1(mlreg.FitRidgePath(d, nil))},
		plotting.NamedPath{Name: "lasso", Path: must.M1(mlreg.FitLassoPath(d, nil))}))
	// Output:
	// Figure: Degrees of freedom: degrees of freedom against λ (falling)
}

// Ridge regression taken apart along the principal components.
func ExampleShrinkageWeights() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	ridge := must.M1(mlreg.FitRidgePath(must.M1(d.Standardize(nil)), nil))
	plotting.Show(plotting.ShrinkageWeights(ridge, 4, 10, 100))
	// Output:
	// Figure: Weights of the principal components: weight against component (horizontal 0.72 to 8.28, vertical -0.04 to 1.04)
}
