package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// How many of 40 limits of 80% hold the true slope?
func ExampleIntervals() {
	x := must.M1(datasets.NormalDesign(20, 1, 0, rand.NewPCG(1, 1)))
	truth := datasets.LinearModel{Coef: []float64{2}, Sigma: 1}
	r := must.M1(truth.Replicate(x, 40, rand.NewPCG(2, 1), func(d *mlreg.Design) (mlreg.Wald, error) { return mlreg.FitOLS(d, nil) }))
	var limits []mlreg.Interval
	for _, fit := range r.Fits {
		limits = append(limits, must.M1(mlreg.ConfInt(fit, 0.8))[0])
	}
	plotting.Show(plotting.Intervals(plotting.Labels{Title: "40 studies", X: "study", Y: "slope"}, limits, 2))
	// Output:
	// Figure: 40 studies: slope against study (horizontal -0.56 to 41.6, vertical 1.2 to 2.72)
}
