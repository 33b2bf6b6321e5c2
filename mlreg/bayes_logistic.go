package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// BayesLogisticSettings are the options of FitBayesLogistic.
type BayesLogisticSettings struct {
	// PenalizeIntercept puts the intercept under the Gaussian prior, which then
	// covers p+1 coefficients, the intercept first. The default is a flat
	// prior of density 1 for the intercept.
	PenalizeIntercept bool
	// Tol and MaxIterations are as in LogisticSettings.
	Tol           float64
	MaxIterations int
}

// BayesLogistic is the posterior of a logistic regression of two classes, by
// Laplace's method: a Gaussian at its mode. It holds no data and does not change.
type BayesLogistic struct {
	m logit // the mode
	laplacePosterior
}

// FitBayesLogistic finds the posterior of the coefficients w = (b_0, b) of
//
//	P(y_i = second class | x_i, w) = 1/(1 + exp(-(b_0 + x_i'b))),   b ~ N(m0, V0),
//
// where the GaussianPrior covers the slopes, and with PenalizeIntercept the
// intercept too, which otherwise has a flat prior. With w* the maximum of
//
//	J(w) = sum_i w_i log P(y_i | x_i, w) - (b - m0)'V0^-1 (b - m0)/2 + const,
//
// the posterior is approximately N(w*, H^-1), where H is minus the second
// derivatives of J at w*,
//
//	H = A'WA + V0^-1,   W = diag(w_i p_i (1-p_i)),   A = [1 X],
//
// and the evidence p(y | X) is approximately exp(J(w*)) |H/(2 pi)|^(-1/2). The
// maximum always exists, for separated classes too.
//
// Nil settings are the defaults. Errors: as FitLogistic, except for separation and
// aliased terms, which are no errors here; for the prior ErrShape, ErrSetting and
// ErrNotPositiveDefinite. Beside a *ConvergenceError is the best fit.
//
// Murphy, Machine Learning: A Probabilistic Perspective, section 8.4; MacKay,
// Neural Computation 4 (1992), 720-736.
func FitBayesLogistic(d *Design, prior GaussianPrior, settings *BayesLogisticSettings) (*BayesLogistic, error) {
	s := args.OrDefaults(settings)
	m := likelihoodModel{family: Binomial, link: LogitLink, labels: true, settings: "BayesLogisticSettings"}
	m.Tol, m.MaxIterations = s.Tol, s.MaxIterations
	f, err := m.posterior(d, prior, s.PenalizeIntercept)
	if best(err) {
		return &BayesLogistic{logit{f.linear, logitState{f.c.Classes}}, f.laplacePosterior}, err
	}
	return nil, err
}

// Names returns the names of the coefficients: "(Intercept)" first if there is
// one, then the terms.
func (f *BayesLogistic) Names() []string { return f.m.Names() }

// Coef returns w*, the mode of the posterior and the mean of its Gaussian, in the
// order of Names.
func (f *BayesLogistic) Coef() []float64 { return f.m.Coef() }

// PosteriorMean is Coef.
func (f *BayesLogistic) PosteriorMean() []float64 { return f.Coef() }

// Posterior returns N(w*, H^-1) over the coefficients in the order of Names.
func (f *BayesLogistic) Posterior() *Gaussian { return f.s.posterior(f.Coef()) }

// VCov returns H^-1, the covariance of the posterior.
func (f *BayesLogistic) VCov() *mat.SymDense { return f.Posterior().Cov() }

// PosteriorCov is VCov.
func (f *BayesLogistic) PosteriorCov() *mat.SymDense { return f.VCov() }

// Table returns the table of coefficients: mode, standard deviation, their ratio,
// and the limits of the central interval with probability level; see CoefTable.
func (f *BayesLogistic) Table(level float64) (report.Rows[CoefRow], error) {
	return CoefTable(f, level)
}

// Response returns the name of the response.
func (f *BayesLogistic) Response() string { return f.m.Response() }

// Scaling returns the scaling of the design fitted, nil if its columns were raw.
func (f *BayesLogistic) Scaling() *Scaling { return f.m.Scaling() }

// Coding returns how the columns of the design were computed, nil if they were
// given.
func (f *BayesLogistic) Coding() *Coding { return f.m.Coding() }

// Classes returns the names of the two classes; probabilities are of the second.
func (f *BayesLogistic) Classes() []string { return f.m.Classes() }

// LogEvidence returns Laplace's approximation of log p(y | X),
//
//	log p(y | X, w*) + log p(w*) + (k/2) log(2 pi) - log|H|/2
//
// for k coefficients. A flat intercept has density 1: compare evidences only if the
// intercept is flat in all models, or in none.
func (f *BayesLogistic) LogEvidence() float64 {
	return f.s.logEvidence(len(f.Names()))
}

// Laplace returns the approximation of the density p(y | X, w) p(w).
func (f *BayesLogistic) Laplace() *LaplaceApproximation {
	k := len(f.Names())
	inverse := mat.NewDense(k, k, slices.Clone(f.s.T)) // of T'T = H^-1
	if !lapack64.Trtri(lsq.Upper(inverse)) {
		panic("mlreg: the root of a posterior covariance is singular")
	}
	precision := algebra.Outer(inverse)
	r := gaussianFromRows(f.Coef(), mat.DenseCopyOf(inverse.T())).s.T // R'R = H
	return &LaplaceApproximation{store[LaplaceApproximation](laplaceState{
		Mode: f.Coef(), LogAtMode: f.s.LogLik + f.s.LogPrior, H: precision.RawSymmetric().Data, R: r,
		GradNorm: f.s.GradNorm, Iterations: f.s.Iterations,
	})}
}

// LogPriorAt returns the logarithm of the prior density at the coefficients w, in
// the order of Names; NaN if w has another length.
func (f *BayesLogistic) LogPriorAt(w []float64) float64 {
	if len(w) != len(f.Names()) {
		return math.NaN()
	}
	return f.s.logPriorAt(w)
}

// LogLikAt returns the log-likelihood of the rows of d at the coefficients w, in
// the order of Names; a w of another length is ErrShape.
func (f *BayesLogistic) LogLikAt(d *Design, w []float64) (float64, error) {
	if len(w) != len(f.Names()) {
		return 0, fmt.Errorf("%w: %d coefficients for %s", ErrShape, len(w), format.Quoted(f.Names()))
	}
	at := Logistic{logit: f.m}
	at.l.B = slices.Clone(w)
	if !at.l.NoIntercept {
		at.l.B0, at.l.B = w[0], at.l.B[1:]
	}
	rows, err := at.LogLikRows(d)
	if err != nil {
		return 0, err
	}
	var sum float64
	for _, v := range rows {
		sum += v
	}
	return sum, nil
}

// GobEncode implements gob.GobEncoder.
func (f *BayesLogistic) GobEncode() ([]byte, error) { return stream.Encode(f, &f.m.l, &f.m.c, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *BayesLogistic) GobDecode(b []byte) error { return gobDecode(b, f, &f.m.l, &f.m.c, &f.s) }

func (f *BayesLogistic) restored() error { return f.m.restored() }

// Kind names the fit in the title of its tables.
func (f *BayesLogistic) Kind() string { return "Logistic posterior" }

// Describe returns the table of the posterior; see Summary.
func (f *BayesLogistic) Describe() *report.Table { return summary(f) }

// String writes the table of the posterior as text.
func (f *BayesLogistic) String() string { return f.Describe().String() }
