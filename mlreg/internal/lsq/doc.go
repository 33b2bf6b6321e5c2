// Package lsq solves least-squares problems and bounds the errors of what it
// returns: a System of rows by Householder QR, in double-double arithmetic while
// that is affordable; Equations of sums by Cholesky, and of tall rows with
// corrections by their residuals; MinimumNorm by the singular value decomposition.
// A Solution knows the columns it kept, the inverse T of its triangular factor, what
// rounding took from its coefficients, and a Certificate.
package lsq

// Counts n k min(n, k) up to which a fit is worth double-double arithmetic, which
// takes about 2 ns for each: always, and if nothing else gives the digits.
const (
	DoubleDoubleAlways = 1e7
	doubleDoubleRescue = 3e8
)

// PreferSums tells whether n rows of k columns are so many that their sums, corrected,
// are to be tried before double-double arithmetic.
func PreferSums(n, k int) bool {
	return n >= 2*k && float64(n)*float64(k)*float64(k) > DoubleDoubleAlways
}
