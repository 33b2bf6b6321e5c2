package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// A parameter observed through its double, with noise: what y = 3 says of x,
// and what was to be expected of y.
func ExampleNewLinearGaussian() {
	prior := must.M1(mlreg.NewGaussian([]float64{0}, mat.NewDiagDense(1, []float64{1})))
	s := must.M1(mlreg.NewLinearGaussian(prior, mat.NewDense(1, 1, []float64{2}), nil, mat.NewDiagDense(1, []float64{4})))
	post := must.M1(s.Posterior([]float64{3}))
	fmt.Printf("x | y = 3: mean %.2f, variance %.2f\n", post.Mean()[0], post.Cov().At(0, 0))
	fmt.Printf("y: mean %.0f, variance %.0f\n", s.Marginal().Mean()[0], s.Marginal().Cov().At(0, 0))
	// Output:
	// x | y = 3: mean 0.75, variance 0.50
	// y: mean 0, variance 8
}

// Two thermometers, one of them twice as good, read 20 and 23 degrees.
func ExampleLinearGaussian_Posterior() {
	prior := must.M1(mlreg.NewGaussian([]float64{15}, mat.NewDiagDense(1, []float64{100})))
	s := must.M1(mlreg.NewLinearGaussian(prior, mat.NewDense(2, 1, []float64{1, 1}), nil, mat.NewDiagDense(2, []float64{1, 4})))
	post := must.M1(s.Posterior([]float64{20, 23}))
	fmt.Printf("%.3f +- %.3f\n", post.Mean()[0], post.StdDev()[0])
	// Output: 20.556 +- 0.891
}

// Parameter and observation together, and the observation at a parameter.
func ExampleLinearGaussian_Joint() {
	prior := must.M1(mlreg.NewGaussian([]float64{0}, mat.NewDiagDense(1, []float64{1})))
	s := must.M1(mlreg.NewLinearGaussian(prior, mat.NewDense(1, 1, []float64{2}), nil, mat.NewDiagDense(1, []float64{4})))
	joint := s.Joint()
	fmt.Printf("%d dimensions\n%.0f\n", joint.Dim(), mat.Formatted(joint.Cov()))
	fmt.Printf("y at x = 3: %.0f +- %.0f\n", must.M1(s.Likelihood([]float64{3})).Mean(), must.M1(s.Likelihood([]float64{3})).StdDev())
	// Output:
	// 2 dimensions
	// ⎡1  2⎤
	// ⎣2  8⎦
	// y at x = 3: [6] +- [2]
}
