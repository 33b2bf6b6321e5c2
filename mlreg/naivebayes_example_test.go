package mlreg_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// A spam filter from six short e-mails (invented), and what it makes of a new one.
func ExampleFitNaiveBayes() {
	words := []string{"won", "meeting", "$"}
	d, err := mlreg.NewDesign(mat.NewDense(6, 3, []float64{
		1, 0, 1,
		1, 0, 0,
		0, 0, 1,
		0, 1, 0,
		0, 1, 0,
		0, 0, 0,
	}), []float64{1, 1, 1, 0, 0, 0}, words...)
	if err != nil {
		log.Fatal(err)
	}
	d.Classes = []string{"ham", "spam"}
	filter, err := mlreg.FitNaiveBayes(d, 1, nil)
	if err != nil {
		log.Fatal(err)
	}
	mail, err := mlreg.NewDesign(mat.NewDense(1, 3, []float64{1, 0, 1}), nil, words...)
	if err != nil {
		log.Fatal(err)
	}
	p, err := filter.ClassProb(mail)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("P(spam) = %.3f\n", p.At(0, 1))
	informative, err := filter.Informative("spam", 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range informative {
		fmt.Printf("%-7s log odds ratio %+.2f\n", w.Term, w.LogOdds)
	}
	// Output:
	// P(spam) = 0.947
	// won     log odds ratio +1.79
	// meeting log odds ratio -1.79
}
