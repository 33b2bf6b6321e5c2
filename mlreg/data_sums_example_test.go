package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// Sums that a database computed, good to 10 digits.
func ExampleMomentsOf() {
	m := must.M1(mlreg.MomentsOf(mlreg.Sums{
		Names: []string{"age"}, Response: "height", N: 4,
		MeanX: []float64{10}, MeanY: 140,
		SXX: mat.NewSymDense(1, []float64{20}), SXY: []float64{110}, SYY: 615,
		RelErr: 1e-10,
	}))
	ols := must.M1(mlreg.FitOLS(m, nil))
	digits, _ := ols.Digits()
	fmt.Printf("%.2f, to %d digits\n", ols.Coef(), digits)
	// Output: [85.00 5.50], to 9 digits
}
