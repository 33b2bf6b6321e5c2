package certify

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// eliminate replaces the first s rows of the symmetric matrix a of order n, of which it
// knows the upper triangle, by those of R, A_ss = R'R, and the rest of the triangle by
// the Schur complement. With s = n it is Cholesky's factorization. It returns false if a
// pivot is not positive.
func eliminate(a []float64, n, s int) bool {
	k := 0
	for ; k+4 <= s; k += 4 {
		if !factorRows(a, n, k, k+4) {
			return false
		}
		r0, r1, r2, r3 := a[k*n:k*n+n], a[(k+1)*n:(k+1)*n+n], a[(k+2)*n:(k+2)*n+n], a[(k+3)*n:(k+3)*n+n]
		for i := k + 4; i < n; i++ {
			c := [4]float64{-r0[i], -r1[i], -r2[i], -r3[i]}
			gram.Axpy4(&c, r0[i:], r1[i:], r2[i:], r3[i:], a[i*n+i:i*n+n])
		}
	}
	if !factorRows(a, n, k, s) {
		return false
	}
	for p := k; p < s; p++ {
		row := a[p*n : p*n+n]
		for i := s; i < n; i++ {
			gram.Axpy(-row[i], row[i:], a[i*n+i:i*n+n])
		}
	}
	return true
}

// factorRows makes rows of R of the rows from k to end, from which all rows before k are
// subtracted.
func factorRows(a []float64, n, k, end int) bool {
	for p := k; p < end; p++ {
		row := a[p*n+p : p*n+n]
		for q := k; q < p; q++ {
			above := a[q*n+p : q*n+n]
			gram.Axpy(-above[0], above, row)
		}
		if !(row[0] > leastPivot) || math.IsInf(row[0], 1) {
			return false
		}
		root := math.Sqrt(row[0])
		row[0] = root
		inverse := 1 / root
		for j := 1; j < len(row); j++ {
			row[j] *= inverse
		}
	}
	return true
}

// leastPivot is what a pivot of columns of a length about 1 has to be above: what underflows
// beside it is nothing.
const leastPivot = 1e-60

// solve replaces x by the solution of R'R x = x, R being the upper triangle of r.
func solve(r []float64, n int, x []float64) {
	for i := range n {
		row := r[i*n+i : i*n+n]
		x[i] /= row[0]
		gram.Axpy(-x[i], row[1:], x[i+1:n])
	}
	for i := n - 1; i >= 0; i-- {
		row := r[i*n+i : i*n+n]
		x[i] = (x[i] - gram.Dot(row[1:], x[i+1:n])) / row[0]
	}
}

// invert sets the upper triangle of to to (R'R)^-1, and r to R^-1.
func invert(to, r []float64, n int) {
	for i := n - 1; i >= 0; i-- { // row i of R^-1 from the rows below
		row := to[i*n : i*n+n]
		clear(row[i:])
		k := i + 1
		for ; k+4 <= n; k += 4 {
			c := (*[4]float64)(r[i*n+k:])
			gram.Axpy4(c, r[k*n+k:k*n+n], r[(k+1)*n+k:(k+1)*n+n], r[(k+2)*n+k:(k+2)*n+n], r[(k+3)*n+k:(k+3)*n+n], row[k:])
		}
		for ; k < n; k++ {
			gram.Axpy(r[i*n+k], r[k*n+k:k*n+n], row[k:])
		}
		inverse := 1 / r[i*n+i]
		r[i*n+i] = inverse
		for j := i + 1; j < n; j++ {
			r[i*n+j] = -inverse * row[j]
		}
		clear(r[i*n+max(0, i-3) : i*n+i]) // what a block of four rows has before its diagonal
	}
	for i := range n {
		for j := i; j < n; j++ {
			to[i*n+j] = gram.Dot(r[i*n+j:i*n+n], r[j*n+j:j*n+n])
		}
	}
}

// conditionalPivots sets v_j to 1/(A^-1)_jj for the first columns of A = R'R, as many as v has, R
// being of order n in r: the pivot of each given all of these. Each is from a triangular system of its own,
// whose rounding is that of a factor, and so of statement 5; rows of an inverse have no
// such bound.
func conditionalPivots(v, r []float64, n int) {
	m := len(v)
	z := make([]float64, m)
	for j := range m {
		clear(z)
		z[j] = 1
		for i := j; i < m; i++ {
			row := r[i*n+i : i*n+m]
			z[i] /= row[0]
			gram.Axpy(-z[i], row[1:], z[i+1:])
		}
		v[j] = 1 / gram.Dot(z[j:], z[j:])
	}
}
