package datasets_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Two classes that a line through the origin all but separates.
func ExampleGirolami() {
	df := must.M1(datasets.Girolami().Draw(30, rand.NewPCG(4, 8)))
	d := must.M1(frames.Design(df, "y ~ 0 + x1 + x2"))
	post := must.M1(mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 100}, nil))
	fmt.Printf("%d points, mode of the posterior %.2f\n", df.Nrow(), post.Coef())
	// Output:
	// 60 points, mode of the posterior [4.87 2.07]
}

// Two clouds of the same width: the log odds are linear.
func ExampleGaussianClasses_LogOdds() {
	c := datasets.GaussianClasses{Mean: [2][2]float64{{0, 0}, {1, 2}}, SD: [2]float64{1, 1}}
	fmt.Printf("%.3f %.3f %.3f\n", c.LogOdds(0, 0), c.LogOdds(1, 0), c.LogOdds(2, 0))
	// Output:
	// -2.500 -1.500 -0.500
}

// Log odds that are linear are recovered by a logistic regression.
func ExampleLogisticSurface() {
	s := datasets.LogisticSurface{LogOdds: func(x1, x2 float64) float64 { return 3*x1 + x2 }, Reach: 1}
	df := must.M1(s.Draw(2000, rand.NewPCG(1, 1)))
	fit := must.M1(mlreg.FitLogistic(must.M1(frames.Design(df, "y ~ x1 + x2")), nil))
	fmt.Printf("%.2f, standard errors %.2f\n", fit.Coef(), fit.StdErr())
	// Output:
	// [0.07 3.20 1.00], standard errors [0.06 0.14 0.11]
}
