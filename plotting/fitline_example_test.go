package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// A regression line with the limits of the mean, and of a new observation.
func ExampleFitLine() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	plotting.Show(plotting.FitLine(d, ols, 0.95, mlreg.Confidence, mlreg.Prediction))
	// Output:
	// Figure: lpsa = 1.51 + 0.719 lcavol: lpsa against lcavol (horizontal -1.55 to 4.03, vertical -1.35 to 6.14)
}

// The lines whose slopes are the 95% limits, with sigma known.
func ExampleSlopeLimits() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	known := must.M1(mlreg.FitOLS(d, &mlreg.OLSSettings{Sigma2: 0.6}))
	plotting.Show(plotting.SlopeLimits(d, known, 0.95))
	// Output:
	// Figure: slope 0.719, limits 0.588 and 0.851: lpsa against lcavol (horizontal -1.55 to 4.03, vertical -0.671 to 5.82)
}
