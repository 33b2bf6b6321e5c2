package plotting_test

import (
	"log"
	"math"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The posterior of a line after no, one and seven observations.
func ExampleWeightSpace() {
	line, err := parabola().Select("x")
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.WeightSpace(line, mlreg.GaussianPrior{Tau2: 4}, 9, []int{0, 1, 7}, nil))
	// Output:
	// Figure: learning of the line y ~ x after [0 1 7] observations: likelihood of the newest, posterior of (w0, w1), lines drawn from it
}

// Murphy's figure 7.12: plug-in and posterior predictive, with functions of each.
func ExamplePredictivePanels() {
	df, err := frames.Frame(frames.Col("x", []float64{-3, -2, 0, 2, 3}), frames.Col("y", []float64{14, 15, 12, 13, 24}))
	if err != nil {
		log.Fatal(err)
	}
	d, err := frames.Design(df, "y ~ x + I(x^2)")
	if err != nil {
		log.Fatal(err)
	}
	fit, err := mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1000}, mlreg.KnownVariance(25), &mlreg.BayesSettings{PenalizeIntercept: true})
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.PredictivePanels(fit, d, df, &plotting.PredictiveSettings{From: -8, To: 8}))
	plotting.Show(plotting.PredictivePlot(fit, d, df, &plotting.PredictiveSettings{Level: 0.9}))
	// Output:
	// Figure: plug-in and posterior predictive distribution of y against x, bands of 68.27%, and 10 functions from each
	// Figure: Posterior predictive, 90%: y against x (horizontal -4.5 to 4.5, vertical -1.71 to 54.7)
}

// The prior draws the weight that the data determine less.
func ExampleRidgeGeometry() {
	plotting.Show(plotting.RidgeGeometry(parabola(), 0.5, 9))
	// Output:
	// Figure: contours of likelihood, prior and posterior of the weights of x and x²: maximum likelihood at (0.0714, 0.929), maximum a posteriori at (0.0435, 0.765)
}

func ExampleCoefDensities() {
	fit, err := mlreg.FitBayes(parabola(), mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.CoefDensities(fit, 0.95, "x", "x²"))
	plotting.Show(plotting.CoefPlot(plotting.Credible(fit), 0.95, nil))
	// Output:
	// Figure: posterior densities of 2 coefficients with 95% credible limits
	// Figure: coefficients with 95% limits of 2 terms
}

func ExampleFamilyPlot() {
	rows, err := mlreg.CompareFamilies([]mlreg.Family{{Name: "line", LogEvidence: -18.44}, {Name: "parabola", LogEvidence: -12.85}})
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.FamilyPlot(rows, "family"))
	plotting.Show(plotting.FamilyTable(rows))
	// Output:
	// Figure: log evidence and posterior probability of 2 families; the most probable is parabola with 0.996
	// Comparison of families
	// family    log evidence  log Bayes factor   prior  posterior
	// line            -18.44             -5.59  0.5000     0.0037
	// parabola        -12.85              0.00  0.5000     0.9963
}

func ExampleEvidencePlot() {
	surface, err := mlreg.NewEvidenceSurface(parabola(), nil)
	if err != nil {
		log.Fatal(err)
	}
	best, err := surface.Maximize(nil)
	if err != nil {
		log.Fatal(err)
	}
	path, err := surface.Path([]float64{0.01, 0.1, 0.5, 1, 10}, mlreg.KnownVariance(best.Sigma2))
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.EvidencePlot(path, best))
	// Output:
	// Figure: log evidence and effective parameters against the prior variance from 0.01 to 10; largest at 0.5
}

func ExamplePriorDensities() {
	plotting.Show(plotting.PriorDensities(1, 0.25, 1, 4))
	plotting.Show(plotting.NormalLaplace(1))
	// Output:
	// Figure: normal prior densities for prior variances [0.25 1 4], and the penalty sigma^2/tau^2 of each
	// Figure: normal and Laplace density of standard deviation 1, and their logarithms
}

// Four events in a unit of time: the posterior of the rate.
func ExampleLaplacePanels() {
	logDensity := func(rate float64) float64 { return 4*math.Log(rate) - rate }
	a, err := mlreg.Laplace1D(logDensity, 3, nil)
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.LaplacePanels(logDensity, a, 0.3, 13))
	// Output:
	// Figure: logarithm of a density and its parabola at the mode 4, and the density with its Gaussian approximation
}
