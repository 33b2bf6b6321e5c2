package mlreg_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// Failures of pumps that ran for different times, in thousands of hours.
func ExampleFitGLM() {
	failures := []float64{5, 1, 5, 14, 3, 19, 1, 1, 4, 22}
	hours := []float64{94.3, 15.7, 62.9, 125.8, 5.2, 31.4, 1.05, 1.05, 2.1, 10.5}
	x := mat.NewDense(10, 1, []float64{0, 1, 0, 0, 1, 0, 1, 1, 1, 1}) // 1: runs from time to time
	d := must.M1(mlreg.NewDesign(x, failures, "intermittent"))
	for _, h := range hours {
		d.Offset = append(d.Offset, math.Log(h))
	}
	fit := must.M1(mlreg.FitGLM(d, mlreg.Poisson, nil))
	for _, r := range must.M1(fit.Ratios(0.95)) {
		fmt.Printf("%-13s %5.2f  (%.2f to %.2f)\n", r.Term, r.Ratio, r.Lower, r.Upper)
	}
	fmt.Printf("deviance %.1f of %.1f with %.0f residual degrees of freedom\n", fit.Deviance(), fit.NullDeviance(), fit.DoFResidual())
	// Output:
	// (Intercept)    0.14  (0.10 to 0.18)
	// intermittent   6.57  (4.16 to 10.39)
	// deviance 71.4 of 124.5 with 8 residual degrees of freedom
}

// Which of the terms do the counts need? The dispersion of quasi-Poisson makes tests more
// careful.
func ExampleCompareDeviances() {
	x := mat.NewDense(8, 2, []float64{0, 1, 1, 0, 2, 1, 3, 0, 4, 1, 5, 0, 6, 1, 7, 0})
	d := must.M1(mlreg.NewDesign(x, []float64{2, 1, 6, 5, 12, 11, 20, 38}, "dose", "batch"))
	small := must.M1(mlreg.FitGLM(must.M1(d.Select("dose")), mlreg.QuasiPoisson, nil))
	large := must.M1(mlreg.FitGLM(d, mlreg.QuasiPoisson, nil))
	fmt.Println(must.M1(mlreg.CompareDeviances(small, large)))
	// Output:
	// Analysis of deviance
	// term  df  deviance  residual df  residual deviance  p (χ²)       F   p (F)
	// 1                             6             4.5944
	// 2      1   0.38361            5             4.2108  0.4959  0.4637  0.5261
}

// The evidence compares models of counts: does the rate depend on the dose?
func ExampleFitBayesGLM() {
	x := mat.NewDense(8, 1, []float64{0, 1, 2, 3, 4, 5, 6, 7})
	d := must.M1(mlreg.NewDesign(x, []float64{2, 1, 6, 5, 12, 11, 20, 38}, "dose"))
	prior := mlreg.GaussianPrior{Tau2: 1}
	with := must.M1(mlreg.FitBayesGLM(d, mlreg.Poisson, prior, nil))
	without := must.M1(mlreg.FitBayesGLM(must.M1(d.Select()), mlreg.Poisson, prior, nil))
	fmt.Printf("%.0f bits for a dependence\n", (with.LogEvidence()-without.LogEvidence())/math.Ln2)
	// Output:
	// 49 bits for a dependence
}
