package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func ExampleCoefPlot() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	ols := must.M1(mlreg.FitOLS(must.M1(d.Standardize(nil)), nil))
	plotting.Show(plotting.CoefPlot(ols, 0.95, &plotting.CoefPlotSettings{Title: "Scaled predictors", Sorted: true}))
	// Output:
	// Figure: Scaled predictors: coefficients with 95% limits of 8 terms
}

// Classical and robust limits side by side.
func ExampleCompareCoefs() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	plotting.Show(plotting.CompareCoefs([]plotting.NamedFit{
		{Name: "equal variances", Fit: ols},
		{Name: "HC3", Fit: must.M1(ols.Robust(d, mlreg.HC3))},
	}, 0.95, nil))
	// Output:
	// Figure: coefficients with 95% limits of 3 terms
}

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
