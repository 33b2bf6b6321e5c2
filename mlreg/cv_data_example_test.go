package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// prostateFolds are five folds of the prostate data, of which only the sums are kept.
func prostateFolds() *mlreg.Folds {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	of := must.M1(mlreg.KFold(d.NObs(), 5, rand.NewPCG(1, 2)))
	var sums []*mlreg.Moments
	for k := range of.Len() {
		sums = append(sums, must.M1(d.Rows(of.Test(k)...).Moments()))
	}
	return must.M1(mlreg.MomentFolds(sums...))
}

// Least squares and principal components, judged on the sums of folds.
func ExampleCrossValidateMoments() {
	cv := must.M1(mlreg.CrossValidateMoments(prostateFolds(), func(train *mlreg.Moments) ([]mlreg.CoefFit, error) {
		two, err := mlreg.FitPCR(train, 2, nil)
		if err != nil {
			return nil, err
		}
		ols, err := mlreg.FitOLS(train, nil)
		return []mlreg.CoefFit{two, ols}, err
	}, &mlreg.CVSettings{Standardize: &mlreg.StandardizeSettings{}}))
	fmt.Printf("two components %.3f, least squares %.3f\n", cv.Mean()[0], cv.Mean()[1])
	// Output: two components 0.535, least squares 0.519
}

// Fits to one, two, three and four folds.
func ExampleFitLearningCurve() {
	fmt.Println(must.M1(mlreg.FitLearningCurve(nil, prostateFolds(), func(train mlreg.Data) (*mlreg.OLS, error) {
		return mlreg.FitOLS(train, nil)
	})))
	// Output:
	// Learning curve
	// rows  training error  test error  std. error
	// 19.4          0.4138      0.5789      0.0307
	// 38.8          0.4529      0.5391      0.0421
	// 58.2          0.4679      0.5312      0.0452
	// 77.6          0.4759      0.5197      0.0420
	// mean squared errors, averaged over 5 folds
}
