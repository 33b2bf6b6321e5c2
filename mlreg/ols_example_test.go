package mlreg_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// Speed and stopping distance of seven cars (invented): a line, its errors and
// a prediction.
func ExampleFitOLS() {
	speed := mat.NewDense(7, 1, []float64{4, 7, 9, 12, 15, 19, 24})
	distance := []float64{2, 13, 10, 20, 26, 46, 70}
	d, err := mlreg.NewDesign(speed, distance, "speed")
	if err != nil {
		log.Fatal(err)
	}
	ols, err := mlreg.FitOLS(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	rows, err := ols.Table(0.95)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Printf("%-11s %7.3f  stderr %.3f  95%% limits %.2f to %.2f\n", r.Term, r.Estimate, r.StdErr, r.Lower, r.Upper)
	}
	fmt.Printf("R2 %.3f on %v residual degrees of freedom\n", ols.R2(), ols.DoFResidual())

	faster, err := mlreg.NewDesign(mat.NewDense(1, 1, []float64{21}), nil, "speed")
	if err != nil {
		log.Fatal(err)
	}
	yhat, err := ols.Predict(faster)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("at speed 21: %.1f\n", yhat[0])
	// Output:
	// (Intercept) -15.526  stderr 5.127  95% limits -28.71 to -2.35
	// speed         3.285  stderr 0.356  95% limits 2.37 to 4.20
	// R2 0.945 on 5 residual degrees of freedom
	// at speed 21: 53.5
}

// Two columns that say the same are named, not hidden.
func ExampleRankDeficientError() {
	x := mat.NewDense(4, 2, []float64{1, 100, 2, 200, 3, 300, 5, 500})
	d, err := mlreg.NewDesign(x, []float64{1, 2, 2, 4}, "metres", "centimetres")
	if err != nil {
		log.Fatal(err)
	}
	_, err = mlreg.FitOLS(d, nil)
	fmt.Println(err)
	// Output: mlreg: design is rank deficient: rank 2 of 3 columns; exact linear combinations of the terms before them: "centimetres"; leave them out, or set OLSSettings.Aliased to DropAliased or MinimumNorm
}

// The projection of y onto the plane of two columns, and what it leaves.
func ExampleProject() {
	x := mat.NewDense(3, 2, []float64{
		2, 0,
		2, 2,
		2, 4,
	})
	projection, residual, err := mlreg.Project(x, []float64{6, 0, 0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f %.0f\n", projection, residual)
	// Output: [5 2 -1] [1 -2 1]
}

// Moments of two shards give the fit of all rows, without the rows.
func ExampleMoments_Merge() {
	shard := func(x, y []float64) *mlreg.Moments {
		d, err := mlreg.NewDesign(mat.NewDense(len(x), 1, x), y)
		if err != nil {
			log.Fatal(err)
		}
		m, err := d.Moments()
		if err != nil {
			log.Fatal(err)
		}
		return m
	}
	all, err := shard([]float64{0, 1, 2}, []float64{1, 3, 5}).Merge(shard([]float64{3, 4}, []float64{8, 9}))
	if err != nil {
		log.Fatal(err)
	}
	ols, err := mlreg.FitOLS(all, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("n = %d, coefficients %.2f\n", ols.NObs(), ols.Coef())
	// Output: n = 5, coefficients [1.00 2.10]
}
