package plotting_test

import (
	"math"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The joint 95% limits of an intercept and a slope, with sigma estimated.
func ExampleEllipse() {
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol")), nil))
	b := ols.Coef()
	f := distuv.F{D1: 2, D2: ols.DoFResidual()}.Quantile(0.95)
	plotting.Show(plotting.Draw(plotting.Labels{Title: "Joint limits", X: "intercept", Y: "slope"},
		plotting.Points{X: b[:1], Y: b[1:], Name: "estimate"},
		plotting.Ellipse{X: b[0], Y: b[1], Cov: ols.VCov(), Radius: math.Sqrt(2 * f), Name: "95%"}))
	// Output:
	// Figure: Joint limits: slope against intercept (horizontal 1.18 to 1.83, vertical 0.536 to 0.902)
}
