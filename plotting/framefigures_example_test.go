package plotting_test

import (
	"log"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/plotting"
)

// A first look at the training rows of the prostate data.
func ExampleHistogramGrid() {
	df, err := frames.Where(datasets.Prostate(), "train", "T")
	if err != nil {
		log.Fatal(err)
	}
	df = df.Drop("train")
	plotting.Show(plotting.HistogramGrid(df, nil))
	plotting.Show(plotting.ScatterMatrix(df, &plotting.FrameSettings{Columns: []string{"lcavol", "lweight", "lpsa"}}))
	plotting.Show(plotting.CorrelationMap(df, nil))
	// Output:
	// Figure: histograms of 9 columns in 67 rows: lcavol, lweight, age, lbph, svi, lcp, gleason, pgg45, lpsa
	// Figure: scatter matrix of 3 columns, 67 rows: lcavol, lweight, lpsa
	// Figure: Correlation coefficients: heat map of 9 columns, 67 rows; the strongest is 0.76 between gleason and pgg45
}
