package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The words that tell most about spam.
func ExampleInformativePlot() {
	d := must.M1(frames.Design(datasets.Spambase(), "type ~ remove + free + george + hp + meeting + charDollar"))
	filter := must.M1(mlreg.FitNaiveBayes(must.M1(d.Presence(0)), 1, nil))
	plotting.Show(plotting.InformativePlot(filter, "spam", 6))
	// Output:
	// Figure: log odds ratios of 6 features; most for spam: remove, most against: george
}

// Why an e-mail is spam.
func ExampleExplainPlot() {
	d := must.M1(frames.Design(datasets.Spambase(), "type ~ remove + free + george + hp + meeting + charDollar"))
	d = must.M1(d.Presence(0))
	plotting.Show(plotting.ExplainPlot(must.M1(mlreg.FitNaiveBayes(d, 1, nil)), d, 1, 3))
	// Output:
	// Figure: log odds of spam as a sum: +7.28 in all, most by remove
}
