package quantreg

import (
	"math"
	"testing"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// inUnits returns weighted rows, whose response and columns are multiplied by these powers of two.
func inUnits(t *testing.T, unit int, units ...int) *mlreg.Design {
	x, y, weights := expect.InUnits(unit, units...)
	d := fatal.On(mlreg.NewDesign(x, y))(t)
	d.Weights = weights
	return d
}

// In units that are powers of two, near the ends of float64, a fit is the same but for rounding.
func TestFitsInAnyUnits(t *testing.T) {
	for _, c := range []struct {
		name   string
		y      int
		x      []int
		l1, l2 float64
	}{{"no penalty", 400, []int{900, -400, 0}, 0, 0}, {"small", -600, []int{-300, 200, 0}, 0, 0}, {"lasso", 400, []int{300, 300, 300}, 0.5, 0}, {"ridge", 400, []int{300, 300, 300}, 0.5, 0.5}} {
		base, far := inUnits(t, 0, 0, 0, 0), inUnits(t, c.y, c.x...)
		same := func(what string, got, want float64, e int) {
			t.Helper()
			expect.Near(t, c.name+": "+what, math.Ldexp(got, -e), want, 1e-12)
		}
		f := fatal.On(Fit(base, 0.3, &Settings{L1: c.l1, L2: c.l2}))(t)
		g := fatal.On(Fit(far, 0.3, &Settings{L1: math.Ldexp(c.l1, c.x[0]), L2: math.Ldexp(c.l2, 2*c.x[0]-c.y)}))(t)
		same("intercept", g.Intercept(), f.Intercept(), c.y)
		for j, b := range f.Slopes() {
			same("slope", g.Slopes()[j], b, c.y-c.x[j])
		}
		same("loss", g.Loss(), f.Loss(), c.y)
		same("objective", g.Objective(), f.Objective(), c.y)
		if c.l1 > 0 {
			if gram.Squares(f.Slopes()) == 0 {
				t.Error("the penalty holds all slopes at zero")
			}
			continue
		}
		for _, kind := range []Sparsity{HendricksKoenker, PowellKernel} {
			a, b := fatal.On(f.Inference(base, kind))(t), fatal.On(g.Inference(far, kind))(t)
			for j, v := range a.StdErr()[1:] {
				same("standard error", b.StdErr()[1+j], v, c.y-c.x[j])
			}
			same("density", b.Density(), a.Density(), -c.y)
		}
	}
	f := fatal.On(FitPath(inUnits(t, 0, 0, 0, 0), 0.5, nil))(t)
	g := fatal.On(FitPath(inUnits(t, 200, 300, 300, 300), 0.5, nil))(t)
	expect.Near(t, "largest lambda", math.Ldexp(g.LambdaMax(), -300), f.LambdaMax(), 1e-12)
	expect.NearAll(t, "KKT violations", g.KKT(), f.KKT(), 1e-12)
}
