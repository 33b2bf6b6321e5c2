package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Far from the data the average over the posterior is less bold than the
// sigmoid at its mode.
func ExampleBayesLogistic_Predict() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa"))
	post := must.M1(mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 10}, nil))
	men := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lpsa", []float64{3, 5, 7})))))
	fmt.Printf("average %.4f\nat mode %.4f\n", must.M1(post.Predict(men)), must.M1(post.PlugIn(men)))
	// Output:
	// average [0.2467 0.9423 0.9964]
	// at mode [0.2418 0.9620 0.9995]
}

// By quadrature, by draws, and by MacKay's formula.
func ExampleBayesLogistic_MonteCarloPredictive() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa"))
	post := must.M1(mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 10}, nil))
	man := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lpsa", []float64{5})))))
	drawn, stderr := must.M2(post.MonteCarloPredictive(man, 10000, rand.NewPCG(1, 2)))
	fmt.Printf("%.4f, %.4f +- %.4f, %.4f\n", must.M1(post.Predict(man)), drawn, stderr, must.M1(post.ProbitPredictive(man)))
	// Output: [0.9423], [0.9419] +- [0.0006], [0.9381]
}
