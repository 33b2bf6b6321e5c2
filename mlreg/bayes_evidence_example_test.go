package mlreg_test

import (
	"errors"
	"fmt"
	"math"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// One decomposition, any number of prior variances, and the best.
func ExampleNewEvidenceSurface() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	surface := must.M1(mlreg.NewEvidenceSurface(d, nil))
	path := must.M1(surface.Path([]float64{0.001, 0.01, 0.1, 1, 10}, mlreg.KnownVariance(0.5)))
	for i, tau2 := range path.Tau2 {
		fmt.Printf("tau^2 %6.3f: log evidence %.2f, %.2f effective parameters\n", tau2, path.LogEvidence[i], path.EffectiveParameters[i])
	}
	// Output:
	// tau^2  0.001: log evidence -159.03, 1.16 effective parameters
	// tau^2  0.010: log evidence -123.09, 4.39 effective parameters
	// tau^2  0.100: log evidence -114.01, 7.26 effective parameters
	// tau^2  1.000: log evidence -120.10, 7.91 effective parameters
	// tau^2 10.000: log evidence -128.97, 7.99 effective parameters
}

// Prior and noise variance from the data themselves.
// scikit-learn: 1/lambda_ = 0.07577 and 1/alpha_ = 0.48372 of BayesianRidge with
// hyperparameters of 0, which takes no degree of freedom for the intercept.
func ExampleEvidenceSurface_Maximize() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	best := must.M1(must.M1(mlreg.NewEvidenceSurface(d, nil)).Maximize(nil))
	fmt.Printf("tau^2 %.5f, sigma^2 %.5f, %.4f effective parameters\n", best.Tau2, best.Sigma2, best.EffectiveParameters)
	post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: best.Tau2}, mlreg.KnownVariance(best.Sigma2), nil))
	fmt.Printf("log evidence %.4f, as of FitBayes: %.4f\n", best.LogEvidence, post.LogEvidence())
	// Output:
	// tau^2 0.07568, sigma^2 0.48921, 7.0732 effective parameters
	// log evidence -113.8853, as of FitBayes: -113.8853
}

// A response that the terms say nothing about: the evidence is largest where
// the prior holds all slopes at zero.
func ExampleBoundaryError() {
	x := mat.NewDense(6, 1, []float64{-2, -1, -1, 1, 1, 2})
	d := must.M1(mlreg.NewDesign(x, []float64{1, -1, 0, 0, -1, 1}))
	_, err := must.M1(mlreg.NewEvidenceSurface(d, nil)).Maximize(nil)
	var boundary *mlreg.BoundaryError
	fmt.Println(errors.As(err, &boundary), boundary.Parameter, boundary.Limit)
	// Output: true tau^2 0
}

// The derivatives vanish at the maximum, and say where to go elsewhere.
func ExampleEvidenceSurface_Gradient() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	surface := must.M1(mlreg.NewEvidenceSurface(d, nil))
	tau2, sigma2 := surface.Gradient(1, 1)
	fmt.Printf("at (1, 1): %.3f and %.3f\n", tau2, sigma2)
	best := must.M1(surface.Maximize(nil))
	tau2, sigma2 = surface.Gradient(best.Tau2, best.Sigma2)
	fmt.Println(math.Abs(tau2) < 1e-6, math.Abs(sigma2) < 1e-6)
	// Output:
	// at (1, 1): -3.587 and -22.547
	// true true
}

// A posterior over families: each averages over the prior variances that it may have. The
// largest evidences, for which each has chosen its own, are no such thing.
func ExampleEvidencePath_LogAverage() {
	var families []mlreg.Family
	for _, formula := range []string{"lpsa ~ lcavol", "lpsa ~ lcavol + svi"} {
		d := must.M1(must.M1(frames.Design(datasets.Prostate(), formula)).Standardize(nil))
		path := must.M1(must.M1(mlreg.NewEvidenceSurface(d, nil)).Path([]float64{0.01, 0.1, 1, 10}, mlreg.InverseGamma{}))
		families = append(families, mlreg.Family{Name: formula, LogEvidence: path.LogAverage()})
	}
	for _, f := range must.M1(mlreg.CompareFamilies(families)) {
		fmt.Printf("%-20s log evidence %.2f, posterior probability %.3f\n", f.Name, f.LogEvidence, f.PostProb)
	}
	// Output:
	// lpsa ~ lcavol        log evidence -119.88, posterior probability 0.094
	// lpsa ~ lcavol + svi  log evidence -117.62, posterior probability 0.906
}
