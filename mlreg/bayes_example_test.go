package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Five observations of a parabola (the design of Murphy's figure 7.12): the
// posterior predictive widens away from them, the plug-in does not.
func ExampleFitBayes() {
	parabola := must.M1(mlreg.NewPowers(2))
	d := must.M1(mlreg.Expand(parabola, mat.NewVecDense(5, []float64{-3, -2, 0, 2, 3}), []float64{14, 15, 12, 13, 24}))
	post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1000}, mlreg.KnownVariance(25),
		&mlreg.BayesSettings{PenalizeIntercept: true}))
	for _, r := range must.M1(post.Table(0.95)) {
		fmt.Printf("%-11s %5.2f +- %.2f, 95%% credible %.2f to %.2f\n", r.Term, r.Mean, r.StdDev, r.Lower, r.Upper)
	}
	at := []float64{0, 4, 8}
	grid := must.M1(mlreg.ExpandLike(d, mat.NewVecDense(3, at), nil))
	full, plug := must.M1(post.Predictive(grid, 0.95)), must.M1(post.PlugIn(grid, 0.95))
	for i, x := range at {
		fmt.Printf("x = %v: %.1f +- %.1f, plug-in +- %.1f\n", x, full.Mean[i], full.StdDev()[i], plug.StdDev()[i])
	}
	// Output:
	// (Intercept) 11.14 +- 4.03, 95% credible 3.24 to 19.03
	// x            1.00 +- 0.98, 95% credible -0.92 to 2.92
	// x^2          0.85 +- 0.65, 95% credible -0.42 to 2.12
	// x = 0: 11.1 +- 6.4, plug-in +- 5.0
	// x = 4: 28.7 +- 9.7, plug-in +- 5.0
	// x = 8: 73.4 +- 39.3, plug-in +- 5.0
}

// With a very wide prior and Jeffreys' prior of the noise variance, credible
// limits are nearly the confidence limits of least squares.
func ExampleBayes_CredibleInterval() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1e8}, mlreg.InverseGamma{}, nil))
	for _, l := range must.M1(post.CredibleInterval(0.95)) {
		fmt.Printf("%-11s %.4f %.4f\n", l.Term, l.Lower, l.Upper)
	}
	// Output:
	// (Intercept) 1.3030 1.7639
	// lcavol      0.4400 0.7451
	// svi         0.2354 1.1041
}

// Posterior means and standard deviations, and how sure the signs are.
func ExampleBayes_Table() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + age")).Standardize(nil))
	post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil))
	for _, r := range must.M1(post.Table(0.95)) {
		fmt.Printf("%-11s %6.3f +- %.3f, positive with probability %.3f\n", r.Term, r.Mean, r.StdDev, r.ProbPositive)
	}
	// Output:
	// (Intercept)  2.478 +- 0.081, positive with probability 1.000
	// lcavol       0.833 +- 0.083, positive with probability 1.000
	// age          0.007 +- 0.083, positive with probability 0.535
}

// Is svi worth its place? The evidence needs no test set.
func ExampleBayes_LogEvidence() {
	df := datasets.Prostate()
	for _, formula := range []string{"lpsa ~ lcavol", "lpsa ~ lcavol + svi", "lpsa ~ lcavol + svi + age"} {
		d := must.M1(must.M1(frames.Design(df, formula)).Standardize(nil))
		post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil))
		fmt.Printf("%-26s %.3f\n", formula, post.LogEvidence())
	}
	// Output:
	// lpsa ~ lcavol              -118.947
	// lpsa ~ lcavol + svi        -116.525
	// lpsa ~ lcavol + svi + age  -118.787
}

// The posterior as a distribution: its correlation, and its marginals.
func ExampleBayes_Posterior() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	w := must.M1(must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(0.6), nil)).Posterior())
	cov, sd := w.Cov(), w.StdDev()
	fmt.Printf("means %.3f, correlation %.3f\n", w.Mean(), cov.At(0, 1)/(sd[0]*sd[1]))
	// Output: means [1.512 0.716], correlation -0.754
}

// The first rows' posterior is the prior of the others.
func ExampleBayes_AsPrior() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	first, second := must.M2(d.Split(must.M1(frames.Mask(datasets.Prostate(), "train", "T"))))
	half := must.M1(mlreg.FitBayes(first, mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(0.5), nil))
	prior, noise, settings := half.AsPrior()
	then := must.M1(mlreg.FitBayes(second, prior, noise, settings))
	all := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(0.5), nil))
	fmt.Printf("%.4f, log evidence %.4f\n", then.Coef(), half.LogEvidence()+then.LogEvidence())
	fmt.Printf("%.4f, log evidence %.4f\n", all.Coef(), all.LogEvidence())
	// Output:
	// [1.5355 0.5947 0.6469], log evidence -115.6965
	// [1.5355 0.5947 0.6469], log evidence -115.6965
}

// The covariance of coefficients that are Student's t.
func ExampleBayes_PosteriorCov() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{Shape: 2, Scale: 1}, nil))
	fmt.Printf("%.4f on %v degrees of freedom\n%.5f\n", post.PosteriorMean(), post.TDoF(), mat.Formatted(post.PosteriorCov()))
	// Output:
	// [1.5145 0.7140] on 100 degrees of freedom
	// ⎡ 0.01496  -0.00630⎤
	// ⎣-0.00630   0.00467⎦
}

// What the data say of the noise variance, whose prior was InverseGamma(2, 1).
func ExampleBayes_NoisePosterior() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{Shape: 2, Scale: 1}, nil))
	g := post.NoisePosterior()
	fmt.Printf("InverseGamma(%.1f, %.3f), mean %.4f\n", g.Shape, g.Scale, post.Sigma2())
	// Output: InverseGamma(50.0, 30.714), mean 0.6268
}
