package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// BayesSettings are the options of FitBayes and of the evidence.
type BayesSettings struct {
	// PenalizeIntercept puts the intercept under the Gaussian prior, which is
	// then of the intercept and the p slopes in this order. The default gives
	// the intercept the flat prior p(b_0) = 1.
	PenalizeIntercept bool
}

// Bayes is the posterior of a Gaussian linear model. It holds no data and does
// not change. Coef, Intercept, Slopes and Predict are those of the posterior
// mean, which is also the maximum a posteriori estimate.
//
// Where the coefficients outnumber the observations it holds n vectors of
// their length, not a square of it.
type Bayes struct {
	linear
	s bayesState
}

type bayesState struct {
	N          int
	W, LogW    float64
	Penalize   bool
	Center     []float64 // p: what X is centred at
	Prior      *priorRoot
	Sigma2     float64      // known
	Post       InverseGamma // posterior, if Sigma2 is 0
	Root       []float64    // k x k, or nil
	T, L       []float64    // n x k and n x n, or nil: see posterior
	Rows       int          // of T
	RSS, Gamma float64
	Lambda     float64
	Evidence   float64
	Cond       float64
	Method     string
}

// FitBayes returns the posterior of the coefficients of
//
//	y_i = b_0 + x_i'w + e_i,   e_i ~ N(0, sigma^2/w_i),
//
// under a Gaussian prior w ~ N(m0, V0) and a flat prior of the intercept b_0
// (unless BayesSettings.PenalizeIntercept puts it under the Gaussian prior).
// With a KnownVariance it is Gaussian: for centred X and y,
//
//	V_N = (V0^-1 + X'X/sigma^2)^-1,   w_N = m0 + V_N X'(y - X m0)/sigma^2
//
// (Murphy, Machine Learning: A Probabilistic Perspective, eqs. 7.55 to 7.58).
// For V0 = tau^2 I and m0 = 0 the mean is the ridge estimate with lambda =
// sigma^2/tau^2. With InverseGamma noise V0 is relative to sigma^2, lambda =
// 1/tau^2, and the posterior is
//
//	w | sigma^2 ~ N(w_N, sigma^2 C),  C = (V0^-1 + X'X)^-1,   sigma^2 ~ InverseGamma(a_N, b_N),
//	a_N = a + n'/2,   b_N = b + (|y - X w_N|^2 + (w_N - m0)'V0^-1(w_N - m0))/2
//
// (Murphy eqs. 7.69 to 7.73) with n' the number of observations, less one for
// a flat intercept.
//
// One Gram matrix and one Cholesky factorisation of I + F'X'XF, where V0 = FF'
// (V0 is never inverted), are the work. The mean is refined on the rows. If
// the terms outnumber the rows of a *Design the n x n matrix I + XV0X' is
// factored instead, and nothing of p x p is formed. If its condition number
// says that cross-products lose more than ten digits, and rows are given, the
// rows are factored by Householder QR.
//
// Errors: ErrSetting (tau^2 or sigma^2 not positive), ErrNotPositiveDefinite
// naming the pivot of V0, ErrShape, ErrNoData, ErrNotFinite.
func FitBayes(data Data, prior GaussianPrior, noise Noise, settings *BayesSettings) (*Bayes, error) {
	if settings == nil {
		settings = &BayesSettings{}
	}
	if noise == nil {
		return nil, fmt.Errorf("%w: no noise; give KnownVariance(sigma2), or InverseGamma{} for Jeffreys' prior", ErrSetting)
	}
	if err := noise.checkNoise(); err != nil {
		return nil, err
	}
	b, err := newBayesData(data, settings.PenalizeIntercept)
	if err != nil {
		return nil, err
	}
	f, err := prior.root(b.priorNames())
	if err != nil {
		return nil, err
	}
	relative, sigma2 := f, 0.0
	if known, ok := noise.(KnownVariance); ok {
		sigma2 = float64(known)
		relative = f.over(sigma2)
	}
	post, err := b.solve(relative)
	if err != nil {
		return nil, err
	}
	fit := &Bayes{linear: linear{b.linearState}}
	fit.l.TermNames = slices.Clone(b.TermNames)
	fit.l.B0, fit.l.B = b.split(post.mean)
	if b.NoIntercept {
		fit.l.B0 = 0
	}
	s := &fit.s
	s.N, s.W, s.LogW, s.Penalize, s.Center = b.n, b.w, b.logW, b.penalize, slices.Clone(b.center)
	s.Prior, s.Sigma2 = relative, sigma2
	s.RSS, s.Gamma, s.Cond, s.Method = post.rss, post.gamma, post.cond, post.method
	s.Lambda = math.NaN()
	if prior.Cov == nil {
		s.Lambda = 1 / (relative.Diag[0] * relative.Diag[0])
	}
	if post.root != nil {
		s.Root = post.root.RawMatrix().Data
	} else {
		s.T, s.L, s.Rows = post.t.RawMatrix().Data, post.l.RawMatrix().Data, b.n
	}
	s.Evidence, s.Post = b.constants().logEvidence(noise, post.fit, post.logDet)
	if sigma2 == 0 && !(s.Post.Shape > 0 && s.Post.Scale > 0) {
		return nil, fmt.Errorf("%w: %d observations of response %q leave the noise variance undetermined "+
			"(posterior shape %v, scale %v); give a KnownVariance or a proper InverseGamma",
			ErrNoData, b.n, b.Response, s.Post.Shape, s.Post.Scale)
	}
	if math.IsNaN(s.Evidence) || math.IsInf(s.Evidence, 0) {
		return nil, fmt.Errorf("%w: the evidence is %v; rescale the columns or the response %q", ErrNotFinite, s.Evidence, b.Response)
	}
	return fit, nil
}

// flat tells whether the intercept has a flat prior.
func (f *Bayes) flat() bool { return !f.l.NoIntercept && !f.s.Penalize }

// scale2 returns the factor between the relative covariance C and the squared
// scale of the coefficients' distribution: sigma^2, or b_N/a_N.
func (f *Bayes) scale2() float64 {
	if f.SigmaKnown() {
		return f.s.Sigma2
	}
	return f.s.Post.Scale / f.s.Post.Shape
}

// SigmaKnown tells whether the noise variance was given; if not, coefficients
// and predictions are Student's t.
func (f *Bayes) SigmaKnown() bool { return f.s.Sigma2 > 0 }

// TDoF returns the degrees of freedom 2 a_N of the marginal posteriors,
// infinite if the noise variance is known.
func (f *Bayes) TDoF() float64 {
	if f.SigmaKnown() {
		return math.Inf(1)
	}
	return 2 * f.s.Post.Shape
}

// varianceFactor returns the variance of Student's t of unit scale: nu/(nu-2),
// infinite for nu <= 2, 1 for the normal.
func (f *Bayes) varianceFactor() float64 {
	switch nu := f.TDoF(); {
	case math.IsInf(nu, 1):
		return 1
	case nu <= 2:
		return math.Inf(1)
	default:
		return nu / (nu - 2)
	}
}

// Sigma2 returns the noise variance: the known one, or its posterior mean
// b_N/(a_N - 1), infinite if a_N <= 1.
func (f *Bayes) Sigma2() float64 { return f.scale2() * f.varianceFactor() }

// NoisePosterior returns the posterior of the noise variance, the zero value
// if the variance is known.
func (f *Bayes) NoisePosterior() InverseGamma { return f.s.Post }

// Lambda returns the penalty lambda of the ridge estimate that the posterior
// mean is: sigma^2/tau^2, or 1/tau^2 under InverseGamma noise. It is NaN if
// the prior is not N(m0, tau^2 I).
func (f *Bayes) Lambda() float64 { return f.s.Lambda }

// NObs returns the number of observations of positive weight.
func (f *Bayes) NObs() int { return f.s.N }

// EffectiveParameters returns MacKay's gamma, the number of coefficients under
// the prior that the data determine: the trace of C X'X, sum s_i^2/(s_i^2 +
// lambda) with the singular values s_i of the (centred) X. (MacKay, Neural
// Computation 4 (1992), 415-447, eq. 4.9.)
func (f *Bayes) EffectiveParameters() float64 { return f.s.Gamma }

// DoF returns the degrees of freedom of the fit, EffectiveParameters and one
// for a flat intercept.
func (f *Bayes) DoF() float64 {
	if f.flat() {
		return f.s.Gamma + 1
	}
	return f.s.Gamma
}

// RSS returns the residual sum of squares of the posterior mean, weighted if
// the design is.
func (f *Bayes) RSS() float64 { return f.s.RSS }

// LogEvidence returns the log marginal likelihood log p(y | X), natural
// logarithm. With n' observations, less one for a flat intercept, W = sum w_i,
// X and y centred if the intercept is flat, and Q = |y - Xw_N|^2 +
// (w_N - m0)'V0^-1(w_N - m0) for the relative V0 (V0/sigma^2 if the variance
// is known), it is
//
//	-n'/2 log(2 pi sigma^2) - log|I + X V0 X'|/2 - Q/(2 sigma^2) + c,
//	-n'/2 log(2 pi) - log|I + X V0 X'|/2 + log(Gamma(a_N)/Gamma(a)) + a log b - a_N log b_N + c
//
// for known and for InverseGamma noise, with c = sum log(w_i)/2, and -log(W)/2
// more for a flat intercept.
//
// It is a normalised log density, log N(y; Xm0, sigma^2 I + X V0 X') for
// instance, if the priors are proper. The flat intercept has p(b_0) = 1 and
// Jeffreys' variance p(sigma^2) = 1/sigma^2, which integrate to infinity: the
// constant is then a convention. It cancels between models of the same
// response that share that prior, and between no others.
//
// (Murphy eq. 7.54 and 7.75; Bishop, Pattern Recognition and Machine Learning,
// eq. 3.86.)
func (f *Bayes) LogEvidence() float64 { return f.s.Evidence }

// LogLik returns the Gaussian log-likelihood at the posterior mean and Sigma2.
// If the variance is known, LogEvidence - LogLik is the log of MacKay's Occam
// factor, never above zero for a proper prior.
func (f *Bayes) LogLik() float64 {
	return -float64(f.s.N)/2*math.Log(2*math.Pi*f.Sigma2()) - f.s.RSS/(2*f.Sigma2()) + f.s.LogW/2
}

// Cond returns the condition number of the whitened system that was factored,
// its columns scaled to unit length, to about three digits.
func (f *Bayes) Cond() float64 { return f.s.Cond }

// Method names the factorisation: "Cholesky", "Cholesky of the n x n form" or
// "Householder QR".
func (f *Bayes) Method() string { return f.s.Method }

// PosteriorMean returns the posterior mean in the order of Names.
func (f *Bayes) PosteriorMean() []float64 { return f.Coef() }

// PosteriorCov returns the posterior covariance in the order of Names, of
// Student's t (a_N/(a_N - 1) times its squared scale, infinite if a_N <= 1) if
// the noise variance is unknown. It is formed here: (p+1)^2 numbers.
func (f *Bayes) PosteriorCov() *mat.SymDense {
	cov := f.relativeCov()
	cov.ScaleSym(f.Sigma2(), cov)
	return cov
}

// k returns the number of coefficients under the Gaussian prior.
func (f *Bayes) k() int { return f.s.Prior.K }

// reduction returns T F', the n x k matrix by which the data reduce the prior
// covariance: C = FF' - (TF')'TF'. It is only there if Root is not.
func (f *Bayes) reduction() *mat.Dense {
	tf := mat.NewDense(f.s.Rows, f.k(), slices.Clone(f.s.T))
	f.s.Prior.rightTransposed(tf)
	return tf
}

// relativeCov returns the covariance of all coefficients for sigma^2 = 1.
func (f *Bayes) relativeCov() *mat.SymDense {
	k := f.k()
	c := mat.NewSymDense(k, nil)
	if f.s.Root != nil {
		c.SymOuterK(1, mat.NewDense(k, k, f.s.Root))
	} else {
		for i := range k {
			for j := i; j < k; j++ {
				c.SetSym(i, j, f.s.Prior.at(i, j))
			}
		}
		c.SymRankK(c, -1, f.reduction().T())
	}
	if !f.flat() {
		return c
	}
	all := mat.NewSymDense(k+1, nil)
	cx := make([]float64, k)
	x := blas64.Vector{N: k, Inc: 1, Data: f.s.Center}
	blas64.Symv(1, c.RawSymmetric(), x, 0, blas64.Vector{N: k, Inc: 1, Data: cx})
	all.SetSym(0, 0, 1/f.s.W+blas64.Dot(x, blas64.Vector{N: k, Inc: 1, Data: cx}))
	for i := range k {
		all.SetSym(0, i+1, -cx[i])
		for j := i; j < k; j++ {
			all.SetSym(i+1, j+1, c.At(i, j))
		}
	}
	return all
}

// quadratic returns z_i'C z_i for the rows of z (m x k), C the relative
// covariance of the coefficients under the prior. It destroys z if C is held
// by its reduction.
func (f *Bayes) quadratic(z *mat.Dense) []float64 {
	m, k := z.Dims()
	v := make([]float64, m)
	var product mat.Dense
	if f.s.Root != nil {
		product.Mul(z, mat.NewDense(k, k, f.s.Root))
	} else {
		f.s.Prior.rightOf(z)
		product.Mul(z, mat.NewDense(f.s.Rows, k, f.s.T).T())
	}
	for i := range v {
		v[i] = squares(product.RawRowView(i))
		if f.s.Root == nil {
			v[i] = math.Max(squares(z.RawRowView(i))-v[i], 0)
		}
	}
	return v
}

// scales returns the relative scales of the coefficients in the order of
// Names, the roots of the diagonal of relativeCov, without forming that.
func (f *Bayes) scales() []float64 {
	k := f.k()
	v := make([]float64, k)
	if f.s.Root != nil {
		for j := range v {
			v[j] = squares(f.s.Root[j*k : (j+1)*k])
		}
	} else {
		for j := range v {
			v[j] = f.s.Prior.at(j, j)
		}
		tf := f.reduction()
		for i := range f.s.Rows {
			for j, t := range tf.RawRowView(i) {
				v[j] -= t * t
			}
		}
	}
	if f.flat() {
		center := mat.NewDense(1, k, slices.Clone(f.s.Center))
		v = append([]float64{1/f.s.W + f.quadratic(center)[0]}, v...)
	}
	for j := range v {
		v[j] = math.Sqrt(math.Max(v[j], 0))
	}
	return v
}

// StdDev returns the posterior standard deviations in the order of Names, the
// roots of the diagonal of PosteriorCov; infinite if a_N <= 1.
func (f *Bayes) StdDev() []float64 {
	sd := f.scales()
	blas64.Scal(math.Sqrt(f.Sigma2()), blas64.Vector{N: len(sd), Inc: 1, Data: sd})
	return sd
}

// CredibleInterval returns the central posterior interval of every coefficient
// that holds it with probability level, 0 < level < 1 (ErrSetting): normal if
// the noise variance is known, else Student's t with TDoF degrees of freedom.
func (f *Bayes) CredibleInterval(level float64) (lower, upper []float64, err error) {
	if err := checkLevel(level); err != nil {
		return nil, nil, err
	}
	scale := f.scales()
	blas64.Scal(math.Sqrt(f.scale2()), blas64.Vector{N: len(scale), Inc: 1, Data: scale})
	lower, upper = limits(f.Coef(), scale, tUpper((1-level)/2, f.TDoF()))
	return lower, upper, nil
}

// PosteriorRow is a line of the table of a posterior: mean and standard
// deviation of a coefficient, its credible limits, and the posterior
// probability that it is positive.
type PosteriorRow struct {
	Term                                     string
	Mean, StdDev, Lower, Upper, ProbPositive float64
}

// Table returns the posterior of the coefficients in the order of Names, with
// central credible limits at the given level.
func (f *Bayes) Table(level float64) ([]PosteriorRow, error) {
	lower, upper, err := f.CredibleInterval(level)
	if err != nil {
		return nil, err
	}
	names, mean, scale := f.Names(), f.Coef(), f.scales()
	rows := make([]PosteriorRow, len(names))
	for j := range rows {
		positive := tTwoSided(mean[j]/(scale[j]*math.Sqrt(f.scale2())), f.TDoF()) / 2
		if mean[j] > 0 {
			positive = 1 - positive
		}
		rows[j] = PosteriorRow{
			Term: names[j], Mean: mean[j], StdDev: scale[j] * math.Sqrt(f.Sigma2()),
			Lower: lower[j], Upper: upper[j], ProbPositive: positive,
		}
	}
	return rows, nil
}

// Posterior returns the posterior of the coefficients, in the order of Names,
// as a distribution. The error says if the noise variance is unknown, as it is
// then no Gaussian; Sample draws from it.
func (f *Bayes) Posterior() (*Gaussian, error) {
	if !f.SigmaKnown() {
		return nil, fmt.Errorf("%w: the noise variance is unknown, and the posterior is Student's t, not Gaussian; use Sample", ErrSetting)
	}
	return NewGaussian(f.Coef(), f.PosteriorCov())
}

// AsPrior returns the arguments that make this posterior the prior of more
// data: FitBayes(more, prior, noise, settings) is then the posterior of all
// data, whatever the order in which they came, and the evidences add up. The
// intercept, if there is one, comes under the new prior.
func (f *Bayes) AsPrior() (prior GaussianPrior, noise Noise, settings *BayesSettings) {
	cov := f.relativeCov()
	noise = f.s.Post
	if f.SigmaKnown() {
		cov.ScaleSym(f.s.Sigma2, cov)
		noise = KnownVariance(f.s.Sigma2)
	}
	return GaussianPrior{Mean: f.Coef(), Cov: cov}, noise, &BayesSettings{PenalizeIntercept: f.HasIntercept()}
}

// Raw returns the same posterior in the raw units of the data, undoing the
// scaling of the design fitted, as OLS.Raw does. The prior goes along, so that
// Lambda is NaN. The error says if a fit without intercept was made to centred
// columns, or if the prior of the intercept would need a p x p matrix that the
// fit does not hold.
func (f *Bayes) Raw() (*Bayes, error) {
	raw := *f
	raw.l.Scaling = nil
	if f.l.Scaling == nil {
		return &raw, nil
	}
	first := f.k() - len(f.l.B)
	raw.l.B = slices.Clone(f.l.B)
	raw.s.Root, raw.s.Center = slices.Clone(f.s.Root), slices.Clone(f.s.Center)
	prior := *f.s.Prior
	prior.Diag, prior.R = slices.Clone(prior.Diag), slices.Clone(prior.R)
	raw.s.Prior, raw.s.Lambda = &prior, math.NaN()
	for j := range raw.l.B {
		center, scale := f.l.Scaling.at(j)
		if center != 0 && f.l.NoIntercept {
			return nil, fmt.Errorf("%w: the fit has no intercept, and term %q was centred at %v; in raw units it needs one",
				ErrShape, f.l.TermNames[j], center)
		}
		if center != 0 && f.s.Penalize && f.s.Root == nil {
			return nil, fmt.Errorf("%w: the intercept is under the prior, and term %q was centred at %v; fit the raw design", ErrShape, f.l.TermNames[j], center)
		}
		raw.l.B[j] /= scale
		raw.l.B0 -= raw.l.B[j] * center
		if f.flat() {
			raw.s.Center[j] = f.s.Center[j]*scale + center
		}
		prior.scaleRow(first+j, 1/scale)
		if f.s.Root != nil {
			k := f.k()
			row := blas64.Vector{N: k, Inc: 1, Data: raw.s.Root[(first+j)*k:]}
			blas64.Scal(1/scale, row)
			if f.s.Penalize {
				blas64.Axpy(-center, row, blas64.Vector{N: k, Inc: 1, Data: raw.s.Root})
			}
		}
	}
	return &raw, nil
}

// GobEncode implements gob.GobEncoder.
func (f *Bayes) GobEncode() ([]byte, error) { return gobEncode(&f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *Bayes) GobDecode(b []byte) error { return gobDecode(b, &f.l, &f.s) }
