package gram

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

func matrix(rng *rand.Rand, rows, cols int) blas64.General {
	m := blas64.General{Rows: rows, Cols: cols, Stride: cols + 3, Data: make([]float64, rows*(cols+3))}
	for i := range m.Data {
		m.Data[i] = rng.NormFloat64()
	}
	return m
}

// -2 A'B is added within the borders of C, for every kernel and for sizes around
// those of strips, of tiles and of panels.
func TestAddProduct(t *testing.T) {
	withKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for _, size := range [][3]int{{0, 3, 3}, {1, 1, 1}, {5, 8, 24}, {5, 9, 25}, {7, 13, 2}, {256, 96, 97}, {257, 101, 120}, {600, 40, 50}} {
			m, r, c := size[0], size[1], size[2]
			a, b, to := matrix(rng, m, r), matrix(rng, m, c), matrix(rng, r, c)
			before := slices.Clone(to.Data)
			AddProduct(to, -2, a, b, false)
			for at, v := range to.Data {
				i, j := at/to.Stride, at%to.Stride
				want := before[at]
				if j < c {
					for k := range m {
						want -= 2 * a.Data[k*a.Stride+i] * b.Data[k*b.Stride+j]
					}
				}
				if math.Abs(v-want) > 1e-13*float64(1+m) {
					t.Fatalf("%v: %g at (%d, %d), want %g", size, v, i, j, want)
				}
			}
		}
	})
}

// With upper, the upper triangle is the same to the bit; GOMAXPROCS changes none.
func TestAddProductUpper(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 7, 24, 100, 301} {
		a, b, c := matrix(rng, 70, n), matrix(rng, 70, n), matrix(rng, n, n)
		whole, upper := c, c
		whole.Data, upper.Data = slices.Clone(c.Data), slices.Clone(c.Data)
		AddProduct(whole, 1, a, b, false)
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			AddProduct(upper, 1, a, b, true)
		}()
		for i := range n {
			for j := i; j < n; j++ {
				if at := i*c.Stride + j; upper.Data[at] != whole.Data[at] {
					t.Fatalf("n = %d: %g at (%d, %d), want %g", n, upper.Data[at], i, j, whole.Data[at])
				}
			}
		}
	}
}
