package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// The exact path: where terms enter and leave.
// scikit-learn: lars_path(X, y, method="lasso"), alpha = lambda/2/97.
func ExampleFitLARS() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	path := must.M1(mlreg.FitLARS(d, nil))
	for k, lambda := range path.Lambda() {
		fmt.Printf("%9.5f: enters %q, leaves %q\n", lambda, path.Entered()[k], path.Left()[k])
	}
	// Output:
	// 163.62492: enters "lcavol", leaves ""
	//  82.34769: enters "svi", leaves ""
	//  70.33244: enters "lweight", leaves ""
	//  27.71140: enters "pgg45", leaves ""
	//  24.21558: enters "lbph", leaves ""
	//  12.38273: enters "age", leaves ""
	//   7.15199: enters "gleason", leaves ""
	//   4.26271: enters "lcp", leaves ""
	//   0.00000: enters "", leaves ""
}
