package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/mlreg"
)

// R: poly(c(-1, 0, 1, 2), 2)[4, ], and attr(, "coefs")$norm2.
func ExampleNewPoly() {
	p := must.M1(mlreg.NewPoly([]float64{-1, 0, 1, 2}, 2))
	fmt.Printf("degree %d: %.4f\nnorms squared %.4f\n", p.Degree(), p.Eval(nil, 2), p.Norm2())
	// Output:
	// degree 2: [0.6708 0.5000]
	// norms squared [1.0000 4.0000 5.0000 4.0000]
}
