package rlm

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

// In units that are powers of two, near the ends of float64, a fit is the same but for rounding.
func TestFitsInAnyUnits(t *testing.T) {
	for _, c := range []struct {
		y int
		x []int
	}{{400, []int{900, -400, 0}}, {-400, []int{-300, 200, 0}}} {
		base, far := inUnits(t, 0, 0, 0, 0), inUnits(t, c.y, c.x...)
		same := func(what string, got, want float64, e int) {
			t.Helper()
			expect.Near(t, what, math.Ldexp(got, -e), want, 1e-8)
		}
		compare := func(f, g interface {
			mlreg.CoefFit
			StdErr() []float64
			Scale() float64
		}) {
			same("intercept", g.Coef()[0], f.Coef()[0], c.y)
			for j, e := range c.x {
				same("slope", g.Coef()[1+j], f.Coef()[1+j], c.y-e)
				same("standard error", g.StdErr()[1+j], f.StdErr()[1+j], c.y-e)
			}
			same("scale", g.Scale(), f.Scale(), c.y)
		}
		for _, method := range []Method{MM, HuberM, TukeyM} {
			s := &Settings{Method: method, Subsamples: 50}
			compare(fatal.On(Fit(base, s))(t), fatal.On(Fit(far, s))(t))
		}
		f, g := fatal.On(FitStudent(base, nil))(t), fatal.On(FitStudent(far, nil))(t)
		compare(f, g)
		expect.Near(t, "log likelihood", g.LogLik()+float64(f.NObs()*c.y)*math.Ln2, f.LogLik(), 1e-10)
	}
}
