package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The scores of all models, and the most probable.
func ExampleModelScores() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	e := must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{G: 100}, &mlreg.EnumerateSettings{Scores: true}))
	plotting.Show(plotting.ModelScores(e, "1,024 models"))
	// Output:
	// Figure: 1,024 models: f(γ) = −log p(y|γ) − log p(γ) against model γ, in Gray-code order (horizontal -40.9 to 1064, vertical 52.5 to 69.8)
}

// The same as probabilities, cut at 0.04.
func ExampleModelProbs() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	e := must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{G: 100}, &mlreg.EnumerateSettings{Scores: true}))
	plotting.Show(plotting.ModelProbs(e, 0.04, "1,024 models"))
	// Output:
	// Figure: 1,024 models: p(γ|y) against model γ, in Gray-code order (horizontal -40.9 to 1064, vertical 0 to 0.04)
}
