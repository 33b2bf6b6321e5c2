package mlreg

import "gonum.org/v1/gonum/mat"

// CovarianceShape is what is assumed of the covariance matrix of coefficients that vary
// together.
type CovarianceShape int

const (
	// FullCovariance is any covariance matrix: variances and correlations; lme4's
	// (1 + x | g).
	FullCovariance CovarianceShape = iota
	// DiagonalCovariance is a variance for every coefficient, no correlation; lme4's
	// (1 + x || g).
	DiagonalCovariance
	// EqualVariances is one variance s^2 for all coefficients, no correlation: the s^2 I
	// of Murphy, section 9.5.
	EqualVariances
)

// Varying says which coefficients vary between the groups of a level, and how.
type Varying struct {
	// Level is the level of groups, "" the innermost.
	Level string
	// Terms are the coefficients that vary, InterceptName for the intercept; nil is
	// every coefficient.
	Terms []string
	// Shape is that of their covariance matrix; zero is FullCovariance.
	Shape CovarianceShape
	// Cov is their covariance matrix Psi if it is known, in the order of Terms, and SD
	// the standard deviations of a diagonal one; for EqualVariances one is enough. All
	// entries of hier.Settings.Varying have one of them, or none has.
	Cov *mat.SymDense
	SD  []float64
}
