package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/mlreg"
)

// An additive model of a trend and a season.
func ExampleNewAdditive() {
	trend, season := must.M1(mlreg.NewPowers(1)), must.M1(mlreg.NewFourier(4, 1))
	basis := must.M1(mlreg.NewAdditive(trend, season))
	for k, name := range basis.Names("year", "quarter") {
		fmt.Printf("%-24s %.1f\n", name, basis.Eval(nil, 3, 1)[k])
	}
	// Output:
	// year                     3.0
	// fourier(quarter, 4)sin1  1.0
	// fourier(quarter, 4)cos1  0.0
}

// Products of all columns of one basis with all of another. R: the term a:b.
func ExampleNewInteraction() {
	two := must.M1(mlreg.NewPowers(2))
	product := must.M1(mlreg.NewInteraction(two, two))
	fmt.Println(product.Names("x", "z"), product.Eval(nil, 2, 10))
	// Output: [x:z x^2:z x:z^2 x^2:z^2] [20 40 200 400]
}
