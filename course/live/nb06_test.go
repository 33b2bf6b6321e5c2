package live

import (
	"math"
	"math/bits"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// bruteTen sums exp(score) over the 1,024 subsets of the lecture's ten columns, where the
// score of a subset is the logarithm of its evidence or of what stands for it, and returns the
// inclusion probabilities and those of the sizes.
func bruteTen(t *testing.T, rho, pi0 float64, evidence func(x *mat.Dense, y *mat.VecDense) float64) (inclusion, sizes []float64) {
	t.Helper()
	d := tenTerms(Point{Seed: 16}, rho)
	inclusion, sizes = make([]float64, 10), make([]float64, 11)
	var total float64
	for subset := range uint(1) << 10 {
		k := bits.OnesCount(subset)
		var x *mat.Dense
		if k > 0 {
			x = mat.NewDense(20, k, nil)
			at := 0
			for j := range 10 {
				if subset>>j&1 == 1 {
					x.SetCol(at, mat.Col(nil, j, d.X))
					at++
				}
			}
		}
		w := math.Exp(evidence(x, mat.NewVecDense(20, d.Y))) * math.Pow(pi0, float64(k)) * math.Pow(1-pi0, float64(10-k))
		total += w
		sizes[k] += w
		for j := range 10 {
			if subset>>j&1 == 1 {
				inclusion[j] += w
			}
		}
	}
	for _, v := range [][]float64{inclusion, sizes} {
		for i := range v {
			v[i] /= total
		}
	}
	return inclusion, sizes
}

// slabEvidence is log N(y | 0, I + v XX') up to a constant, by its definition.
func slabEvidence(v float64) func(x *mat.Dense, y *mat.VecDense) float64 {
	return func(x *mat.Dense, y *mat.VecDense) float64 {
		cov := mat.NewSymDense(20, nil)
		for i := range 20 {
			cov.SetSym(i, i, 1)
		}
		if x != nil {
			var xx mat.SymDense
			xx.SymOuterK(v, x)
			cov.AddSym(cov, &xx)
		}
		var chol mat.Cholesky
		var z mat.VecDense
		if !chol.Factorize(cov) || chol.SolveVecTo(&z, y) != nil {
			return math.NaN()
		}
		return -mat.Dot(y, &z)/2 - chol.LogDet()/2
	}
}

func TestPriorInclusion(t *testing.T) {
	for _, pi0 := range PriorInclusion().Params[0].Frames {
		p, sizes := bruteTen(t, 0, pi0, slabEvidence(100))
		var after float64
		for k, q := range sizes {
			after += float64(k) * q
		}
		wantNumbers(t, PriorInclusion(), []float64{pi0}, 10*pi0, after, p[5], p[8])
	}
	// A narrow slab, and predictors that copy each other.
	p, sizes := bruteTen(t, 0.7, 0.3, slabEvidence(10))
	after := 0.
	for k, q := range sizes {
		after += float64(k) * q
	}
	wantNumbers(t, PriorInclusion(), []float64{0.3, 10, 0.7}, 3, after, p[5], p[8])
}

func TestSlabVariance(t *testing.T) {
	bic, _ := bruteTen(t, 0, 0.1, func(x *mat.Dense, y *mat.VecDense) float64 {
		rss := mat.Dot(y, y)
		if x == nil {
			return -rss / 2
		}
		var w, fit mat.VecDense
		if err := w.SolveVec(x, y); err != nil {
			t.Fatal(err)
		}
		fit.MulVec(x, &w)
		fit.SubVec(y, &fit)
		_, k := x.Dims()
		return -mat.Dot(&fit, &fit)/2 - float64(k)/2*math.Log(20)
	})
	for _, v := range SlabVariance().Params[0].Frames {
		p, _ := bruteTen(t, 0, 0.1, slabEvidence(v))
		wantNumbers(t, SlabVariance(), []float64{v}, p[1], p[5], p[8], bic[5], bic[8])
	}
}
