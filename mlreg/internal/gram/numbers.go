package gram

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
)

// Square returns x^2.
func Square(x float64) float64 { return x * x }

// Squares returns the sum of the squares.
func Squares(v []float64) float64 {
	x := Vector(v)
	return blas64.Dot(x, x)
}

// WithoutNaN returns a copy of b with 0 for NaN.
func WithoutNaN(b []float64) []float64 {
	c := slices.Clone(b)
	for j, v := range c {
		if v != v {
			c[j] = 0
		}
	}
	return c
}

// LargestOf returns the numbers of the k largest of the values, the largest
// first; NaN is smaller than anything.
func LargestOf(k int, values []float64) []int {
	order := NumbersTo(len(values))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return order[:k]
}

// NumbersTo returns 0 ... n-1.
func NumbersTo(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}
