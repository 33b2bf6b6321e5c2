package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// A filter of six words, and what its threshold of 1/2 costs.
func ExampleROCPlot() {
	d := must.M1(frames.Design(datasets.Spambase(), "type ~ remove + free + george + hp + meeting + charDollar"))
	d = must.M1(d.Presence(0))
	filter := must.M1(mlreg.FitNaiveBayes(d, 1, nil))
	plotting.Show(plotting.ROCPlot([]plotting.NamedROC{{Name: "six words", Curve: must.M1(mlreg.ROC(filter, d))}},
		&plotting.ROCSettings{Threshold: 0.5}))
	// Output:
	// Figure: receiver operating characteristic; six words: AUC 0.943
}
