package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// By how much a unit multiplies the odds of an invasion.
func ExampleOddsTable() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lcavol + lcp"))
	fit := must.M1(mlreg.FitLogistic(d, nil))
	plotting.Show(plotting.OddsTable(must.M1(fit.OddsRatios(0.95)), 0.95))
	// Output:
	// Odds ratios
	// term         odds ratio  lower 95%  upper 95%       p
	// (Intercept)      0.0192     0.0018     0.2058  0.0011
	// lcavol           3.1554     1.0148     9.8111  0.0471
	// lcp              2.7762     1.4291     5.3930  0.0026
}
