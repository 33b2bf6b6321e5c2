package hier

import (
	"math"
	"testing"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
)

// inUnits returns weighted rows, whose response and columns are multiplied by these powers of two.
func inUnits(t *testing.T, unit int, units ...int) *mlreg.Design {
	x, y, weights := expect.InUnits(unit, units...)
	d := fatal.On(mlreg.NewDesign(x, y))(t)
	d.Weights = weights
	return d
}

// In units that are powers of two, far from one, a fit is the same but for rounding, of rows as of sums.
func TestFitsInAnyUnits(t *testing.T) {
	labels := make([]int, 60)
	for i := range labels {
		labels[i] = i % 6
	}
	groups := fatal.On(mlreg.NewGrouping("g", labels))(t)
	for _, varying := range []mlreg.Varying{{Terms: []string{"x1"}}, {Terms: []string{mlreg.InterceptName, "x2"}}, {Terms: []string{"x2", "x3"}, Shape: mlreg.DiagonalCovariance}} {
		x, y := []int{300, -100, 0}, 350
		base, far := inUnits(t, 0, 0, 0, 0), inUnits(t, y, x...)
		s := &Settings{Varying: []mlreg.Varying{varying}}
		f, g := fatal.On(Fit(base, groups, s))(t), fatal.On(Fit(far, groups, s))(t)
		for j, b := range f.Coef() {
			e := y
			if j > 0 {
				e -= x[j-1]
			}
			expect.Near(t, "coefficient", math.Ldexp(g.Coef()[j], -e), b, 1e-7)
			expect.Near(t, "standard error", math.Ldexp(g.StdErr()[j], -e), f.StdErr()[j], 1e-7)
		}
		expect.Near(t, "sigma^2", math.Ldexp(g.Sigma2(), -2*y), f.Sigma2(), 1e-7)
	}
}
