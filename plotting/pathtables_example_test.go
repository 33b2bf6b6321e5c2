package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func ExampleShow_path() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	plotting.Show(mlreg.FitLassoPath(must.M1(d.Standardize(nil)), &mlreg.PathSettings{Lambda: []float64{100, 50, 20, 0}}))
	// Output:
	// Lasso path of lpsa
	//   λ   dof  nonzero   Σ|b|      R²
	// 100  2.00        1  0.328  0.3379
	//  50  4.00        3  0.694  0.5424
	//  20  4.00        3  0.981  0.6210
	//   0  4.00        3  1.173  0.6359
	// n = 97, 4 lambdas, 3 terms
	// all penalised slopes are zero from λ = 163.625 on
	// at every λ: duality gap at most 1e-12 of the null RSS, KKT violated by at most 1e-12
	// coefficients are in units of the scaled predictors
}
