package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func ExamplePredictivePlot() {
	truth := datasets.PostPred()
	df := must.M1(truth.Draw(rand.NewPCG(7, 12)))
	d := must.M1(frames.Design(df, "y ~ x + I(x^2)"))
	fit := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1000}, mlreg.KnownVariance(truth.Sigma2), nil))
	plotting.Show(plotting.PredictivePlot(fit, d, df, &plotting.PredictiveSettings{Level: 0.9, Truth: truth.F}))
	// Output:
	// Figure: Posterior predictive, 90%: y against x (horizontal -4.5 to 4.5, vertical -10.4 to 66)
}

// Murphy's figure 7.12: plug-in and posterior predictive, with functions of each.
func ExamplePredictivePanels() {
	df := must.M1(datasets.PostPred().Draw(rand.NewPCG(7, 12)))
	d := must.M1(frames.Design(df, "y ~ x + I(x^2)"))
	fit := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1000}, mlreg.KnownVariance(25), nil))
	plotting.Show(plotting.PredictivePanels(fit, d, df, &plotting.PredictiveSettings{From: -8, To: 8}))
	// Output:
	// Figure: plug-in and posterior predictive distribution of y against x, bands of 68.27%, and 10 functions from each
}
