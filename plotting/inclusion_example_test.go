package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func ExampleInclusionPlot() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	e := must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{G: 100}, nil))
	plotting.Show(plotting.InclusionPlot(e, &plotting.InclusionSettings{Sorted: true}))
	// Output:
	// Figure: posterior probabilities of inclusion of 10 terms; above 1/2: {x1 x2 x4 x5}
}

// What a sampler makes of the same posterior, and another score.
func ExampleCompareInclusions() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	g := mlreg.ZellnerG{G: 100}
	plotting.Show(plotting.CompareInclusions([]plotting.NamedModels{
		{Name: "exact", Models: must.M1(mlreg.EnumerateModels(d, g, nil))},
		{Name: "sampled", Models: must.M1(mlreg.SampleModels(d, g, rand.NewPCG(1, 1), nil))},
		{Name: "by BIC", Models: must.M1(mlreg.EnumerateModels(d, mlreg.BICScore{}, nil))},
	}, nil))
	// Output:
	// Figure: posterior probabilities of inclusion of 10 terms; above 1/2: {x1 x2 x4 x5}
}

func ExampleSizePlot() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	plotting.Show(plotting.SizePlot(must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{G: 100}, nil)), "Caterpillars"))
	// Output:
	// Figure: Caterpillars: probability against number of terms in the model (horizontal -0.6 to 9.6, vertical 0 to 0.384)
}
