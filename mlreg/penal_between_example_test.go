package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// The fit between two lambdas of the path. R: coef(fit, s = lambda).
func ExamplePath_At() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi")).Standardize(nil))
	path := must.M1(mlreg.FitLARS(d, nil)) // exact everywhere
	fmt.Printf("%.5f\n", must.M1(path.At(20)).Slopes())
	fmt.Printf("%.5f\n", must.M1(mlreg.FitLasso(d, 20, &mlreg.LassoSettings{Gap: 1e-13})).Slopes())
	// Output:
	// [0.57183 0.20184 0.20764]
	// [0.57183 0.20184 0.20764]
}

// The lasso as least squares under a constraint: the lambda whose slopes have
// an L1 norm of 0.7.
func ExamplePath_Penalty() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi")).Standardize(nil))
	path := must.M1(mlreg.FitLARS(d, nil))
	lambda := must.M1(path.Penalty(0.7))
	fmt.Printf("lambda %.3f: %.4f, norm %.4f\n", lambda, must.M1(path.At(lambda)).Slopes(), must.M1(path.Constraint(lambda)))
	// Output: lambda 49.384: [0.5061 0.0840 0.1099], norm 0.7000
}
