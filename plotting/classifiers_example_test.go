package plotting_test

import (
	"log"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// A spam filter: its most informative words, why an e-mail is spam, and what its
// probabilities are worth.
func ExampleInformativePlot() {
	d, err := frames.Design(datasets.Spambase(), "type ~ remove + free + george + hp + meeting + charDollar")
	if err != nil {
		log.Fatal(err)
	}
	if d, err = d.Presence(0); err != nil {
		log.Fatal(err)
	}
	filter, err := mlreg.FitNaiveBayes(d, 1, nil)
	if err != nil {
		log.Fatal(err)
	}
	table, err := mlreg.Confusion(filter, d, 0)
	if err != nil {
		log.Fatal(err)
	}
	curve, err := mlreg.ROC(filter, d)
	if err != nil {
		log.Fatal(err)
	}
	groups, err := mlreg.Calibration(filter, d, 10)
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(filter)
	plotting.Show(table)
	plotting.Show(curve)
	plotting.Show(plotting.InformativePlot(filter, "spam", 6))
	plotting.Show(plotting.ExplainPlot(filter, d, 1, 3))
	plotting.Show(plotting.ROCPlot([]plotting.NamedROC{{Name: "six words", Curve: curve}}, nil))
	plotting.Show(plotting.CalibrationPlot([]plotting.NamedCalibration{{Name: "six words", Rows: groups}}, ""))
	// Output:
	// Naive Bayes: P(feature | class)
	// feature     nonspam    spam  log odds ratio
	// george       0.2771  0.0050           -4.34
	// remove       0.0158  0.4215           +3.82
	// hp           0.3731  0.0281           -3.02
	// charDollar   0.1047  0.6116           +2.60
	// free         0.0907  0.5455           +2.49
	// meeting      0.1154  0.0116           -2.41
	// prior probabilities: nonspam 0.6060, spam 0.3940
	// n = 4601, smoothing 1
	// Rows by class and the class they are put in
	// class    put in nonspam  put in spam  recall  precision
	// nonspam            2594          194  0.9304     0.8998
	// spam                289         1524  0.8406     0.8871
	// n = 4601, 483 of them in a wrong class: error rate 0.1050
	// put in spam from a probability of 0.5 on
	// AUC 0.9432, 95% limits 0.9372 to 0.9492 (1813 positives, 2788 negatives)
	// Figure: log odds ratios of 6 features; most for spam: remove, most against: george
	// Figure: log odds of spam as a sum: +7.28 in all, most by remove
	// Figure: receiver operating characteristic; six words: AUC 0.943
	// Figure: fraction observed against probability predicted, of six words
}
