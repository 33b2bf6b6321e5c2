package mlreg_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Ridge regression shrinks all terms and leaves none out.
// scikit-learn: Ridge(alpha=10), on the same columns; R: MASS::lm.ridge.
func ExampleFitRidge() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	ridge := must.M1(mlreg.FitRidge(d, 10, nil))
	fmt.Printf("%.5f\n", ridge.Slopes())
	fmt.Printf("%.4f degrees of freedom, leave-one-out error %.4f\n", ridge.DoF(), must.M1(mlreg.LOOMSE(ridge, d)))
	// Output:
	// [0.55154 0.25379 -0.11354 0.11912 0.27332 -0.03073 0.04804 0.08953]
	// 7.6831 degrees of freedom, leave-one-out error 0.5375
}

// A factor for each term: lcavol is penalized a hundredth as much as the others.
func ExampleRidgeSettings() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi")).Standardize(nil))
	for _, settings := range []*mlreg.RidgeSettings{nil, {PenaltyFactor: []float64{0.01, 1, 1}}} {
		fmt.Printf("%.3f\n", must.M1(mlreg.FitRidge(d, 50, settings)).Slopes())
	}
	// Output:
	// [0.424 0.224 0.255]
	// [0.702 0.182 0.161]
}

// What the posterior says of a ridge estimate.
func ExampleRidge_PosteriorCov() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi")).Standardize(nil))
	ridge := must.M1(mlreg.FitRidge(d, 10, nil))
	cov := must.M1(ridge.PosteriorCov(d, 0.6))
	for j, slope := range ridge.Slopes() {
		fmt.Printf("%.3f +- %.3f\n", slope, math.Sqrt(cov.At(j, j)))
	}
	// Output:
	// 0.626 +- 0.086
	// 0.284 +- 0.086
}
