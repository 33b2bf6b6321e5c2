package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// Murphy's figure 8.6: the plug-in and the average over the posterior.
func ExampleLogisticPredictive() {
	df := must.M1(datasets.Girolami().Draw(30, rand.NewPCG(4, 8)))
	d := must.M1(frames.Design(df, "y ~ 0 + x1 + x2"))
	post := must.M1(mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 100}, nil))
	plotting.Show(plotting.LogisticPredictive(df, d, post, nil))
	// Output:
	// Figure: probability of y = 1 over x1 and x2: at the mode, boundaries of 100 draws of the posterior, and averaged over them
}
