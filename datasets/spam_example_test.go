package datasets_test

import (
	"fmt"
	"log"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// A spam filter that knows only which words and characters an e-mail has, fitted
// to two thirds of the e-mails, beside a logistic regression on the same.
func ExampleSpambase() {
	d, err := frames.Design(datasets.Spambase(), "type ~ . - capitalAve - capitalLong - capitalTotal")
	if err != nil {
		log.Fatal(err)
	}
	if d, err = d.Presence(0); err != nil {
		log.Fatal(err)
	}
	third := make([]bool, d.NObs())
	for i := range third {
		third[i] = i%3 == 0
	}
	test, train, err := d.Split(third)
	if err != nil {
		log.Fatal(err)
	}
	filter, err := mlreg.FitNaiveBayes(train, 1, nil)
	if err != nil {
		log.Fatal(err)
	}
	logit, err := mlreg.FitLogistic(train, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range []mlreg.Classifier{filter, logit} {
		table, err := mlreg.Confusion(f, test, 0)
		if err != nil {
			log.Fatal(err)
		}
		roc, err := mlreg.ROC(f, test)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%T: error %.4f, area under the curve %.4f +- %.4f\n", f, table.ErrorRate(), roc.AUC, roc.StdErr)
	}
	words, err := filter.Informative("spam", 5)
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range words {
		fmt.Printf("%-8s %+.2f\n", w.Term, w.LogOdds)
	}
	// Output:
	// *mlreg.NaiveBayes: error 0.1167, area under the curve 0.9497 +- 0.0052
	// *mlreg.Logistic: error 0.0782, area under the curve 0.9765 +- 0.0031
	// george   -4.13
	// remove   +3.87
	// telnet   -3.57
	// cs       -3.57
	// num857   -3.49
}
