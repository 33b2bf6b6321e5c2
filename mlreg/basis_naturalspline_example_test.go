package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/mlreg"
)

// R: predict(splines::ns(0:6, 3), 2.5).
func ExampleNewNaturalSpline() {
	s := must.M1(mlreg.NewNaturalSpline([]float64{0, 1, 2, 3, 4, 5, 6}, &mlreg.SplineSettings{DF: 3}))
	fmt.Printf("knots %v between %v\n", s.Knots, s.Boundary)
	fmt.Printf("%.4f\n", s.Eval(nil, 2.5))
	// Output:
	// knots [2 4] between [0 6]
	// [0.1371 0.5341 -0.3535]
}
