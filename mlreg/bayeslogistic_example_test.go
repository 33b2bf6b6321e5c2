package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// The classes are separated, so that there is no maximum of the likelihood, but
// there is a posterior.
func ExampleFitBayesLogistic() {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3})
	d := must.M1(mlreg.NewDesign(x, []float64{0, 0, 0, 1, 1, 1}, "x"))
	d.NoIntercept = true
	post := must.M1(mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 4}, nil))
	fmt.Printf("mode %.3f, standard deviation %.3f, log evidence %.3f\n",
		post.Coef()[0], post.Posterior().StdDev()[0], post.LogEvidence())
	// Output: mode 1.759, standard deviation 1.107, log evidence -1.364
}
