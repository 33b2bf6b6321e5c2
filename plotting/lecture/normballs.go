package lecture

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/check"
)

// NormBalls draws the unit balls of norms in the plane, the points for which
//
//	|x|_p = (|x_1|^p + |x_2|^p)^(1/p) <= 1,
//
// or max(|x_1|, |x_2|) <= 1 for p = math.Inf(1). From p = 1 on they are convex;
// the ball of p = 1 has its corners on the axes, which is why the lasso sets
// coefficients to zero. The error is mlreg.ErrNoData without a p, and
// mlreg.ErrSetting names one that is not positive.
func NormBalls(p ...float64) (*plotting.Figure, error) {
	if len(p) == 0 {
		return nil, check.Nothing("unit balls", "no p is given")
	}
	layers := []plotting.Layer{plotting.HLine{Y: 0}, plotting.VLine{X: 0}}
	for _, v := range p {
		if !(v > 0) {
			return nil, fmt.Errorf("plotting: unit balls: %w: p = %v is not above 0", mlreg.ErrSetting, v)
		}
		x, y := unitCircle(v)
		name := "p = " + format.Number(v, 3)
		if math.IsInf(v, 1) {
			name = "p = ∞"
		}
		layers = append(layers, plotting.Line{X: x, Y: y, Name: name})
	}
	plotted, err := plotting.Draw(plotting.Labels{Title: "Unit balls, ‖x‖ₚ = 1", X: "x₁", Y: "x₂"}, layers...)
	if err != nil {
		return nil, err
	}
	plotted.X.Min, plotted.X.Max = -1.15, 1.15
	plotted.Y.Min, plotted.Y.Max = -1.15, 1.15
	f := plotting.Sized(plotted, 5, 4.6)
	f.EqualAxes = true
	f.Alt = fmt.Sprintf("unit balls of p-norms in the plane, p = %v", p)
	return f, nil
}

// unitCircle returns the points of p-norm 1. The angle is that of the point with
// coordinates of power p, so that corners have points.
func unitCircle(p float64) (x, y []float64) {
	if math.IsInf(p, 1) {
		return []float64{1, 1, -1, -1, 1}, []float64{-1, 1, 1, -1, -1}
	}
	power := func(v float64) float64 { return math.Copysign(math.Pow(math.Abs(v), 2/p), v) }
	const n = 360
	for i := range n + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		switch i % (n / 2) { // exactly on an axis
		case 0:
			sin = 0
		case n / 4:
			cos = 0
		}
		x, y = append(x, power(cos)), append(y, power(sin))
	}
	return x, y
}

// ball returns the points of p-norm r.
func ball(p, r float64) plotting.Line {
	x, y := unitCircle(p)
	for i := range x {
		x[i] *= r
		y[i] *= r
	}
	return plotting.Line{X: x, Y: y}
}
