package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// A spam filter from 4601 mails: which words they have.
// scikit-learn: BernoulliNB(alpha=1), predict_proba.
func ExampleFitNaiveBayes() {
	d := must.M1(frames.Design(datasets.Spambase(), "type ~ free + money + hp + george + meeting"))
	mails := must.M1(d.Presence(0))
	filter := must.M1(mlreg.FitNaiveBayes(mails, 1, nil))
	fmt.Printf("%q %.4f\n", filter.Classes(), filter.Prior())
	fmt.Printf("%d parameters, smoothing %v; probabilities of the words\n%.4f\n", filter.Parameters(), filter.Smoothing(), mat.Formatted(filter.Prob()))
	fmt.Printf("P(spam) of the first mail %.4f\n", must.M1(filter.ClassProb(mails.Rows(0))).At(0, 1))
	// Output:
	// ["nonspam" "spam"] [0.6060 0.3940]
	// 11 parameters, smoothing 1; probabilities of the words
	// ⎡0.0907  0.0197  0.3731  0.2771  0.1154⎤
	// ⎣0.5455  0.3758  0.0281  0.0050  0.0116⎦
	// P(spam) of the first mail 0.8559
}

// A filter from known probabilities.
func ExampleNewNaiveBayes() {
	filter := must.M1(mlreg.NewNaiveBayes([]string{"ham", "spam"}, []string{"meeting", "prize"}, []float64{0.9, 0.1},
		mat.NewDense(2, 2, []float64{
			0.20, 0.01,
			0.01, 0.30,
		})))
	mail := must.M1(mlreg.NewDesign(mat.NewDense(1, 2, []float64{0, 1}), nil, "meeting", "prize"))
	fmt.Printf("%.4f\n", must.M1(filter.ClassProb(mail)).RawRowView(0))
	// Output: [0.1951 0.8049]
}

// The words that tell most, wherever they stand.
func ExampleNaiveBayes_Informative() {
	d := must.M1(frames.Design(datasets.Spambase(), "type ~ free + money + hp + george + meeting"))
	filter := must.M1(mlreg.FitNaiveBayes(must.M1(d.Presence(0)), 1, nil))
	for _, w := range must.M1(filter.Informative("spam", 3)) {
		fmt.Printf("%-7s in %4.1f%% of spam and %4.1f%% of the rest, log odds ratio %+.2f\n", w.Term, 100*w.InClass, 100*w.Elsewhere, w.LogOdds)
	}
	// Output:
	// george  in  0.5% of spam and 27.7% of the rest, log odds ratio -4.34
	// money   in 37.6% of spam and  2.0% of the rest, log odds ratio +3.40
	// hp      in  2.8% of spam and 37.3% of the rest, log odds ratio -3.02
}

// Why a mail was put where it is.
func ExampleNaiveBayes_Explain() {
	d := must.M1(frames.Design(datasets.Spambase(), "type ~ free + money + hp + george + meeting"))
	mails := must.M1(d.Presence(0))
	filter := must.M1(mlreg.FitNaiveBayes(mails, 1, nil))
	for _, e := range must.M1(filter.Explain(mails, 0))[:3] {
		fmt.Printf("%-7s there: %-5v %+.2f\n", e.Term, e.Present, e.LogRatio)
	}
	// Output:
	// free    there: true  +1.79
	// money   there: false -0.45
	// hp      there: false +0.44
}

// Counts or frequencies become: is it there?
func ExampleDesign_Presence() {
	d := must.M1(mlreg.NewDesign(mat.NewDense(2, 3, []float64{0, 1.2, 0.1, 3, 0, 0}), nil, "free", "money", "hp"))
	fmt.Println(must.M1(d.Presence(0)).X.RawMatrix().Data)
	// Output: [0 1 1 1 0 0]
}

// Without smoothing a word that a class never had rules the class out.
func ExampleNaiveBayes_Culprits() {
	x := mat.NewDense(4, 2, []float64{1, 0, 1, 1, 0, 1, 0, 1})
	d := must.M1(mlreg.NewDesign(x, []float64{0, 0, 1, 1}, "meeting", "prize"))
	d.Classes = []string{"ham", "spam"}
	filter := must.M1(mlreg.FitNaiveBayes(d, 0, nil))
	fmt.Printf("log joint %.4f\n", must.M1(filter.LogJoint(d)).RawRowView(0))
	for _, c := range must.M1(filter.Culprits(d, 0)) {
		fmt.Printf("not %s: %q present is %v\n", c.Class, c.Term, c.Present)
	}
	// Output:
	// log joint [-1.3863 -Inf]
	// not spam: "meeting" present is true
	// not spam: "prize" present is false
}
