package dist

import "math"

// Evidence is the log marginal likelihood of a Gaussian linear model as a function of what its
// prior decides: fit, the least of the squared lengths of residuals and of coefficients in units
// of the prior, and logDet, the log determinant of the prior's covariance times the posterior's
// inverse, both relative to the noise variance.
type Evidence struct {
	Flat    bool    // the intercept has a flat prior
	N       float64 // observations, less the one that a flat intercept uses up
	W, LogW float64 // sums of weights and of their logarithms
}

// relative is the evidence at a noise variance of 1, without the fit.
func (e Evidence) relative(logDet float64) float64 {
	log := e.LogW/2 - logDet/2 - e.N/2*math.Log(2*math.Pi)
	if e.Flat {
		log -= math.Log(e.W) / 2
	}
	return log
}

// KnownNoise returns the evidence of a noise variance that is known.
func (e Evidence) KnownNoise(sigma2, fit, logDet float64) float64 {
	return e.relative(logDet) - e.N/2*math.Log(sigma2) - fit/2/sigma2
}

// UnknownNoise returns the evidence of a noise variance under an inverse gamma prior, of which
// zeros are Jeffreys', and the parameters of its posterior.
func (e Evidence) UnknownNoise(shape, scale, fit, logDet float64) (log, postShape, postScale float64) {
	postShape, postScale = shape+e.N/2, scale+fit/2
	return e.relative(logDet) + LogInverseGamma(shape, scale) - LogInverseGamma(postShape, postScale), postShape, postScale
}

// LogInverseGamma returns log(b^a / Gamma(a)), the normalizer of an inverse gamma density, 0 where
// it is improper.
func LogInverseGamma(shape, scale float64) float64 {
	if shape == 0 || scale == 0 {
		return 0
	}
	log, _ := math.Lgamma(shape)
	return shape*math.Log(scale) - log
}
