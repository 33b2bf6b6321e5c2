package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Two predictors predict thirty men as well as all eight, as far as thirty men can tell.
func ExampleCompareErrors() {
	df := datasets.Prostate()
	d := must.M1(frames.Design(df, "lpsa ~ . - train"))
	train, test := must.M2(d.Split(must.M1(frames.Mask(df, "train", "T"))))
	best := must.M1(mlreg.FitBestSubsets(train, nil)).BestOfSize(2)[0]
	fmt.Println(must.M1(mlreg.CompareErrors(test, []mlreg.NamedFit{
		{Name: "eight", Fit: must.M1(mlreg.FitOLS(train, nil))},
		{Name: "two", Fit: must.M1(best.Refit(train))},
	})))
	// Output:
	// Squared errors on the same rows
	// fit    squared error  std. error  minus eight  std. error
	// eight         0.5213      0.1787      0.00000     0.00000
	// two           0.4925      0.1431     -0.02879     0.06525
}
