package lecture_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

// Murphy's figure 8.5: data, prior, likelihood and posterior of two weights.
func ExampleLogisticPosterior() {
	df := must.M1(datasets.Girolami().Draw(30, rand.NewPCG(4, 8)))
	d := must.M1(frames.Design(df, "y ~ 0 + x1 + x2"))
	plotting.Show(lecture.LogisticPosterior(d, mlreg.GaussianPrior{Tau2: 100},
		&lecture.LogisticPosteriorSettings{Weights: [][]float64{{3, 1}, {5, 3}}}))
	// Output:
	// Figure: data of two classes with lines; log prior, log-likelihood and log posterior of the two weights, with Laplace's approximation at the mode (4.87, 2.07)
}
