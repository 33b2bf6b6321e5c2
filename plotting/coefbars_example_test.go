package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// Which terms ridge regression and the lasso use.
func ExampleCoefBars() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	d = must.M1(d.Standardize(nil))
	plotting.Show(plotting.CoefBars(
		plotting.NamedSlopes{Name: "Ridge", Fit: must.M1(mlreg.FitRidge(d, 50, nil))},
		plotting.NamedSlopes{Name: "Lasso", Fit: must.M1(mlreg.FitLasso(d, 20, nil))}))
	// Output:
	// Figure: coefficients as bars: Ridge with 0 of 8 slopes zero, Lasso with 3 of 8 slopes zero
}
