package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// A fit of one's own: the line through the first row and the last. It embeds Linear, and then
// predicts, and has residuals, as other fits do.
func ExampleNewLinear() {
	type endpoints struct{ mlreg.Linear }
	d := must.M1(mlreg.NewDesign(mat.NewDense(4, 1, []float64{0, 1, 2, 4}), []float64{1, 2, 2, 9}))
	last := d.NObs() - 1
	slope := (d.Y[last] - d.Y[0]) / (d.X.At(last, 0) - d.X.At(0, 0))
	fit := endpoints{must.M1(mlreg.NewLinear(d, []float64{d.Y[0] - slope*d.X.At(0, 0), slope}, nil))}
	fmt.Println(fit.Names(), fit.Coef())
	fmt.Println(must.M1(fit.Residuals(d)))
	// Output:
	// [(Intercept) x1] [1 2]
	// [0 -1 -3 0]
}
