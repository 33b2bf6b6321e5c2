// Package dist has the tails of the normal, t, F and chi-squared distributions, and their
// quantiles. Each tail is a density times a continued fraction or a series of
// positive terms, and the density is written with deviances and Stirling's
// error instead of differences of logarithms of gamma functions (Loader, Fast
// and Accurate Computation of Binomial Probabilities, 2000), so that large
// degrees of freedom cost no digits. Relative errors are below 1e-13 down to
// probabilities of 1e-100, and below 4e-13 down to 1e-300.
package dist

import "math"

// TTwoSided returns P(|T| >= |t|) for Student's t with nu degrees of freedom,
// the normal if nu is infinite:
//
//	P = I_{nu/(nu+t^2)}(nu/2, 1/2)   (Abramowitz and Stegun 26.7.1)
func TTwoSided(t, nu float64) float64 {
	upper, _, _ := TTails(math.Abs(t), nu)
	return upper
}

// TTails returns P(|T| >= t), P(|T| < t) and t times the density of |T|, t >= 0.
func TTails(t, nu float64) (upper, lower, slope float64) {
	switch {
	case math.IsNaN(t) || !(nu > 0):
		return math.NaN(), math.NaN(), math.NaN()
	case math.IsInf(nu, 1):
		return NormalTails(t)
	case t > 1e10*math.Sqrt(nu):
		upper = betaFarTail(2*math.Log(t)-math.Log(nu), nu/2, 0.5)
		return upper, 1 - upper, nu * upper
	}
	upper, lower, slope = FTails(t*t, 1, nu)
	return upper, lower, 2 * slope
}

// NormalTails is TTails for the normal.
func NormalTails(t float64) (upper, lower, slope float64) {
	// t/sqrt(2) to twice the precision: in the tail the last digit of the
	// argument is worth t^2 of them.
	const rootHi, rootLo = 1 / math.Sqrt2, -4.833646656726457e-17
	z := t * rootHi
	low := math.FMA(t, rootHi, -z) + t*rootLo
	density := 2 / math.Sqrt(math.Pi) * math.Exp(-z*z)
	return math.Erfc(z) - density*low, math.Erf(z) + density*low, density * z
}

// NormalQuantile returns z with P(Z <= z) = p.
func NormalQuantile(p float64) float64 {
	switch {
	case p <= 0:
		return math.Inf(-1)
	case p >= 1:
		return math.Inf(1)
	case p < 0.5:
		return -TQuantile(2*p, math.Inf(1))
	}
	return TQuantile(2*(1-p), math.Inf(1))
}

// NormalBelow returns P(Z <= z).
func NormalBelow(z float64) float64 {
	half := TTwoSided(z, math.Inf(1)) / 2
	if z < 0 {
		return half
	}
	return 1 - half
}

// TQuantile returns the t with P(|T| >= t) = p, 0 < p <= 1.
func TQuantile(p, nu float64) float64 {
	if p == 1 && nu > 0 {
		return 0
	}
	return Quantile(p, 1, func(t float64) (upper, lower, slope float64) { return TTails(t, nu) })
}

// TUpper returns the t that Student's t with nu degrees of freedom (the normal
// if nu is infinite) exceeds with probability p, 0 < p < 1.
func TUpper(p, nu float64) float64 {
	if p > 0.5 {
		return -TQuantile(2*(1-p), nu)
	}
	return TQuantile(2*p, nu)
}

// FUpper returns P(F >= f) for Fisher's F with d1 and d2 degrees of freedom; d2
// infinite is chi-squared / d1:
//
//	P = I_{d2/(d2+d1 f)}(d2/2, d1/2)   (Abramowitz and Stegun 26.6.2)
func FUpper(f, d1, d2 float64) float64 {
	upper, _, _ := FTails(f, d1, d2)
	return upper
}

// FTails returns P(F >= f), P(F < f) and f times the density.
func FTails(f, d1, d2 float64) (upper, lower, slope float64) {
	ratio := d1 / d2 * f
	switch {
	case math.IsNaN(f) || !(d1 > 0) || !(d2 > 0) || math.IsInf(d1, 1):
		return math.NaN(), math.NaN(), math.NaN()
	case f <= 0:
		return 1, 0, 0
	case math.IsInf(d2, 1):
		return GammaTails(d1/2, f)
	case ratio > 1e20:
		upper = betaFarTail(math.Log(d1/d2)+math.Log(f), d2/2, d1/2)
		return upper, 1 - upper, d2 / 2 * upper
	}
	a, b := d2/2, d1/2
	x := 1 / (1 + ratio)
	y := ratio * x
	// x and y = 1-x relative to the mean of the beta distribution at
	// x0 = a/(a+b), less 1.
	e, g := (1-f)*(d1/d2)*x, (f-1)*x
	slope = math.Sqrt(a/(2*math.Pi)*(b/(a+b))) * math.Exp(stirlingError(a+b)-stirlingError(a)-stirlingError(b)) *
		math.Exp(-a*deviance(e, x*(1+d1/d2))-b*deviance(g, y*(1+d2/d1)))
	if f >= 1 {
		upper = slope * betaFraction(a, b, x, y, e)
		return upper, 1 - upper, slope
	}
	lower = slope * betaFraction(b, a, y, x, g)
	return 1 - lower, lower, slope
}

// FQuantile returns the f that F exceeds with probability p, 0 < p < 1.
func FQuantile(p, d1, d2 float64) float64 {
	return Quantile(p, 1, func(f float64) (upper, lower, slope float64) { return FTails(f, d1, d2) })
}

// Chi2Upper returns P(X >= x) for chi-squared with nu degrees of freedom.
func Chi2Upper(x, nu float64) float64 {
	upper, _, _ := Chi2Tails(x, nu)
	return upper
}

func Chi2Tails(x, nu float64) (upper, lower, slope float64) {
	switch {
	case math.IsNaN(x) || !(nu > 0):
		return math.NaN(), math.NaN(), math.NaN()
	case x <= 0:
		return 1, 0, 0
	}
	return GammaTails(nu/2, x/nu)
}

// Chi2Quantile returns the x that chi-squared exceeds with probability p,
// 0 < p < 1.
func Chi2Quantile(p, nu float64) float64 {
	return Quantile(p, nu, func(x float64) (upper, lower, slope float64) { return Chi2Tails(x, nu) })
}

// Quantile solves upper(x) = p for x > 0, from a start in the middle of the
// distribution, by Newton's method on the logarithm of the smaller tail against
// log x, kept inside the bracket found so far; tails returns both tails and x
// times the density.
func Quantile(p, start float64, tails func(x float64) (upper, lower, slope float64)) float64 {
	if !(p > 0 && p < 1) {
		return math.NaN()
	}
	x, lo, hi := start, 0.0, math.Inf(1)
	for range 1000 {
		upper, lower, slope := tails(x)
		if math.IsNaN(slope) {
			return math.NaN()
		}
		var step float64
		if p <= 0.5 {
			step = upper / slope * math.Log(upper/p)
		} else {
			step = lower / slope * math.Log((1-p)/lower)
		}
		if (p <= 0.5 && upper > p) || (p > 0.5 && lower < 1-p) {
			lo = x
		} else {
			hi = x
		}
		next := x + x*math.Expm1(step)
		switch {
		case math.Abs(step) < 4e-16:
			return next
		case next > lo && next < hi:
			x = next
		case math.IsInf(hi, 1):
			x *= 16
		case lo == 0:
			x /= 16
		default:
			x = math.Sqrt(lo) * math.Sqrt(hi)
		}
		if x == lo || x == hi || math.IsInf(x, 1) {
			break
		}
	}
	return x
}

// betaFraction returns I_x(a, b) B(a, b) / (x^a y^b), x <= a/(a+b), by a series
// of positive terms if it is quick, or by the continued fraction of DiDonato
// and Morris (1992, ACM Transactions on Mathematical Software 18, eq. 9).
func betaFraction(a, b, x, y, e float64) float64 {
	if (a+b)*x < 0.7*(a+1) {
		sum, term := 1.0, 1.0
		for k := 0.0; term > 1e-17*sum; k++ {
			term *= (a + b + k) / (a + 1 + k) * x
			sum += term
		}
		return sum / a
	}
	lambda := -a * e // a - (a+b) x
	return continuedFraction(a/(a+1)*(lambda+1), func(m float64) (alpha, beta float64) {
		c := m * (b - m) * x / (a + 2*m - 1)
		alpha = (a + m - 1) / (a + 2*m - 1) * (a + b + m - 1) * c * x
		beta = m + c + (a+m)/(a+2*m+1)*(lambda+1+m*(1+y))
		return alpha, beta
	})
}

// continuedFraction returns 1/(beta0 + alpha1/(beta1 + alpha2/(beta2 + ...))) by
// the modified method of Lentz (Thompson and Barnett 1986).
func continuedFraction(beta0 float64, term func(m float64) (alpha, beta float64)) float64 {
	f, c, d := beta0, beta0, 0.0
	for m := 1.0; m < 1e6; m++ {
		alpha, beta := term(m)
		d = 1 / (beta + alpha*d)
		c = beta + alpha/c
		delta := c * d
		f *= delta
		if math.Abs(delta-1) < 1e-16 {
			break
		}
	}
	return 1 / f
}

// betaFarTail returns I_x(a, b) for x = exp(-logOdds) so small that x^a/(a B(a,b))
// is all of it.
func betaFarTail(logOdds, a, b float64) float64 {
	return math.Sqrt(b/(2*math.Pi*a*(a+b))) *
		math.Exp(stirlingError(a+b)-stirlingError(a)-stirlingError(b)) *
		math.Exp(a*(math.Log1p(b/a)-logOdds)+b*math.Log1p(a/b))
}

// GammaTails returns Q(a, x), P(a, x) and x^a exp(-x) / Gamma(a) for x = a r.
func GammaTails(a, r float64) (upper, lower, slope float64) {
	x, e := a*r, r-1
	slope = math.Sqrt(a/(2*math.Pi)) * math.Exp(-stirlingError(a)) * math.Exp(-a*deviance(e, r))
	if r <= 1 {
		sum, term := 1.0, 1.0
		for k := 1.0; term > 1e-17*sum; k++ {
			term *= x / (a + k)
			sum += term
		}
		lower = slope * sum / a
		return 1 - lower, lower, slope
	}
	// Abramowitz and Stegun 6.5.31, contracted.
	upper = slope * continuedFraction(a*e+1, func(m float64) (alpha, beta float64) {
		return m * (a - m), a*e + 1 + 2*m
	})
	return upper, 1 - upper, slope
}

// deviance returns e - log(1+e) without cancellation for small e; it is given
// r = 1+e too, because e does not tell a small r.
func deviance(e, r float64) float64 {
	if math.Abs(e) > 0.3 {
		return e - math.Log(r)
	}
	// With s = e/(2+e), log(1+e) = 2 (s + s^3/3 + s^5/5 + ...) and e - 2s = s e.
	s := e / (2 + e)
	sum, power := 0.0, s*s*s
	for k := 3.0; ; k += 2 {
		next := sum + power/k
		if next == sum {
			return s*e - 2*sum
		}
		sum = next
		power *= s * s
	}
}

// stirlingError returns log Gamma(a) - ((a - 1/2) log a - a + log(2 pi)/2), by
// the first five terms of Stirling's series (Abramowitz and Stegun 6.1.41) from
// a = 16 on, where the next is 1e-16.
func stirlingError(a float64) float64 {
	if a < 16 {
		// Gamma(a+1) = a Gamma(a)
		return stirlingError(a+1) + (a+0.5)*math.Log1p(1/a) - 1
	}
	s := 1 / (a * a)
	return (1./12 - s*(1./360-s*(1./1260-s*(1./1680-s/1188)))) / a
}

// LogStudent returns the log density of Student's t of unit scale, the normal
// if nu is infinite, at a point of square t2.
func LogStudent(t2, nu float64) float64 {
	if math.IsInf(nu, 1) {
		return -t2/2 - math.Log(2*math.Pi)/2
	}
	above, _ := math.Lgamma((nu + 1) / 2)
	below, _ := math.Lgamma(nu / 2)
	return above - below - math.Log(nu*math.Pi)/2 - (nu+1)/2*math.Log1p(t2/nu)
}
