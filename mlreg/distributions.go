package mlreg

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// tTwoSided returns P(|T| >= |t|) for Student's t with nu degrees of freedom,
// the normal if nu is infinite. It is exact in the tails, where 1 - CDF is 0:
//
//	P = I_{nu/(nu+t^2)}(nu/2, 1/2)   (Abramowitz and Stegun 26.7.1)
func tTwoSided(t, nu float64) float64 {
	switch {
	case math.IsNaN(t) || !(nu > 0):
		return math.NaN()
	case math.IsInf(nu, 1):
		return math.Erfc(math.Abs(t) / math.Sqrt2)
	case math.IsInf(t, 0):
		return 0
	}
	return mathext.RegIncBeta(nu/2, 0.5, nu/(nu+t*t))
}

// tUpper returns the t that Student's t with nu degrees of freedom (the normal
// if nu is infinite) exceeds with probability p, 0 < p < 1/2.
func tUpper(p, nu float64) float64 {
	if !(nu > 0) {
		return math.NaN()
	}
	if math.IsInf(nu, 1) {
		return distuv.UnitNormal.Quantile(1 - p)
	}
	dist := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: nu}
	t := dist.Quantile(1 - p)
	// Newton's steps on the tail probability bring the last digits.
	for range 4 {
		step := (tTwoSided(t, nu)/2 - p) / dist.Prob(t)
		t += step
		if math.Abs(step) <= 1e-15*t {
			break
		}
	}
	return t
}

// fUpper returns P(F >= f) for Fisher's F with d1 and d2 degrees of freedom
// (Abramowitz and Stegun 26.6.2), exact in the tail; d2 infinite is
// chi-squared / d1.
func fUpper(f, d1, d2 float64) float64 {
	switch {
	case math.IsNaN(f) || !(d1 > 0) || !(d2 > 0):
		return math.NaN()
	case math.IsInf(d2, 1):
		return mathext.GammaIncRegComp(d1/2, d1*f/2)
	case math.IsInf(f, 1):
		return 0
	}
	return mathext.RegIncBeta(d2/2, d1/2, d2/(d2+d1*f))
}
