package plotting_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// A slider through polynomials. A program without a notebook shows what there is
// to see as text.
func ExampleInteractive() {
	df := must.M1(datasets.Sine().Draw(rand.NewPCG(3, 1)))
	plotting.Show(plotting.Interactive("degree", []float64{1, 3, 5, 9}, func(i int) (*plot.Plot, error) {
		d, err := frames.Design(df, fmt.Sprintf("y ~ poly(x, %d)", []int{1, 3, 5, 9}[i]))
		if err != nil {
			return nil, err
		}
		ols, err := mlreg.FitOLS(d, nil)
		if err != nil {
			return nil, err
		}
		return plotting.FitCurves(df, nil, plotting.CurveFit{Name: "least squares", Fit: ols, Design: d})
	}, &plotting.InteractiveSettings{Still: 2}))
	// Output:
	// Figure: y against x (horizontal -0.03 to 1.03, vertical -2.32 to 1.99) (degree = 3)
	// Slider: 4 frames, from degree = 1 to degree = 9
}

// Two sliders: the degree of a polynomial, and the number of rows that it is fitted to.
func ExampleInteractivePair() {
	degree := plotting.Slider{Name: "degree", Values: []float64{1, 3, 9}}
	rows := plotting.Slider{Name: "n", Values: []float64{15, 50}, Labels: []string{"15 rows", "50 rows"}}
	plotting.Show(plotting.InteractivePair(degree, rows, func(i, j int) (*plot.Plot, error) {
		wave := datasets.Sine()
		wave.X = plotting.Range(0, 1, int(rows.Values[j]))
		df := must.M1(wave.Draw(rand.NewPCG(3, 1)))
		d, err := frames.Design(df, fmt.Sprintf("y ~ poly(x, %g)", degree.Values[i]))
		if err != nil {
			return nil, err
		}
		ols, err := mlreg.FitOLS(d, nil)
		if err != nil {
			return nil, err
		}
		return plotting.FitCurves(df, nil, plotting.CurveFit{Name: "least squares", Fit: ols, Design: d})
	}, nil))
	// Output:
	// Figure: y against x (horizontal -0.03 to 1.03, vertical -1.37 to 1.47) (degree = 3, 15 rows)
	// Two sliders: 6 frames, from degree = 1, 15 rows to degree = 9, 50 rows
}
