package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: sqrt(diag(sandwich::vcovHC(m))); statsmodels: fit(cov_type="HC3").bse.
func ExampleOLS_Robust() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	robust := must.M1(ols.Robust(d, mlreg.HC3))
	fmt.Println("covariance", robust.HC())
	for j, name := range robust.Names() {
		fmt.Printf("%-11s %.4f, classical %.4f\n", name, robust.StdErr()[j], ols.StdErr()[j])
	}
	// Output:
	// covariance HC3
	// (Intercept) 0.7035, classical 0.6230
	// lcavol      0.0701, classical 0.0749
	// lweight     0.1897, classical 0.1756
	// svi         0.2178, classical 0.2071
}
