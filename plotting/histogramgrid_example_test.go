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

// The same by groups, whose bars stand on each other.
func ExampleHistogramGrid_color() {
	plotting.Show(plotting.HistogramGrid(datasets.Prostate(), &plotting.FrameSettings{Columns: []string{"lcavol", "lpsa", "gleason"}, Color: "svi"}))
	// Output:
	// Figure: histograms of 3 columns in 97 rows: lcavol, lpsa, gleason; colors by svi
}
