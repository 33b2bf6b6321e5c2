package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: glmnet(x, y)$beta; scikit-learn: lasso_path. The grid begins where the
// first term comes in.
func ExampleFitLassoPath() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	path := must.M1(mlreg.FitLassoPath(d, &mlreg.PathSettings{Count: 5, Ratio: 0.05}))
	for k, lambda := range path.Lambda() {
		fmt.Printf("lambda %6.2f  R2 %.3f  norm %.3f  %v\n", lambda, path.R2()[k], path.L1Norm()[k], path.Fit(k).Active())
	}
	// Output:
	// lambda 163.62  R2 0.000  norm 0.000  []
	// lambda  77.37  R2 0.424  norm 0.452  [lcavol svi]
	// lambda  36.59  R2 0.586  norm 0.823  [lcavol lweight svi]
	// lambda  17.30  R2 0.630  norm 1.040  [lcavol lweight lbph svi pgg45]
	// lambda   8.18  R2 0.649  norm 1.245  [lcavol lweight age lbph svi pgg45]
}

// Half of the penalty on the squares. R: glmnet(x, y, alpha = ...), see
// FromGlmnet.
func ExampleFitElasticNetPath() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi")).Standardize(nil))
	path := must.M1(mlreg.FitElasticNetPath(d, 0.5, &mlreg.PathSettings{Lambda: []float64{100, 10, 1}}))
	fmt.Printf("share of L1 %v\n%.3f\n", path.Share(), mat.Formatted(path.Slopes()))
	// Output:
	// share of L1 0.5
	// ⎡0.323  0.085  0.136⎤
	// ⎢0.575  0.257  0.261⎥
	// ⎣0.612  0.279  0.273⎦
}

// Every lambda predicts.
func ExamplePath_Predict() {
	df := datasets.Prostate()
	d := must.M1(frames.Design(df, "lpsa ~ . - train"))
	train, test := must.M2(d.Split(must.M1(frames.Mask(df, "train", "T"))))
	path := must.M1(mlreg.FitLassoPath(must.M1(train.Standardize(nil)), &mlreg.PathSettings{Lambda: []float64{100, 30, 10, 1}}))
	yhat := must.M1(path.Predict(test))
	for k, lambda := range path.Lambda() {
		e := mat.Col(nil, k, yhat)
		floats.Sub(e, test.Y)
		fmt.Printf("lambda %3.0f: test error %.3f\n", lambda, floats.Dot(e, e)/float64(len(e)))
	}
	// Output:
	// lambda 100: test error 0.901
	// lambda  30: test error 0.487
	// lambda  10: test error 0.456
	// lambda   1: test error 0.503
}
