package glm

import (
	"math"

	"github.com/regbook/regbook/internal/dist"
)

// Discrete tells whether responses are counts, or shares of a number of trials.
func (k Kind) Discrete() bool { return k == Poisson || k == Binomial }

// Tails returns P(Y > y), P(Y <= y) and y times the density, 0 if there is none, of a response of
// mean mu and dispersion phi: 1 of a count, and 1 over the number of trials of a share.
func (k Kind) Tails(y, mu, phi float64) (upper, lower, slope float64) {
	switch {
	case y < 0 || math.IsInf(mu, 1):
		return 1, 0, 0
	case mu == 0 || k == Binomial && y >= 1:
		return 0, 1, 0
	case k == Binomial && mu == 1:
		return 1, 0, 0
	}
	switch {
	case k == Poisson && y > manyCounts:
		return manyTails(y, mu)
	case k == Poisson:
		lower, upper, _ = dist.GammaTails(y+1, mu/(y+1)) // P(Y <= y) = Q(y+1, mu)
		return upper, lower, 0
	case k == Binomial:
		m := math.Round(1 / phi)
		d1, d2 := 2*(math.Round(m*y)+1), 2*(m-math.Round(m*y))
		lower, upper, _ = dist.FTails(d2*mu/(d1*(1-mu)), d1, d2) // F > f is at most m y successes
		return upper, lower, 0
	case k == Gamma:
		return dist.GammaTails(1/phi, y/mu)
	}
	return inverseGaussianTails(y, mu, 1/phi)
}

// manyCounts is the count from which on series of the tails of Poisson's distribution are long.
const manyCounts = 1e8

// manyTails returns the tails of Poisson's distribution at a large count, normal ones of
//
//	r + log(q/r)/r,   r = sign(y - mu) sqrt(2 (y log(y/mu) - y + mu)),   q = sqrt(y) log(y/mu)
//
// at y + 1/2, up to about 1/y. (Barndorff-Nielsen, Biometrika 73 (1986), 307-322.)
func manyTails(y, mu float64) (upper, lower, slope float64) {
	y += 0.5
	r := math.Copysign(math.Sqrt(2*Poisson.HalfDeviance(y, mu)), y-mu)
	correction := 1 / (6 * math.Sqrt(y))
	if math.Abs(r) > 1e-3 {
		correction = math.Log(math.Sqrt(y)*math.Log(y/mu)/r) / r
	}
	if math.Abs(r) < 40 {
		r += correction
	}
	return dist.NormalBelow(-r), dist.NormalBelow(r), 0
}

// inverseGaussianTails returns the tails of the inverse Gaussian distribution of shape lambda,
//
//	P(Y <= y) = Phi(a) + exp(2 lambda/mu) Phi(-b),   a, b = sqrt(lambda/y) (y/mu -+ 1),
//
// and y times its density, of which the second term is exp(-a^2/2) times Mills's ratio at b.
func inverseGaussianTails(y, mu, lambda float64) (upper, lower, slope float64) {
	root := math.Sqrt(lambda / y)
	a, b := root*(y/mu-1), root*(y/mu+1)
	bump := math.Exp(-a * a / 2)
	_, ratio := normalBelow(-b) // phi(b)/Phi(-b)
	second := bump / math.Sqrt(2*math.Pi) / ratio
	lower = dist.NormalBelow(a) + second
	upper = dist.NormalBelow(-a) - second
	return upper, lower, root * bump / math.Sqrt(2*math.Pi)
}
