package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// The projection of y onto the plane of two columns, and what it leaves.
func ExampleProject() {
	x := mat.NewDense(3, 2, []float64{
		2, 0,
		2, 2,
		2, 4,
	})
	projection, residual := must.M2(mlreg.Project(x, []float64{6, 0, 0}))
	fmt.Printf("%.0f %.0f\n", projection, residual)
	// Output: [5 2 -1] [1 -2 1]
}

// A line through four points: H makes fitted values of the response.
func ExampleHatMatrix() {
	d := must.M1(mlreg.NewDesign(mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []float64{1, 0, 2, 5}))
	h := must.M1(mlreg.HatMatrix(d))
	fmt.Printf("%.1f\n", mat.Formatted(h))
	var yhat mat.VecDense
	yhat.MulVec(h, mat.NewVecDense(4, d.Y))
	fmt.Printf("%.1f\n", mat.Formatted(yhat.T()))
	// Output:
	// ⎡ 0.7   0.4   0.1  -0.2⎤
	// ⎢ 0.4   0.3   0.2   0.1⎥
	// ⎢ 0.1   0.2   0.3   0.4⎥
	// ⎣-0.2   0.1   0.4   0.7⎦
	// [-0.1   1.3   2.7   4.1]
}

// I - H makes residuals of the response.
func ExampleResidualMaker() {
	d := must.M1(mlreg.NewDesign(mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []float64{1, 0, 2, 5}))
	var r mat.VecDense
	r.MulVec(must.M1(mlreg.ResidualMaker(d)), mat.NewVecDense(4, d.Y))
	fmt.Printf("%.1f\n", mat.Formatted(r.T()))
	// Output: [ 1.1  -1.3  -0.7   0.9]
}

// The rows at the ends of a line have the most to say about it.
// R: hat(cbind(1, 0:3)).
func ExampleLeverage() {
	d := must.M1(mlreg.NewDesign(mat.NewDense(4, 1, []float64{0, 1, 2, 3}), nil))
	fmt.Printf("%.1f\n", must.M1(mlreg.Leverage(d)))
	// Output: [0.7 0.3 0.3 0.7]
}
