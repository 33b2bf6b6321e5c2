package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// How twelve people go to work, by distance in km (invented).
// R: nnet::multinom; statsmodels: MNLogit.
func ExampleFitMultinomial() {
	df := must.M1(frames.Frame(
		frames.Col("km", []float64{0.5, 1, 2, 1, 3, 4, 6, 2, 5, 9, 15, 3}),
		frames.Col("by", []string{"foot", "foot", "foot", "bike", "bike", "bike", "bike", "foot", "train", "train", "train", "train"}),
	))
	d := must.M1(frames.Design(df, `factor(by, ref = "foot") ~ km`))
	f := must.M1(mlreg.FitMultinomial(d, nil))
	fmt.Printf("%q\n%.4f\n", f.Classes(), mat.Formatted(f.CoefMatrix()))
	fmt.Printf("%.2f\n", mat.Formatted(must.M1(f.ClassProb(d.Rows(1, 5, 9)))))
	// Output:
	// ["foot" "bike" "train"]
	// ⎡-3.0652   1.4071⎤
	// ⎣-5.4992   1.8891⎦
	// ⎡0.82  0.16  0.02⎤
	// ⎢0.05  0.60  0.36⎥
	// ⎣0.00  0.13  0.87⎦
}
