package lecture_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

// The posterior of a line after no, one and seven observations.
func ExampleWeightSpace() {
	truth := datasets.CurveModel{F: func(x float64) float64 { return -0.3 + 0.5*x }, Sigma2: 0.04, X: []float64{0.9, -0.6, 0.2, -0.9, 0.5, -0.1, 0.7}}
	d := must.M1(frames.Design(must.M1(truth.Draw(rand.NewPCG(1, 2))), "y ~ x"))
	plotting.Show(lecture.WeightSpace(d, mlreg.GaussianPrior{Tau2: 0.5}, mlreg.KnownVariance(truth.Sigma2), []int{0, 1, 7},
		&lecture.WeightSpaceSettings{Truth: []float64{-0.3, 0.5}}))
	// Output:
	// Figure: learning of the line y ~ x after [0 1 7] observations: likelihood of the newest, posterior of (w0, w1), lines drawn from it
}
