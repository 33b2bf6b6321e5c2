package plotting_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// A line and a parabola over data whose truth is known.
func ExampleFitCurves() {
	truth := datasets.PolyVsDegree()
	df := must.M1(truth.Draw(rand.NewPCG(1, 0)))
	fit := func(formula string) plotting.CurveFit {
		d := must.M1(frames.Design(df, formula))
		return plotting.CurveFit{Name: formula, Fit: must.M1(mlreg.FitOLS(d, nil)), Design: d}
	}
	plotting.Show(plotting.FitCurves(df, &plotting.CurveSettings{Title: "Two degrees", Truth: truth.F},
		fit("y ~ x"), fit("y ~ poly(x, 2)")))
	// Output:
	// Figure: Two degrees: y against x (horizontal -0.6 to 20.6, vertical -8.61 to 15.8)
}

// Polynomials of three degrees side by side.
func ExampleFitCurvePanels() {
	df := must.M1(datasets.Sine().Draw(rand.NewPCG(3, 1)))
	var fits []plotting.CurveFit
	for _, degree := range []int{1, 3, 10} {
		d := must.M1(frames.Design(df, fmt.Sprintf("y ~ poly(x, %d)", degree)))
		fits = append(fits, plotting.CurveFit{Name: fmt.Sprint("degree ", degree), Fit: must.M1(mlreg.FitOLS(d, nil)), Design: d})
	}
	f := must.M1(plotting.FitCurvePanels(df, &plotting.CurveSettings{Columns: 3}, fits...))
	for _, p := range f.Panels[0] {
		fmt.Println(p.Title.Text)
	}
	plotting.Show(f)
	// Output:
	// degree 1
	// degree 3
	// degree 10
	// Figure: degree 1: y against x (horizontal -0.03 to 1.03, vertical -2.37 to 1.95); degree 3: y against x (horizontal -0.03 to 1.03, vertical -2.37 to 1.95); degree 10: y against x (horizontal -0.03 to 1.03, vertical -2.37 to 1.95)
}
