package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// What is left of each principal direction, and how many degrees of freedom.
func ExampleFitRidgePath() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi")).Standardize(nil))
	path := must.M1(mlreg.FitRidgePath(d, &mlreg.RidgePathSettings{Lambda: []float64{1000, 100, 10}}))
	for k, lambda := range path.Lambda() {
		fmt.Printf("lambda %4.0f: slopes %.3f, shrinkage %.3f, %.3f degrees of freedom\n",
			lambda, path.Fit(k).Slopes(), path.Shrinkage(lambda), path.DoF()[k])
	}
	// Output:
	// lambda 1000: slopes [0.071 0.042 0.054], shrinkage [0.140 0.078 0.041], 1.260 degrees of freedom
	// lambda  100: slopes [0.332 0.182 0.218], shrinkage [0.620 0.459 0.301], 2.380 degrees of freedom
	// lambda   10: slopes [0.560 0.269 0.278], shrinkage [0.942 0.895 0.812], 3.649 degrees of freedom
}

// Leave-one-out at every lambda, without a refit.
// scikit-learn: RidgeCV(alphas=...), the mean of cv_results_ over the rows.
func ExampleRidgePath_LOO() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	path := must.M1(mlreg.FitRidgePath(d, &mlreg.RidgePathSettings{Lambda: []float64{100, 10, 1, 0.1}}))
	for k, loo := range must.M1(path.LOO(d)) {
		fmt.Printf("lambda %5.1f: %.5f\n", path.Lambda()[k], loo)
	}
	// Output:
	// lambda 100.0: 0.63625
	// lambda  10.0: 0.53748
	// lambda   1.0: 0.53953
	// lambda   0.1: 0.54112
}

// Ridge regression as least squares under a constraint: the lambda whose slopes
// have a sum of squares of 0.5.
func ExampleRidgePath_Penalty() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	path := must.M1(mlreg.FitRidgePath(d, nil))
	lambda := must.M1(path.Penalty(0.5))
	fmt.Printf("lambda %.4f, sum of squares %.4f\n", lambda, must.M1(path.Constraint(lambda)))
	// Output: lambda 8.6814, sum of squares 0.5000
}
