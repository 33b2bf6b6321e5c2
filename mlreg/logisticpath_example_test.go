package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: glmnet(x, y, family = "binomial"), lambda/97; scikit-learn: l1_logreg with
// C = 1/lambda.
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
