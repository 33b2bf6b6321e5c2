package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// BayesGLMSettings are the options of FitBayesGLM.
type BayesGLMSettings struct {
	// PenalizeIntercept puts the intercept under the Gaussian prior, which then covers p+1
	// coefficients, the intercept first. The default is a flat prior of density 1 for the
	// intercept.
	PenalizeIntercept bool
	// Tol and MaxIterations are as in GLMSettings.
	Tol           float64
	MaxIterations int
}

// BayesGLM is the posterior of a generalized linear model by Laplace's method: a Gaussian
// at its mode. It holds no data and does not change.
type BayesGLM struct {
	linear
	c glmState
	laplacePosterior
}

// FitBayesGLM finds the posterior of the coefficients w = (b_0, b) of counts (Poisson, with
// LogLink) or shares of successes (Binomial, with LogitLink),
//
//	g(mu_i) = o_i + b_0 + x_i'b,   b ~ N(m0, V0),
//
// where the GaussianPrior covers the slopes, and with PenalizeIntercept the intercept too,
// which otherwise has a flat prior. It is FitBayesLogistic for other responses: with w* the
// maximum of the log-likelihood plus the log prior, the posterior is approximately
//
//	N(w*, H^-1),   H = A'WA + V0^-1,   W = diag(w_i V(mu_i)),   A = [1 X],
//
// and the evidence p(y | X) is approximately the maximum times |H/(2 pi)|^(-1/2). The
// likelihood has all its constants, so that evidences of models with other offsets compare,
// too.
//
// Nil settings are the defaults. Errors: as FitGLM, except for separation and aliased terms,
// which are no errors here; ErrSetting for another family; for the prior ErrShape,
// ErrSetting and ErrNotPositiveDefinite. Beside a *ConvergenceError is the best fit.
//
// MacKay, Neural Computation 4 (1992), 720-736.
func FitBayesGLM(d *Design, family GLMFamily, prior GaussianPrior, settings *BayesGLMSettings) (*BayesGLM, error) {
	s := args.OrDefaults(settings)
	if family != Poisson && family != Binomial {
		if err := family.check(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w: the posterior of the %v family needs its dispersion; Poisson and Binomial have that of 1", ErrSetting, family)
	}
	link, err := family.linked(0)
	if err != nil {
		return nil, err
	}
	m := likelihoodModel{family: family, link: Link(link.Link), settings: "BayesGLMSettings"}
	m.Tol, m.MaxIterations = s.Tol, s.MaxIterations
	f, err := m.posterior(d, prior, s.PenalizeIntercept)
	if best(err) {
		return f, err
	}
	return nil, err
}

// posterior finds the posterior by Laplace's method; see best for the one beside an error.
func (m *likelihoodModel) posterior(d *Design, prior GaussianPrior, penalize bool) (*BayesGLM, error) {
	if err := m.check(m.settings); err != nil {
		return nil, err
	}
	classes, y, err := m.responses(d)
	if err != nil {
		return nil, err
	}
	start := m.start(d.header(), classes, 0)
	if !m.labels {
		start.c.Own = m.family.saturated(y, d.Weights)
	}
	f := &BayesGLM{start.linear, start.c, laplacePosterior{laplacePosteriorState{N: d.PositiveRows()}}}
	err = f.s.fit(&f.linear, d, m.loss(y, d.Weights), prior, m.likelihoodSettings, penalize)
	f.s.LogLik += f.c.Own // a loss of numbers has minus half the deviance
	return f, err
}

// Family returns the family.
func (f *BayesGLM) Family() GLMFamily { return f.c.Family }

// Link returns the link.
func (f *BayesGLM) Link() Link { return f.c.Link }

// PosteriorMean returns w*, the mode of the posterior and the mean of its Gaussian, in the
// order of Names.
func (f *BayesGLM) PosteriorMean() []float64 { return f.Coef() }

// Posterior returns N(w*, H^-1) over the coefficients in the order of Names.
func (f *BayesGLM) Posterior() *Gaussian { return f.s.posterior(f.Coef()) }

// VCov returns H^-1, the covariance of the posterior.
func (f *BayesGLM) VCov() *mat.SymDense { return f.Posterior().Cov() }

// Table returns the table of coefficients: mode, standard deviation, their ratio, and the
// limits of the central interval with probability level; see CoefTable.
func (f *BayesGLM) Table(level float64) (report.Rows[CoefRow], error) { return CoefTable(f, level) }

// LogEvidence returns Laplace's approximation of log p(y | X); see
// BayesLogistic.LogEvidence.
func (f *BayesGLM) LogEvidence() float64 { return f.s.logEvidence(f.columns()) }

// LinearPredictor returns, for every row a = (1, x) of d, the posterior mean o + a'w* of the
// linear predictor and its standard deviation sqrt(a'H^-1 a). The error names a missing
// term.
func (f *BayesGLM) LinearPredictor(d *Design) (mean, sd []float64, err error) {
	return f.s.predictor(&f.linear, d)
}

// PlugIn returns the mean of the response at the mode for every row of d.
func (f *BayesGLM) PlugIn(d *Design) ([]float64, error) {
	return f.mode().Predict(d)
}

// mode is the fit at the mode.
func (f *BayesGLM) mode() *GLM { return &GLM{linear: f.linear, c: f.c} }

// Predict returns the posterior mean of the mean of the response for every row of d: of
// counts exp(m + s^2/2), with the m and s of LinearPredictor, and of shares the integral of
// BayesLogistic.Predict.
func (f *BayesGLM) Predict(d *Design) ([]float64, error) {
	mean, sd, err := f.LinearPredictor(d)
	if err != nil {
		return nil, err
	}
	for i, m := range mean {
		mean[i], _ = f.average(m, sd[i])
	}
	return mean, nil
}

// Fitted is Predict.
func (f *BayesGLM) Fitted(d *Design) ([]float64, error) { return f.Predict(d) }

// Residuals returns y less Predict for every row of d, which must have a response
// (ErrNoData).
func (f *BayesGLM) Residuals(d *Design) ([]float64, error) {
	r, err := f.mode().Residuals(d)
	if err != nil {
		return nil, err
	}
	plug, err := f.PlugIn(d)
	if err != nil {
		return nil, err
	}
	mu, err := f.Predict(d)
	for i := range mu {
		r[i] += plug[i] - mu[i]
	}
	return valid(r, err)
}

// average returns the mean and the standard deviation of the mean of the response for a
// normal linear predictor.
func (f *BayesGLM) average(mean, sd float64) (mu, deviation float64) {
	if f.c.Link == LogLink {
		mu = math.Exp(mean + sd*sd/2)
		return mu, mu * math.Sqrt(math.Expm1(sd*sd))
	}
	return averageSigmoid(mean, sd), deviationOfSigmoid(mean, sd)
}

// CredibleBand returns limits of the mean of the response at every row of d: the central
// interval of posterior probability level. Fitted is Predict, and StdErr its posterior
// standard deviation. Errors are those of Predict, and ErrSetting for a level that is not
// between 0 and 1.
func (f *BayesGLM) CredibleBand(d *Design, level float64) (*Band, error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	mean, sd, err := f.LinearPredictor(d)
	if err != nil {
		return nil, err
	}
	return credibleBand(level, mean, sd, f.mode().InverseLink, f.average), nil
}

// Sample returns draws of the coefficients from the posterior, one a row, in the order of
// Names. The error says if count is below 1 or src is nil.
func (f *BayesGLM) Sample(count int, src rand.Source) (*mat.Dense, error) {
	return f.Posterior().Sample(count, src)
}

// GobEncode implements gob.GobEncoder.
func (f *BayesGLM) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.c, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *BayesGLM) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.c, &f.s) }

// Describe returns the table of the posterior; see Summary.
func (f *BayesGLM) Describe() *report.Table { return summary(f) }

// String writes the table of the posterior as text.
func (f *BayesGLM) String() string { return f.Describe().String() }

// Kind names the fit in the title of its tables.
func (f *BayesGLM) Kind() string {
	return f.c.Family.title() + " posterior, " + f.c.Link.String() + " link,"
}
