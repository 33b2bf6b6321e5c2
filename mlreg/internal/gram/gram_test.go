package gram

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

// random returns Gaussian rows about a mean, with y and weights if asked for.
func random(rng *rand.Rand, n, p int, mean float64, y, weights bool) Rows {
	r := Rows{X: blas64.General{Rows: n, Cols: p, Stride: p, Data: make([]float64, n*p)}}
	for i := range r.X.Data {
		r.X.Data[i] = mean + rng.NormFloat64()
	}
	if y {
		for range n {
			r.Y = append(r.Y, -mean+rng.NormFloat64())
		}
	}
	if weights {
		for range n {
			r.Weights = append(r.Weights, max(0, rng.Float64()-.1))
		}
	}
	return r
}

// withKernel runs f with every kernel of this processor.
func withKernel(t *testing.T, f func(t *testing.T)) {
	defer func(k *kernel) { active = k }(active)
	for _, k := range kernels() {
		active = k
		t.Run(k.name, f)
	}
}

// naive computes what Centered does, in two passes and compensated sums.
func naive(r Rows) *Sums {
	k := r.columns()
	a := make([][]float64, r.X.Rows)
	s := &Sums{Mean: make([]float64, k), S: blas64.Symmetric{N: k, Stride: k, Data: make([]float64, k*k)}}
	for i := range a {
		a[i] = make([]float64, k)
		r.copyRow(a[i], i)
		for j := range a[i] {
			if r.Scale != nil {
				a[i][j] *= r.Scale[j]
			}
		}
		if r.weight(i) > 0 {
			s.N++
		}
	}
	sum := func(f func(i int) float64) float64 {
		var hi, lo float64
		for i := range a {
			if r.weight(i) > 0 {
				v := r.weight(i) * f(i)
				t := hi + v
				lo += (hi - (t - (t - hi))) + (v - (t - hi))
				hi = t
			}
		}
		return hi + lo
	}
	s.W = sum(func(int) float64 { return 1 })
	for j := range k {
		s.Mean[j] = sum(func(i int) float64 { return a[i][j] }) / s.W
	}
	for j := range k {
		for l := j; l < k; l++ {
			s.S.Data[j*k+l] = sum(func(i int) float64 { return (a[i][j] - s.Mean[j]) * (a[i][l] - s.Mean[l]) })
		}
	}
	return s
}

// compare fails unless means agree to tol times the standard deviation or 4
// units in the last place, and cross-products to tol times the lengths.
func compare(t *testing.T, got, want *Sums, tol float64) {
	t.Helper()
	if got.N != want.N || math.Abs(got.W-want.W) > 1e-15*want.W {
		t.Fatalf("N, W = %d, %v, want %d, %v", got.N, got.W, want.N, want.W)
	}
	k := want.S.N
	length := make([]float64, k)
	for j := range k {
		length[j] = math.Sqrt(want.S.Data[j*k+j])
		if d := math.Abs(got.Mean[j] - want.Mean[j]); !(d <= tol*length[j]/math.Sqrt(want.W)+1e-15*math.Abs(want.Mean[j])) {
			t.Errorf("mean of column %d is %v, want %v", j, got.Mean[j], want.Mean[j])
		}
	}
	for i := range k {
		for j := range k {
			g, w := got.S.Data[i*k+j], want.S.Data[i*k+j]
			if j < i && g != 0 {
				t.Fatalf("element (%d,%d) below the diagonal is %v", i, j, g)
			}
			if j >= i && !(math.Abs(g-w) <= tol*length[i]*length[j]) {
				t.Fatalf("element (%d,%d) of %d: %v, want %v", i, j, k, g, w)
			}
		}
	}
}

func TestCenteredAgainstNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, shape := range [][2]int{{1, 1}, {2, 1}, {1, 5}, {3, 2}, {255, 3}, {256, 4}, {257, 7}, {1025, 11}, {40, 60}, {3000, 23}, {1500, 24}, {70, 249}, {1030, 301}} {
		if testing.Short() && shape[0]*shape[1] > 50000 {
			continue // a slow sum to compare with
		}
		for variant := range 4 {
			r := random(rng, shape[0], shape[1], 0, variant&1 == 1, variant&2 == 2)
			if variant&2 == 2 {
				r.Weights[rng.IntN(len(r.Weights))] = 0
			}
			if want := naive(r); want.N > 0 {
				withKernel(t, func(t *testing.T) { compare(t, Centered(r), want, 1e-13) })
			}
		}
	}
}

// TestCenteredLargeMeans holds sums about means 10^8 standard deviations away
// against the exact ones: the data are integers, so that nothing is rounded
// before the products.
func TestCenteredLargeMeans(t *testing.T) {
	withKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		r := random(rng, 5000, 13, 0, true, false)
		for i := range r.X.Data {
			r.X.Data[i] = 1e9 + float64(rng.IntN(20))
		}
		compare(t, Centered(r), naive(r), 1e-13)
	})
}

// TestCenteredMisleadingSample makes the first guess of the center as bad as it
// can be: the rows sampled are like no others, and weigh nothing to speak of.
func TestCenteredMisleadingSample(t *testing.T) {
	withKernel(t, func(t *testing.T) {
		r := random(rand.New(rand.NewPCG(7, 8)), 8192, 5, 3, true, true)
		for i := range r.Weights {
			r.Weights[i] = 1
			if i%8 == 0 {
				r.Weights[i] = 1e-30
				for j := range 5 {
					r.row(i)[j] = 1e9
				}
			}
		}
		compare(t, Centered(r), naive(r), 1e-12)
	})
}

func TestCenteredConstantColumn(t *testing.T) {
	withKernel(t, func(t *testing.T) {
		r := random(rand.New(rand.NewPCG(9, 10)), 3001, 3, 1, false, true)
		for i := range r.X.Rows {
			r.row(i)[1] = 0.1
		}
		s := Centered(r)
		if s.S.Data[4] != 0 || s.Mean[1] != 0.1 {
			t.Errorf("mean %v and sum of squares %v of a column of 0.1", s.Mean[1], s.S.Data[4])
		}
	})
}

func TestCenteredScale(t *testing.T) {
	withKernel(t, func(t *testing.T) {
		r := random(rand.New(rand.NewPCG(11, 12)), 700, 9, 2, true, false)
		want := Centered(r)
		for j := range 10 {
			e := 0 // of y
			if j < 9 {
				e = 700 * (j%3 - 1)
				for i := range r.X.Rows {
					r.row(i)[j] = math.Ldexp(r.row(i)[j], e)
				}
			}
			r.Scale = append(r.Scale, math.Ldexp(1, -e))
		}
		got := Centered(r)
		if !slices.Equal(got.Mean, want.Mean) || !slices.Equal(got.S.Data, want.S.Data) {
			t.Error("scales that undo powers of two change the sums")
		}
	})
}

func TestCenteredSameBitsOnAnyProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	withKernel(t, func(t *testing.T) {
		for _, shape := range [][2]int{{20000, 9}, {1500, 290}} {
			r := random(rand.New(rand.NewPCG(13, 14)), shape[0], shape[1], 1, true, true)
			var want *Sums
			for _, procs := range []int{1, 2, 7} {
				runtime.GOMAXPROCS(procs)
				got := Centered(r)
				if want == nil {
					want = got
				}
				if !slices.Equal(got.Mean, want.Mean) || !slices.Equal(got.S.Data, want.S.Data) {
					t.Errorf("%v: other bits on %d processors", shape, procs)
				}
			}
		}
	})
}

func TestCenteredNotFinite(t *testing.T) {
	withKernel(t, func(t *testing.T) {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for _, row := range []int{0, 1, 1999} {
				for col := range 6 {
					r := random(rand.New(rand.NewPCG(15, 16)), 2000, 5, 0, true, true)
					set := func(v float64) {
						if col < 5 {
							r.row(row)[col] = v
						} else {
							r.Y[row] = v
						}
					}
					r.Weights[row] = 0
					set(1)
					want := Centered(r)
					set(bad)
					if got := Centered(r); !slices.Equal(got.S.Data, want.S.Data) {
						t.Fatalf("%v in column %d of row %d of weight zero matters", bad, col, row)
					}
					r.Weights[row] = 1
					got := Centered(r).S.Data
					for j := range 6 {
						v := got[min(j, col)*6+max(j, col)]
						if !math.IsNaN(v) && !math.IsInf(v, 0) {
							t.Fatalf("%v in column %d of row %d: its product with column %d is %v", bad, col, row, j, v)
						}
						if o := got[j*6+j]; j != col && (math.IsNaN(o) || math.IsInf(o, 0)) {
							t.Fatalf("%v in column %d: the sum of squares of column %d is %v", bad, col, j, o)
						}
					}
				}
			}
		}
	})
}

func TestCenteredNothing(t *testing.T) {
	r := random(rand.New(rand.NewPCG(1, 1)), 4, 2, 0, false, true)
	clear(r.Weights)
	if s := Centered(r); s.N != 0 || s.W != 0 || slices.Max(s.S.Data) != 0 {
		t.Errorf("sums of no rows: %+v", s)
	}
}

func FuzzCentered(f *testing.F) {
	f.Add(uint64(1), uint16(300), uint16(12), 3.0, true, false)
	f.Add(uint64(2), uint16(1), uint16(1), 0.0, false, true)
	f.Add(uint64(3), uint16(513), uint16(97), -1e6, true, true)
	f.Add(uint64(3), uint16(479), uint16(22), -1e6, true, true)
	f.Fuzz(func(t *testing.T, seed uint64, n, p uint16, mean float64, y, weights bool) {
		rows, cols := 1+int(n)%600, 1+int(p)%100
		if math.IsNaN(mean) || math.Abs(mean) > 1e6 {
			mean = 1
		}
		r := random(rand.New(rand.NewPCG(seed, 1)), rows, cols, mean, y, weights)
		if want := naive(r); want.N > 1 {
			withKernel(t, func(t *testing.T) { compare(t, Centered(r), want, 1e-12) })
		}
	})
}

func BenchmarkCentered(b *testing.B) {
	for _, shape := range [][2]int{{200000, 50}, {8000, 1500}} {
		n, p := shape[0], shape[1]
		r := random(rand.New(rand.NewPCG(1, 2)), n, p, 1, true, false)
		for _, k := range kernels() {
			b.Run(fmt.Sprintf("%dx%d/%s", n, p, k.name), func(b *testing.B) {
				defer func(old *kernel) { active = old }(active)
				active = k
				for range b.N {
					Centered(r)
				}
				b.ReportMetric(float64(n)*float64(p)*float64(p+1)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
