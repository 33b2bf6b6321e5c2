package plotting_test

import (
	"math"

	"github.com/regbook/regbook/plotting"
)

func ExampleNormBalls() {
	plotting.Show(plotting.NormBalls(0.5, 1, 2, math.Inf(1)))
	// Output:
	// Figure: unit balls of p-norms in the plane, p = [0.5 1 2 +Inf]
}
