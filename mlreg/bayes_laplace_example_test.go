package mlreg_test

import (
	"errors"
	"fmt"
	"math"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// Laplace's method on x^20 exp(-x), whose integral is 20!: Stirling's formula.
func ExampleLaplace1D() {
	a := must.M1(mlreg.Laplace1D(func(x float64) float64 { return 20*math.Log(x) - x }, 10, nil))
	exact, _ := math.Lgamma(21)
	fmt.Printf("mode %.3f, c %.4f, ln Z %.4f, exact %.4f\n", a.Mode()[0], a.Precision().At(0, 0), a.LogNormalizer(), exact)
	// Output: mode 20.000, c 0.0500, ln Z 42.3315, exact 42.3356
}

// The Gaussian touches the density at the mode and leaves it farther out.
func ExampleLaplaceApproximation_LogQ() {
	gamma := func(x float64) float64 { return 20*math.Log(x) - x }
	a := must.M1(mlreg.Laplace1D(gamma, 10, nil))
	for _, x := range []float64{15, 22, 30} {
		fmt.Printf("at %v: %.4f, Gaussian %.4f\n", x, gamma(x)-a.LogAtMode(), a.LogQ([]float64{x})-a.LogAtMode())
	}
	fmt.Println(a.Dim(), "dimension; gradient below 1e-9:", a.GradNorm() < 1e-9, "after some iterations:", a.Iterations() > 0)
	// Output:
	// at 15: -0.7536, Gaussian -0.6250
	// at 22: -0.0938, Gaussian -0.1000
	// at 30: -1.8907, Gaussian -2.5000
	// 1 dimension; gradient below 1e-9: true after some iterations: true
}

// A density with a ridge, along which it does not fall off.
func ExampleHessianError() {
	_, err := mlreg.Laplace(func(x []float64) float64 { return -(x[0] - x[1]) * (x[0] - x[1]) }, []float64{1, 0}, nil)
	var flat *mlreg.HessianError
	fmt.Println(errors.As(err, &flat))
	fmt.Printf("%.3f\n", math.Abs(flat.Direction[0]))
	// Output:
	// true
	// 0.707
}

// H is minus the Hessian of the log density, so that its inverse is a
// covariance.
func ExampleLaplace() {
	logDensity := func(x []float64) float64 { return -2*x[0]*x[0] - x[0]*x[1] - x[1]*x[1] }
	a := must.M1(mlreg.Laplace(logDensity, []float64{3, 3}, nil))
	fmt.Printf("%.3f\n%.3f\n", mat.Formatted(a.Precision()), mat.Formatted(a.Gaussian().Cov()))
	// Output:
	// ⎡4.000  1.000⎤
	// ⎣1.000  2.000⎦
	// ⎡ 0.286  -0.143⎤
	// ⎣-0.143   0.571⎦
}
