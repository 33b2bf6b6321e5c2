package lecture

import (
	"errors"
	"math"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

func TestGoldenRidgeGeometry(t *testing.T) {
	f := get(RidgeGeometry(weak(t), 0.25, 0.5))(t)
	checkImage(t, "ridgegeometry", f)
}

// At the MAP the contours of likelihood and prior have one tangent: the
// gradient of the log-likelihood, V^-1 (MLE - MAP), points along the MAP.
func TestContoursTouchAtMAP(t *testing.T) {
	g := get(newRidgeGeometry(weak(t), 0.25, 0.5))(t)
	v := g.likelihood.Cov()
	det := v.At(0, 0)*v.At(1, 1) - v.At(0, 1)*v.At(0, 1)
	dx, dy := g.mle[0]-g.mp[0], g.mle[1]-g.mp[1]
	gx, gy := (v.At(1, 1)*dx-v.At(0, 1)*dy)/det, (v.At(0, 0)*dy-v.At(0, 1)*dx)/det
	if math.Abs(gx-g.mp[0]/0.25) > 1e-9 || math.Abs(gy-g.mp[1]/0.25) > 1e-9 {
		t.Errorf("gradient (%v, %v) at the MAP (%v, %v)", gx, gy, g.mp[0], g.mp[1])
	}
	x, y, err := g.likelihood.Ellipse(-math.Expm1(-g.reach*g.reach/2), 721)
	if err != nil {
		t.Fatal(err)
	}
	nearest, least := math.Inf(1), math.Inf(1)
	for i := range x {
		nearest = math.Min(nearest, math.Hypot(x[i]-g.mp[0], y[i]-g.mp[1]))
		least = math.Min(least, math.Hypot(x[i], y[i]))
	}
	r := math.Hypot(g.mp[0], g.mp[1])
	if nearest > 0.01*r || math.Abs(least-r) > 1e-3*r {
		t.Errorf("the likelihood's contour comes to %v of the MAP and to %v of 0; the prior's has radius %v", nearest, least, r)
	}
}

func TestRidgeGeometryErrors(t *testing.T) {
	d := weak(t)
	one := get(d.Select("x1"))(t)
	twice := get(mlreg.NewDesign(columns([]float64{1, 2, 3}, []float64{2, 4, 6}), []float64{1, 2, 4}))(t)
	for name, c := range map[string]struct {
		d     *mlreg.Design
		tau2  float64
		noise mlreg.KnownVariance
		is    error
	}{
		"nil":      {nil, 1, 1, mlreg.ErrNoData},
		"one term": {one, 1, 1, mlreg.ErrShape},
		"tau2":     {d, 0, 1, mlreg.ErrSetting},
		"noise":    {d, 1, -1, mlreg.ErrSetting},
		"aliased":  {twice, 1, 1, mlreg.ErrRankDeficient},
	} {
		if _, err := RidgeGeometry(c.d, c.tau2, c.noise); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
}
