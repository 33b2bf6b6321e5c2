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
	must.M(d.CheckFit())
	last := d.PositiveRows() - 1
	slope := (d.Y[last] - d.Y[0]) / (d.X.At(last, 0) - d.X.At(0, 0))
	fit := endpoints{must.M1(mlreg.NewLinear(d, []float64{d.Y[0] - slope*d.X.At(0, 0), slope}, nil))}
	fmt.Println(fit.Names(), fit.Coef())
	fmt.Println(must.M1(fit.Residuals(d)))
	fmt.Println("weight of the first row:", d.Weight(0), "- response less the offset:", d.LessOffset().Y)
	// Output:
	// [(Intercept) x1] [1 2]
	// [0 -1 -3 0]
	// weight of the first row: 1 - response less the offset: [1 2 2 9]
}

// What a fit of one's own can ask of its linear predictor.
func ExampleLinear() {
	d := must.M1(mlreg.NewDesign(mat.NewDense(3, 2, []float64{0, 1, 2, 5, 4, 6}), []float64{1, 2, 2}, "a", "b"))
	scaled := must.M1(d.Standardize(&mlreg.StandardizeSettings{CenterOnly: true}))
	f := must.M1(mlreg.NewLinear(scaled, []float64{1, 0.5, 2}, nil))
	raw := must.M1(f.RawLinear())
	fmt.Println("of raw columns:", raw.Coef())
	doubled := must.M1(f.With([]float64{2, 1, 4}, nil))
	fmt.Println("doubled:", must.M1(doubled.Predict(d)))
	part := must.M1(f.Part("b"))
	fmt.Println("of b alone:", part.Names(), part.Coef())
	fmt.Println("its columns:", must.M1(f.Columns(d)).X.RawRowView(0))
	// Output:
	// of raw columns: [-8 0.5 2]
	// doubled: [-12 6 12]
	// of b alone: [b] [2]
	// its columns: [-2 -3]
}
