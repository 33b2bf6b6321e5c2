package plotting

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Ellipse is the curve of constant density of a normal distribution in the
// plane,
//
//	(v - m)' Cov^-1 (v - m) = q^2,  m = (X, Y).
//
// With a Level it contains that share of the distribution: q^2 = -2 log(1 -
// Level), the quantile of chi-squared with two degrees of freedom. With a
// Radius, q = Radius. The joint confidence region of two coefficients with
// estimated sigma has q^2 = 2 F, where F is the quantile with 2 and DoFResidual
// degrees of freedom. Set either Level or Radius; there is no default.
type Ellipse struct {
	X, Y          float64       // the centre
	Cov           mat.Symmetric // 2 x 2, positive definite
	Level, Radius float64       // one of the two
	Name          string
	Color         color.Color
	Width         float64
	Dashed        bool
}

func (l Ellipse) addTo(p *plot.Plot, auto *autoColor) error {
	what := layerName("ellipse", l.Name)
	if err := check.Finite(what, check.Series{Name: "the center", Values: []float64{l.X, l.Y}}); err != nil {
		return err
	}
	if l.Cov == nil || l.Cov.SymmetricDim() != 2 {
		return fmt.Errorf("plotting: %s: %w: its covariance is not a 2 x 2 matrix", what, mlreg.ErrShape)
	}
	q := l.Radius
	switch {
	case l.Level != 0 && l.Radius != 0:
		return fmt.Errorf("plotting: %s: %w: both Level and Radius are set", what, mlreg.ErrSetting)
	case l.Level > 0 && l.Level < 1:
		q = math.Sqrt(-2 * math.Log1p(-l.Level))
	case !(l.Radius > 0) || math.IsInf(l.Radius, 1):
		return fmt.Errorf("plotting: %s: %w: Level = %v, Radius = %v; give a level between 0 and 1 or a radius above 0", what, mlreg.ErrSetting, l.Level, l.Radius)
	}
	// Cov = L L' with L lower triangular.
	a, b, c := l.Cov.At(0, 0), l.Cov.At(0, 1), l.Cov.At(1, 1)
	l11 := math.Sqrt(a)
	l21 := b / l11
	l22 := math.Sqrt(c - l21*l21)
	if !(l11 > 0) || !(l22 > 0) || math.IsInf(l11+l22, 1) {
		return fmt.Errorf("plotting: %s: %w: the covariance (%v, %v; %v, %v) is not positive definite", what, mlreg.ErrSetting, a, b, b, c)
	}
	t := Range(0, 2*math.Pi, 181)
	x, y := make([]float64, len(t)), make([]float64, len(t))
	for i := range t {
		sin, cos := math.Sincos(t[i])
		x[i], y[i] = l.X+q*l11*cos, l.Y+q*(l21*cos+l22*sin)
	}
	return Line{X: x, Y: y, Name: l.Name, Color: l.Color, Width: l.Width, Dashed: l.Dashed}.addTo(p, auto)
}
