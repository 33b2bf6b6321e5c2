package mlreg_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// A mistake in the function that fits the folds ends the call, not the notebook.
func ExamplePanicError() {
	defer func() {
		p := recover().(*mlreg.PanicError)
		fmt.Println(p.Where+":", p.Value)
		fmt.Println("the stack says where:", strings.Contains(string(p.Stack()), "panic_example_test.go"))
	}()
	x := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	d := must.M1(mlreg.NewDesign(x, []float64{1, 3, 2, 4}))
	folds := must.M1(mlreg.KFold(4, 2, rand.NewPCG(1, 1)))
	mlreg.CrossValidate(d, folds, func(train *mlreg.Design) ([]*mlreg.OLS, error) {
		if train.X.At(0, 0) == 1 {
			panic("no fit of the first row")
		}
		fit, err := mlreg.FitOLS(train, nil)
		return []*mlreg.OLS{fit}, err
	}, nil)
	// Output:
	// fold 0: no fit of the first row
	// the stack says where: true
}
