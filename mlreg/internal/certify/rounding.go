package certify

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// gamma bounds the relative error of a product of n factors 1 + e, |e| <= 2^-53.
// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 3.1.)
func gamma(n int) float64 {
	e := float64(n) * dd.Unit
	return e / (1 - e) * (1 + 8*dd.Unit)
}

// eliminationError bounds |M~ - M|_ij relative to sqrt(M_ii M_jj), where M~ is the matrix
// of order n for which what is computed at a node, and for a subset of its columns, is
// exact (statement 5).
//
// Each element of R'R + the Schur complement C is a sum of at most s + 1 products, of which
// the division by a pivot's root, by its inverse, adds two roundings. In any order of the
// summation (Higham, theorem 10.3 and section 10.1.1),
//
//	|R'R + C - M|_ij <= gamma_{s+4} (sum_k |r_ki r_kj| + |C_ij|).
//
// By the diagonal, sum_k r_ki^2 + C_ii <= M_ii/(1 - gamma), so that the sum is at most sqrt(M_ii M_jj)/(1 - gamma), by
// Cauchy and Schwarz. |C_ij| is at most |M_ij| and that sum, and so twice it. So the step
// costs 3.1 gamma_{s+4}. What follows at a node, with m columns, is another factorization of C, or triangular
// systems with its factor, whose matrix may be wrong by gamma_{m+2} |R'| in each of two solutions: 3.1 gamma_{m+4}
// again. As s + m < n, 8 gamma_{n+8} is more than all of it.
func eliminationError(n int) float64 { return 8 * gamma(n+8) }

// relativeError returns tau of statement 5 for the symmetric matrix M of order n of which delta is a
// diagonal with 0 < delta <= M as matrices. For |E_ij| <= eta m_i m_j, m_i^2 = M_ii,
//
//	|v'Ev| <= eta (sum_i m_i |v_i|)^2 <= eta sum_i m_i^2/delta_i sum_i delta_i v_i^2 <= tau v'Mv.
func relativeError(m []float64, n int, delta []float64) float64 {
	var sum float64
	for i, d := range delta {
		sum += m[i*n+i] / d
	}
	return eliminationError(n) * sum * (1 + gamma(n+4))
}

// provenBelow factors G - D in t, G being the symmetric matrix g of order n. If that
// succeeds, it lessens D so that D <= G is proven (statement 6), and returns whether all of it is
// positive still.
//
// For A = G - D, rounded on the diagonal, R'R = A + E with |E_ij| <= gamma_{n+4}/(1 - gamma_{n+4}) sqrt(A_ii A_jj), as in
// eliminationError with C = 0. So
//
//	x'Ax >= -x'Ex >= -gamma' (sum_i |x_i| sqrt(A_ii))^2 >= -gamma' n sum_i A_ii x_i^2.
//
// The rounding of the diagonal adds 2^-53 A_ii. What underflows is below leastPivot by far.
func provenBelow(t, g []float64, n int, d []float64) bool {
	if !factorBelow(t, g, n, d) {
		return false
	}
	margin := float64(n)*gamma(n+4)*(1+2*gamma(n+4)) + 4*dd.Unit
	for i := range n {
		d[i] -= margin * (g[i*n+i] - d[i])
		d[i] *= 1 - 2*dd.Unit
		if !(d[i] > leastPivot) {
			return false
		}
	}
	return true
}

// factorBelow sets t to the factor of G - D.
func factorBelow(t, g []float64, n int, d []float64) bool {
	for i := range n {
		copy(t[i*n+i:i*n+n], g[i*n+i:i*n+n])
		t[i*n+i] -= d[i]
	}
	return eliminate(t, n, n)
}

// diagonalBelow returns a diagonal with D <= G proven, near the largest multiple of
// 1/(G^-1)_jj that is one; nil if rounding hides any. The multiple is at least 1/n, since
// for unit vectors e, (sum_j x_j e_j)^2 <= n sum x_j^2 in the norm of G^-1.
func diagonalBelow(g []float64, n int) []float64 {
	t, inverse := make([]float64, n*n), make([]float64, n*n)
	d := make([]float64, n)
	if !factorBelow(t, g, n, d) {
		return nil
	}
	invert(inverse, t, n)
	try := func(c float64) bool {
		for j := range d {
			d[j] = c / inverse[j*n+j]
		}
		return provenBelow(t, g, n, d)
	}
	for c := 1.0; c > 0.4/float64(n); c *= 0.9 {
		if try(c * (1 - 1e-6)) {
			return d
		}
	}
	return nil
}

// widen returns limits of a probability all of whose odds may be wrong by the factor
// exp(2 nats).
func widen(lower, upper, nats float64) (low, high float64) {
	f := math.Exp(-2*nats) * (1 - 16*dd.Unit)
	if f == 0 {
		return 0, 1
	}
	low = lower * f / (lower*f + (1 - lower))
	high = upper / (upper + (1-upper)*f)
	return math.Max(0, low*(1-8*dd.Unit)), math.Min(1, high*(1+8*dd.Unit))
}
