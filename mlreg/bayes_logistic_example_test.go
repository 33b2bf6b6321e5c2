package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
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

// The log posterior density, up to its constant, and its largest value, to
// which the gradient and the decrement of Newton's method testify.
func ExampleBayesLogistic_LogLikAt() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa"))
	post := must.M1(mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 10}, nil))
	for _, w := range [][]float64{{0, 0}, {-5, 2}, post.Coef()} {
		fmt.Printf("%.4f: %.4f\n", w, must.M1(post.LogLikAt(d, w))+post.LogPriorAt(w))
	}
	fmt.Println(post.GradNorm() < 1e-8, post.Decrement() < 1e-8)
	// Output:
	// [0.0000 0.0000]: -69.3055
	// [-5.0000 2.0000]: -60.1004
	// [-7.7030 2.1866]: -32.7067
	// true true
}

// The log odds of two new men, with their standard deviations.
func ExampleBayesLogistic_LinearPredictor() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa"))
	post := must.M1(mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 10}, nil))
	men := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lpsa", []float64{3, 6})))))
	mean, sd := must.M2(post.LinearPredictor(men))
	fmt.Printf("%.3f +- %.3f\n", mean, sd)
	// Output: [-1.143 5.417] +- [0.328 1.528]
}
