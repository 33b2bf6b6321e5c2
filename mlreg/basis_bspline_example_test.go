package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/mlreg"
)

// Hats over 0, 2, 4 and 6.
// R: bs(2.5, knots = c(2, 4), degree = 1, intercept = TRUE, Boundary.knots = c(0, 6)).
func ExampleNewBSpline() {
	x := []float64{0, 1, 2, 3, 4, 5, 6}
	b := must.M1(mlreg.NewBSpline(x, &mlreg.SplineSettings{Knots: []float64{2, 4}, Degree: 1, Intercept: true}))
	fmt.Printf("%.2f\n", b.Eval(nil, 2.5))
	// Output: [0.00 0.75 0.25 0.00]
}
