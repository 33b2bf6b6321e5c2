package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// Are probabilities of 0.9 right nine times in ten? Those of a regression are,
// those of naive Bayes are not.
func ExampleCalibrationPlot() {
	d := must.M1(frames.Design(datasets.Spambase(), "type ~ . - capitalAve - capitalLong - capitalTotal"))
	d = must.M1(d.Presence(0))
	groups := func(f mlreg.Classifier) []mlreg.CalibrationRow { return must.M1(mlreg.Calibration(f, d, 10)) }
	plotting.Show(plotting.CalibrationPlot([]plotting.NamedCalibration{
		{Name: "naive Bayes", Rows: groups(must.M1(mlreg.FitNaiveBayes(d, 1, nil)))},
		{Name: "logistic regression", Rows: groups(must.M1(mlreg.FitLogistic(d, nil)))},
	}, "Spam"))
	// Output:
	// Figure: Spam: fraction observed against probability predicted, of naive Bayes, logistic regression
}
