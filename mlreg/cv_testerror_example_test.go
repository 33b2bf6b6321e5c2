package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// The error of a fit on rows that it has not seen.
func ExampleTestError() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	parts := must.M1(mlreg.RandomParts(d.NObs(), rand.NewPCG(1, 2), 0.7, 0.3))
	of := must.M1(parts.Designs(d))
	train, test := of[0], of[1]
	ols := must.M1(mlreg.FitOLS(train, nil))
	a := must.M1(mlreg.TestError(ols, test, mlreg.SquaredLoss))
	fmt.Println(a)
	limits := must.M1(a.ConfInt(0.95))
	fmt.Printf("between %.2f and %.2f\n", limits.Lower, limits.Upper)
	// Output:
	// Test error
	// loss             mean  std. error    RMSE      R²
	// squared error  0.5051       0.175  0.7107  0.4545
	// over 29 rows
	//
	// between 0.15 and 0.86
}

// Two fits judged on the same rows share their noise.
func ExampleCompareLosses() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	of := must.M1(must.M1(mlreg.RandomParts(d.NObs(), rand.NewPCG(1, 2), 0.7, 0.3)).Designs(d))
	train, test := of[0], of[1]
	all := must.M1(mlreg.FitOLS(train, nil))
	one := must.M1(mlreg.FitOLS(must.M1(train.Select("lcavol")), nil))
	fmt.Println(must.M1(mlreg.CompareLosses(all, one, test, mlreg.SquaredLoss)))
	// Output:
	// Comparison of test errors
	// fit    squared error  std. error
	// a             0.5051      0.1754
	// b             0.4061      0.0839
	// a - b         0.0990      0.1571
	// over 29 rows; correlation of the losses 0.447
	// a - b: t(28) = 0.6301, two-sided p = 0.5337
}

// The loss of every row, by which rows that are predicted badly are found.
func ExampleRowLosses() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	losses := must.M1(mlreg.RowLosses(ols, d, mlreg.AbsoluteLoss))
	fmt.Printf("%.2f\n", losses[:4])
	// Output:
	// [1.52 0.95 1.30 0.80]
}

// The loss that a quantile minimizes: missing from below costs nine times as much.
func ExampleQuantileLoss() {
	d := must.M1(mlreg.NewDesign(nil, []float64{0, 2}))
	mean := must.M1(mlreg.FitOLS(d, nil)) // predicts 1
	fmt.Printf("%.1f\n", must.M1(mlreg.RowLosses(mean, d, mlreg.QuantileLoss(0.9))))
	// Output:
	// [0.1 0.9]
}
