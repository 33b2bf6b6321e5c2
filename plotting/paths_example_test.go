package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The lasso's coefficients, and where cross-validation would stop.
func ExampleCoefficientPaths() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	d = must.M1(d.Standardize(nil))
	folds := must.M1(mlreg.KFold(d.NObs(), 10, rand.NewPCG(1, 2)))
	lasso := must.M1(mlreg.FitLassoCV(d, folds, nil, nil))
	plotting.Show(plotting.CoefficientPaths(lasso.Path, &plotting.CoefficientPathsSettings{Title: "Lasso", Axis: plotting.ByL1Norm, Choice: lasso}))
	// Output:
	// Figure: Lasso: coefficient against L₁ norm, Σ|bⱼ| (horizontal 0 to 1.84, vertical -0.19 to 0.827)
}

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
	// all penalized slopes are zero from λ = 163.625 on
	// at every λ: duality gap at most 1e-12 of the null RSS, KKT violated by at most 1e-12
	// coefficients are in units of the scaled predictors
}

// Ridge regression taken apart along the principal components.
func ExampleShrinkageWeights() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	ridge := must.M1(mlreg.FitRidgePath(must.M1(d.Standardize(nil)), nil))
	plotting.Show(plotting.ShrinkageWeights(ridge, 4, 10, 100))
	// Output:
	// Figure: Factors of the principal components: factor against component (horizontal 0.72 to 8.28, vertical -0.04 to 1.04)
}

// Ten folds, and the penalties that they choose.
func ExampleCVCurve() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	d = must.M1(d.Standardize(nil))
	folds := must.M1(mlreg.KFold(d.NObs(), 10, rand.NewPCG(1, 2)))
	lasso := must.M1(mlreg.FitLassoCV(d, folds, nil, nil))
	plotting.Show(lasso)
	plotting.Show(plotting.CVCurve(lasso, &plotting.CVCurveSettings{Title: "Lasso"}))
	// Output:
	// Cross-validation
	//                         λ    loss  std. error   dof  nonzero
	// least loss           0.51  0.5447      0.0717  9.00        8
	// one standard error  40.53  0.6118      0.0959  4.00        3
	// 10-fold cross-validation, 100 candidates
	// Figure: Lasso: mean squared error against λ (falling)
}

// Any candidates: polynomials of degree 1 to 6, and their root mean squared error.
func ExampleCVCurve_degrees() {
	df := must.M1(datasets.PolyVsDegree().Draw(rand.NewPCG(1, 0)))
	d := must.M1(frames.Design(df, "y ~ poly(x, 6)"))
	folds := must.M1(mlreg.KFold(d.NObs(), 7, rand.NewPCG(1, 2)))
	cv := must.M1(mlreg.CrossValidate(d, folds, func(train *mlreg.Design) (fits []*mlreg.OLS, err error) {
		for degree := 1; degree <= 6; degree++ {
			some, err := train.Select(train.Names[:degree]...)
			if err != nil {
				return nil, err
			}
			fit, err := mlreg.FitOLS(some, nil)
			if err != nil {
				return nil, err
			}
			fits = append(fits, fit)
		}
		return fits, nil
	}, nil))
	plotting.Show(plotting.CVCurve(cv, &plotting.CVCurveSettings{X: plotting.Range(1, 6, 6), XName: "degree", Root: true}))
	// Output:
	// Figure: root mean squared error against degree (horizontal 0.8 to 6.2, vertical 1.72 to 5.98)
}
