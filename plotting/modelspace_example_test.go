package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func ExampleModelSpace() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	e := must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{G: 100}, &mlreg.EnumerateSettings{Best: 200}))
	plotting.Show(plotting.ModelSpace(e, &plotting.ModelSpaceSettings{Title: "Caterpillars"}))
	// Output:
	// Figure: Caterpillars: the terms of the 200 models of highest posterior probability; the best is {x1, x2, x4, x5} with 0.218
}
