package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

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
