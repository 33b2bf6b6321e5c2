package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func ExampleShow_credibleLimits() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	fit := must.M1(mlreg.FitBayes(must.M1(d.Standardize(nil)), mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(0.5), nil))
	plotting.Show(fit.Summary(0.9))
	// Output:
	// Bayes fit of lpsa
	// term          mean  std. dev.  lower 90%  upper 90%  P(w > 0)
	// (Intercept)  2.478      0.072      2.360      2.596   >0.9999
	// lcavol       0.613      0.087      0.470      0.757   >0.9999
	// lweight      0.281      0.075      0.159      0.404   >0.9999
	// svi          0.275      0.085      0.135      0.414    0.9994
	// n = 97, σ² = 0.5 (known)
	// λ = 0.5, 2.98 of 3 parameters determined by the data, with a flat prior of the intercept
	// log evidence -111.769, Cholesky, condition number 1.9
	// coefficients are in units of the scaled predictors
}

// A line against a parabola.
func ExampleShow_families() {
	df := must.M1(datasets.PolyVsDegree().Draw(rand.NewPCG(1, 0)))
	var families []mlreg.Family
	for _, formula := range []string{"y ~ x", "y ~ poly(x, 2)"} {
		fit := must.M1(mlreg.FitBayes(must.M1(frames.Design(df, formula)), mlreg.GaussianPrior{Tau2: 100}, mlreg.KnownVariance(4), nil))
		families = append(families, mlreg.Family{Name: formula, LogEvidence: fit.LogEvidence()})
	}
	plotting.Show(mlreg.CompareFamilies(families))
	// Output:
	// Comparison of families
	// family          log evidence  log Bayes factor   prior  posterior
	// y ~ x                 -88.68            -37.76  0.5000    <0.0001
	// y ~ poly(x, 2)        -50.92              0.00  0.5000    >0.9999
}

// The credible limits of a posterior beside the confidence limits of least
// squares.
func ExampleCredible() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	d = must.M1(d.Standardize(nil))
	post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 0.05}, mlreg.KnownVariance(0.5), nil))
	plotting.Show(plotting.CompareCoefs([]plotting.NamedFit{
		{Name: "least squares", Fit: must.M1(mlreg.FitOLS(d, nil))},
		{Name: "posterior", Fit: plotting.Credible(post)},
	}, 0.95, &plotting.CoefPlotSettings{X: "weight with 95% limits"}))
	// Output:
	// Figure: coefficients with 95% limits of 8 terms
}
