package gram

import (
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// exactGradient computes Residuals in exact arithmetic, from residuals as
// rounded by what is tested.
func exactGradient(r Rows, residuals []float64) (ones, rss *big.Float, x []*big.Float) {
	zero := func() *big.Float { return new(big.Float).SetPrec(2000) }
	ones, rss = zero(), zero()
	for range r.X.Cols {
		x = append(x, zero())
	}
	for i, e := range residuals {
		w := r.weight(i)
		if w == 0 {
			continue
		}
		we := zero().SetFloat64(w * e)
		ones.Add(ones, we)
		rss.Add(rss, zero().Mul(we, big.NewFloat(e)))
		for j, v := range r.row(i) {
			x[j].Add(x[j], zero().Mul(we, big.NewFloat(v)))
		}
	}
	return ones, rss, x
}

func TestResiduals(t *testing.T) {
	withKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(21, 22))
		for _, shape := range [][2]int{{1, 1}, {5, 2}, {33, 3}, {1500, 4}, {2100, 13}, {700, 50}} {
			r := random(rng, shape[0], shape[1], 1e6, true, true)
			p := shape[1]
			b, low := make([]float64, p), make([]float64, p)
			for j := range b {
				b[j] = rng.NormFloat64()
				low[j] = b[j] * 0x1p-54 * rng.NormFloat64()
			}
			b0, b0Low := rng.NormFloat64(), 1e-17
			// y is the rounded fit, so that all leading digits cancel.
			exact := make([]float64, shape[0])
			for i := range exact {
				fit := new(big.Float).SetPrec(2000).SetFloat64(b0)
				fit.Add(fit, big.NewFloat(b0Low))
				for j, v := range r.row(i) {
					for _, c := range []float64{b[j], low[j]} {
						fit.Add(fit, new(big.Float).SetPrec(2000).Mul(big.NewFloat(v), big.NewFloat(c)))
					}
				}
				r.Y[i], _ = fit.Float64()
				exact[i], _ = fit.Sub(new(big.Float).SetPrec(2000).SetFloat64(r.Y[i]), fit).Float64()
			}
			got := make([]float64, shape[0])
			g := r.Residuals(got, b0, b0Low, b, low)
			for i, e := range exact {
				if math.Abs(got[i]-e) > 1e-15*math.Abs(e)+float64(p*p)*0x1p-100*1e6 {
					t.Fatalf("%v: residual %d is %v, want %v", shape, i, got[i], e)
				}
			}
			ones, rss, x := exactGradient(r, got)
			check := func(what string, hi, lo float64, want *big.Float, size float64) {
				d, _ := new(big.Float).Sub(want, big.NewFloat(hi)).Float64()
				if math.Abs(d-lo) > 1e-24*size {
					t.Errorf("%v: %s: %v + %v is off by %v", shape, what, hi, lo, d-lo)
				}
			}
			size := 0.0
			for i, e := range got {
				size += r.weight(i) * math.Abs(e)
			}
			check("sum", g.Ones, g.OnesLo, ones, size)
			for j := range x {
				check("gradient", g.X[j], g.XLo[j], x[j], 1e6*size)
			}
			if want, _ := rss.Float64(); math.Abs(g.RSS-want) > 1e-14*want {
				t.Errorf("%v: RSS %v, want %v", shape, g.RSS, want)
			}
		}
	})
}

func TestResidualsScale(t *testing.T) {
	withKernel(t, func(t *testing.T) {
		r := random(rand.New(rand.NewPCG(23, 24)), 1200, 2, 1, true, false)
		b, low := []float64{.3, -.7}, []float64{0, 0}
		want := r.Residuals(nil, 1, 0, b, low)
		r.Scale = []float64{0x1p-600, 1, 0x1p30}
		for i := range r.X.Rows {
			r.row(i)[0] *= 0x1p600
			r.Y[i] *= 0x1p-30
		}
		if got := r.Residuals(nil, 1, 0, b, low); !slices.Equal(got.X, want.X) || got.RSS != want.RSS {
			t.Errorf("scales that undo powers of two change the sums: %+v, %+v", got, want)
		}
	})
}

func TestResidualsSameBitsOnAnyProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	r := random(rand.New(rand.NewPCG(25, 26)), 9000, 5, 1, true, true)
	b := make([]float64, 5)
	want := r.Residuals(nil, 0, 0, b, b)
	for _, procs := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(procs)
		if got := r.Residuals(nil, 0, 0, b, b); !slices.Equal(got.X, want.X) || !slices.Equal(got.XLo, want.XLo) || got.RSS != want.RSS {
			t.Errorf("other bits on %d processors", procs)
		}
	}
}

func TestResidualsNotFinite(t *testing.T) {
	withKernel(t, func(t *testing.T) {
		for col := range 5 {
			r := random(rand.New(rand.NewPCG(27, 28)), 3, 5, 1, true, true)
			r.Weights = []float64{1, 0, 1}
			r.row(1)[col] = math.Inf(1)
			dst := make([]float64, 3)
			b := []float64{1, 1, 1, 1, 1}
			if g := r.Residuals(dst, 0, 0, b, b); math.IsNaN(g.X[col]) || !math.IsNaN(dst[1]) && !math.IsInf(dst[1], 0) {
				t.Errorf("infinity in column %d of weight zero: gradient %v, residual %v", col, g.X[col], dst[1])
			}
			r.Weights[1] = 1
			if g := r.Residuals(dst, 0, 0, b, b); !math.IsNaN(g.X[col]+g.XLo[col]) && !math.IsInf(g.X[col], 0) || !math.IsNaN(g.RSS) && !math.IsInf(g.RSS, 0) {
				t.Errorf("infinity in column %d: gradient %v, RSS %v", col, g.X[col], g.RSS)
			}
		}
	})
}

func BenchmarkResiduals(b *testing.B) {
	r := random(rand.New(rand.NewPCG(1, 2)), 200000, 50, 1, true, false)
	dst, c := make([]float64, 200000), make([]float64, 50)
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			defer func(old *kernel) { active = old }(active)
			active = k
			b.SetBytes(200000 * 50 * 8)
			for b.Loop() {
				r.Residuals(dst, 0, 0, c, c)
			}
		})
	}
}

// What each square loses as it is added to a large sum is kept.
func TestResidualsSmallSquares(t *testing.T) {
	const n = 500 // rows of one chunk
	r := Rows{Y: make([]float64, n)}
	r.X.Rows = n
	r.Y[0] = 1
	for i := range n - 1 {
		r.Y[i+1] = 0x1p-27
	}
	if g := r.Residuals(nil, 0, 0, nil, nil); g.RSS != 1+(n-1)*0x1p-54 {
		t.Errorf("RSS is 1%+g, and 1%+g is right", g.RSS-1, (n-1)*0x1p-54)
	}
}
