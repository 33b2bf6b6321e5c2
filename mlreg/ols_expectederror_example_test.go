package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// A straight truth: more degrees buy nothing but variance.
func ExampleExpectedErrorPath() {
	truth := []float64{-2, -1, 0, 1, 2}
	d := must.M1(mlreg.Expand(must.M1(mlreg.NewPowers(3)), mat.NewVecDense(5, truth), nil))
	for degree, e := range must.M1(mlreg.ExpectedErrorPath(d, truth, 1)) {
		fmt.Printf("degree %d: bias^2 %.1f, variance %.1f, training %.1f, new %.1f\n", degree, e.Bias2, e.Variance, e.Training, e.New)
	}
	// Output:
	// degree 0: bias^2 2.0, variance 0.2, training 2.8, new 3.2
	// degree 1: bias^2 0.0, variance 0.4, training 0.6, new 1.4
	// degree 2: bias^2 0.0, variance 0.6, training 0.4, new 1.6
	// degree 3: bias^2 0.0, variance 0.8, training 0.2, new 1.8
}

// Beyond the training inputs the expected error of a cubic explodes.
func ExampleExpectedErrorAt() {
	truth := []float64{-2, -1, 0, 1, 2}
	train := must.M1(mlreg.Expand(must.M1(mlreg.NewPowers(3)), mat.NewVecDense(5, truth), truth))
	for _, x := range []float64{0.5, 2.5, 4} {
		at := must.M1(mlreg.ExpandLike(train, mat.NewVecDense(1, []float64{x}), []float64{x}))
		fmt.Printf("at %.1f: %.1f\n", x, must.M1(mlreg.ExpectedErrorAt(train, at, 1, mlreg.ErrorOnAliased)).Error)
	}
	// Output:
	// at 0.5: 0.6
	// at 2.5: 5.6
	// at 4.0: 192.2
}

// A penalty pays a bias for less variance.
func ExampleExpectedRidgeErrorAt() {
	truth := []float64{-2, -1, 0, 1, 2}
	train := must.M1(mlreg.Expand(must.M1(mlreg.NewPowers(3)), mat.NewVecDense(5, truth), truth))
	at := must.M1(mlreg.ExpandLike(train, mat.NewVecDense(2, []float64{-2.5, 2.5}), []float64{-2.5, 2.5}))
	for _, lambda := range []float64{0, 1, 10} {
		e := must.M1(mlreg.ExpectedRidgeErrorAt(train, at, 1, lambda))
		fmt.Printf("lambda = %2.0f: bias^2 %.2f, variance %.2f, training %.2f, new %.2f\n",
			lambda, e.Bias2, e.Variance, e.Training, e.New)
	}
	// Output:
	// lambda =  0: bias^2 0.00, variance 5.64, training 0.20, new 6.64
	// lambda =  1: bias^2 0.51, variance 3.70, training 0.30, new 5.21
	// lambda = 10: bias^2 1.22, variance 2.21, training 0.57, new 4.43
}
