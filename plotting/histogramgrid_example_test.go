package plotting_test

import (
	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/plotting"
)

// A first look at the columns of a frame.
func ExampleHistogramGrid() {
	plotting.Show(plotting.HistogramGrid(datasets.Prostate(), &plotting.FrameSettings{Title: "97 men"}))
	// Output:
	// Figure: 97 men: histograms of 10 columns in 97 rows: lcavol, lweight, age, lbph, svi, lcp, gleason, pgg45, lpsa, train
}
