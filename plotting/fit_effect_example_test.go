package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The fit as a function of one column, with its bands, over partial residuals; R:
// visreg::visreg(m, "lcavol").
func ExampleEffect() {
	df := datasets.Prostate()
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "lpsa ~ poly(lcavol, 2) + age + factor(svi)")), nil))
	e := must.M1(frames.Effects(ols, df, "lcavol", 0.95, &frames.EffectSettings{Residuals: true}))
	plotting.Show(plotting.Effect(e))
	// Output:
	// Figure: Effect of lcavol on lpsa: lpsa against lcavol (at age = 63.87, svi = 0) (horizontal -1.55 to 4.03, vertical -1.24 to 5.67)
}
