package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// Two classes, and the line that ridge logistic regression puts between them.
func ExampleClassMap() {
	df := must.M1(datasets.Girolami().Draw(30, rand.NewPCG(4, 8)))
	d := must.M1(frames.Design(df, "y ~ x1 + x2"))
	fit := must.M1(mlreg.FitLogistic(d, &mlreg.LogisticSettings{L2: 1}))
	plotting.Show(plotting.ClassMap(df, d, fit, &plotting.ClassMapSettings{Title: "Ridge", Levels: []float64{0.1, 0.9}}))
	// Output:
	// Figure: Ridge: x2 against x1 (horizontal -8.64 to 4.55, vertical -7.32 to 9.98)
}
