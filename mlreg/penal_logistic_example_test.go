package mlreg_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: glmnet(x, y, family = "binomial", lambda = lambda/97); scikit-learn:
// LogisticRegression(penalty="l1", C=1/lambda).
func ExampleFitLogisticPath() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "svi ~ . - train")).Standardize(nil))
	path := must.M1(mlreg.FitLogisticPath(d, 1, &mlreg.PathSettings{Lambda: []float64{20, 10, 5}}))
	fmt.Printf("all zero from lambda = %.2f on\n", path.LambdaMax())
	for k, lambda := range path.Lambda() {
		fmt.Printf("lambda = %2.0f: %v, deviance %.2f, ratio %.3f\n",
			lambda, path.Fit(k).Active(), path.Deviance()[k], path.DevianceRatio()[k])
	}
	// Output:
	// all zero from lambda = 26.89 on
	// lambda = 20: [lcp], deviance 82.64, ratio 0.185
	// lambda = 10: [lcp lpsa], deviance 59.16, ratio 0.416
	// lambda =  5: [lcp lpsa], deviance 48.27, ratio 0.524
}

// scikit-learn: LogisticRegression(penalty="l1", C=1/5), on the same columns,
// with a solver that leaves the intercept alone.
func ExampleFitLogisticElasticNet() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "svi ~ lcavol + lcp + age + lpsa")).Standardize(nil))
	logit := must.M1(mlreg.FitLogisticElasticNet(d, 5, 0, &mlreg.LassoSettings{Gap: 1e-12}))
	fmt.Printf("%q %.4f\n", logit.Names(), logit.Coef())
	// Output: ["(Intercept)" "lcavol" "lcp" "age" "lpsa"] [-1.9311 0.0000 1.0920 0.0000 0.8733]
}

// The lambda of the path whose predictions of held-out rows are best, in bits a
// row. scikit-learn: LogisticRegressionCV(penalty="l1"); R: cv.glmnet.
func ExampleFitLogisticPath_crossValidated() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "svi ~ . - train")).Standardize(nil))
	lambdas := []float64{20, 10, 5, 2, 1, 0.5}
	folds := must.M1(mlreg.StratifiedKFold(d.Y, 5, rand.NewPCG(1, 2)))
	cv := must.M1(mlreg.CrossValidate(d, folds, func(train *mlreg.Design) ([]*mlreg.SparseLogistic, error) {
		path, err := mlreg.FitLogisticPath(train, 1, &mlreg.PathSettings{Lambda: lambdas})
		if err != nil {
			return nil, err
		}
		var fits []*mlreg.SparseLogistic
		for k := range lambdas {
			fits = append(fits, path.Fit(k))
		}
		return fits, nil
	}, &mlreg.CVSettings{Loss: func(y, p float64) float64 { return -math.Log2(y*p + (1-y)*(1-p)) }}))
	fmt.Printf("%.3f\n", cv.Mean())
	fmt.Println("least at lambda =", lambdas[cv.Min()], "and within one standard error:", lambdas[cv.OneSE()])
	// Output:
	// [0.717 0.505 0.405 0.368 0.390 0.426]
	// least at lambda = 2 and within one standard error: 5
}
