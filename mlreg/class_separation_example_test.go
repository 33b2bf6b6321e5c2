package mlreg_test

import (
	"errors"
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// Whoever studied more than two hours passed, and nobody else did: the steeper
// the sigmoid, the likelier the data, without end. A prior makes an end.
func ExampleSeparationError() {
	hours := mat.NewDense(6, 1, []float64{0.5, 1, 1.5, 2.5, 3, 4})
	d := must.M1(mlreg.NewDesign(hours, []float64{0, 0, 0, 1, 1, 1}, "hours"))
	_, err := mlreg.FitLogistic(d, nil)
	var separated *mlreg.SeparationError
	fmt.Println(errors.As(err, &separated), separated.Kind, separated.Terms)

	logit := must.M1(mlreg.FitLogistic(d, &mlreg.LogisticSettings{L2: 0.1}))
	fmt.Printf("with a prior the slope is %.2f\n", logit.Slopes()[0])
	// Output:
	// true complete [(Intercept) hours]
	// with a prior the slope is 2.35
}

// R: detectseparation::detect_separation.
func ExampleCheckSeparation() {
	hours := mat.NewDense(6, 1, []float64{0.5, 1, 1.5, 2.5, 3, 4})
	for _, passed := range [][]float64{{0, 0, 0, 1, 1, 1}, {0, 0, 1, 0, 1, 1}} {
		separated := must.M1(mlreg.CheckSeparation(must.M1(mlreg.NewDesign(hours, passed, "hours"))))
		fmt.Println(passed, "separated:", separated != nil)
	}
	// Output:
	// [0 0 0 1 1 1] separated: true
	// [0 0 1 0 1 1] separated: false
}
