package mlreg_test

import (
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
