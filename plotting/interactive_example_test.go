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
