package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// In a notebook this is a figure of four panels.
func ExampleDiagnostics() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	plotting.Show(plotting.Diagnostics(must.M1(mlreg.FitOLS(d, nil)), d, nil))
	// Output:
	// Figure: Residuals against fitted: residual against fitted value (horizontal 0.585 to 4.64, vertical -1.91 to 1.71); Normal QQ: standardized residual against normal quantile (horizontal -2.77 to 2.77, vertical -3.75 to 3.75); Scale-location: √|standardized residual| against fitted value (horizontal 0.585 to 4.64, vertical 0 to 1.67); Residuals against leverage: standardized residual against leverage (Cook's distance below 0.5) (horizontal 0 to 0.115, vertical -2.97 to 2.67)
}

func ExampleResidualsFitted() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	plotting.Show(plotting.ResidualsFitted(must.M1(mlreg.FitOLS(d, nil)), d, &plotting.DiagnosticsSettings{Extremes: 5}))
	// Output:
	// Figure: Residuals against fitted: residual against fitted value (horizontal 0.585 to 4.64, vertical -1.91 to 1.71)
}

// With a band of 99%.
func ExampleQQ() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	plotting.Show(plotting.QQ(must.M1(mlreg.FitOLS(d, nil)), d, &plotting.DiagnosticsSettings{Level: 0.99}))
	// Output:
	// Figure: Normal QQ: standardized residual against normal quantile (horizontal -2.77 to 2.77, vertical -4.19 to 4.19)
}

func ExampleScaleLocation() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	plotting.Show(plotting.ScaleLocation(must.M1(mlreg.FitOLS(d, nil)), d, nil))
	// Output:
	// Figure: Scale-location: √|standardized residual| against fitted value (horizontal 0.585 to 4.64, vertical 0 to 1.67)
}

// Rows are called by their years.
func ExampleResidualsLeverage() {
	df := datasets.Longley()
	d := must.M1(frames.Design(df, "Employed ~ GNP + Unemployed"))
	plotting.Show(plotting.ResidualsLeverage(must.M1(mlreg.FitOLS(d, nil)), d, &plotting.DiagnosticsSettings{RowNames: df.Col("Year").Records()}))
	// Output:
	// Figure: Residuals against leverage: standardized residual against leverage (horizontal 0 to 0.399, vertical -2.08 to 2.64)
}

func ExampleCooksDistance() {
	d := must.M1(frames.Design(datasets.Longley(), "Employed ~ GNP + Unemployed"))
	plotting.Show(plotting.CooksDistance(must.M1(mlreg.FitOLS(d, nil)), d, nil))
	// Output:
	// Figure: Cook's distance: Cook's distance against row (horizontal 0.4 to 16.6, vertical 0 to 0.269)
}
