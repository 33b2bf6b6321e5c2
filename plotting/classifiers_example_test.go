package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// Two classes, and the line that ridge logistic regression puts between them.
func ExampleClassMap() {
	df := must.M1(datasets.Girolami().Draw(30, rand.NewPCG(4, 8)))
	d := must.M1(frames.Design(df, "y ~ x1 + x2"))
	fit := must.M1(mlreg.FitLogistic(d, &mlreg.LogisticSettings{L2: 1}))
	plotting.Show(plotting.ClassMap(df, d, fit, &plotting.ClassMapSettings{Title: "Ridge", Levels: []float64{0.1, 0.9}}))
	// Output:
	// Figure: Ridge: x2 against x1 (horizontal -8.64 to 4.55, vertical -7.32 to 9.98)
}

// Murphy's figure 8.6: the plug-in and the average over the posterior.
func ExampleLogisticPredictive() {
	df := must.M1(datasets.Girolami().Draw(30, rand.NewPCG(4, 8)))
	d := must.M1(frames.Design(df, "y ~ 0 + x1 + x2"))
	post := must.M1(mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 100}, nil))
	plotting.Show(plotting.LogisticPredictive(df, d, post, nil))
	// Output:
	// Figure: probability of y = 1 over x1 and x2: at the mode, boundaries of 100 draws of the posterior, and averaged over them
}

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

// By how much a unit multiplies the odds of an invasion.
func ExampleShow_oddsRatios() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lcavol + lcp"))
	fit := must.M1(mlreg.FitLogistic(d, nil))
	plotting.Show(fit.OddsRatios(0.95))
	// Output:
	// Odds ratios
	// term         odds ratio  lower 95%  upper 95%       p
	// (Intercept)      0.0192     0.0018     0.2058  0.0011
	// lcavol           3.1554     1.0148     9.8111  0.0471
	// lcp              2.7762     1.4291     5.3930  0.0026
}

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
