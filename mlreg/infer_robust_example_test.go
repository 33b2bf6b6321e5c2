package mlreg_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
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

func ExampleOLS_HAC() {
	x := make([]float64, 300) // a series that swings with a period of about ten steps
	for t := range x {
		x[t] = math.Sin(float64(t * t)) // noise
		if t >= 2 {
			x[t] += 1.5*x[t-1] - 0.9*x[t-2]
		}
	}
	d, err := mlreg.NewDesign(mat.NewDense(299, 1, x[:299]), x[1:], "lag(x, 1)")
	if err != nil {
		panic(err)
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		panic(err)
	}
	robust, err := fit.HAC(d, nil)
	if err != nil {
		panic(err)
	}
	byData, err := fit.HAC(d, &mlreg.HACSettings{Automatic: true, Prewhiten: true})
	if err != nil {
		panic(err)
	}
	for _, f := range []*mlreg.Robust{robust, byData} {
		fmt.Println(report.Describe(f).Notes[1])
	}
	fmt.Println(byData.HC(), byData.Lags(), byData.Prewhitened())
	// Output:
	// standard errors robust to autocorrelation and unequal variances (HAC, 5 lags)
	// standard errors robust to autocorrelation and unequal variances (HAC, 23 lags, prewhitened)
	// HAC 23 true
}
