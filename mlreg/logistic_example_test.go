package mlreg_test

import (
	"errors"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// Hours of study and whether an examination was passed (invented).
func ExampleFitLogistic() {
	hours := mat.NewDense(10, 1, []float64{0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5})
	passed := []float64{0, 0, 0, 1, 0, 1, 0, 1, 1, 1}
	d, err := mlreg.NewDesign(hours, passed, "hours")
	if err != nil {
		log.Fatal(err)
	}
	logit, err := mlreg.FitLogistic(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	odds, err := logit.OddsRatios(0.95)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("an hour more multiplies the odds by %.2f (95%% limits %.2f to %.2f)\n", odds[1].Ratio, odds[1].Lower, odds[1].Upper)
	p, err := logit.Predict(d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("after 2 hours the chance is %.2f, after 4 hours %.2f\n", p[3], p[7])
	lr := logit.LR()
	fmt.Printf("likelihood ratio %.2f on %v degree of freedom, P = %.3f\n", lr.Stat, lr.DF, lr.P)
	// Output:
	// an hour more multiplies the odds by 3.87 (95% limits 0.81 to 18.42)
	// after 2 hours the chance is 0.27, after 4 hours 0.84
	// likelihood ratio 5.19 on 1 degree of freedom, P = 0.023
}

// Whoever studied more than two hours passed, and nobody else did: the steeper
// the sigmoid, the likelier the data, without end. A prior makes an end.
func ExampleSeparationError() {
	hours := mat.NewDense(6, 1, []float64{0.5, 1, 1.5, 2.5, 3, 4})
	d, err := mlreg.NewDesign(hours, []float64{0, 0, 0, 1, 1, 1}, "hours")
	if err != nil {
		log.Fatal(err)
	}
	_, err = mlreg.FitLogistic(d, nil)
	var separated *mlreg.SeparationError
	fmt.Println(errors.As(err, &separated), separated.Kind, separated.Terms)

	logit, err := mlreg.FitLogistic(d, &mlreg.LogisticSettings{L2: 0.1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("with a prior the slope is %.2f\n", logit.Slopes()[0])
	// Output:
	// true complete [(Intercept) hours]
	// with a prior the slope is 2.35
}
