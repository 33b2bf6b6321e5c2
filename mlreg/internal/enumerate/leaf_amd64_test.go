package enumerate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The kernel in assembly does what the portable one does, to rounding.
func TestWeighAVX2(t *testing.T) {
	if !useAVX2 {
		t.Skip("no AVX2")
	}
	r := rand.New(rand.NewPCG(3, 3))
	for i := range 400 {
		var m [21]float64
		p := random(uint64(i), 30, 5, []string{"power", "slab"}[i%2])
		copy(m[:], p.M)
		if i%5 == 0 { // a column that adds nothing
			for _, k := range []int{6, 7, 8, 9, 13, 18} {
				m[k] = 0
			}
			m[9] = p.Tol
		}
		var size [leafSize]float64
		for k := range size {
			size[k] = -400 * float64(i%7) * r.Float64()
		}
		size[r.IntN(leafSize)] = math.Inf(-1)
		how := weighing{tol: p.Tol, factor: -15 * r.Float64(), log: uint64(i / 2 % 2), det: uint64(i / 4 % 2), bits: 100 * r.NormFloat64(), size: &size, constant: r.Float64()}
		if i%3 > 0 {
			how.slope = &size
		}
		var a, b block
		topA, topB := weighAVX2(&a, &m, &how), weighPortable(&b, &m, &how)
		near(t, "top", topA, topB, 1e-13)
		for k := range a.inv {
			for l := range lanes {
				near(t, "inverse pivot", a.inv[k][l], b.inv[k][l], 1e-12)
			}
		}
		for k := range a.q {
			if a.w[k] > 1e-300 {
				near(t, "v", a.v[k]/a.w[k], b.v[k]/b.w[k], 1e-12)
			}
			near(t, "q", a.q[k], b.q[k], 1e-13)
			near(t, "log det", math.Log2(a.det[k]), math.Log2(b.det[k]), 1e-12)
			if !math.IsInf(b.lw[k], -1) {
				near(t, "lw", a.lw[k], b.lw[k], 1e-13)
			} else if a.lw[k] != b.lw[k] {
				t.Errorf("lw = %v, want %v", a.lw[k], b.lw[k])
			}
			if b.w[k] == 0 != (a.w[k] == 0) || math.Abs(math.Log2(a.w[k])-math.Log2(b.w[k])) > 1e-12*math.Max(1, math.Abs(b.lw[k])) {
				t.Errorf("w = %v, want %v", a.w[k], b.w[k])
			}
		}
	}
}

func TestRunPortable(t *testing.T) {
	defer func(saved bool) { useAVX2 = saved }(useAVX2)
	useAVX2 = false
	TestRunIsSumOverSubsets(t)
}
