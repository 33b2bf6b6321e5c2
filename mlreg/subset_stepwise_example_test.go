package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: step(lm(lpsa ~ . - train, prostate)), whose AIC is ours less a constant.
func ExampleFitStepwise() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	walk := must.M1(mlreg.FitStepwise(d, &mlreg.StepwiseSettings{Direction: mlreg.Backward}))
	for _, step := range walk.Steps() {
		fmt.Printf("%-8s AIC %.4f with %d terms\n", step.Change.Term, step.Value, step.Model.Size())
	}
	fmt.Println(walk.Direction(), "over", walk.Visited(), "models;", walk.Stopped())
	// Output:
	// AIC 216.4952 with 8 terms
	// gleason  AIC 214.6058 with 7 terms
	// lcp      AIC 214.0984 with 6 terms
	// pgg45    AIC 213.5514 with 5 terms
	// backward over 26 models; no change lowers the AIC
}

// The model at the end of the walk, and its fit.
func ExampleStepwise_Final() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	final := must.M1(mlreg.FitStepwise(d, &mlreg.StepwiseSettings{Criterion: mlreg.ByBIC})).Final()
	ols := must.M1(final.Refit(d))
	fmt.Printf("%q %.4f\n", ols.Names(), ols.Coef())
	// Output: ["(Intercept)" "lcavol" "lweight" "svi"] [-0.7772 0.5259 0.6618 0.6657]
}
