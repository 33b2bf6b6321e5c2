package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The posteriors of two weights, their noise variance unknown.
func ExampleCoefDensities() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	fit := must.M1(mlreg.FitBayes(must.M1(d.Standardize(nil)), mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil))
	plotting.Show(plotting.CoefDensities(fit, 0.95, "lweight", "svi"))
	// Output:
	// Figure: posterior densities of 2 coefficients with 95% credible limits
}
