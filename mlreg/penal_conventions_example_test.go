package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: coef(glmnet(x, y), s = 0.2), whose x is standardized inside.
func ExampleFromGlmnet() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi")).Standardize(nil))
	l1, l2 := must.M2(mlreg.FromGlmnet(d, 0.2, 1))
	net := must.M1(must.M1(mlreg.FitElasticNet(d, l1, l2, &mlreg.LassoSettings{Gap: 1e-12})).Raw())
	fmt.Printf("l1 = %.1f, l2 = %.0f: %.5f\n", l1, l2, net.Coef())
	// Output: l1 = 38.8, l2 = 0: [0.71547 0.45181 0.29669 0.35235]
}

// The lambda to give to glmnet for a lasso of lambda = 38.8.
func ExampleToGlmnet() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi")).Standardize(nil))
	lambda, alpha := must.M2(mlreg.ToGlmnet(d, 38.8, 0))
	fmt.Printf("lambda = %.4f, alpha = %v\n", lambda, alpha)
	// Output: lambda = 0.2000, alpha = 1
}

// scikit-learn: ElasticNet(alpha=0.2, l1_ratio=0.5).fit(X, y).coef_.
func ExampleFromScikit() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	l1, l2 := must.M2(mlreg.FromScikit(d, 0.2, 0.5))
	net := must.M1(mlreg.FitElasticNet(d, l1, l2, &mlreg.LassoSettings{Gap: 1e-12}))
	fmt.Printf("l1 = %.1f, l2 = %.1f: %.5f\n", l1, l2, net.Slopes())
	// Output: l1 = 19.4, l2 = 9.7: [0.58458 0.10235 0.04781]
}

// The alpha and l1_ratio to give to scikit-learn's ElasticNet.
func ExampleToScikit() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	alpha, ratio := must.M2(mlreg.ToScikit(d, 19.4, 9.7))
	fmt.Printf("alpha = %.2f, l1_ratio = %.2f\n", alpha, ratio)
	// Output: alpha = 0.20, l1_ratio = 0.50
}

// R: glmnet(x, y, lambda = c(0.4, 0.2, 0.1), alpha = 0.5), and its coefficients at
// the last.
func ExampleFromGlmnetPath() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi")).Standardize(nil))
	grid, share := must.M2(mlreg.FromGlmnetPath(d, "gaussian", []float64{0.4, 0.2, 0.1}, 0.5))
	path := must.M1(mlreg.FitElasticNetPath(d, share, &mlreg.PathSettings{Lambda: grid, Gap: 1e-12}))
	fmt.Printf("%.4f\n", must.M1(path.Fit(2).Raw()).Coef())
	// Output: [-0.3441 0.4854 0.5616 0.5965]
}
