package lecture

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// Thresholding draws the coefficient w that minimizes a w^2/2 - c w and a penalty,
// as a function of c, in two panels. The dashed line is least squares, w = c/a.
// The lasso's penalty lambda |w| moves it toward zero by lambda/a, the soft
// threshold
//
//	w = sign(c) max(|c| - lambda, 0)/a,
//
// while the hard threshold, of a penalty on w != 0, sets w = 0 for |c| <= lambda
// and leaves it as it is beyond (that penalty is lambda^2/(2a)). In coordinate
// descent for RSS + lambda |w|_1, a_j = 2 sum_i x_ij^2 and c_j = 2 x_j'r with r
// the residual without term j. (Murphy, Machine Learning: A Probabilistic
// Perspective, figure 13.5.) The error is mlreg.ErrSetting if a or lambda is not
// positive.
func Thresholding(a, lambda float64) (*plotting.Figure, error) {
	if !(a > 0 && lambda > 0) || math.IsInf(a+lambda, 1) {
		return nil, fmt.Errorf("plotting: thresholding: %w: a = %v and lambda = %v; both are above 0 and finite", mlreg.ErrSetting, a, lambda)
	}
	reach := 3 * lambda
	panel := func(title string, beyond float64) (*plot.Plot, error) {
		p, err := plotting.Draw(plotting.Labels{Title: title, X: "c", Y: "w"},
			plotting.HLine{Y: 0},
			plotting.Line{X: []float64{-reach, reach}, Y: []float64{-reach / a, reach / a}, Color: plotting.Gray, Dashed: true, Name: "least squares, c/a"},
			plotting.Line{
				X:     []float64{-reach, -lambda, math.NaN(), -lambda, lambda, math.NaN(), lambda, reach},
				Y:     []float64{-(reach - lambda + beyond) / a, -beyond / a, math.NaN(), 0, 0, math.NaN(), beyond / a, (reach - lambda + beyond) / a},
				Color: plotting.Vermillion, Width: 2.4, Name: "threshold",
			})
		if err != nil {
			return nil, err
		}
		p.X.Tick.Marker = plot.ConstantTicks{{Value: -2 * lambda, Label: "−2λ"}, {Value: -lambda, Label: "−λ"}, {Label: "0"}, {Value: lambda, Label: "λ"}, {Value: 2 * lambda, Label: "2λ"}}
		p.Y.Tick.Marker = plot.ConstantTicks{{Value: -2 * lambda / a, Label: "−2λ/a"}, {Value: -lambda / a, Label: "−λ/a"}, {Label: "0"}, {Value: lambda / a, Label: "λ/a"}, {Value: 2 * lambda / a, Label: "2λ/a"}}
		return p, nil
	}
	soft, err := panel("Soft threshold", 0)
	if err != nil {
		return nil, err
	}
	hard, err := panel("Hard threshold", lambda)
	if err != nil {
		return nil, err
	}
	f := plotting.Grid(2, soft, hard)
	f.Alt = fmt.Sprintf("soft and hard threshold at c = %s and %s beside the line of least squares, w = c/%s",
		format.Number(-lambda, 4), format.Number(lambda, 4), format.Number(a, 4))
	return f, nil
}
