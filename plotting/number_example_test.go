package plotting_test

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/plotting"
)

func ExampleNumber() {
	fmt.Println(plotting.Number(0.71110042, 3), plotting.Number(1234567.8, 3), plotting.Number(1.5e-8, 3), plotting.Number(math.NaN(), 3))
	// Output:
	// 0.711 1234568 1.5e-08 NA
}

func ExamplePValue() {
	fmt.Println(plotting.PValue(0.04321), plotting.PValue(1e-12))
	// Output:
	// 0.0432 <0.0001
}
