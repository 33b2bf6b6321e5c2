package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

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

// A fit to some rows, judged by the sums of others: no row is needed.
func ExampleMoments_MeanSquaredError() {
	train := must.M1(mlreg.NewDesign(mat.NewDense(3, 1, []float64{0, 1, 2}), []float64{1, 3, 5}, "x"))
	others := must.M1(mlreg.NewDesign(mat.NewDense(2, 1, []float64{3, 4}), []float64{8, 10}, "x"))
	fit := must.M1(mlreg.FitOLS(train, nil)) // 1 + 2x, each time 1 too low
	fmt.Printf("%.4f\n", must.M1(must.M1(others.Moments()).MeanSquaredError(fit)))
	// Output: 1.0000
}
