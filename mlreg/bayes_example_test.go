package mlreg_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// quadratic returns the design of a polynomial of degree 2.
func quadratic(x, y []float64) *mlreg.Design {
	m := mat.NewDense(len(x), 2, nil)
	for i, v := range x {
		m.SetRow(i, []float64{v, v * v})
	}
	d, err := mlreg.NewDesign(m, y, "x", "x^2")
	if err != nil {
		log.Fatal(err)
	}
	return d
}

// Five observations of a parabola (the design of Murphy's figure 7.12): the
// posterior predictive widens away from them, the plug-in does not.
func ExampleFitBayes() {
	d := quadratic([]float64{-3, -2, 0, 2, 3}, []float64{14, 15, 12, 13, 24})
	post, err := mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1000}, mlreg.KnownVariance(25),
		&mlreg.BayesSettings{PenalizeIntercept: true})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := post.Table(0.95)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Printf("%-11s %5.2f +- %.2f, 95%% credible %.2f to %.2f\n", r.Term, r.Mean, r.StdDev, r.Lower, r.Upper)
	}
	grid := quadratic([]float64{0, 4, 8}, nil)
	full, err := post.Predictive(grid, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	plug, err := post.PlugIn(grid, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	for i, x := range []float64{0, 4, 8} {
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

// The first rows' posterior is the prior of the others.
func ExampleBayes_AsPrior() {
	d := quadratic([]float64{-3, -2, 0, 2, 3}, []float64{14, 15, 12, 13, 24})
	first, err := mlreg.FitBayes(d.Rows(0, 1, 2), mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(25), nil)
	if err != nil {
		log.Fatal(err)
	}
	prior, noise, settings := first.AsPrior()
	then, err := mlreg.FitBayes(d.Rows(3, 4), prior, noise, settings)
	if err != nil {
		log.Fatal(err)
	}
	all, err := mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(25), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f %.4f\n", then.Coef(), all.Coef())
	fmt.Printf("%.4f %.4f\n", first.LogEvidence()+then.LogEvidence(), all.LogEvidence())
	// Output:
	// [12.5967 0.5098 0.5776] [12.5967 0.5098 0.5776]
	// -12.9193 -12.9193
}

// Functions drawn from the posterior, at two points.
func ExampleBayes_SampleFunctions() {
	d := quadratic([]float64{-3, -2, 0, 2, 3}, []float64{14, 15, 12, 13, 24})
	post, err := mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(1), nil)
	if err != nil {
		log.Fatal(err)
	}
	f, err := post.SampleFunctions(quadratic([]float64{0, 5}, nil), 10000, rand.NewPCG(1, 2))
	if err != nil {
		log.Fatal(err)
	}
	want, err := post.Predict(quadratic([]float64{0, 5}, nil))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("means %.1f %.1f of %.1f\n", mat.Sum(f.RowView(0))/10000, mat.Sum(f.RowView(1))/10000, want)
	// Output: means 11.4 36.4 of [11.4 36.4]
}

// A parameter observed through its double, with noise.
func ExampleLinearGaussian() {
	prior, err := mlreg.NewGaussian([]float64{0}, mat.NewDiagDense(1, []float64{1}))
	if err != nil {
		log.Fatal(err)
	}
	s, err := mlreg.NewLinearGaussian(prior, mat.NewDense(1, 1, []float64{2}), nil, mat.NewDiagDense(1, []float64{4}))
	if err != nil {
		log.Fatal(err)
	}
	post, err := s.Posterior([]float64{3})
	if err != nil {
		log.Fatal(err)
	}
	y := s.Marginal()
	fmt.Printf("x | y = 3: mean %.2f, variance %.2f\n", post.Mean()[0], post.Cov().At(0, 0))
	fmt.Printf("y: mean %.0f, variance %.0f\n", y.Mean()[0], y.Cov().At(0, 0))
	// Output:
	// x | y = 3: mean 0.75, variance 0.50
	// y: mean 0, variance 8
}

// Height and weight, standardised, with correlation 0.6: what a height of 2
// says of the weight.
func ExampleGaussian_Condition() {
	g, err := mlreg.NewGaussian([]float64{0, 0}, mat.NewSymDense(2, []float64{1, 0.6, 0.6, 1}))
	if err != nil {
		log.Fatal(err)
	}
	w, err := g.Condition([]int{0}, []float64{2})
	if err != nil {
		log.Fatal(err)
	}
	lower, upper, err := w.CredibleInterval(0.9)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f +- %.2f, 90%% between %.2f and %.2f\n", w.Mean(), w.StdDev(), lower, upper)
	// Output: [1.20] +- [0.80], 90% between [-0.12] and [2.52]
}

// One decomposition, any number of prior variances, and the best.
func ExampleEvidenceSurface() {
	d := quadratic([]float64{-3, -2, -1, 0, 1, 2, 3}, []float64{8, 5, 2, 0, 2, 3, 10})
	surface, err := mlreg.NewEvidenceSurface(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	path, err := surface.Path([]float64{0.01, 0.1, 1, 10, 100}, mlreg.KnownVariance(1))
	if err != nil {
		log.Fatal(err)
	}
	for i, tau2 := range path.Tau2 {
		fmt.Printf("tau^2 %6.2f: log evidence %7.2f, %.2f effective parameters\n", tau2, path.LogEvidence[i], path.EffectiveParameters[i])
	}
	best, err := surface.Maximize(nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("best: tau^2 %.2f, sigma^2 %.2f, log evidence %.2f\n", best.Tau2, best.Sigma2, best.LogEvidence)
	// Output:
	// tau^2   0.01: log evidence  -29.08, 0.68 effective parameters
	// tau^2   0.10: log evidence  -14.57, 1.63 effective parameters
	// tau^2   1.00: log evidence  -13.25, 1.95 effective parameters
	// tau^2  10.00: log evidence  -15.14, 2.00 effective parameters
	// tau^2 100.00: log evidence  -17.41, 2.00 effective parameters
	// best: tau^2 0.43, sigma^2 1.20, log evidence -12.95
}

// A line or a parabola? The evidence answers, and needs no test set.
func ExampleCompareFamilies() {
	d := quadratic([]float64{-3, -2, -1, 0, 1, 2, 3}, []float64{8, 5, 2, 0, 2, 3, 10})
	line, err := d.Select("x")
	if err != nil {
		log.Fatal(err)
	}
	var families []mlreg.Family
	for _, f := range []*mlreg.Design{line, d} {
		post, err := mlreg.FitBayes(f, mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil)
		if err != nil {
			log.Fatal(err)
		}
		families = append(families, mlreg.Family{Name: fmt.Sprint(f.Names), LogEvidence: post.LogEvidence()})
	}
	rows, err := mlreg.CompareFamilies(families)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Printf("%-7s log evidence %.2f, probability %.3f\n", r.Name, r.LogEvidence, r.PostProb)
	}
	// Output:
	// [x]     log evidence -18.44, probability 0.004
	// [x x^2] log evidence -12.85, probability 0.996
}

// Bits for the data given the model, and for the model.
func ExampleDescriptionLength() {
	d := quadratic([]float64{-3, -2, -1, 0, 1, 2, 3}, []float64{8, 5, 2, 0, 2, 3, 10})
	ols, err := mlreg.FitOLS(d, &mlreg.OLSSettings{Sigma2: 1})
	if err != nil {
		log.Fatal(err)
	}
	length := mlreg.DescriptionLength(ols)
	bits, err := mlreg.Surprise(ols, d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("data %.2f bits, model %.2f bits\n", length.Data, length.Model)
	fmt.Printf("of the observations %.1f\n", bits)
	// Output:
	// data 12.78 bits, model 4.21 bits
	// of the observations [1.7 1.9 1.6 1.6 1.5 2.8 1.9]
}

// Laplace's method on x^20 exp(-x), whose integral is 20!: Stirling's formula.
func ExampleLaplace1D() {
	a, err := mlreg.Laplace1D(func(x float64) float64 { return 20*math.Log(x) - x }, 10, nil)
	if err != nil {
		log.Fatal(err)
	}
	exact, _ := math.Lgamma(21)
	fmt.Printf("mode %.3f, c %.4f, ln Z %.4f, exact %.4f\n", a.Mode()[0], a.Precision().At(0, 0), a.LogNormalizer(), exact)
	// Output: mode 20.000, c 0.0500, ln Z 42.3315, exact 42.3356
}

// H is minus the Hessian of the log density, so that its inverse is a
// covariance.
func ExampleLaplace() {
	logDensity := func(x []float64) float64 { return -2*x[0]*x[0] - x[0]*x[1] - x[1]*x[1] }
	a, err := mlreg.Laplace(logDensity, []float64{3, 3}, nil)
	if err != nil {
		log.Fatal(err)
	}
	h, cov := a.Precision(), a.Gaussian().Cov()
	fmt.Printf("H   [%.3f %.3f; %.3f %.3f]\n", h.At(0, 0), h.At(0, 1), h.At(1, 0), h.At(1, 1))
	fmt.Printf("cov [%.3f %.3f; %.3f %.3f]\n", cov.At(0, 0), cov.At(0, 1), cov.At(1, 0), cov.At(1, 1))
	// Output:
	// H   [4.000 1.000; 1.000 2.000]
	// cov [0.286 -0.143; -0.143 0.571]
}

// What a prior believes of lines before any data: draws of the coefficients,
// and the values of their lines at two points. With the likelihood at the same
// coefficients these are the panels of weight space and data space.
func ExampleFunctions() {
	d, err := mlreg.NewDesign(mat.NewDense(2, 1, []float64{-1, 1}), []float64{-0.4, 0.6})
	if err != nil {
		log.Fatal(err)
	}
	prior, err := mlreg.NewGaussian([]float64{0, 0}, mat.NewDiagDense(2, []float64{0.5, 0.5}))
	if err != nil {
		log.Fatal(err)
	}
	w, err := prior.Sample(2, rand.NewPCG(1, 2))
	if err != nil {
		log.Fatal(err)
	}
	f, err := mlreg.Functions(d, w)
	if err != nil {
		log.Fatal(err)
	}
	for s := range 2 {
		likelihood, err := mlreg.LogLikelihood(d, w.RawRowView(s), 0.04)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("w = %.2f: f(-1) = %.2f, f(1) = %.2f, log-likelihood %.1f\n", w.RawRowView(s), f.At(0, s), f.At(1, s), likelihood)
	}
	// Output:
	// w = [0.27 0.05]: f(-1) = 0.22, f(1) = 0.32, log-likelihood -4.3
	// w = [0.14 -0.80]: f(-1) = 0.94, f(1) = -0.65, log-likelihood -40.6
}
