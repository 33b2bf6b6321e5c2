package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: gglasso::gglasso(x, y, group). A polynomial and a factor enter whole.
func ExamplePath_Order() {
	df := datasets.Prostate()
	d := must.M1(frames.Design(df, "lpsa ~ poly(lcavol, 3) + lweight + poly(age, 2) + svi + factor(gleason)"))
	z := must.M1(d.Standardize(nil))
	path := must.M1(mlreg.FitLassoPath(z, &mlreg.PathSettings{Groups: d.Coding.Groups()}))
	names, lambda := path.Order()
	for k, name := range names {
		fmt.Printf("%-16s %.3g\n", name, lambda[k])
	}
	// Output:
	// svi              115
	// lweight          86.9
	// poly(lcavol, 3)  79.2
	// factor(gleason)  21.5
	// poly(age, 2)     9.32
}
