package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// How many models the search for the best ten of thirty terms has to beat.
// R: choose(30, 10).
func ExampleCountSubsets() {
	fmt.Printf("%.0f\n", mlreg.CountSubsets(30, 10))
	// Output: 30045015
}

// Forward selection looks at a few of them.
func ExampleCountStepwise() {
	fmt.Println(mlreg.CountStepwise(30, 10))
	// Output: 255
}

// The best model of three terms, with its standard errors.
func ExampleSubsetModel_Refit() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	three := must.M1(mlreg.FitBestSubsets(d, nil)).BestOfSize(3)[0]
	ols := must.M1(three.Refit(d))
	fmt.Printf("%q %.4f\n", ols.Names(), ols.StdErr())
	// Output: ["(Intercept)" "lcavol" "lweight" "svi"] [0.6230 0.0749 0.1756 0.2071]
}
