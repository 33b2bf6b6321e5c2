package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg/quantreg"
	"github.com/regbook/regbook/mlreg/rlm"
	"github.com/regbook/regbook/plotting"
)

// Food and income of households: the slope of the high quantiles is larger than the mean's.
func ExampleQuantileCoefficients() {
	d := must.M1(frames.Design(datasets.Engel(), "foodexp ~ income"))
	fits := must.M1(quantreg.FitQuantiles(d, plotting.Range(0.05, 0.95, 19), nil))
	plotting.Show(plotting.QuantileCoefficients(fits, d, nil))
	// Output:
	// Figure: (Intercept): coefficient against τ (horizontal 0.014 to 0.986, vertical 14.6 to 189); income: coefficient against τ (horizontal 0.014 to 0.986, vertical 0.242 to 0.758)
}

func ExampleQuantileFan() {
	d := must.M1(frames.Design(datasets.Engel(), "foodexp ~ income"))
	fits := must.M1(quantreg.FitQuantiles(d, []float64{0.05, 0.25, 0.5, 0.75, 0.95}, nil))
	plotting.Show(plotting.QuantileFan(fits, d))
	// Output:
	// Figure: foodexp against income (horizontal 194 to 5141, vertical 109 to 3713)
}

func ExamplePsiCurves() {
	plotting.Show(plotting.PsiCurves(
		rlm.Psi{Kind: rlm.SquarePsi}, rlm.Psi{Kind: rlm.AbsolutePsi}, rlm.Psi{},
		rlm.Psi{Kind: rlm.BisquarePsi}, rlm.Psi{Kind: rlm.StudentPsi, C: 3}))
	// Output:
	// Figure: pull ψ(u) against residual u, in scales (horizontal -8.64 to 8.64, vertical -5 to 5)
}

func ExampleRobustWeights() {
	d := must.M1(frames.Design(datasets.StackLoss(), "StackLoss ~ ."))
	plotting.Show(plotting.RobustWeights(must.M1(rlm.Fit(d, nil)), d))
	// Output:
	// Figure: weight against residual of StackLoss (horizontal -11.2 to 7.94, vertical -0.04 to 1.04)
}
