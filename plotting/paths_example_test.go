package plotting_test

import (
	"log"
	"math/rand/v2"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The lasso of the prostate data, lambda chosen by cross-validation.
func ExampleCoefficientPaths() {
	d, err := frames.Design(datasets.Prostate(), "lpsa ~ . - train")
	if err != nil {
		log.Fatal(err)
	}
	if d, err = d.Standardize(nil); err != nil {
		log.Fatal(err)
	}
	folds, err := mlreg.KFold(d.NObs(), 10, rand.NewPCG(1, 2))
	if err != nil {
		log.Fatal(err)
	}
	lasso, err := mlreg.FitLassoCV(d, folds, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(lasso)
	plotting.Show(lasso.FitOneSE())
	plotting.Show(plotting.CoefficientPaths(lasso.Path, &plotting.PathSettings{Title: "Lasso", Axis: plotting.ByL1Norm, Choice: lasso}))
	plotting.Show(plotting.CVCurve(lasso, nil))
	// Output:
	// Cross-validation
	//                         λ    loss  std. error   dof  nonzero
	// least loss           0.51  0.5447      0.0717  9.00        8
	// one standard error  40.53  0.6118      0.0959  4.00        3
	// 10-fold cross-validation, 100 candidates
	// Lasso fit of lpsa at λ = 40.5311
	// term         estimate
	// (Intercept)     2.478
	// lcavol          0.526
	// lweight         0.120
	// age             0
	// lbph            0
	// svi             0.139
	// lcp             0
	// gleason         0
	// pgg45           0
	// n = 97, dof = 4.00, RSS = 54.432, R² = 0.5745
	// duality gap at most 1e-12 of the null RSS, KKT violated by at most 1e-12
	// coefficients are in units of the scaled predictors
	// Figure: Lasso: coefficient against L₁ norm, Σ|bⱼ| (horizontal 0 to 1.84, vertical -0.19 to 0.827)
	// Figure: mean squared error against λ (falling)
}
