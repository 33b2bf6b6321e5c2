package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// The first two mails of the data and the last. scikit-learn: predict.
func ExampleClassify() {
	d := must.M1(frames.Design(datasets.Spambase(), "type ~ free + money + hp + george"))
	filter := must.M1(mlreg.FitNaiveBayes(must.M1(d.Presence(0)), 1, nil))
	fmt.Println(must.M1(mlreg.Classify(filter, must.M1(d.Presence(0)).Rows(0, 1, 4600))))
	// Output: [spam spam nonspam]
}

// scikit-learn: confusion_matrix, precision_score, recall_score, f1_score.
func ExampleConfusion() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lcavol + lpsa"))
	logit := must.M1(mlreg.FitLogistic(d, nil))
	t := must.M1(mlreg.Confusion(logit, d, 0))
	fmt.Println("classes", t.Classes, "counts", t.Counts)
	fmt.Printf("accuracy %.4f, error rate %.4f, precision %.4f, recall %.4f, F1 %.4f\n", t.Accuracy(), t.ErrorRate(), t.Precision(1), t.Recall(1), t.F1(1))
	// Output:
	// classes [0 1] counts [[71 5] [9 12]]
	// accuracy 0.8557, error rate 0.1443, precision 0.7059, recall 0.5714, F1 0.6316
}

// R: pROC::roc, ci.auc; scikit-learn: roc_curve, roc_auc_score.
func ExampleROC() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lcavol + lpsa"))
	roc := must.M1(mlreg.ROC(must.M1(mlreg.FitLogistic(d, nil)), d))
	limits := must.M1(roc.ConfInt(0.95))
	fmt.Printf("area %.4f, 95%% limits %.4f to %.4f\n", roc.AUC, limits.Lower, limits.Upper)
	// Output: area 0.9242, 95% limits 0.8734 to 0.9750
}

// The curve of any score: here lpsa itself.
func ExampleNewROC() {
	df := datasets.Prostate()
	roc := must.M1(mlreg.NewROC(must.M1(frames.Floats(df, "lpsa")), must.M1(frames.Mask(df, "svi", 1))))
	fmt.Printf("%d of %d have it; area %.4f\n", roc.Positives, roc.Positives+roc.Negatives, roc.AUC)
	// Output: 21 of 97 have it; area 0.8982
}

// Do those given 30% have it in 30% of cases?
// scikit-learn: calibration_curve(strategy="quantile"), which cuts at other
// places.
func ExampleCalibration() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lcavol + lpsa"))
	logit := must.M1(mlreg.FitLogistic(d, nil))
	for _, g := range must.M1(mlreg.Calibration(logit, d, 4)) {
		fmt.Printf("%d rows: mean probability %.4f, fraction %.4f +- %.4f\n", g.N, g.MeanProb, g.Fraction, g.StdErr)
	}
	// Output:
	// 24 rows: mean probability 0.0039, fraction 0.0000 +- 0.0127
	// 24 rows: mean probability 0.0345, fraction 0.0000 +- 0.0371
	// 24 rows: mean probability 0.1584, fraction 0.2500 +- 0.0731
	// 25 rows: mean probability 0.6511, fraction 0.6000 +- 0.0856
}

// Of the statements of 80% two in three come true, of those of 20% one: too sure.
func ExampleNewCalibration() {
	p := []float64{0.8, 0.2, 0.2, 0.8, 0.8, 0.2}
	came := []bool{true, false, true, false, true, false}
	for _, g := range must.M1(mlreg.NewCalibration(p, came, 2)) {
		fmt.Printf("%d statements of %.1f: %.2f came true\n", g.N, g.MeanProb, g.Fraction)
	}
	// Output:
	// 3 statements of 0.2: 0.33 came true
	// 3 statements of 0.8: 0.67 came true
}

// scikit-learn: twice brier_score_loss.
func ExampleBrierScore() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lcavol + lpsa"))
	fmt.Printf("%.5f\n", must.M1(mlreg.BrierScore(must.M1(mlreg.FitLogistic(d, nil)), d)))
	// Output: 0.18973
}
