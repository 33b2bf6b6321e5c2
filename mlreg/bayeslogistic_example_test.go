package mlreg_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// The classes are separated, so that there is no maximum of the likelihood, but
// there is a posterior; its predictions are less bold than those at the mode.
func ExampleFitBayesLogistic() {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3})
	d, err := mlreg.NewDesign(x, []float64{0, 0, 0, 1, 1, 1}, "x")
	if err != nil {
		log.Fatal(err)
	}
	d.NoIntercept = true
	post, err := mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 4}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mode %.3f, standard deviation %.3f\n", post.Coef()[0], post.Posterior().StdDev()[0])
	row := d.Rows(4)
	plug, err := post.PlugIn(row)
	if err != nil {
		log.Fatal(err)
	}
	average, err := post.Predict(row)
	if err != nil {
		log.Fatal(err)
	}
	drawn, stderr, err := post.MonteCarloPredictive(row, 10000, rand.NewPCG(1, 2))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("at x = 2: plug-in %.3f, average %.3f, Monte Carlo %.3f +- %.3f\n", plug[0], average[0], drawn[0], stderr[0])
	fmt.Printf("log evidence %.3f\n", post.LogEvidence())
	// Output:
	// mode 1.759, standard deviation 1.107
	// at x = 2: plug-in 0.971, average 0.893, Monte Carlo 0.894 +- 0.002
	// log evidence -1.364
}
