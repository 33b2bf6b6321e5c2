package lecture_test

import (
	"math"

	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

func ExampleNormBalls() {
	plotting.Show(lecture.NormBalls(0.5, 1, 2, math.Inf(1)))
	// Output:
	// Figure: unit balls of p-norms in the plane, p = [0.5 1 2 +Inf]
}
