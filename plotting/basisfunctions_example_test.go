package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The columns of a natural spline.
func ExampleBasisFunctions() {
	df := must.M1(datasets.Sine().Draw(rand.NewPCG(3, 1)))
	d := must.M1(frames.Design(df, "y ~ ns(x, 4)"))
	plotting.Show(plotting.BasisFunctions(d, df, &plotting.CurveSettings{Title: "A natural spline"}))
	// Output:
	// Figure: A natural spline: g(x) against x (horizontal -0.04 to 1.04, vertical -0.38 to 0.756)
}

// A parabola as the sum of its weighted powers.
func ExampleWeightedBasis() {
	df := must.M1(datasets.PolyVsDegree().Draw(rand.NewPCG(1, 0)))
	d := must.M1(frames.Design(df, "y ~ x + I(x^2)"))
	plotting.Show(plotting.WeightedBasis(must.M1(mlreg.FitOLS(d, nil)), d, df, nil))
	// Output:
	// Figure: y against x (horizontal -0.6 to 20.6, vertical -35.8 to 50.8)
}
