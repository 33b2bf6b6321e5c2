package lecture

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func TestGoldenPenaltyGeometry(t *testing.T) {
	f := get(PenaltyGeometry(weak(t), 4, 4))(t)
	checkImage(t, "penaltygeometry", f)
	if _, err := PenaltyGeometry(nil, 1, 1); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	if _, err := PenaltyGeometry(standardized(t), 1, 1); !errors.Is(err, mlreg.ErrShape) {
		t.Error(err)
	}
	if _, err := PenaltyGeometry(weak(t), -1, 1); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
	if _, err := PenaltyGeometry(weak(t), 1e6, 0); err != nil {
		t.Errorf("a lasso of zeros beside least squares: %v", err)
	}
}

// Nowhere on the balls is the RSS less than where the figure says they touch.
func TestBallsTouch(t *testing.T) {
	d := weak(t)
	ols := get(mlreg.FitOLS(d, nil))(t)
	m := get(d.Moments())(t)
	best := ols.Slopes()
	rss := func(w ...float64) float64 {
		sum := ols.RSS()
		for i := range 2 {
			for j := range 2 {
				sum += (w[i] - best[i]) * m.SXX().At(i, j) * (w[j] - best[j])
			}
		}
		return sum
	}
	lasso := get(mlreg.FitLasso(d, 4, nil))(t)
	ridge := get(mlreg.FitRidge(d, 4, nil))(t)
	for p, w := range map[float64][]float64{1: lasso.Slopes(), 2: ridge.Slopes()} {
		edge := ball(p, math.Pow(math.Pow(math.Abs(w[0]), p)+math.Pow(math.Abs(w[1]), p), 1/p))
		at, least := rss(w...), math.Inf(1)
		for i := range edge.X {
			least = math.Min(least, rss(edge.X[i], edge.Y[i]))
		}
		if least < at*(1-1e-6) || least > at*(1+1e-2) {
			t.Errorf("p = %v: the RSS on the ball is %v at least, and %v at the fit", p, least, at)
		}
	}
}

func TestGoldenNormBalls(t *testing.T) {
	f := get(NormBalls(1, 1.5, 2, 4, math.Inf(1)))(t)
	checkImage(t, "normballs", f)
	for _, p := range []float64{0.5, 1, 1.5, 2, 4} {
		x, y := unitCircle(p)
		for i := range x {
			if norm := math.Pow(math.Abs(x[i]), p) + math.Pow(math.Abs(y[i]), p); math.Abs(norm-1) > 1e-12 {
				t.Errorf("p = %v: |(%v, %v)|^p = %v", p, x[i], y[i], norm)
			}
		}
	}
	if _, err := NormBalls(0); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
	if _, err := NormBalls(); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
}

func TestGoldenThresholding(t *testing.T) {
	f := get(Thresholding(2, 3))(t)
	checkImage(t, "thresholding", f)
	if _, err := Thresholding(0, 1); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
}

func TestGoldenSubgradients(t *testing.T) {
	f := func(x float64) float64 { return x*x/4 + math.Abs(x-1) }
	p := get(Subgradients(f, 1, []float64{-0.5, 0.5, 1.5}, -2, 3))(t)
	checkImage(t, "subgradients", plotting.Sized(p, 5, 3.2))
	for _, g := range []float64{-0.51, 1.51} {
		if _, err := Subgradients(f, 1, []float64{g}, -2, 3); !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), "slope") {
			t.Errorf("slope %v: %v", g, err)
		}
	}
	if _, err := Subgradients(f, 4, []float64{0}, -2, 3); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
	if _, err := Subgradients(nil, 0, nil, -1, 1); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
}
