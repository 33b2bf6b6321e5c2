// Package quadrature has Gauss's rules of quadrature. They are computed, since gonum's package
// keeps tables of them, 0.4 MB that every program with a fit would carry.
package quadrature

import (
	"iter"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/tridiagonal"
)

// Rule are nodes, ascending, and weights of Gauss's rule of n nodes, which integrates polynomials of
// degree 2n-1 exactly.
type Rule struct{ X, W []float64 }

// Legendre returns the rule of the integral from -1 to 1.
func Legendre(n int) Rule {
	return gauss(n, 2, func(k float64) float64 { return k / math.Sqrt(4*k*k-1) })
}

// Normal returns the rule of the expectation under N(0, 1): that of Hermite, in other units.
func Normal(n int) Rule { return gauss(n, 1, math.Sqrt) }

// Between yields the nodes and weights of the rule of Legendre for the integral from a to b.
func (r Rule) Between(a, b float64) iter.Seq2[float64, float64] {
	return func(yield func(x, w float64) bool) {
		for i, x := range r.X {
			if !yield((a+b)/2+(b-a)/2*x, (b-a)/2*r.W[i]) {
				return
			}
		}
	}
}

// gauss returns the rule of a symmetric weight with the given integral, whose orthonormal
// polynomials are
//
//	b(k) p_k = x p_{k-1} - b(k-1) p_{k-2},  p_0 = 1, p_{-1} = 0.
//
// The nodes are the eigenvalues of the tridiagonal matrix of b(1), ..., b(n-1), improved by a step of
// Newton's method; a weight is integral/sum p_k(x)^2, k < n, all of whose terms are positive. (Golub and
// Welsch, Calculation of Gauss Quadrature Rules, Mathematics of Computation 23, 1969.)
func gauss(n int, integral float64, b func(k float64) float64) Rule {
	jacobi := blas64.Symmetric{N: n, Stride: n, Data: make([]float64, n*n), Uplo: blas.Upper}
	for k := 1; k < n; k++ {
		jacobi.Data[(k-1)*n+k] = b(float64(k))
	}
	e, ok := tridiagonal.Decompose(jacobi)
	if !ok {
		panic("quadrature: the eigenvalues of a Jacobi matrix were not found")
	}
	r := Rule{e.Values, make([]float64, n)}
	for i, x := range r.X {
		next, last, sum := polynomials(n, x, b)
		x -= next * last * b(float64(n)) / sum // the derivative of p_n at a zero is sum/(b(n) p_{n-1})
		_, _, sum = polynomials(n, x, b)
		r.X[i], r.W[i] = x, integral/sum
	}
	return r
}

// polynomials returns p_n and p_{n-1} at x, and the sum of the squares below p_n.
func polynomials(n int, x float64, b func(k float64) float64) (next, last, sum float64) {
	next = 1
	before := 0.0
	for k := range n {
		sum += next * next
		after := b(float64(k + 1))
		next, last, before = (x*next-before*last)/after, next, after
	}
	return next, last, sum
}
