package mlreg

import "math"

// Likelihood is what information criteria are computed from.
type Likelihood interface {
	// LogLik returns the maximised log-likelihood, natural logarithm.
	LogLik() float64
	// Parameters returns the number of parameters it was maximised over; an
	// estimated noise variance counts as one, as in R.
	Parameters() int
	// NObs returns the number of observations.
	NObs() int
}

// AIC returns Akaike's information criterion, -2 LogLik + 2 Parameters; R's
// AIC (statsmodels does not count the variance and gives 2 less).
func AIC(f Likelihood) float64 { return -2*f.LogLik() + 2*float64(f.Parameters()) }

// BIC returns the Bayesian information criterion of Schwarz (1978),
// -2 LogLik + log(n) Parameters; R's BIC.
func BIC(f Likelihood) float64 {
	return -2*f.LogLik() + math.Log(float64(f.NObs()))*float64(f.Parameters())
}
