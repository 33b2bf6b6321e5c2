package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// scikit-learn: StandardScaler().fit_transform(X); R's scale(x) divides by the
// standard deviation with n - 1, as DDoF: 1 does.
func ExampleDesign_Standardize() {
	d := must.M1(mlreg.NewDesign(mat.NewDense(4, 1, []float64{2, 4, 4, 6}), nil, "x"))
	fmt.Printf("%.4f\n", must.M1(d.Standardize(nil)).X.RawMatrix().Data)
	fmt.Printf("%.4f\n", must.M1(d.Standardize(&mlreg.StandardizeSettings{DDoF: 1})).X.RawMatrix().Data)
	// Output:
	// [-1.4142 0.0000 0.0000 1.4142]
	// [-1.2247 0.0000 0.0000 1.2247]
}

// Test rows are standardized by what was learnt on the training rows. Fits do
// this on their own: their predictions are the same for test in any units.
func ExampleDesign_Rescale() {
	x := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 9})
	d := must.M1(mlreg.NewDesign(x, []float64{2, 3, 5, 4, 6, 9}))
	train, test := must.M2(d.Split([]bool{true, true, true, true, true, false}))
	train = must.M1(train.Standardize(nil))
	scaled := must.M1(test.Rescale(train.Scaling))
	ridge := must.M1(mlreg.FitRidge(train, 1, nil))
	fmt.Printf("x = %.4f: predictions %.4f and %.4f\n", scaled.X.At(0, 0), must.M1(ridge.Predict(scaled)), must.M1(ridge.Predict(test)))
	// Output: x = 4.2426: predictions [8.5000] and [8.5000]
}
