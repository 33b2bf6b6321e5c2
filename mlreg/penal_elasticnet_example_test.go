package mlreg_test

import (
	"errors"
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// The lasso leaves terms out and shrinks the others.
// scikit-learn: Lasso(alpha=20/97/2), on the same columns.
func ExampleFitLasso() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	lasso := must.M1(mlreg.FitLasso(d, 20, &mlreg.LassoSettings{Gap: 1e-12}))
	fmt.Printf("%v of %d terms\n%.5f\n", lasso.Active(), d.NTerms(), lasso.Slopes())
	fmt.Printf("R2 %.4f with %v degrees of freedom; the gap is below 1e-12: %v\n", lasso.R2(), lasso.DoF(), lasso.Gap() <= 1e-12)
	// Output:
	// [lcavol lweight lbph svi pgg45] of 8 terms
	// [0.56678 0.19363 0.00000 0.01813 0.20375 0.00000 0.00000 0.02064]
	// R2 0.6249 with 6 degrees of freedom; the gap is below 1e-12: true
}

// A term that is not penalized, and one that may not be negative.
// scikit-learn has positive=True for all terms at once.
func ExampleFitElasticNet() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + age")).Standardize(nil))
	net := must.M1(mlreg.FitElasticNet(d, 4, 2, nil))
	held := must.M1(mlreg.FitElasticNet(d, 4, 2, &mlreg.LassoSettings{AlwaysIn: []string{"lweight"}, NonNegative: []string{"age"}}))
	fmt.Printf("%.4f\n%.4f\n", net.Slopes(), held.Slopes())
	// Output:
	// [0.7396 0.2803 -0.0476]
	// [0.7253 0.2941 0.0000]
}

// Too few sweeps: the error says how far off the fit is, which comes with it.
func ExampleConvergenceError() {
	d := must.M1(frames.Design(datasets.Longley(), "Employed ~ ."))
	lasso, err := mlreg.FitLasso(d, 0.01, &mlreg.LassoSettings{Gap: 1e-14, Sweeps: 1})
	var convergence *mlreg.ConvergenceError
	fmt.Println(errors.As(err, &convergence), convergence.Iterations, convergence.Measure)
	fmt.Println("a fit beside it:", lasso != nil)
	// Output:
	// true 1 relative duality gap
	// a fit beside it: true
}

// What is minimized, how far it can be from the minimum at most, and by how
// much the conditions of an optimum are violated.
func ExampleElasticNet_Gap() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	net := must.M1(mlreg.FitElasticNet(d, 20, 5, nil))
	penalty := net.L1()*floats.Norm(net.Slopes(), 1) + net.L2()*floats.Dot(net.Slopes(), net.Slopes())
	fmt.Printf("RSS %.3f + penalty %.3f = %.3f, of at most %.3f\n", net.RSS(), penalty, net.Objective(), net.NullRSS())
	fmt.Println(net.Gap() <= 1e-6, net.KKT() <= 1e-3)
	// Output:
	// RSS 48.497 + penalty 21.461 = 69.958, of at most 127.918
	// true true
}
