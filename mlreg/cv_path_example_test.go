package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: cv.glmnet(x, y), its lambda.min and lambda.1se; scikit-learn: LassoCV.
func ExampleFitLassoCV() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	folds := must.M1(mlreg.KFold(d.NObs(), 10, rand.NewPCG(3, 4)))
	cv := must.M1(mlreg.FitLassoCV(d, folds, nil, nil))
	fmt.Printf("least error %.3f at lambda = %.1f with %v\n", cv.Mean()[cv.Min()], cv.LambdaMin(), cv.FitMin().Active())
	fmt.Printf("one standard error: lambda = %.1f with %v\n", cv.LambdaOneSE(), cv.FitOneSE().Active())
	// Output:
	// least error 0.556 at lambda = 0.4 with [lcavol lweight age lbph svi lcp gleason pgg45]
	// one standard error: lambda = 36.9 with [lcavol lweight svi]
}

// R: cv.glmnet(x, y, alpha = 0.5); scikit-learn: ElasticNetCV.
func ExampleFitElasticNetCV() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	folds := must.M1(mlreg.KFold(d.NObs(), 10, rand.NewPCG(3, 4)))
	for _, share := range []float64{1, 0.5, 0.1} {
		cv := must.M1(mlreg.FitElasticNetCV(d, share, folds, nil, nil))
		fmt.Printf("share %.1f: least error %.3f with %d terms\n", share, cv.Mean()[cv.Min()], len(cv.FitMin().Active()))
	}
	// Output:
	// share 1.0: least error 0.556 with 8 terms
	// share 0.5: least error 0.556 with 8 terms
	// share 0.1: least error 0.551 with 8 terms
}

// scikit-learn: RidgeCV(cv=10); R: cv.glmnet(x, y, alpha = 0).
func ExampleFitRidgeCV() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	folds := must.M1(mlreg.KFold(d.NObs(), 10, rand.NewPCG(3, 4)))
	cv := must.M1(mlreg.FitRidgeCV(d, folds, nil, nil))
	fmt.Printf("least error %.3f at lambda = %.1f, %.1f degrees of freedom\n", cv.Mean()[cv.Min()], cv.LambdaMin(), cv.FitMin().DoF())
	// Output: least error 0.549 at lambda = 7.7, 7.9 degrees of freedom
}

// The path of all rows stands beside its cross-validation.
func ExamplePathCV() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi + age")).Standardize(nil))
	folds := must.M1(mlreg.KFold(d.NObs(), 5, rand.NewPCG(3, 4)))
	cv := must.M1(mlreg.FitLassoCV(d, folds, &mlreg.PathSettings{Lambda: []float64{50, 20, 5}}, nil))
	for k, lambda := range cv.Path.Lambda() {
		fmt.Printf("lambda %2g: error %.3f, %d terms\n", lambda, cv.Mean()[k], len(cv.Path.Fit(k).Active()))
	}
	fmt.Println("least at", cv.LambdaMin())
	// Output:
	// lambda 50: error 0.683, 2 terms
	// lambda 20: error 0.606, 2 terms
	// lambda  5: error 0.593, 2 terms
	// least at 5
}

// The lasso of a table of which only the sums of its folds are at hand: one query of a
// database with GROUP BY gives them.
func ExampleMomentFolds_lasso() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + age + lbph + svi"))
	of := must.M1(mlreg.KFold(d.NObs(), 5, rand.NewPCG(1, 2)))
	var sums []*mlreg.Moments
	for k := range of.Len() {
		sums = append(sums, must.M1(d.Rows(of.Test(k)...).Moments()))
	}
	scale := &mlreg.CVSettings{Standardize: &mlreg.StandardizeSettings{}}
	cv := must.M1(mlreg.FitLassoCV(nil, must.M1(mlreg.MomentFolds(sums...)), nil, scale))
	rows := must.M1(mlreg.FitLassoCV(d, of, nil, scale))
	fmt.Printf("lambda %.3f, from rows %.3f\n", cv.LambdaMin(), rows.LambdaMin())
	// Output:
	// lambda 1.714, from rows 1.714
}

// All of cv.glmnet's defaults, of a design with a factor: ten folds, standardized columns.
func ExampleDefaultFolds() {
	df := datasets.Prostate()
	d := must.M1(frames.Design(df, "lpsa ~ lcavol + lweight + age + svi + factor(gleason)"))
	cv := must.M1(mlreg.FitLassoCV(d, nil, nil, nil))
	fit := must.M1(cv.FitOneSE().Raw())
	fmt.Printf("%v\n", fit.Active())
	same := must.M1(mlreg.FitLassoCV(d, must.M1(mlreg.DefaultFolds(d)), nil, &mlreg.CVSettings{Standardize: &mlreg.StandardizeSettings{}}))
	fmt.Println("the folds and the scale by name:", same.LambdaOneSE() == cv.LambdaOneSE())
	fmt.Printf("the first row: %.2f\n", must.M1(frames.Predict(cv.FitOneSE(), df.Subset([]int{0}))))
	// Output:
	// [lcavol lweight svi factor(gleason)7]
	// the folds and the scale by name: true
	// the first row: [1.14]
}
