package mlreg

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// Helpers with numbers, vectors and matrices that files of every topic use.

// unit is the relative rounding error of float64.
const unit = dd.Unit

func square(x float64) float64 { return x * x }

func squares(v []float64) float64 {
	x := blas64.Vector{N: len(v), Inc: 1, Data: v}
	return blas64.Dot(x, x)
}

// withoutNaN returns a copy of b with 0 for NaN.
func withoutNaN(b []float64) []float64 {
	c := slices.Clone(b)
	for j, v := range c {
		if v != v {
			c[j] = 0
		}
	}
	return c
}

// newDense returns an n x p matrix of zeros; mat.NewDense refuses p = 0.
func newDense(n, p int) *mat.Dense {
	if p > 0 {
		return mat.NewDense(n, p, nil)
	}
	x := &mat.Dense{}
	x.SetRawMatrix(blas64.General{Rows: n, Stride: 1, Data: make([]float64, n)})
	return x
}

// rowOf returns a copy of v as a 1 x len(v) matrix.
func rowOf(v []float64) *mat.Dense {
	x := newDense(1, len(v))
	copy(x.RawRowView(0), v)
	return x
}

// newSym returns a k x k matrix of zeros, the empty one for k = 0.
func newSym(k int) *mat.SymDense {
	if k == 0 {
		return &mat.SymDense{}
	}
	return mat.NewSymDense(k, nil)
}

// largestOf returns the numbers of the k largest of the values, the largest
// first; NaN is smaller than anything.
func largestOf(k int, values []float64) []int {
	order := numbersTo(len(values))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return order[:k]
}

// numbersTo returns 0 ... n-1.
func numbersTo(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}
