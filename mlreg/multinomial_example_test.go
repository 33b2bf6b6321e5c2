package mlreg_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// How twelve people go to work, by distance in km (invented).
func ExampleFitMultinomial() {
	km := mat.NewDense(12, 1, []float64{0.5, 1, 2, 1, 3, 4, 6, 2, 5, 9, 15, 3})
	way := []float64{0, 0, 0, 1, 1, 1, 1, 0, 2, 2, 2, 2}
	d, err := mlreg.NewDesign(km, way, "km")
	if err != nil {
		log.Fatal(err)
	}
	d.Classes = []string{"on foot", "bicycle", "train"}
	f, err := mlreg.FitMultinomial(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	p, err := f.ClassProb(d.Rows(1, 5, 9))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n%.2f\n", f.Classes(), mat.Formatted(p))
	// Output:
	// ["on foot" "bicycle" "train"]
	// ⎡0.82  0.16  0.02⎤
	// ⎢0.05  0.60  0.36⎥
	// ⎣0.00  0.13  0.87⎦
}
