package datasets

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/mlreg"
)

// The weights that the lecture prints, from any seed.
func TestRidgeToy(t *testing.T) {
	for seed := range uint64(3) {
		d := get(RidgeToy(6.9903, rand.NewPCG(1, seed)))(t)
		for lambda, want := range map[float64]float64{0: 6.99, 1: 6.956, 10: 6.657, 100: 4.66, 1000: 1.165, 10000: 0.137} {
			fit := get(mlreg.FitRidge(d, lambda, nil))(t)
			if w := fit.Slopes()[0]; math.Abs(w-want) > 0.0005 {
				t.Errorf("lambda %v: %v, want %v", lambda, w, want)
			}
		}
	}
	if _, err := RidgeToy(math.NaN(), rand.NewPCG(1, 1)); !errors.Is(err, mlreg.ErrNotFinite) {
		t.Error(err)
	}
}

// Correlations within and between groups, and the share of the noise in the response.
func TestGroupedPredictors(t *testing.T) {
	d := get(GroupedPredictors(20000, rand.NewPCG(1, 2)))(t)
	if n, p := d.X.Dims(); n != 20000 || p != 40 || len(d.Y) != n {
		t.Fatalf("%d x %d", n, p)
	}
	column := func(j int) []float64 { return mat.Col(nil, j, d.X) }
	for _, c := range []struct {
		i, j int
		want float64
	}{{0, 4, 1 / 1.01}, {10, 14, 1 / 1.01}, {4, 5, 0}, {14, 15, 0}, {20, 30, 0}} {
		if got := stat.Correlation(column(c.i), column(c.j), nil); math.Abs(got-c.want) > 0.03 {
			t.Errorf("columns %d and %d: correlation %v, want %v", c.i+1, c.j+1, got, c.want)
		}
	}
	fit := get(mlreg.FitOLS(d, nil))(t)
	if s := math.Sqrt(fit.Sigma2()); math.Abs(s-15) > 0.5 {
		t.Errorf("the noise has the standard deviation %v", s)
	}
	// var y = 225 (1 + 0.01/5) 3 + 225
	if v := stat.Variance(d.Y, nil); math.Abs(v/901.35-1) > 0.05 {
		t.Errorf("the response has the variance %v", v)
	}
	if _, err := GroupedPredictors(1, rand.NewPCG(1, 1)); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
}
