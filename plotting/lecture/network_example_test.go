package lecture_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

// A parabola as a network of three units.
func ExampleNetwork() {
	df := must.M1(datasets.PolyVsDegree().Draw(rand.NewPCG(1, 0)))
	d := must.M1(frames.Design(df, "y ~ x + I(x^2)"))
	plotting.Show(lecture.Network(must.M1(mlreg.FitOLS(d, nil)), d))
	// Output:
	// Figure: network of y as a weighted sum of 3 units, -0.17 × 1, -1.63 × x, 0.119 × I(x^2)
}
