package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// R: mvtnorm::dmvnorm(c(1, 1), sigma = matrix(c(1, .6, .6, 1), 2), log = TRUE).
func ExampleNewGaussian() {
	g := must.M1(mlreg.NewGaussian([]float64{0, 0}, mat.NewSymDense(2, []float64{1, 0.6, 0.6, 1})))
	fmt.Printf("log density at (1, 1): %.4f\n", g.LogProb([]float64{1, 1}))

	_, err := mlreg.NewGaussian([]float64{0, 0}, mat.NewSymDense(2, []float64{1, 2, 2, 1}))
	fmt.Println(err)
	// Output:
	// log density at (1, 1): -2.2397
	// mlreg: matrix is not positive definite: the covariance fails at pivot 2 of 2 (diagonal element 1): given the elements before it, element 2 has no positive variance
}

// Height and weight, standardized, with correlation 0.6: what a height of 2
// says of the weight.
func ExampleGaussian_Condition() {
	g := must.M1(mlreg.NewGaussian([]float64{0, 0}, mat.NewSymDense(2, []float64{1, 0.6, 0.6, 1})))
	w := must.M1(g.Condition([]int{0}, []float64{2}))
	limits := must.M1(w.CredibleInterval(0.9))[0]
	fmt.Printf("%.2f +- %.2f, 90%% between %.2f and %.2f\n", w.Mean(), w.StdDev(), limits.Lower, limits.Upper)
	// Output: [1.20] +- [0.80], 90% between -0.12 and 2.52
}

// Two of three elements.
func ExampleGaussian_Marginal() {
	g := must.M1(mlreg.NewGaussian([]float64{1, 2, 3}, mat.NewSymDense(3, []float64{4, 1, 2, 1, 9, 3, 2, 3, 16})))
	m := must.M1(g.Marginal(0, 2))
	fmt.Printf("%.0f\n%.0f\n", m.Mean(), mat.Formatted(m.Cov()))
	// Output:
	// [1 3]
	// ⎡ 4   2⎤
	// ⎣ 2  16⎦
}

// The ellipse that holds half of the mass, through the ends of its axes.
func ExampleGaussian_Ellipse() {
	g := must.M1(mlreg.NewGaussian([]float64{1, 2}, mat.NewDiagDense(2, []float64{4, 1})))
	x, y := must.M2(g.Ellipse(0.5, 5))
	for i := range x {
		fmt.Printf("(%.3f, %.3f) ", x[i], y[i])
	}
	// Output: (3.355, 2.000) (1.000, 3.177) (-1.355, 2.000) (1.000, 0.823) (3.355, 2.000)
}
