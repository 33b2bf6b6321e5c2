package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// Errors of ridge regression on rows that were fitted and rows that were not.
func ExampleErrorCurves() {
	df := datasets.Prostate()
	train := must.M1(frames.Design(must.M1(frames.Where(df, "train == 'T'")), "lpsa ~ . - train"))
	test := must.M1(frames.DesignLike(train, must.M1(frames.Where(df, "train == 'F'"))))
	standard := must.M1(train.Standardize(nil))
	mse := func(d *mlreg.Design, lambda float64) float64 {
		squares := 0.0
		for _, r := range must.M1(must.M1(mlreg.FitRidge(standard, lambda, nil)).Residuals(d)) {
			squares += r * r
		}
		return squares / float64(d.NObs())
	}
	lambdas := []float64{0.1, 1, 10, 100, 1000}
	training, testing := plotting.ErrorCurve{Name: "training", NoMinimum: true}, plotting.ErrorCurve{Name: "test"}
	for _, l := range lambdas {
		training.Values, testing.Values = append(training.Values, mse(train, l)), append(testing.Values, mse(test, l))
	}
	plotting.Show(plotting.ErrorCurves(plotting.Labels{Title: "Ridge regression", X: "λ", Y: "mean squared error"}, lambdas,
		[]plotting.ErrorCurve{training, testing}, plotting.LogX{}))
	// Output:
	// Figure: Ridge regression: mean squared error against λ
}

// The error against the truth is smallest at the degree of the truth.
func ExampleExpectedErrors() {
	truth := datasets.PolyVsDegree()
	exact := must.M1(truth.Exact(nil))
	d := must.M1(frames.Design(exact, "y ~ poly(x, 6)"))
	path := must.M1(mlreg.ExpectedErrorPath(d, d.Y, truth.Sigma2))
	plotting.Show(plotting.ExpectedErrors(plotting.Labels{X: "degree"}, path))
	// Output:
	// Figure: mean squared error against degree (horizontal -0.24 to 6.24, vertical -1.44 to 37.6)
}
