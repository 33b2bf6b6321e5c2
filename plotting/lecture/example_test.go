package lecture_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

// Four events in a unit of time: the posterior of the rate.
func ExampleLaplacePanels() {
	logDensity := func(rate float64) float64 { return 4*math.Log(rate) - rate }
	a := must.M1(mlreg.Laplace1D(logDensity, 3, nil))
	plotting.Show(lecture.LaplacePanels(logDensity, a, 0.3, 13))
	// Output:
	// Figure: logarithm of a density and its parabola at the mode 4, and the density with its Gaussian approximation
}

// Murphy's figure 8.5: data, prior, likelihood and posterior of two weights.
func ExampleLogisticPosterior() {
	df := must.M1(datasets.Girolami().Draw(30, rand.NewPCG(4, 8)))
	d := must.M1(frames.Design(df, "y ~ 0 + x1 + x2"))
	plotting.Show(lecture.LogisticPosterior(d, mlreg.GaussianPrior{Tau2: 100},
		&lecture.LogisticPosteriorSettings{Weights: [][]float64{{3, 1}, {5, 3}}}))
	// Output:
	// Figure: data of two classes with lines; log prior, log-likelihood and log posterior of the two weights, with Laplace's approximation at the mode (4.87, 2.07)
}

// A parabola as a network of three units.
func ExampleNetwork() {
	df := must.M1(datasets.PolyVsDegree().Draw(rand.NewPCG(1, 0)))
	d := must.M1(frames.Design(df, "y ~ x + I(x^2)"))
	plotting.Show(lecture.Network(must.M1(mlreg.FitOLS(d, nil)), d))
	// Output:
	// Figure: network of y as a weighted sum of 3 units, -0.17 × 1, -1.63 × x, 0.12 × I(x^2)
}

func ExampleNormBalls() {
	plotting.Show(lecture.NormBalls(0.5, 1, 2, math.Inf(1)))
	// Output:
	// Figure: unit balls of p-norms in the plane, p = [0.5 1 2 +Inf]
}

// A column that the data do not ask for costs evidence, the more the wider its prior.
func ExampleOccamsRazor() {
	plotting.Show(lecture.OccamsRazor(0.25, 1, 6))
	// Output:
	// Figure: densities of z for a family without a feature and for prior variances [1 6] of its weight, and their log ratios
}

func ExamplePenaltyGeometry() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lcp"))
	plotting.Show(lecture.PenaltyGeometry(must.M1(d.Standardize(nil)), 60, 60))
	// Output:
	// Figure: contours of the RSS of lpsa on lcavol and lcp around least squares, touching the lasso's diamond at (0.534, 0) and ridge regression's disk at (0.434, 0.208)
}

func ExampleNormalLaplace() {
	plotting.Show(lecture.NormalLaplace(1))
	// Output:
	// Figure: normal and Laplace density of standard deviation 1, and their logarithms
}

// The residual of least squares is the shortest way from y to the plane.
func ExampleProjection() {
	df := datasets.Projection()
	column := func(name string) []float64 { return must.M1(frames.Floats(df, name)) }
	plotting.Show(lecture.Projection(column("x1"), column("x2"), column("y"),
		&lecture.ProjectionSettings{Others: []lecture.NamedVector{{Name: "x₃", Values: column("x3")}}}))
	// Output:
	// Figure: Least squares projects y onto the plane of x₁ and x₂: ‖y‖ = 6, ‖ŷ‖ = 5.477, ‖y − ŷ‖ = 2.449, ‖y − x₃‖ = 4.472
}

// The prior draws the weight that the data determine less.
func ExampleRidgeGeometry() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lcp"))
	plotting.Show(lecture.RidgeGeometry(must.M1(d.Standardize(nil)), 0.01, 0.6))
	// Output:
	// Figure: contours of likelihood, prior and posterior of the weights of lcavol and lcp: maximum likelihood at (0.768, 0.112), maximum a posteriori at (0.434, 0.208)
}

// The kink of the lasso's penalty has all slopes from -1 to 1.
func ExampleSubgradients() {
	plotting.Show(lecture.Subgradients(math.Abs, 0, []float64{-1, -0.5, 0, 1}, -2, 2))
	_, err := lecture.Subgradients(math.Abs, 0, []float64{2}, -2, 2)
	fmt.Println(err)
	// Output:
	// Figure: Subgradients at x₀ = 0: f(x) against x (horizontal -2.16 to 2.16, vertical -0.7 to 2.1)
	// plotting: subgradients: mlreg: invalid setting: the slope 2 is no subgradient at 0: its line is above the function at 0.01
}

func ExampleThresholding() {
	plotting.Show(lecture.Thresholding(2, 3))
	// Output:
	// Figure: soft and hard threshold at c = -3 and 3 beside the line of least squares, w = c/2
}

// The posterior of a line after no, one and seven observations.
func ExampleWeightSpace() {
	truth := datasets.CurveModel{F: func(x float64) float64 { return -0.3 + 0.5*x }, Sigma2: 0.04, X: []float64{0.9, -0.6, 0.2, -0.9, 0.5, -0.1, 0.7}}
	d := must.M1(frames.Design(must.M1(truth.Draw(rand.NewPCG(1, 2))), "y ~ x"))
	plotting.Show(lecture.WeightSpace(d, mlreg.GaussianPrior{Tau2: 0.5}, mlreg.KnownVariance(truth.Sigma2), []int{0, 1, 7},
		&lecture.WeightSpaceSettings{Truth: []float64{-0.3, 0.5}}))
	// Output:
	// Figure: learning of the line y ~ x after [0 1 7] observations: likelihood of the newest, posterior of (w0, w1), lines drawn from it
}

func ExampleOneCoordinate() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol")).Standardize(nil))
	plotting.Show(lecture.OneCoordinate(d, 0, 60, 200))
	// Output:
	// Figure: the objective RSS + λ|w| against the weight of lcavol for λ = [0 60 200], with its minimum
}

func ExampleShootingSteps() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	plotting.Show(lecture.ShootingSteps(d, 10, nil))
	// Output:
	// Figure: weights after each of 9 sweeps of the shooting algorithm at λ = 10, and its progress
}
