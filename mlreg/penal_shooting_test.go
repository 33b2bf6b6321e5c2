package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// Every sweep lowers the objective, the end is the lasso, whatever the order and
// the start.
func TestShootingIsLasso(t *testing.T) {
	for _, size := range [][2]int{{40, 6}, {15, 30}} {
		d := correlatedDesign(t, 4, size[0], size[1], 0.5, 1)
		for _, intercept := range []bool{true, false} {
			d.NoIntercept = !intercept
			want := get(FitLasso(d, 10, &LassoSettings{Gap: 1e-15}))(t)
			for _, s := range []ShootingSettings{{}, {FromZero: true}, {Random: rand.NewPCG(1, 2)}} {
				s.Tol = 1e-12
				f := get(ShootingAlgorithm(d, 10, &s))(t)
				nearAll(t, "coefficients", f.Coef(), want.Coef(), 1e-8)
				objective := f.Objective()
				near(t, "objective", objective[f.Sweeps()], want.Objective(), 1e-12)
				for k := 1; k < len(objective); k++ {
					if objective[k] > objective[k-1]*(1+1e-14) {
						t.Errorf("sweep %d: objective %g after %g", k, objective[k], objective[k-1])
					}
				}
				trace := f.Trace()
				for k, change := range f.Change() {
					var sum float64
					for j := range size[1] {
						sum += math.Abs(trace.At(k+1, j) - trace.At(k, j))
					}
					near(t, "change", sum, change, 1e-12)
				}
				start := make([]float64, size[1])
				if !s.FromZero {
					start = get(FitRidge(d, 10, nil))(t).Slopes()
				}
				nearAll(t, "start", trace.RawRowView(0), start, 1e-15)
			}
		}
	}
}

// The lecture's settings (ledger, row 107: from ridge, lambda = 10, tol = 1e-4):
// it stops by its rule, and takes fewer sweeps on standardized columns (row 148).
func TestShootingProstate(t *testing.T) {
	train, _ := prostate(t)
	z := get(train.Standardize(nil))(t)
	scaled := get(ShootingAlgorithm(z, 10, nil))(t)
	if k := scaled.Sweeps(); scaled.Change()[k-1] >= 1e-4 || scaled.Change()[k-2] < 1e-4 {
		t.Errorf("stopped at changes %v", scaled.Change()[k-2:])
	}
	raw := *train // neither standardized nor centered
	raw.NoIntercept = true
	slow := get(ShootingAlgorithm(&raw, 10, nil))(t)
	if scaled.Sweeps() != 9 || slow.Sweeps() < 10*scaled.Sweeps() {
		t.Errorf("%d sweeps on raw columns, %d on standardized ones", slow.Sweeps(), scaled.Sweeps())
	}
	var back Shooting
	throughGob(t, scaled, &back)
	if back.Sweeps() != scaled.Sweeps() || back.Lambda() != 10 {
		t.Error("the trace is lost")
	}
	near(t, "prediction", get(back.Predict(train))(t)[0], get(scaled.Predict(z))(t)[0], 1e-14)
	get(ShootingAlgorithm(z, 0, nil))(t)
}

func TestShootingBadInput(t *testing.T) {
	train, _ := prostate(t)
	wantError(t, "lambda", errorOf(ShootingAlgorithm(train, -1, nil)), ErrSetting, "lambda")
	wantError(t, "tol", errorOf(ShootingAlgorithm(train, 1, &ShootingSettings{Tol: -1})), ErrSetting, "Tol")
	wantError(t, "data", errorOf(ShootingAlgorithm(nil, 1, nil)), ErrNoData)
	f, err := ShootingAlgorithm(train, 1, &ShootingSettings{Sweeps: 2})
	if !errors.Is(err, ErrNotConverged) || f.Sweeps() != 2 {
		t.Errorf("two sweeps: %v", err)
	}
}
