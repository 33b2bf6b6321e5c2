package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Three fits to the same 67 men, and their errors on 30 others: 0.521, 0.492 and
// 0.449 in table 3.3 of Hastie, Tibshirani and Friedman, The Elements of
// Statistical Learning, 2nd ed.
func Example() {
	df := datasets.Prostate()
	d := must.M1(must.M1(frames.Design(df, "lpsa ~ . - train")).Standardize(nil))
	train, test := must.M2(d.Split(must.M1(frames.Mask(df, "train", "T"))))

	ols := must.M1(mlreg.FitOLS(train, nil))
	best := must.M1(must.M1(mlreg.FitBestSubsets(train, nil)).BestOfSize(2)[0].Refit(train))
	pcr := must.M1(mlreg.FitPCR(train, 7, nil))

	show := func(name string, fit mlreg.Predictor) {
		e := must.M1(fit.Predict(test))
		floats.Sub(e, test.Y)
		fmt.Printf("%-20s %.3f\n", name, floats.Dot(e, e)/30)
	}
	show("least squares", ols)
	show("best two terms", best)
	show("seven components", pcr)
	// Output:
	// least squares        0.521
	// best two terms       0.492
	// seven components     0.449
}
