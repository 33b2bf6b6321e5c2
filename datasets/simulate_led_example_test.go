package datasets_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/mlreg"
)

// Naive Bayes learns to read the display from 1,000 of them.
func ExampleDigitDisplay() {
	truth := must.M1(datasets.DigitDisplay(0.1))
	learnt := must.M1(mlreg.FitNaiveBayes(must.M1(truth.Sample(1000, "", rand.NewPCG(1, 2))), 1, nil))
	test := must.M1(truth.Sample(10000, "", rand.NewPCG(3, 4)))
	fmt.Printf("error %.2f\n", must.M1(mlreg.Confusion(learnt, test, 0)).ErrorRate())
	// Output: error 0.26
}
