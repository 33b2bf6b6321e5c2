package mlreg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/enumerate"
)

// wideCase is a design of so many terms that algebra goes by blocks, and its moments.
func wideCase(t *testing.T) (*Design, *Moments) {
	rng := rand.New(rand.NewPCG(3, 4))
	x := mat.NewDense(400, 150, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, x)
	y := make([]float64, 400)
	for i := range y {
		y[i] = x.At(i, 0) - 2*x.At(i, 149) + rng.NormFloat64()
	}
	d := get(NewDesign(x, y))(t)
	m := get(d.Moments())(t)
	return d, m
}

// Sums of many terms, by blocks, give what rows do, by QR and singular values.
func TestManyTerms(t *testing.T) {
	d, m := wideCase(t)
	both := func(what string, f func(data Data) []float64) {
		t.Helper()
		a, b := f(d), f(m)
		if len(a) == 0 || len(a) != len(b) {
			t.Fatalf("%s: %d and %d numbers", what, len(a), len(b))
		}
		for i, v := range a {
			if !(math.Abs(v-b[i]) <= 1e-9*(1+math.Abs(v))) {
				t.Errorf("%s: number %d is %.15g of rows, %.15g of sums", what, i, v, b[i])
			}
		}
	}
	both("least squares", func(data Data) []float64 {
		f := get(FitOLS(data, nil))(t)
		v := f.VCov()
		return append(append(f.Coef(), f.StdErr()...), v.At(3, 70), v.At(149, 150), 1e-6*math.Round(1e4*math.Log(f.Cond())))
	})
	both("principal components", func(data Data) []float64 {
		f := get(FitPCR(data, 7, nil))(t)
		return append(append(f.Coef(), f.RSS()), f.SingularValues()...)
	})
	both("evidence", func(data Data) []float64 {
		e := get(NewEvidenceSurface(data, nil))(t)
		path := get(e.Path([]float64{0.01, 1, 100}, InverseGamma{}))(t)
		return append(path.LogEvidence, path.EffectiveParameters...)
	})
	both("ridge regression", func(data Data) []float64 {
		var all []float64
		for _, lambda := range []float64{1e-3, 10, 1e5} {
			f := get(FitRidge(data, lambda, nil))(t)
			v := get(f.PosteriorCov(data, 2))(t)
			all = append(append(all, f.Coef()...), f.DoF(), v.At(2, 2), v.At(3, 140))
		}
		return all
	})
	both("Bayes", func(data Data) []float64 {
		f := get(FitBayes(data, GaussianPrior{Tau2: 0.3}, KnownVariance(1), nil))(t)
		v := f.PosteriorCov()
		return append(f.PosteriorMean(), f.LogEvidence(), v.At(0, 0), v.At(5, 100))
	})
}

// Pivots by blocks are those of sweeps; where a column is a combination of others,
// there are none, and sweeps name it.
func TestPivotsOfManyTerms(t *testing.T) {
	d, m := wideCase(t)
	c := get(newScored(m, ZellnerG{}, choice{}))(t)
	p := pivots(c.M, c.D)
	if len(p) != c.D+1 {
		t.Fatalf("%d pivots for %d rows", len(p), c.D)
	}
	sweeper := enumerate.NewSweeper(&c.Problem)
	for i := range c.D {
		near(t, "pivot", p[i], sweeper.At(i+1, i+1), 1e-11)
		sweeper.Flip(i + 1)
	}
	near(t, "pivot of the response", p[c.D], sweeper.At(0, 0), 1e-11)

	for i := range d.NObs() {
		d.X.Set(i, 60, d.X.At(i, 2)-d.X.At(i, 40))
	}
	space := get(newModelSpace(d, nil))(t)
	if len(space.aliased) != 1 || space.aliased[0] != d.Names[60] {
		t.Errorf("aliased: %v, want %s", space.aliased, d.Names[60])
	}
}
