package frames_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: predict(m, data.frame(lcavol = c(0, NA, 2), age = 60)). The polynomial is that of
// the rows fitted.
func ExamplePredict() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + poly(age, 2)"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	rows := must.M1(frames.Frame(frames.Col("lcavol", []float64{0, math.NaN(), 2}), frames.Col("age", []int{60, 60, 60})))
	fmt.Printf("%.4f\n", must.M1(frames.Predict(ols, rows)))
	// Output:
	// [1.4336 NaN 2.8658]
}

// R: predict(m, rows, interval = "confidence", level = .9).
func ExampleConfidenceBand() {
	df := datasets.Prostate()
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "lpsa ~ lcavol + svi")), nil))
	rows := must.M1(frames.Frame(frames.Col("lcavol", []float64{0, 2}), frames.Col("svi", []int{0, 1})))
	fmt.Println(must.M1(frames.ConfidenceBand(ols, rows, 0.9)))
	// Output:
	// Confidence band of the mean
	// row  fitted  std. error  lower 90%  upper 90%
	//   1   1.533      0.1173      1.339      1.728
	//   2   3.388      0.1704      3.105      3.671
}

// R: predict(m, rows, interval = "prediction"), as columns beside the rows.
func ExamplePredictionBand() {
	df := datasets.Prostate()
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "lpsa ~ lcavol + svi")), nil))
	rows := must.M1(frames.Frame(frames.Col("lcavol", []float64{0, 2}), frames.Col("svi", []int{0, 1})))
	band := must.M1(frames.PredictionBand(ols, rows, 0.95))
	fmt.Println(must.M1(frames.Augment(ols, rows, band)))
	// Output:
	// [2x6] DataFrame
	//
	//     lcavol   svi   .fitted  .lower   .upper   .hat
	//  0: 0.000000 0     1.533432 0.015058 3.051807 0.024106
	//  1: 2.000000 1     3.388293 1.850229 4.926357 0.050838
	//     <float>  <int> <float>  <float>  <float>  <float>
}

// R: predict(nnet::multinom(...), rows).
func ExampleClassify() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi == 1 ~ lcavol"))
	fit := must.M1(mlreg.FitLogistic(d, nil))
	rows := must.M1(frames.Frame(frames.Col("lcavol", []float64{0, math.NaN(), 3.5})))
	fmt.Printf("%q\n", must.M1(frames.Classify(fit, rows)))
	// Output:
	// ["FALSE" "NaN" "TRUE"]
}

// The probabilities of both classes; scikit-learn's predict_proba.
func ExampleClassProb() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi == 1 ~ lcavol"))
	fit := must.M1(mlreg.FitLogistic(d, nil))
	rows := must.M1(frames.Frame(frames.Col("lcavol", []float64{0, 3.5})))
	p := must.M1(frames.ClassProb(fit, rows))
	fmt.Printf("%q: %.3f and %.3f\n", fit.Classes(), p.RawRowView(0), p.RawRowView(1))
	// Output:
	// ["FALSE" "TRUE"]: [0.994 0.006] and [0.130 0.870]
}

// R warns: some 'x' values beyond boundary knots may cause ill-conditioned bases.
func ExampleExtrapolations() {
	df := must.M1(frames.Frame(
		frames.Col("y", []float64{1, 3, 2, 5, 4, 6, 8, 7}),
		frames.Col("x", []float64{0, 1, 2, 3, 4, 5, 6, 7})))
	fit := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "y ~ bs(x, 4)")), nil))
	rows := must.M1(frames.Frame(frames.Col("x", []float64{5, 7.5, 10})))
	for _, e := range must.M1(frames.Extrapolations(fit, rows)) {
		fmt.Println(e)
	}
	// Output:
	// bs(x, 4): 2 rows beyond its range, 0 to 7, as far as 10: polynomials continue there, and may grow fast
}
