package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/mlreg"
)

// scikit-learn: PolynomialFeatures(3, include_bias=False); R: poly(x, 3, raw = TRUE).
func ExampleNewPowers() {
	p := must.M1(mlreg.NewPowers(3))
	fmt.Println(p.Inputs(), "input:", p.Names("x"), p.Eval(nil, 2))
	// Output: 1 input: [x x^2 x^3] [2 4 8]
}

// 0.1 itself is rounded; its square is rounded once more.
func ExamplePower() {
	hi, lo := mlreg.Power(0.1, 2)
	fmt.Printf("%.17g and %.3g\n", hi, lo)
	// Output: 0.010000000000000002 and -8.33e-19
}
