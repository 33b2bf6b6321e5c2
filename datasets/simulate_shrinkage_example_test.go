package datasets_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/mlreg"
)

// Numbers that a lecture prints, from any noise.
func ExampleRidgeToy() {
	d := must.M1(datasets.RidgeToy(6.9903, rand.NewPCG(1, 2)))
	for _, lambda := range []float64{0, 100, 10000} {
		fmt.Printf("%.3f ", must.M1(mlreg.FitRidge(d, lambda, nil)).Slopes()[0])
	}
	// Output:
	// 6.990 4.660 0.137
}

// Of three groups of five the lasso takes some, the elastic net all.
func ExampleGroupedPredictors() {
	d := must.M1(datasets.GroupedPredictors(60, rand.NewPCG(9, 1)))
	lasso := must.M1(mlreg.FitLasso(d, 800, nil))
	net := must.M1(mlreg.FitElasticNet(d, 800, 100, nil))
	fmt.Println(lasso.Active())
	fmt.Println(net.Active())
	// Output:
	// [x5 x8 x12]
	// [x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15]
}
