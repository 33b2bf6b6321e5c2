package mlreg

// Data is what a Gaussian-likelihood estimator fits: anything that can give
// the sufficient statistics of a linear model. *Design gives them by one pass
// over its rows; *Moments is them.
type Data interface {
	// Moments returns the sufficient statistics. The caller must not change
	// what is returned.
	Moments() (*Moments, error)
}
