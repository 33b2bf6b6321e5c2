package plotting_test

import (
	"log"
	"math"
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

// What penalties do, in the plane of two weights and for one of them.
func ExamplePenaltyGeometry() {
	d, err := frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lcp")
	if err != nil {
		log.Fatal(err)
	}
	if d, err = d.Standardize(nil); err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.PenaltyGeometry(d, 60, 60))
	plotting.Show(plotting.NormBalls(1, 2, math.Inf(1)))
	plotting.Show(plotting.Thresholding(2, 3))
	plotting.Show(plotting.Subgradients(math.Abs, 0, []float64{-1, 0, 1}, -2, 2))
	// Output:
	// Figure: contours of the RSS of lpsa on lcavol and lcp around least squares, touching the lasso's diamond at (0.534, 0) and ridge regression's disk at (0.434, 0.208)
	// Figure: unit balls of p-norms in the plane, p = [1 2 +Inf]
	// Figure: soft and hard threshold at c = -3 and 3 beside the line of least squares, w = c/2
	// Figure: Subgradients at x₀ = 0: f(x) against x (horizontal -2.16 to 2.16, vertical -0.7 to 2.1)
}

// Ridge regression taken apart: its weights of the principal components, its
// degrees of freedom beside those of the lasso, and the coefficients of both.
func ExampleShrinkageWeights() {
	d, err := frames.Design(datasets.Prostate(), "lpsa ~ . - train")
	if err != nil {
		log.Fatal(err)
	}
	if d, err = d.Standardize(nil); err != nil {
		log.Fatal(err)
	}
	ridge, err := mlreg.FitRidgePath(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	lasso, err := mlreg.FitLassoPath(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.ShrinkageWeights(ridge, 4, 10, 100))
	plotting.Show(plotting.DoFPlot(plotting.NamedPath{Name: "ridge", Path: ridge}, plotting.NamedPath{Name: "lasso", Path: lasso}))
	plotting.Show(plotting.CoefBars(
		plotting.NamedSlopes{Name: "Ridge", Fit: ridge.Fit(50)},
		plotting.NamedSlopes{Name: "Lasso", Fit: lasso.Fit(20)}))
	// Output:
	// Figure: Weights of the principal components: weight against component (horizontal 0.72 to 8.28, vertical -0.04 to 1.04)
	// Figure: Degrees of freedom: degrees of freedom against λ (falling)
	// Figure: coefficients as bars: Ridge with 0 of 8 slopes zero, Lasso with 4 of 8 slopes zero
}
