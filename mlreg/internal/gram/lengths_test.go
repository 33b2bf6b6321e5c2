package gram

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

func TestSquaredLengths(t *testing.T) {
	withKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(31, 32))
		for _, shape := range [][3]int{{1, 1, 1}, {11, 3, 3}, {12, 4, 9}, {25, 8, 5}, {400, 17, 17}, {1000, 50, 51}, {50, 300, 300}} {
			n, p, m := shape[0], shape[1], shape[2]
			x, root := random(rng, n, p, 1, false, false).X, random(rng, p, m, 0, false, false).X
			var first []float64
			if m%2 == 1 {
				for range m {
					first = append(first, rng.NormFloat64())
				}
			}
			if p > 1 { // upper trapezoidal, but for one number
				for j := range p {
					clear(root.Data[j*m : j*m+min(j, m)])
				}
				root.Data[(p-1)*m] = 2
			}
			got := SquaredLengths(x, first, root)
			for i := range n {
				var want, size float64
				for c := range m {
					var z, s float64
					if first != nil {
						z, s = first[c], math.Abs(first[c])
					}
					for j := range p {
						z += x.Data[i*p+j] * root.Data[j*m+c]
						s += math.Abs(x.Data[i*p+j] * root.Data[j*m+c])
					}
					want += z * z
					size += s * s
				}
				if !(math.Abs(got[i]-want) <= 1e-14*size) {
					t.Fatalf("%v: row %d: %v, want %v", shape, i, got[i], want)
				}
			}
		}
	})
}

func TestSquaredLengthsSameBitsOnAnyProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rng := rand.New(rand.NewPCG(33, 34))
	x, root := random(rng, 5000, 7, 1, false, false).X, random(rng, 7, 7, 0, false, false).X
	x.Data[7*1234] = math.Inf(1)
	want := SquaredLengths(x, nil, root)
	for i, v := range want {
		if finite := !math.IsNaN(v) && !math.IsInf(v, 0); finite != (i != 1234) {
			t.Errorf("row %d, one of which is infinite: %v", i, v)
		}
	}
	want[1234] = 0
	for _, procs := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(procs)
		got := SquaredLengths(x, nil, root)
		got[1234] = 0
		if !slices.Equal(got, want) {
			t.Errorf("other bits on %d processors", procs)
		}
	}
}

func TestFinite(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {7, 5}, {90000, 3}} {
		x := random(rand.New(rand.NewPCG(35, 36)), shape[0], shape[1], 0, false, false).X
		x.Data[0] = math.MaxFloat64
		if !Finite(x) {
			t.Errorf("%v: finite numbers are not", shape)
		}
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for _, at := range []int{0, len(x.Data) / 2, len(x.Data) - 1} {
				old := x.Data[at]
				x.Data[at] = bad
				if Finite(x) {
					t.Errorf("%v: %v at %d not seen", shape, bad, at)
				}
				x.Data[at] = old
			}
		}
	}
	// What is between the rows of a view does not count.
	x := random(rand.New(rand.NewPCG(37, 38)), 4, 3, 0, false, false).X
	x.Cols, x.Data[2] = 2, math.NaN()
	if !Finite(x) {
		t.Error("a number outside of a view counts")
	}
}

func BenchmarkSquaredLengths(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, root := random(rng, 200000, 50, 1, false, false).X, random(rng, 50, 50, 0, false, false).X
	for j := range 50 {
		clear(root.Data[j*50 : j*50+j])
	}
	first := make([]float64, 50)
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			defer func(old *kernel) { active = old }(active)
			active = k
			for b.Loop() {
				SquaredLengths(x, first, root)
			}
		})
	}
}

func BenchmarkFinite(b *testing.B) {
	x := blas64.General{Rows: 200000, Cols: 50, Stride: 50, Data: make([]float64, 200000*50)}
	b.SetBytes(200000 * 50 * 8)
	for b.Loop() {
		Finite(x)
	}
}
