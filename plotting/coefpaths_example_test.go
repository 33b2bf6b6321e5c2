package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The lasso's coefficients, and where cross-validation would stop.
func ExampleCoefficientPaths() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	d = must.M1(d.Standardize(nil))
	folds := must.M1(mlreg.KFold(d.NObs(), 10, rand.NewPCG(1, 2)))
	lasso := must.M1(mlreg.FitLassoCV(d, folds, nil, nil))
	plotting.Show(plotting.CoefficientPaths(lasso.Path, &plotting.CoefficientPathsSettings{Title: "Lasso", Axis: plotting.ByL1Norm, Choice: lasso}))
	// Output:
	// Figure: Lasso: coefficient against L₁ norm, Σ|bⱼ| (horizontal 0 to 1.84, vertical -0.19 to 0.827)
}
