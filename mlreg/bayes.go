package mlreg

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// BayesSettings are the options of FitBayes and of the evidence.
type BayesSettings struct {
	// PenalizeIntercept puts the intercept under the Gaussian prior, which then
	// covers the intercept and the p slopes in this order. The default gives
	// the intercept the flat prior p(b_0) = 1.
	PenalizeIntercept bool
}

// Bayes is the posterior of a Gaussian linear model. It holds no data and does
// not change. Coef, Intercept, Slopes and Predict use the posterior
// mean, which is also the maximum a posteriori estimate.
//
// If the coefficients outnumber the observations, it holds n vectors of length
// p, not a p x p matrix.
type Bayes struct {
	linear
	s bayesState
}

type bayesState struct {
	N          int
	W, LogW    float64
	Penalize   bool
	Center     []float64 // p: what X is centered at
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
// With a KnownVariance it is Gaussian: for centered X and y,
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
// The fit forms one Gram matrix and one Cholesky factorization of I + F'X'XF, where
// V0 = FF' (V0 is never inverted), and refines the mean on the rows. If the terms
// outnumber the rows of a *Design, it factors the n x n matrix I + XV0X' instead,
// and forms no p x p matrix. If the condition number shows that cross-products lose
// more than ten digits, and rows are given, it factors the rows by Householder QR.
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
	fit.l.B0, fit.l.B = b.split(post.mean)
	if b.NoIntercept {
		fit.l.B0 = 0
	}
	s := &fit.s
	s.N, s.W, s.LogW, s.Penalize, s.Center = b.n, b.w, b.logW, b.penalize, slices.Clone(b.center)
	s.Prior, s.Sigma2 = relative, sigma2
	s.RSS, s.Gamma, s.Cond, s.Method = post.rss, post.gamma, post.cond, post.method
	s.Lambda = math.NaN()
	if len(relative.Diag) > 0 && prior.Cov == nil {
		s.Lambda = 1 / (relative.Diag[0] * relative.Diag[0])
	}
	if post.root != nil {
		s.Root = post.root.RawMatrix().Data
	} else {
		s.T, s.L, s.Rows = post.t.RawMatrix().Data, post.l.RawMatrix().Data, b.n
	}
	s.Evidence, s.Post = logEvidence(b.constants(), noise, post.fit, post.logDet)
	if sigma2 == 0 && !(s.Post.Shape > 0 && s.Post.Scale > 0) {
		return nil, fmt.Errorf("%w: %d observations of response %q leave the noise variance undetermined "+
			"(posterior shape %v, scale %v); give a KnownVariance or a proper InverseGamma",
			ErrNoData, b.n, b.Response, s.Post.Shape, s.Post.Scale)
	}
	if err := args.Finite("posterior mean and RSS", append(fit.Coef(), s.RSS)); err != nil {
		return nil, err
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

// SigmaKnown is true if the noise variance was given; if not, coefficients and
// predictions have Student's t distributions.
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

// Lambda returns the ridge penalty lambda whose estimate equals the posterior mean:
// sigma^2/tau^2, or 1/tau^2 under InverseGamma noise. It is NaN if the prior is not
// N(m0, tau^2 I), or covers no coefficient.
func (f *Bayes) Lambda() float64 { return f.s.Lambda }

// NObs returns the number of observations of positive weight.
func (f *Bayes) NObs() int { return f.s.N }

// EffectiveParameters returns MacKay's gamma, how many of the coefficients under the
// prior the data determine: the trace of C X'X, sum s_i^2/(s_i^2 +
// lambda) with the singular values s_i of the (centered) X. (MacKay, Neural
// Computation 4 (1992), 415-447, eq. 4.9.)
func (f *Bayes) EffectiveParameters() float64 { return f.s.Gamma }

// DoF returns the degrees of freedom of the fit: EffectiveParameters, plus one for a
// flat intercept.
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
// X and y centered if the intercept is flat, and Q = |y - Xw_N|^2 +
// (w_N - m0)'V0^-1(w_N - m0) for the relative V0 (V0/sigma^2 if the variance
// is known), it is
//
//	-n'/2 log(2 pi sigma^2) - log|I + X V0 X'|/2 - Q/(2 sigma^2) + c,
//	-n'/2 log(2 pi) - log|I + X V0 X'|/2 + log(Gamma(a_N)/Gamma(a)) + a log b - a_N log b_N + c
//
// for known and for InverseGamma noise, with c = sum log(w_i)/2, and -log(W)/2
// more for a flat intercept.
//
// It is a normalized log density, log N(y; Xm0, sigma^2 I + X V0 X') for
// instance, if the priors are proper. The flat intercept has p(b_0) = 1 and
// Jeffreys' variance p(sigma^2) = 1/sigma^2, which integrate to infinity: the
// constant is then a convention. It cancels only between models of the same
// response that share that prior.
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

// Method names the factorization: "Cholesky", "Cholesky of the n x n form",
// "Householder QR", or "mean" for a flat intercept alone.
func (f *Bayes) Method() string { return f.s.Method }

// GobEncode implements gob.GobEncoder.
func (f *Bayes) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *Bayes) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.s) }

// Summary returns the table of the posterior: for every coefficient its
// mean, standard deviation and central credible limits at the given level
// (0.95 for 95%), and the probability that it is positive. Below it stand n, the
// noise variance, lambda, the effective number of parameters, the log evidence
// and the method. The error is that of Table.
func (f *Bayes) Summary(level float64) (*report.Table, error) {
	rows, err := f.Table(level)
	if err != nil {
		return nil, err
	}
	t := rows.Describe()
	t.Title, t.Notes = summaryTitle(f), f.facts()
	return t, nil
}

// Describe returns the table of the posterior at level 0.95; see Summary.
func (f *Bayes) Describe() *report.Table { return tables.OrError(f.Summary(0.95)) }

// String writes the table of the posterior as text.
func (f *Bayes) String() string { return f.Describe().String() }

// facts returns the lines under a posterior.
func (f *Bayes) facts() []string {
	noise := fmt.Sprintf("n = %d, σ² = %s (known)", f.NObs(), format.Number(f.Sigma2(), format.Digits))
	if !f.SigmaKnown() {
		post := f.NoisePosterior()
		noise = fmt.Sprintf("n = %d, σ² = %s (posterior mean; inverse gamma with shape %s and scale %s)", f.NObs(),
			format.Number(f.Sigma2(), format.Digits), format.Number(post.Shape, format.Digits), format.Number(post.Scale, format.Digits))
	}
	under := len(f.Names())
	prior := "a Gaussian prior of all coefficients"
	if d := int(math.Round(f.DoF() - f.EffectiveParameters())); d > 0 {
		under -= d
		prior = "a flat prior of the intercept"
	}
	strength := fmt.Sprintf("%s of %d parameters determined by the data, with %s", format.Decimal(f.EffectiveParameters(), 2), under, prior)
	if l := f.Lambda(); !math.IsNaN(l) {
		strength = fmt.Sprintf("λ = %s, %s", format.Number(l, format.Digits), strength)
	}
	return tables.InScaledUnits([]string{
		noise, strength,
		fmt.Sprintf("log evidence %s, %s, condition number %s", format.Decimal(f.LogEvidence(), 3), f.Method(), format.Number(f.Cond(), 2)),
	}, f.Scaling() != nil)
}
