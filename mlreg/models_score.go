package mlreg

import (
	"errors"
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/mlreg/internal/enumerate"
)

// ErrPerfectFit says that a model leaves no residual, so that a likelihood that
// is maximized or integrated over the noise variance has no bound.
var ErrPerfectFit = errors.New("mlreg: perfect fit")

// ModelScore is the posterior weight of a model, a subset gamma of d candidate
// terms: log p(y|gamma) + log p(gamma). It is a SpikeSlab, a BICScore or a
// ZellnerG.
//
// The coefficients of every model, the intercept and terms that are always in, have
// a flat prior of density 1 in the units of the design. They are integrated out
// (SpikeSlab, ZellnerG) or maximized over (BICScore). There are q of them; k is the
// number of other columns in the model, whether or not some are combinations of
// others, n the number of observations, and RSS that of least squares on all k + q,
// weighted if the data are; a sum over log weights is then added as in OLS.LogLik.
type ModelScore interface {
	set(s *scored) error
}

// BetaBinomial is the prior over models that gives a Beta(A, B) distribution to
// the probability of inclusion,
//
//	p(gamma) = B(A + k, B + d - k)/B(A, B);
//
// A = B = 1 makes all sizes k equally probable. (Scott and Berger, Annals of
// Statistics 38 (2010), 2587-2619, eq. 5.)
type BetaBinomial struct {
	A, B float64
}

// SpikeSlab gives a coefficient the value 0 with probability 1 - Pi0 and
// otherwise a Gaussian prior, the slab:
//
//	p(gamma) = Pi0^k (1 - Pi0)^(d-k)
//	w_j ~ N(0, SlabVar)          if Noise is a KnownVariance sigma^2
//	w_j ~ N(0, sigma^2 SlabVar)  if it is an InverseGamma prior
//
// The marginal likelihood is exact. With V = SlabVar/sigma^2 or SlabVar, X the
// k columns and y the response about what is always in, whose columns are A,
//
//	Q = y'y - y'X (X'X + I/V)^-1 X'y
//	D = -1/2 log |A'A| - 1/2 log |I + V X'X|
//	log p(y|gamma) = -(n-q)/2 log(2 pi sigma^2) - Q/(2 sigma^2) + D
//	log p(y|gamma) = -(n-q)/2 log(2 pi) + log(b^a/Gamma(a)) + log Gamma(a_n) - a_n log(b + Q/2) + D
//
// with a = Shape, b = Scale, a_n = a + (n-q)/2, and b^a/Gamma(a) taken for 1 in
// the limit a = b = 0. (Mitchell and Beauchamp, Journal of the American
// Statistical Association 83 (1988), 1023-1032; Murphy, Machine Learning: A
// Probabilistic Perspective, section 13.2.1.)
//
// SlabVar is in the units of the design: standardize the design, so that one
// variance suits all terms.
type SpikeSlab struct {
	// Pi0 is the prior probability that a candidate is in, between 0 and 1.
	// The default 0 is 1/2: all models are equally probable.
	Pi0 float64
	// SlabVar is the variance of the slab, positive.
	SlabVar float64
	// Noise is a KnownVariance or an InverseGamma prior of the noise variance.
	// Nil is InverseGamma{}, Jeffreys' prior.
	Noise Noise
	// Sizes, if not nil, is the prior over models instead of Pi0.
	Sizes *BetaBinomial
}

// BICScore approximates the marginal likelihood by the Bayesian information
// criterion,
//
//	log p(y|gamma) ~ -n/2 (log(2 pi RSS/n) + 1) - k/2 log n
//	log p(y|gamma) ~ -n/2 log(2 pi sigma^2) - RSS/(2 sigma^2) - k/2 log n
//
// with the noise variance maximized over, or given. (Schwarz, Annals of
// Statistics 6 (1978), 461-464; Murphy, eq. 13.15.)
type BICScore struct {
	// Sigma2 is the noise variance if it is known; the default 0 maximizes
	// over it.
	Sigma2 float64
	// Pi0 is the prior probability that a candidate is in, between 0 and 1.
	// The default 0 is 1/2: all models are equally probable.
	Pi0 float64
	// Sizes, if not nil, is the prior over models instead of Pi0.
	Sizes *BetaBinomial
}

// ZellnerG gives the coefficients of a model Zellner's prior
//
//	w ~ N(0, G sigma^2 (X'X)^-1),
//
// with X the k columns about what is always in. Then
//
//	Q = y'y - G/(1+G) (y'y - RSS),   D = -1/2 log |A'A| - k/2 log(1+G)
//
// in the formulas of SpikeSlab, y'y being about what is always in. (Zellner
// 1986; Liang, Paulo, Molina, Clyde and Berger, Journal of the American
// Statistical Association 103 (2008), 410-423, eq. 6.)
type ZellnerG struct {
	// G is g > 0; the default 0 is n, the unit information prior.
	G float64
	// Pi0 is the prior probability that a candidate is in, between 0 and 1.
	// The default 0 is 1/2: all models are equally probable.
	Pi0 float64
	// Noise is a KnownVariance or an InverseGamma prior of the noise variance.
	// Nil is InverseGamma{}, Jeffreys' prior.
	Noise Noise
	// Sizes, if not nil, is the prior over models instead of Pi0.
	Sizes *BetaBinomial
}

// setPrior sets the prior over models.
func (s *scored) setPrior(pi0 float64, sizes *BetaBinomial) error {
	s.logPrior = make([]float64, s.count()+1)
	d := float64(s.count())
	if sizes != nil {
		a, b := sizes.A, sizes.B
		if !(a > 0) || !(b > 0) || math.IsInf(a, 1) || math.IsInf(b, 1) {
			return fmt.Errorf("%w: BetaBinomial{A: %v, B: %v}; both are positive and finite", ErrSetting, a, b)
		}
		if pi0 != 0 {
			return fmt.Errorf("%w: both Pi0 = %v and Sizes are given", ErrSetting, pi0)
		}
		for k := range s.logPrior {
			s.logPrior[k] = logBeta(a+float64(k), b+d-float64(k)) - logBeta(a, b)
		}
		return nil
	}
	if pi0 == 0 {
		pi0 = 0.5
	}
	if !(pi0 > 0 && pi0 < 1) {
		return fmt.Errorf("%w: Pi0 = %v; a probability of inclusion lies between 0 and 1", ErrSetting, pi0)
	}
	for k := range s.logPrior {
		s.logPrior[k] = float64(k)*math.Log(pi0) + (d-float64(k))*math.Log1p(-pi0)
	}
	return nil
}

func logBeta(a, b float64) float64 {
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	return la + lb - lab
}

func (c BICScore) set(s *scored) error {
	if c.Sigma2 < 0 || math.IsNaN(c.Sigma2) || math.IsInf(c.Sigma2, 0) {
		return fmt.Errorf("%w: BICScore.Sigma2 = %v; a known variance is positive and finite", ErrSetting, c.Sigma2)
	}
	n := float64(s.m.s.N)
	for k := range s.Size {
		s.Size[k] = -float64(k) / 2 * math.Log2(n)
		s.VarSlope[k] = 1 / (n - float64(s.nuisance+k))
	}
	s.constant = s.m.s.LogW / 2
	if c.Sigma2 > 0 {
		s.known(c.Sigma2)
		s.constant -= n / 2 * math.Log(2*math.Pi*c.Sigma2)
	} else {
		s.Power = -n / 2
		s.constant -= n / 2 * (math.Log(2*math.Pi*s.unitQ/n) + 1)
	}
	return s.setPrior(c.Pi0, c.Sizes)
}

// known sets the likelihood for a known noise variance.
func (s *scored) known(sigma2 float64) {
	s.Rate = -s.unitQ / (2 * sigma2) / math.Ln2
	clear(s.VarSlope)
	s.VarConst = sigma2 / s.unitQ
}

// marginal sets the likelihood with the coefficients integrated out, given Q.
func (s *scored) marginal(noise Noise) error {
	free := float64(s.m.s.N - s.nuisance)
	s.constant = s.m.s.LogW/2 - s.logDet/2 - free/2*math.Log(2*math.Pi)
	switch noise := noise.(type) {
	case KnownVariance:
		s.known(float64(noise))
		s.constant -= free / 2 * math.Log(float64(noise))
	case InverseGamma:
		an := noise.Shape + free/2
		if !(an > 0) {
			return fmt.Errorf("%w: no degree of freedom is left for the noise variance; give a KnownVariance, or a proper prior", ErrPerfectFit)
		}
		// Q, with 2b added, in units of its value for the empty model.
		q := s.ylen*s.ylen + 2*noise.Scale
		if q > 0 {
			ratio := s.ylen / math.Sqrt(q)
			s.unitQ, s.M[0] = q, 1
			for i := 1; i <= s.D; i++ {
				s.M[enumerate.Tri(i)] *= ratio
			}
			for j := range s.unit {
				if s.length[j] > 0 {
					s.unit[j] = math.Sqrt(q) / s.length[j]
				}
			}
		}
		s.Power = -an
		log, _ := math.Lgamma(an)
		s.constant += dist.LogInverseGamma(noise.Shape, noise.Scale) + log - an*math.Log(s.unitQ/2)
		for k := range s.VarSlope {
			s.VarSlope[k] = math.NaN()
			if an > 1 {
				s.VarSlope[k] = 1 / (2*an - 2)
			}
		}
	default:
		return fmt.Errorf("%w: Noise is a %T; it is a KnownVariance or an InverseGamma", ErrSetting, noise)
	}
	return nil
}

// orJeffreys checks a noise prior and returns the default for nil.
func orJeffreys(noise Noise) (Noise, error) {
	if noise == nil {
		return InverseGamma{}, nil
	}
	return noise, noise.checkNoise()
}

func (c SpikeSlab) set(s *scored) error {
	if !(c.SlabVar > 0) || math.IsInf(c.SlabVar, 1) {
		return fmt.Errorf("%w: SlabVar = %v; a variance is positive and finite", ErrSetting, c.SlabVar)
	}
	noise, err := orJeffreys(c.Noise)
	if err != nil {
		return err
	}
	if err := s.marginal(noise); err != nil {
		return err
	}
	v := c.SlabVar
	if known, ok := noise.(KnownVariance); ok {
		v /= float64(known)
	}
	// M becomes I + V X'X, so that its determinant is the one sought; pivots
	// of 1 and less belong to terms that add nothing.
	s.Det, s.Tol = true, 1
	root := math.Sqrt(v)
	for i := 1; i <= s.D; i++ {
		ti := s.length[i-1] * root
		if ti*ti > 1e300 {
			return fmt.Errorf("%w: SlabVar = %v overflows with the sum of squares of term %q; rescale the column",
				ErrSetting, c.SlabVar, s.m.s.Names[s.candidates[i-1]])
		}
		row := s.M[enumerate.Tri(i):]
		row[0] *= ti
		for j := 1; j <= i; j++ {
			row[j] *= ti * s.length[j-1] * root
		}
		row[i]++
		s.unit[i-1] = math.Sqrt(s.unitQ) * root
	}
	return s.setPrior(c.Pi0, c.Sizes)
}

func (c ZellnerG) set(s *scored) error {
	g := c.G
	if g == 0 {
		g = float64(s.m.s.N)
	}
	if !(g > 0) || math.IsInf(g, 1) {
		return fmt.Errorf("%w: ZellnerG.G = %v; it is positive and finite", ErrSetting, c.G)
	}
	noise, err := orJeffreys(c.Noise)
	if err != nil {
		return err
	}
	if err := s.marginal(noise); err != nil {
		return err
	}
	shrink := math.Sqrt(g / (1 + g))
	for i := 1; i <= s.D; i++ {
		s.M[enumerate.Tri(i)] *= shrink
		s.unit[i-1] *= shrink
		s.Size[i] = -float64(i) / 2 * math.Log1p(g) / math.Ln2
	}
	return s.setPrior(c.Pi0, c.Sizes)
}
