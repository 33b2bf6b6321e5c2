package mlreg_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// countsOnTwo returns 80 counts that depend on the first two of six columns.
func countsOnTwo() *mlreg.Design {
	rng := rand.New(rand.NewPCG(5, 5))
	x, y := mat.NewDense(80, 6, nil), make([]float64, 80)
	for i := range y {
		for j := range 6 {
			x.Set(i, j, rng.NormFloat64())
		}
		mean := math.Exp(1 + 0.6*x.At(i, 0) - 0.4*x.At(i, 1))
		for p := rng.ExpFloat64(); p < mean; p += rng.ExpFloat64() {
			y[i]++
		}
	}
	return must.M1(mlreg.NewDesign(x, y))
}

// The lasso of counts: which terms have slopes at some penalties.
func ExampleFitGLMPath() {
	path := must.M1(mlreg.FitGLMPath(countsOnTwo(), mlreg.Poisson, 1, nil))
	for _, k := range []int{0, 5, 20, 40} {
		fit := path.Fit(k)
		fmt.Printf("lambda %5.1f: %v, %.0f%% of the deviance\n", fit.Lambda(), fit.Active(), 100*fit.DevianceRatio())
	}
	// Output:
	// lambda 176.2: [], 0% of the deviance
	// lambda 110.7: [x1 x2], 34% of the deviance
	// lambda  27.4: [x1 x2 x3], 63% of the deviance
	// lambda   4.3: [x1 x2 x3 x4 x5 x6], 66% of the deviance
}

func ExampleFitGLMCV() {
	folds := must.M1(mlreg.KFold(80, 10, rand.NewPCG(1, 2)))
	cv := must.M1(mlreg.FitGLMCV(countsOnTwo(), mlreg.Poisson, 1, folds, nil, nil))
	fmt.Println(cv.FitOneSE().Active())
	// Output:
	// [x1 x2 x3]
}
