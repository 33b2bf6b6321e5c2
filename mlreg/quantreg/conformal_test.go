package quantreg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
)

// Limits hold nine tenths of new rows, also where the noise is wide, and are wide there; q is
// the order statistic that counts the calibration rows.
func TestConformalQuantiles(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 5))
	draw := func(n int) *mlreg.Design {
		x, y := mat.NewDense(n, 1, nil), make([]float64, n)
		for i := range y {
			v := 3 * rnd.Float64()
			x.Set(i, 0, v)
			y[i] = v + (0.2+v)*rnd.NormFloat64()
		}
		return fatal.On(mlreg.NewDesign(x, y, "x"))(t)
	}
	train, calibration, fresh := draw(400), draw(399), draw(4000)
	low, high := fatal.On(Fit(train, 0.05, nil))(t), fatal.On(Fit(train, 0.95, nil))(t)
	b := fatal.On(assess.ConformalQuantiles(low, high, calibration, fresh, 0.9))(t)
	expect.Near(t, "guaranteed", b.Guaranteed, 0.9, 1e-12)
	held, wide, narrow := 0.0, 0.0, math.Inf(1)
	for i, y := range fresh.Y {
		if b.Lower[i] <= y && y <= b.Upper[i] {
			held += 1 / float64(fresh.NObs())
		}
		wide, narrow = math.Max(wide, b.Upper[i]-b.Lower[i]), math.Min(narrow, b.Upper[i]-b.Lower[i])
	}
	if math.Abs(held-0.9) > 0.03 || wide < 4*narrow {
		t.Errorf("limits of widths %v to %v hold %v", narrow, wide, held)
	}
	own, inside := fatal.On(assess.ConformalQuantiles(low, high, calibration, calibration, 0.9))(t), 0
	for i, y := range calibration.Y {
		if own.Lower[i]-1e-12 <= y && y <= own.Upper[i]+1e-12 {
			inside++
		}
	}
	if inside != 360 {
		t.Errorf("limits hold %d of the 399 calibration rows, wanted 360", inside)
	}
	if few := fatal.On(assess.ConformalQuantiles(low, high, calibration.Rows(0, 1), fresh, 0.9))(t); !math.IsInf(few.Upper[0], 1) {
		t.Error("two rows make finite limits")
	}
}
