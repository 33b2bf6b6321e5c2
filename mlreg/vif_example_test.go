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
	vif := must.M1(mlreg.VIF(d))
	for j, name := range d.Names {
		fmt.Printf("%-7s %.3f\n", name, vif[j])
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
