package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/mlreg"
)

// R: poly(c(-1, 0, 1, 2), 2)[4, ].
func ExampleNewPoly() {
	p := must.M1(mlreg.NewPoly([]float64{-1, 0, 1, 2}, 2))
	fmt.Printf("%.4f\n", p.Eval(nil, 2))
	// Output: [0.6708 0.5000]
}
