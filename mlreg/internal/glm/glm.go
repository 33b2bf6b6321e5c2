// Package glm has the distributions and links of generalized linear models: means,
// variances, deviances, and the loss of a row as a function of its linear predictor.
package glm

import "math"

// Kind is a distribution of the exponential family.
type Kind int

// Distributions.
const (
	Poisson Kind = iota + 1
	Binomial
	Gamma
	InverseGaussian
)

// Link is the function of the mean that is linear in the terms.
type Link int

// Links.
const (
	Log Link = iota + 1
	Logit
	Inverse
	Identity
	Sqrt
	Probit
	CLogLog
	InverseSquare
)

// Canonical returns the link for which the likelihood's derivative is y - mu.
func (k Kind) Canonical() Link { return [...]Link{0, Log, Logit, Inverse, InverseSquare}[k] }

// Variance returns that of a response of mean mu for a dispersion of 1.
func (k Kind) Variance(mu float64) float64 {
	switch k {
	case Poisson:
		return mu
	case Binomial:
		return mu * (1 - mu)
	case Gamma:
		return mu * mu
	}
	return mu * mu * mu
}

// Contains tells whether mu is the mean of some response: above 0, and below 1 for a
// share.
func (k Kind) Contains(mu float64) bool {
	return mu > 0 && (k != Binomial || mu < 1) && !math.IsInf(mu, 1)
}

// HalfDeviance returns half the deviance of a response y of mean mu: how much larger the
// log-likelihood is at the mean y, for a dispersion of 1.
func (k Kind) HalfDeviance(y, mu float64) float64 {
	switch k {
	case Poisson:
		return excess(y, mu)
	case Binomial:
		return excess(y, mu) + excess(1-y, 1-mu)
	case Gamma:
		return growth(math.Log(mu) - math.Log(y))
	}
	r := (y - mu) / mu
	return r * r / (2 * y)
}

// excess returns y log(y/mu) - y + mu.
func excess(y, mu float64) float64 {
	if y == 0 {
		return mu
	}
	return y * growth(math.Log(y)-math.Log(mu))
}

// growth returns exp(-t) - 1 + t, which is t^2/2 for small t, without cancellation.
func growth(t float64) float64 {
	if math.Abs(t) < 1e-2 {
		return t * t * (1./2 - t*(1./6-t*(1./24-t*(1./120-t*(1./720-t/5040)))))
	}
	return math.Expm1(-t) + t
}

// Eta returns the linear predictor of a mean.
func (l Link) Eta(mu float64) float64 {
	switch l {
	case Log:
		return math.Log(mu)
	case Logit:
		return math.Log(mu / (1 - mu))
	case Inverse:
		return 1 / mu
	case Sqrt:
		return math.Sqrt(mu)
	case Probit:
		return -math.Sqrt2 * math.Erfcinv(2*mu)
	case CLogLog:
		return math.Log(-math.Log1p(-mu))
	case InverseSquare:
		return 1 / (mu * mu)
	}
	return mu
}

// Mean returns the mean at a linear predictor, and its derivative. Outside of the
// link's range it is NaN.
func (l Link) Mean(eta float64) (mu, slope float64) {
	switch l {
	case Log:
		mu = math.Exp(eta)
		return mu, mu
	case Logit:
		mu, other := logistic(eta), logistic(-eta)
		return mu, mu * other
	case Inverse:
		return 1 / eta, -1 / (eta * eta)
	case Sqrt:
		if eta < 0 {
			return math.NaN(), math.NaN()
		}
		return eta * eta, 2 * eta
	case Probit:
		return math.Erfc(-eta/math.Sqrt2) / 2, math.Exp(-eta*eta/2) / math.Sqrt(2*math.Pi)
	case CLogLog:
		e := math.Exp(eta)
		return -math.Expm1(-e), e * math.Exp(-e)
	case InverseSquare:
		if !(eta > 0) {
			return math.NaN(), math.NaN()
		}
		mu = 1 / math.Sqrt(eta)
		return mu, -mu / (2 * eta)
	}
	return eta, 1
}

// logistic returns 1/(1 + exp(-x)), to full relative precision.
func logistic(x float64) float64 {
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

// Family is a distribution with a link.
type Family struct {
	Kind
	Link
}

// Canonical tells whether the link is the canonical one.
func (f Family) Canonical() bool { return f.Link == f.Kind.Canonical() }

// Row returns the half deviance of a response at a linear predictor, minus its
// derivative, and its expected second derivative,
//
//	residual = (y - mu) mu'/V(mu),   curvature = mu'^2/V(mu).
//
// A linear predictor whose mean no response has costs an infinite loss.
func (f Family) Row(y, eta float64) (loss, residual, curvature float64) {
	switch {
	case f.Kind == Poisson && f.Link == Log:
		mu := math.Exp(eta)
		if y == 0 {
			return mu, -mu, mu
		}
		return y * growth(math.Log(y)-eta), y - mu, mu
	case f.Kind == Gamma && f.Link == Log:
		t := eta - math.Log(y)
		return growth(t), math.Expm1(-t), 1
	case f.Kind == Binomial && f.Link == Logit:
		return logitRow(y, eta)
	case f.Kind == Binomial && f.Link == Probit:
		return probitRow(y, eta)
	case f.Kind == Binomial && f.Link == CLogLog:
		return cloglogRow(y, eta)
	}
	mu, slope := f.Mean(eta)
	if !f.Contains(mu) {
		return math.Inf(1), 0, 0
	}
	v := f.Variance(mu)
	if v == 0 {
		return math.Inf(1), 0, 0
	}
	return f.HalfDeviance(y, mu), (y - mu) * slope / v, slope * slope / v
}

// shareLoss is the half deviance of a share y, the sum of what y and 1-y lose, given the
// logarithms of mu and 1-mu, which are finite where these underflow.
func shareLoss(y, logMu, logOther float64) float64 {
	switch y {
	case 0:
		return -logOther
	case 1:
		return -logMu
	}
	return y*growth(math.Log(y)-logMu) + (1-y)*growth(math.Log1p(-y)-logOther)
}

// logitRow is Row for a share y whose log odds are eta.
func logitRow(y, eta float64) (loss, residual, curvature float64) {
	mu, other := logistic(eta), logistic(-eta)
	// log mu = -log(1 + exp(-eta)), without overflow
	rest := math.Log1p(math.Exp(-math.Abs(eta)))
	loss = shareLoss(y, math.Min(eta, 0)-rest, math.Min(-eta, 0)-rest)
	switch y {
	case 0:
		return loss, -mu, mu * other
	case 1:
		return loss, other, mu * other
	}
	return loss, y - mu, mu * other
}

// probitRow is Row for a share y whose mean is the normal distribution function of eta.
func probitRow(y, eta float64) (loss, residual, curvature float64) {
	logMu, rise := normalBelow(eta)
	logOther, fall := normalBelow(-eta)
	return shareLoss(y, logMu, logOther), y*rise - (1-y)*fall, rise * fall
}

// normalBelow returns the logarithm of the probability Phi that a standard normal is below
// x, and the ratio phi/Phi of the density to it. Far out
//
//	Phi = phi/|x| (1 - 1/x^2 + 3/x^4 - 15/x^6 + ...),
//
// Abramowitz and Stegun 26.2.12.
func normalBelow(x float64) (log, ratio float64) {
	logDensity := -x*x/2 - math.Log(2*math.Pi)/2
	switch {
	case x > 0:
		above := math.Erfc(x/math.Sqrt2) / 2
		return math.Log1p(-above), math.Exp(logDensity) / (1 - above)
	case x > -20:
		p := math.Erfc(-x/math.Sqrt2) / 2
		return math.Log(p), math.Exp(logDensity) / p
	}
	sum, term := 1.0, 1.0
	for k := 1.0; k < 20; k++ {
		term *= -(2*k - 1) / (x * x)
		sum += term
	}
	return logDensity - math.Log(-x) + math.Log(sum), -x / sum
}

// cloglogRow is Row for a share y whose mean is 1 - exp(-exp(eta)).
func cloglogRow(y, eta float64) (loss, residual, curvature float64) {
	e := math.Exp(eta)
	logMu, rise := math.Log1p(-math.Exp(-e)), e/math.Expm1(e) // rise = mu'/mu
	switch {
	case e < 1e-17:
		logMu, rise = eta, 1
	case e < math.Ln2:
		logMu = math.Log(-math.Expm1(-e))
	case e > 700 && y == 1: // what is left of the loss and its derivatives underflows
		return 0, 0, 0
	case math.IsInf(e, 1):
		return e, 0, 0
	case e > 700:
		rise = 0
	}
	return shareLoss(y, logMu, -e), y*rise - (1-y)*e, rise * e
}

// Pearson returns (y - mu)^2/V(mu) from the parts of Row.
func Pearson(residual, curvature float64) float64 {
	if residual == 0 {
		return 0
	}
	return residual * residual / curvature
}
