package plotting_test

import (
	"fmt"
	"log"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// A parabola: its curve over the data, its weighted powers, and the same as a
// network. Outside of a notebook figures are shown as text.
func ExampleFitCurves() {
	df, err := frames.Frame(frames.Col("x", []float64{-2, -1, 0, 1, 2}), frames.Col("y", []float64{5, 1, 0, 2, 4}))
	if err != nil {
		log.Fatal(err)
	}
	d, err := frames.Design(df, "y ~ x + I(x^2)")
	if err != nil {
		log.Fatal(err)
	}
	ols, err := mlreg.FitOLS(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	square := func(x float64) float64 { return x * x }
	plotting.Show(plotting.FitCurves(df, &plotting.CurveSettings{Title: "A parabola", Truth: square},
		plotting.CurveFit{Name: "degree 2", Fit: ols, Design: d}))
	plotting.Show(plotting.WeightedBasis(ols, d, df, nil))
	plotting.Show(plotting.Network(ols, d))
	// Output:
	// Figure: A parabola: y against x (horizontal -2.12 to 2.12, vertical -0.2 to 5.2)
	// Figure: y against x (horizontal -2.12 to 2.12, vertical -0.408 to 5.21)
	// Figure: network of y as a weighted sum of 3 units, 0.257 × 1, -0.1 × x, 1.07 × I(x^2)
}

// The error against the truth is smallest at the degree of the truth.
func ExampleExpectedErrors() {
	basis, err := mlreg.NewPowers(4)
	if err != nil {
		log.Fatal(err)
	}
	df, err := frames.Frame(frames.Col("x", plotting.Range(-1, 1, 9)))
	if err != nil {
		log.Fatal(err)
	}
	x, err := frames.Matrix(df, "x")
	if err != nil {
		log.Fatal(err)
	}
	d, err := mlreg.Expand(basis, x, nil)
	if err != nil {
		log.Fatal(err)
	}
	truth := make([]float64, 9)
	for i := range truth {
		truth[i] = x.At(i, 0) * x.At(i, 0)
	}
	path, err := mlreg.ExpectedErrorPath(d, truth, 0.01)
	if err != nil {
		log.Fatal(err)
	}
	for degree, e := range path {
		fmt.Printf("degree %d: %.4f\n", degree, e.Error)
	}
	plotting.Show(plotting.ExpectedErrors(plotting.Labels{X: "degree"}, path))
	// Output:
	// degree 0: 0.1348
	// degree 1: 0.1359
	// degree 2: 0.0033
	// degree 3: 0.0044
	// degree 4: 0.0056
	// Figure: mean squared error against degree (horizontal -0.16 to 4.16, vertical -0.0057 to 0.148)
}
