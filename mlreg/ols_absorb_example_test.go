package mlreg_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// Wages of three plants by experience: each plant has an effect, which takes no column.
func ExampleFitAbsorbed() {
	x := mat.NewDense(9, 1, []float64{1, 2, 4, 3, 5, 9, 2, 6, 7})
	d, err := mlreg.NewDesign(x, []float64{11, 12.1, 13.9, 23.2, 24.8, 29.1, 5, 9.1, 9.8}, "experience")
	if err != nil {
		panic(err)
	}
	d.Absorb, d.Levels = "plant", []string{"A", "A", "A", "B", "B", "B", "C", "C", "C"}
	fit, err := mlreg.FitAbsorbed(d)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s absorbed, slope %.4f, within R2 %.4f\n", fit.Factor(), fit.Coef()[0], fit.R2Within())
	fmt.Println(fit.Effects())
	clustered, err := fit.Clustered(d, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(clustered)
	// Output:
	// plant absorbed, slope 0.9848, within R2 0.9960
	// Effects of levels
	// level  n  effect
	// A      3  10.035
	// B      3  20.119
	// C      3   3.043
	//
	// OLS fit, plant absorbed, of y
	// term        estimate  std. error    t        p  lower 95%  upper 95%
	// experience    0.9848      0.0094  105  <0.0001     0.9445     1.0251
	// n = 9, residual df = 5, σ = 0.1701
	// R² = 0.9997, adjusted R² = 0.9996, within R² = 0.9960
	// standard errors: robust to what rows of one level of plant have in common
	// correct digits: 14 (estimates)
	// plant: 3 levels, counted in the residual df
}
