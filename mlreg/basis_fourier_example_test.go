package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/mlreg"
)

// A day and half a day, at three o'clock.
func ExampleNewFourier() {
	f := must.M1(mlreg.NewFourier(24, 2))
	for k, name := range f.Names("hour") {
		fmt.Printf("%s %.3f\n", name, f.Eval(nil, 3)[k])
	}
	// Output:
	// fourier(hour, 24)sin1 0.707
	// fourier(hour, 24)cos1 0.707
	// fourier(hour, 24)sin2 1.000
	// fourier(hour, 24)cos2 0.000
}
