package plotting_test

import (
	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/plotting"
)

func ExampleScatterMatrix() {
	plotting.Show(plotting.ScatterMatrix(datasets.Prostate(), &plotting.FrameSettings{Columns: []string{"lcavol", "lweight", "svi", "lpsa"}}))
	// Output:
	// Figure: scatter matrix of 4 columns, 97 rows: lcavol, lweight, svi, lpsa
}

// The same with a color for each group.
func ExampleScatterMatrix_color() {
	plotting.Show(plotting.ScatterMatrix(datasets.Prostate(), &plotting.FrameSettings{Columns: []string{"lcavol", "lweight", "lpsa"}, Color: "svi"}))
	// Output:
	// Figure: scatter matrix of 3 columns, 97 rows: lcavol, lweight, lpsa; colors by svi
}
