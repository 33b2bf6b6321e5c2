package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The leverages of the rows of a fit.
func ExampleStems() {
	d := must.M1(frames.Design(datasets.Longley(), "Employed ~ GNP + Unemployed"))
	leverage := must.M1(must.M1(mlreg.FitOLS(d, nil)).Leverage(d))
	plotting.Show(plotting.Draw(plotting.Labels{X: "row", Y: "leverage"},
		plotting.Stems{X: plotting.Range(1, 16, 16), Y: leverage}, plotting.HLine{Y: 3. / 16, Name: "mean"}))
	// Output:
	// Figure: leverage against row (horizontal 0.4 to 16.6, vertical 0 to 0.371)
}
