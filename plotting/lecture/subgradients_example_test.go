package lecture_test

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

// The kink of the lasso's penalty has all slopes from -1 to 1.
func ExampleSubgradients() {
	plotting.Show(lecture.Subgradients(math.Abs, 0, []float64{-1, -0.5, 0, 1}, -2, 2))
	_, err := lecture.Subgradients(math.Abs, 0, []float64{2}, -2, 2)
	fmt.Println(err)
	// Output:
	// Figure: Subgradients at x₀ = 0: f(x) against x (horizontal -2.16 to 2.16, vertical -0.7 to 2.1)
	// plotting: subgradients: mlreg: invalid setting: the slope 2 is no subgradient at 0: its line is above the function at 0.01
}
