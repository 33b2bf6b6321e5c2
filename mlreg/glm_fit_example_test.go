package mlreg_test

import (
	"fmt"
	"math"
	"math/rand/v2"

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

// How many are to be expected at a dose: limits of one new count, beside those of its mean.
func ExampleGLM_PredictionBand() {
	x := mat.NewDense(8, 1, []float64{0, 1, 2, 3, 4, 5, 6, 7})
	d := must.M1(mlreg.NewDesign(x, []float64{2, 1, 6, 5, 12, 11, 20, 38}, "dose"))
	fit := must.M1(mlreg.FitGLM(d, mlreg.Poisson, nil))
	post := must.M1(mlreg.FitBayesGLM(d, mlreg.Poisson, mlreg.GaussianPrior{Tau2: 1}, nil))
	at := d.Rows(3)
	mean, count := must.M1(fit.ConfidenceBand(at, 0.95)), must.M1(fit.PredictionBand(at, 0.95))
	fmt.Printf("mean %.1f: %.1f to %.1f; a new count: %v to %v\n", mean.Fitted[0], mean.Lower[0], mean.Upper[0], count.Lower[0], count.Upper[0])
	bayes := must.M1(post.PredictionBand(at, 0.95))
	fmt.Printf("of the posterior: %v to %v\n", bayes.Lower[0], bayes.Upper[0])
	// Output:
	// mean 6.0: 4.2 to 8.4; a new count: 2 to 12
	// of the posterior: 2 to 12
}

// What stands behind a fit of counts: are they more dispersed than Poisson's, and what do
// limits become that do not rely on it?
func ExampleGLM_Overdispersion() {
	x := mat.NewDense(12, 1, []float64{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5})
	d := must.M1(mlreg.NewDesign(x, []float64{2, 9, 3, 16, 7, 40, 0, 2, 11, 5, 29, 12}, "dose"))
	fit := must.M1(mlreg.FitGLM(d, mlreg.Poisson, nil))
	fmt.Printf("%v link, Pearson %.1f with %.0f degrees of freedom\n", fit.Link(), fit.Pearson(), fit.DoFResidual())
	fmt.Println("Dean's test:", must.M1(fit.Overdispersion(d)).Dean)
	quasi := must.M1(mlreg.FitGLM(d, mlreg.QuasiPoisson, nil))
	batches := []string{"a", "b", "c", "d", "e", "f", "a", "b", "c", "d", "e", "f"}
	clustered := must.M1(fit.Clustered(d, batches))
	fmt.Printf("standard error %.3f; %.3f with dispersion %.2f; %.3f by clusters\n",
		fit.StdErr()[1], quasi.StdErr()[1], quasi.Dispersion(), clustered.StdErr()[1])
	limits := must.M1(fit.Profile(d, 0.95))[1]
	fmt.Printf("by the profile: %.3f to %.3f\n", limits.Lower, limits.Upper)
	band := must.M1(fit.LinkBand(d.Rows(5), 0.95))
	fmt.Printf("log mean %.2f, %.2f to %.2f\n", band.Fitted[0], band.Lower[0], band.Upper[0])
	residuals := must.M1(fit.QuantileResiduals(d, rand.NewPCG(1, 1)))
	fmt.Printf("quantile residual of row 6: %.1f\n", residuals[5])
	// Output:
	// log link, Pearson 49.1 with 10 degrees of freedom
	// Dean's test: z = 9.082, p < 0.0001
	// standard error 0.061; 0.134 with dispersion 4.91; 0.060 by clusters
	// by the profile: 0.358 to 0.596
	// log mean 3.30, 3.08 to 3.53
	// quantile residual of row 6: 2.4
}

func ExampleGLMFamily_CanonicalLink() {
	for _, f := range []mlreg.GLMFamily{mlreg.Poisson, mlreg.Binomial, mlreg.Gamma, mlreg.InverseGaussian} {
		fmt.Printf("%v: %v, V(0.5) = %v\n", f, f.CanonicalLink(), f.Variance(0.5))
	}
	d := must.M1(mlreg.NewDesign(mat.NewDense(6, 1, []float64{0, 1, 2, 3, 4, 5}), []float64{2, 1, 6, 5, 12, 11}))
	path := must.M1(mlreg.FitGLMPath(d, mlreg.Poisson, 1, nil))
	post := must.M1(mlreg.FitBayesGLM(d, mlreg.Poisson, mlreg.GaussianPrior{Tau2: 1}, nil))
	fmt.Println("of a path and a posterior:", path.Fit(0).Link(), post.Link())
	// Output:
	// Poisson: log, V(0.5) = 0.5
	// binomial: logit, V(0.5) = 0.25
	// gamma: reciprocal, V(0.5) = 0.25
	// inverse Gaussian: reciprocal square, V(0.5) = 0.125
	// of a path and a posterior: log log
}

// Limits by the profile likelihood are not symmetric.
func ExampleLogistic_Profile() {
	x := mat.NewDense(10, 1, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	d := must.M1(mlreg.NewDesign(x, []float64{0, 0, 0, 1, 0, 0, 1, 1, 0, 1}, "hours"))
	logit := must.M1(mlreg.FitLogistic(d, nil))
	wald, profile := must.M1(logit.ConfInt(0.95))[1], must.M1(logit.Profile(d, 0.95))[1]
	fmt.Printf("Wald:    %.3f to %.3f\n", wald.Lower, wald.Upper)
	fmt.Printf("profile: %.3f to %.3f\n", profile.Lower, profile.Upper)
	// Output:
	// Wald:    -0.160 to 1.014
	// profile: -0.073 to 1.196
}

// Rows that come in blocks, as those of a file: the row of the largest Cook's distance, in
// the memory of one block.
func ExampleGLM_EachInfluence() {
	x := mat.NewDense(8, 1, []float64{0, 1, 2, 3, 4, 5, 6, 7})
	d := must.M1(mlreg.NewDesign(x, []float64{2, 1, 6, 5, 12, 11, 20, 38}, "dose"))
	fit := must.M1(mlreg.FitGLM(d, mlreg.Poisson, nil))
	var rows mlreg.RowBlocks = d // or a *source.Design
	row, largest := 0, 0.0
	must.M(fit.EachInfluence(rows, func(block *mlreg.Design, inf *mlreg.Influence) error {
		for i, cook := range inf.CooksDistance {
			if cook > largest {
				row, largest = block.RowNumber(i), cook
			}
		}
		return nil
	}))
	fmt.Printf("row %d: %.3f\n", row, largest)
	// Output: row 8: 0.748
}

// Counts with a mean of 2, and what the fit expects of them.
func ExampleGLM_Frequencies() {
	d := must.M1(mlreg.NewDesign(nil, []float64{2, 0, 3, 1, 4, 2, 1, 2, 0, 5, 2, 2, 1, 3}))
	fit := must.M1(mlreg.FitGLM(d, mlreg.Poisson, nil))
	fmt.Println(must.M1(fit.Frequencies(d, 0)))
	// Output:
	// Rows by y
	// y  observed  expected
	// 0         2     1.895
	// 1         3     3.789
	// 2         5     3.789
	// 3         2     2.526
	// 4         1     1.263
	// 5         1     0.505
	// expected above: 0.232
}
