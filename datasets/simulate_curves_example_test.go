package datasets_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// A parabola with noise, and its fits of degree 1 and 2 (Murphy's figure 1.7).
func ExamplePolyVsDegree() {
	sample := must.M1(datasets.PolyVsDegree().Draw(rand.NewPCG(1, 0)))
	for _, formula := range []string{"y ~ x", "y ~ poly(x, 2, raw = TRUE)"} {
		fit := must.M1(mlreg.FitOLS(must.M1(frames.Design(sample, formula)), nil))
		fmt.Printf("%.3f, residual variance %.2f\n", fit.Coef(), fit.Sigma2())
	}
	// Output:
	// [-7.706 0.753], residual variance 21.04
	// [-0.170 -1.627 0.119], residual variance 4.57
}

// The posterior of Murphy's figure 7.12: the mean of the weights under a wide
// prior.
func ExamplePostPred() {
	curve := datasets.PostPred()
	d := must.M1(frames.Design(must.M1(curve.Draw(rand.NewPCG(7, 12))), "y ~ poly(x, 2, raw = TRUE)"))
	fit := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1000}, mlreg.KnownVariance(curve.Sigma2), nil))
	fmt.Printf("weights %.2f, standard deviations %.2f\n", fit.Coef(), fit.StdDev())
	// Output:
	// weights [3.06 0.05 1.98], standard deviations [4.06 0.98 0.65]
}

// The truth without noise, at other inputs than the sample's.
func ExampleSine() {
	fmt.Println(must.M1(datasets.Sine().Exact([]float64{0, 0.25, 0.75})))
	// Output:
	// [3x2] DataFrame
	//
	//     x        y
	//  0: 0.000000 0.000000
	//  1: 0.250000 1.000000
	//  2: 0.750000 -1.000000
	//     <float>  <float>
}

// Your own curve: a step, seen with little noise at four inputs.
func ExampleCurveModel() {
	step := datasets.CurveModel{
		F: func(x float64) float64 {
			if x < 0 {
				return 0
			}
			return 1
		},
		Sigma2: 0.01,
		X:      []float64{-2, -1, 1, 2},
	}
	fmt.Printf("%.2f\n", must.M1(frames.Floats(must.M1(step.Draw(rand.NewPCG(1, 1))), "y")))
	// Output:
	// [0.09 0.04 0.92 1.07]
}

// Training error and expected error of polynomials, exactly.
func ExampleCurveModel_Exact() {
	truth := must.M1(datasets.Sine().Exact(nil))
	d := must.M1(frames.Design(truth, "y ~ poly(x, 10)"))
	path := must.M1(mlreg.ExpectedErrorPath(d, d.Y, datasets.Sine().Sigma2))
	for _, degree := range []int{1, 3, 8, 10} {
		e := path[degree]
		fmt.Printf("degree %2d: training %.4f, new responses %.4f\n", degree, e.Training, e.New)
	}
	// Output:
	// degree  1: training 0.3289, new responses 0.3589
	// degree  3: training 0.0666, new responses 0.1266
	// degree  8: training 0.0225, new responses 0.1575
	// degree 10: training 0.0075, new responses 0.1725
}

// The same curve at other inputs, in no order.
func ExampleCurveModel_Uniform() {
	curve := datasets.Sine().Uniform(3, 0, 1, rand.NewPCG(2, 1))
	fmt.Printf("%.3f\n", curve.X)
	// Output: [0.126 0.409 0.308]
}
