package mlreg_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// A natural cubic spline through a wave, and its prediction at new inputs, one
// of them beyond the training range, where it goes on as a line.
// R: lm(y ~ ns(hours, 4)); scikit-learn: SplineTransformer in a Pipeline.
func ExampleExpand() {
	hours := []float64{0, .5, 1, 1.5, 2, 2.5, 3, 3.5, 4}
	var y []float64
	for _, t := range hours {
		y = append(y, math.Sin(t))
	}
	spline := must.M1(mlreg.NewNaturalSpline(hours, &mlreg.SplineSettings{DF: 4}))
	d := must.M1(mlreg.Expand(spline, mat.NewVecDense(9, hours), y, "hours"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	at := must.M1(mlreg.ExpandLike(d, mat.NewVecDense(2, []float64{1.2, 5}), nil))
	fmt.Printf("%q\nR2 %.4f, predictions %.3f\n", d.Names, ols.R2(), must.M1(ols.Predict(at)))
	// Output:
	// ["ns(hours, 4)1" "ns(hours, 4)2" "ns(hours, 4)3" "ns(hours, 4)4"]
	// R2 0.9996, predictions [0.932 -1.648]
}

// New inputs get the columns of the training inputs, though three values alone
// would have given other polynomials. R: predict(poly(x, 2), c(0, 1, 2)).
func ExampleExpandLike() {
	x := []float64{-1, 0, 1, 2}
	d := must.M1(mlreg.Expand(must.M1(mlreg.NewPoly(x, 2)), mat.NewVecDense(4, x), nil))
	like := must.M1(mlreg.ExpandLike(d, mat.NewVecDense(3, []float64{0, 1, 2}), nil))
	fmt.Printf("%.4f\n", mat.Formatted(like.X))
	// Output:
	// ⎡-0.2236  -0.5000⎤
	// ⎢ 0.2236  -0.5000⎥
	// ⎣ 0.6708   0.5000⎦
}

// The columns of a basis, and what rounding took from them: (10^9 + 1)^2 ends
// in 1, and does not fit in a float64.
func ExampleEvalRows() {
	p := must.M1(mlreg.NewPowers(2))
	cols, low := must.M2(mlreg.EvalRows(p, mat.NewVecDense(2, []float64{3, 1e9 + 1})))
	fmt.Printf("%.0f\n%.0f\n", mat.Formatted(cols), mat.Formatted(low))
	// Output:
	// ⎡                  3                    9⎤
	// ⎣         1000000001  1000000002000000000⎦
	// ⎡0  0⎤
	// ⎣0  1⎦
}
