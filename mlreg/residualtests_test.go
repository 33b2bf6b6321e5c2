package mlreg

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDurbinWatson(t *testing.T) {
	near(t, "alternating", DurbinWatson([]float64{1, -1, 1, -1}), 3, 1e-15)
	near(t, "constant", DurbinWatson([]float64{2, 2, 2}), 0, 1e-15)
	for _, r := range [][]float64{nil, {1}, {0, 0}} {
		if v := DurbinWatson(r); !math.IsNaN(v) {
			t.Errorf("DurbinWatson(%v) = %v", r, v)
		}
	}
}

func TestJarqueBera(t *testing.T) {
	// m2 = 1, m4 = 1: symmetric and flat.
	jb, err := JarqueBera([]float64{1, -1, 1, -1, 1, -1})
	must(t, jb, err)
	near(t, "skewness", jb.Skewness, 0, 1e-15)
	near(t, "kurtosis", jb.Kurtosis, 1, 1e-15)
	near(t, "statistic", jb.Stat, 1, 1e-15)
	near(t, "P", jb.P, math.Exp(-0.5), 1e-14)
	// Neither units nor location matter.
	rnd := rand.New(rand.NewPCG(1, 1))
	a, b := make([]float64, 50), make([]float64, 50)
	for i := range a {
		a[i] = rnd.ExpFloat64()
		b[i] = 1e200 * (3 + a[i])
	}
	one, err := JarqueBera(a)
	must(t, one, err)
	two, err := JarqueBera(b)
	near(t, "scaled", must(t, two, err).Stat, one.Stat, 1e-12)
	_, err = JarqueBera([]float64{1, 2})
	wantError(t, "two", err, ErrNoData)
	_, err = JarqueBera([]float64{1, 1, 1})
	wantError(t, "constant", err, ErrConstant)
	_, err = JarqueBera([]float64{1, 2, math.NaN(), 1})
	wantError(t, "NaN", err, ErrNotFinite, "residual 3")
}

// The test rejects as often as it says without, and nearly always with
// heteroscedasticity.
func TestBreuschPagan(t *testing.T) {
	const replicates = 1000
	var wrong, right float64
	for seed := range uint64(replicates) {
		d := randomDesign(t, seed, 100, 2)
		bp, err := fitted(t, d, nil).BreuschPagan(d)
		if must(t, bp, err).P < 0.1 {
			wrong++
		}
		if seed < 100 {
			for i := range 100 {
				d.Y[i] *= math.Exp(d.X.At(i, 0))
			}
			bp, err := fitted(t, d, nil).BreuschPagan(d)
			if must(t, bp, err).P < 0.1 {
				right++
			}
		}
	}
	if rate := wrong / replicates; math.Abs(rate-0.1) > 0.04 {
		t.Errorf("rejects %v at 0.1", rate)
	}
	if right < 85 {
		t.Errorf("rejects %v of 100", right)
	}
	d := randomDesign(t, 1, 10, 2)
	f := fitted(t, d, nil)
	weighted := *d
	weighted.Weights = make([]float64, 10)
	_, err := f.BreuschPagan(&weighted)
	wantError(t, "weighted", err, ErrSetting, "weights")
	for i := range d.Y {
		d.Y[i] = 0
	}
	_, err = fitted(t, d, nil).BreuschPagan(d)
	wantError(t, "perfect", err, ErrConstant)
}
