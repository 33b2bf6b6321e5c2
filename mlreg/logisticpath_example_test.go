package mlreg_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// Two of six terms tell the classes of eighty rows. The path finds them first.
func ExampleFitLogisticPath() {
	rnd := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(80, 6, nil), make([]float64, 80)
	for i := range y {
		for j := range 6 {
			x.Set(i, j, rnd.NormFloat64())
		}
		if 2*x.At(i, 0)-2*x.At(i, 3)+rnd.NormFloat64() > 0 {
			y[i] = 1
		}
	}
	d, err := mlreg.NewDesign(x, y)
	if err != nil {
		log.Fatal(err)
	}
	path, err := mlreg.FitLogisticPath(d, 1, &mlreg.PathSettings{Lambda: []float64{30, 15, 10}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("all zero from lambda = %.2f on\n", path.LambdaMax())
	for k, lambda := range path.Lambda() {
		fmt.Printf("lambda = %2.0f: %v, deviance %.1f, gap below 1e-6: %v\n", lambda, path.Fit(k).Active(), path.Deviance()[k], path.Gap()[k] <= 1e-6)
	}
	// Output:
	// all zero from lambda = 18.77 on
	// lambda = 30: [], deviance 110.5, gap below 1e-6: true
	// lambda = 15: [x1 x4], deviance 96.5, gap below 1e-6: true
	// lambda = 10: [x1 x4], deviance 74.8, gap below 1e-6: true
}
