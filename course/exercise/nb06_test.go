package exercise

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
)

func init() {
	answers["06.1"] = func(t *testing.T) any {
		src := rand.NewPCG(16, 13)
		x, err := datasets.NormalDesign(20, 10, 0, src)
		if err != nil {
			t.Fatal(err)
		}
		d, err := datasets.AllSubsets().Draw(x, src)
		if err != nil {
			t.Fatal(err)
		}
		for i := 10; i < 100; i++ {
			pi0 := float64(i) / 100
			odds := math.Log(pi0 / (1 - pi0))
			p := subsetShare(10, func(in []int) float64 {
				return gaussEvidence(d.X, d.Y, in, 100) + float64(len(in))*odds
			}, func(in uint) bool { return in>>8&1 == 1 })
			if p > 0.5 {
				return pi0
			}
		}
		return nil
	}
	answers["06.2"] = func(t *testing.T) any {
		df := datasets.Prostate()
		train := df.Col("train").Records()
		var y []float64
		x := make([][]float64, 8)
		for i, lpsa := range df.Col("lpsa").Float() {
			if train[i] != "T" {
				continue
			}
			y = append(y, lpsa)
			for j, name := range df.Names()[:8] {
				x[j] = append(x[j], df.Col(name).Float()[i])
			}
		}
		n := float64(len(y))
		late := uint(1<<4 | 1<<5 | 1<<6 | 1<<7)
		return subsetShare(8, func(in []int) float64 {
			design := mat.NewDense(len(y), len(in)+1, nil)
			for i := range y {
				design.Set(i, 0, 1)
				for k, j := range in {
					design.Set(i, k+1, x[j][i])
				}
			}
			var w, fit mat.VecDense
			if err := w.SolveVec(design, mat.NewVecDense(len(y), y)); err != nil {
				t.Fatal(err)
			}
			fit.MulVec(design, &w)
			fit.SubVec(mat.NewVecDense(len(y), y), &fit)
			return -n/2*math.Log(mat.Dot(&fit, &fit)) - float64(len(in))/2*math.Log(n)
		}, func(in uint) bool { return in&late != 0 })
	}
	answers["06.3"] = func(t *testing.T) any {
		return func(v float64) float64 { return oneColumn(v) - oneColumn(0) }
	}
	answers["06b.1"] = func(t *testing.T) any { // every node of the tree, by recursion
		var all func(undecided int) float64
		all = func(m int) float64 {
			if m == 0 {
				return 0
			}
			return float64(m*(m+1)/2) + 2*all(m-1)
		}
		return all(3) / 8
	}
	answers["06b.2"] = func(t *testing.T) any { // by counting: sizes are uniform, and all models of a size
		return func(m float64) float64 {
			const d = 36
			any := 0.0
			for k := range d + 1 {
				none := 1.0 // the k of the model all outside the set
				for i := range k {
					none *= (d - m - float64(i)) / float64(d-i)
				}
				any += (1 - none) / (d + 1)
			}
			return any
		}
	}
	answers["06b.3"] = func(t *testing.T) any { // sweeps counted in a chain of known seed would vary: the sum over their number
		f := map[int]float64{0: 10, 1: 0, 2: 0, 3: 10} // by the bits of the model
		stay := 1.0
		for bit := range 2 {
			same, other := f[1], f[1^1<<bit]
			stay *= math.Exp(-same) / (math.Exp(-same) + math.Exp(-other))
		}
		mean, still := 0.0, 1.0
		for range 1_000_000 {
			mean += still // the chain is still there before this sweep
			still *= stay
		}
		return mean
	}
	answers["06.4"] = func(t *testing.T) any {
		best, at := math.Inf(-1), 0.0
		for i := range 200001 {
			if v := float64(i) * 1e-5; oneColumn(v) > best {
				best, at = oneColumn(v), v
			}
		}
		return math.Round(at*1e4) / 1e4
	}
}

// subsetShare sums exp(score) over the subsets of d terms and returns the share of those
// that count.
func subsetShare(d int, score func(in []int) float64, counts func(in uint) bool) float64 {
	var sum, some, ref float64
	for subset := range uint(1) << d {
		in := make([]int, 0, bits.OnesCount(subset))
		for j := range d {
			if subset>>j&1 == 1 {
				in = append(in, j)
			}
		}
		s := score(in)
		if subset == 0 {
			ref = s
		}
		w := math.Exp(s - ref)
		sum += w
		if counts(subset) {
			some += w
		}
	}
	return some / sum
}

// gaussEvidence is log N(y | 0, I + v XX') up to a constant.
func gaussEvidence(x *mat.Dense, y []float64, in []int, v float64) float64 {
	n := len(y)
	cov := mat.NewSymDense(n, nil)
	for i := range n {
		for k := range i + 1 {
			var s float64
			for _, j := range in {
				s += v * x.At(i, j) * x.At(k, j)
			}
			if i == k {
				s++
			}
			cov.SetSym(i, k, s)
		}
	}
	var chol mat.Cholesky
	var z mat.VecDense
	if !chol.Factorize(cov) {
		return math.NaN()
	}
	if err := chol.SolveVecTo(&z, mat.NewVecDense(n, y)); err != nil {
		return math.NaN()
	}
	return -mat.Dot(mat.NewVecDense(n, y), &z)/2 - chol.LogDet()/2
}

// oneColumn is gaussEvidence of one column x with x'x = 20 and x'y = 10.
func oneColumn(v float64) float64 {
	x := mat.NewDense(2, 1, []float64{math.Sqrt(20), 0})
	return gaussEvidence(x, []float64{10 / math.Sqrt(20), 1}, []int{0}, v)
}
