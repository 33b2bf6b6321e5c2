package datasets

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/mlreg"
)

func column(d *mlreg.Design, j int) []float64 {
	x := make([]float64, d.NObs())
	for i := range x {
		x[i] = d.X.At(i, j)
	}
	return x
}

func TestNormalDesign(t *testing.T) {
	d := get(NormalDesign(20000, 4, 0.6, rand.NewPCG(1, 2)))(t)
	if !d.NoIntercept || d.Y != nil || d.Scaling != nil {
		t.Error("an intercept, a response or a scaling")
	}
	for j := range 4 {
		mean, variance := stat.PopMeanVariance(column(d, j), nil)
		if math.Abs(mean) > 1e-13 || math.Abs(variance-1) > 1e-13 {
			t.Errorf("term %d: mean %v, variance %v", j, mean, variance)
		}
		want := math.Pow(0.6, float64(j))
		if r := stat.Correlation(column(d, 0), column(d, j), nil); math.Abs(r-want) > 4/math.Sqrt(20000) {
			t.Errorf("correlation of terms 1 and %d: %v, want %v", j+1, r, want)
		}
	}
}

func TestAllSubsets(t *testing.T) {
	src := rand.NewPCG(1, 1)
	x := get(NormalDesign(20, 10, 0, src))(t)
	names := get(AllSubsets().TrueTerms(x))(t)
	if got := strings.Join(names, " "); got != "x2 x3 x6 x8 x9" {
		t.Errorf("true terms %s", got)
	}
	if _, err := (LinearModel{Coef: []float64{1}}).TrueTerms(x); !errors.Is(err, mlreg.ErrShape) {
		t.Errorf("one weight for ten terms: %v", err)
	}
}

// Weights are in as often as pi0 says, and have the slab's variance then.
func TestSpikeSlabModel(t *testing.T) {
	m := get(SpikeSlabModel(40000, 0.3, 4, 2, rand.NewPCG(3, 4)))(t)
	var in []float64
	for _, w := range m.Coef {
		if w != 0 {
			in = append(in, w)
		}
	}
	if share := float64(len(in)) / 40000; math.Abs(share-0.3) > 4*math.Sqrt(.21/40000) {
		t.Errorf("a share of %v is in", share)
	}
	mean, variance := stat.MeanVariance(in, nil)
	if math.Abs(mean) > 4*2/math.Sqrt(12000) || math.Abs(variance/4-1) > 4*math.Sqrt(2.0/12000) || m.Sigma != 2 {
		t.Errorf("mean %v, variance %v, sigma %v", mean, variance, m.Sigma)
	}
}

func TestSimulateModelsErrors(t *testing.T) {
	src := rand.NewPCG(1, 1)
	for _, c := range []struct {
		d         int
		pi0, slab float64
	}{{0, .1, 1}, {3, -.1, 1}, {3, 1.1, 1}, {3, math.NaN(), 1}, {3, .1, -1}, {3, .1, math.Inf(1)}} {
		if _, err := SpikeSlabModel(c.d, c.pi0, c.slab, 1, src); !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, c := range []struct {
		n, d int
		rho  float64
	}{{1, 3, 0}, {5, 0, 0}, {5, 3, 1}, {5, 3, math.NaN()}} {
		if _, err := NormalDesign(c.n, c.d, c.rho, rand.NewPCG(1, 1)); !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
