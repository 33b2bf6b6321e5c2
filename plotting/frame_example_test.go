package plotting_test

import (
	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/plotting"
)

func ExampleHead() {
	plotting.Show(plotting.Head(datasets.EightSchools(), 3))
	// Output:
	// school  effect  se
	// 1  A           28  15
	// 2  B            8  10
	// 3  C           -3  16
	// ... 5 more rows
	// 8 rows x 3 columns
}

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

func ExampleCorrelationMap() {
	plotting.Show(plotting.CorrelationMap(datasets.Longley(), nil))
	// Output:
	// Figure: Correlation coefficients: heat map of 7 columns, 16 rows; the strongest is 1.00 between GNP and Year
}
