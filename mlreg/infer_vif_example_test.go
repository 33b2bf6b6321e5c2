package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: car::vif(lm(lpsa ~ . - train, prostate)).
func ExampleVIF() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	for _, r := range must.M1(mlreg.VIF(d)) {
		fmt.Printf("%-7s %.3f\n", r.Term, r.VIF)
	}
	// Output:
	// lcavol  2.103
	// lweight 1.453
	// age     1.336
	// lbph    1.385
	// svi     1.956
	// lcp     3.098
	// gleason 2.469
	// pgg45   2.974
}

// A factor is one term. R: car::vif(lm(lpsa ~ lcavol + factor(gleason) + pgg45, prostate)).
func ExampleGVIF() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + factor(gleason) + pgg45"))
	for _, r := range must.M1(mlreg.GVIF(d)) {
		fmt.Printf("%-15s %.0f  %.3f  %.3f\n", r.Term, r.DF, r.VIF, r.PerDF)
	}
	// Output:
	// lcavol          1  1.375  1.173
	// factor(gleason) 3  2.798  1.187
	// pgg45           1  2.555  1.598
}
