package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/glm"
	"github.com/regbook/regbook/mlreg/internal/newton"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// GLMSettings are the options of FitGLM.
type GLMSettings struct {
	// Link is the link, by default the canonical one of the family.
	Link Link
	// L2 is the weight lambda of the penalty lambda |b|_2^2 on the slopes, in the units
	// of the design; the default 0 is maximum likelihood.
	L2 float64
	// Tol is the Newton decrement to stop at, by default 1e-11: see GLM.Decrement.
	Tol float64
	// MaxIterations limits the steps, by default to 100, or 1000 for a link that is not
	// canonical.
	MaxIterations int
}

// GLM is a generalized linear model. It holds no data and does not change.
type GLM struct {
	linear
	c glmState
	likelihoodFit
}

type glmState struct {
	Family   GLMFamily
	Link     Link
	Classes  []string // of two classes; nil if the response is a number
	Own      float64  // log-likelihood of the responses at their own means; see GLMFamily.logLik
	Errors   string   // what the standard errors are, "" for those of the model
	Sandwich []float64
}

// FitGLM maximizes the likelihood of a generalized linear model,
//
//	g(mu_i) = eta_i = o_i + b_0 + x_i'b,   Var y_i = phi V(mu_i)/w_i,
//
// that is, it minimizes
//
//	D(b_0, b)/2 + L2 |b|_2^2
//
// for the deviance D = sum_i w_i d(y_i, mu_i), see GLMFamily.Deviance. The offsets o_i are
// Design.Offset: for a count over a time t_i, with LogLink, it is log t_i. There is no
// penalty unless L2 is set.
//
//	fit, err := mlreg.FitGLM(d, mlreg.Poisson, nil)
//
// The dispersion phi is 1 for Poisson and Binomial, and for the others estimated by
// Pearson's statistic, see GLM.Dispersion. It does not change the coefficients, and
// multiplies their covariance. A Binomial response is the share of successes, with the
// number of trials for its weight, as cbind(yes, no) in a formula makes them, or one of
// two classes, as for FitLogistic.
//
// The method is Fisher's scoring (iteratively reweighted least squares), Newton's method
// with expected second derivatives, which are the exact ones if the link is canonical. A
// line search keeps the means in their range. The estimate does not exist if the
// likelihood grows for ever along some combination of the terms, as that of a level of a
// factor without a count does; for LogLink of counts, LogitLink, ProbitLink and CLogLogLink
// that is decided by linear programming, and is a *SeparationError that names the
// combination.
//
// Rows in blocks (RowBlocks) are fitted as by FitLogistic, a step by one pass; terms that are all of factors take one pass
// for counts, classes and shares of 0 and 1, of which a database computes the steps, too, by the canonical link.
//
// Nil settings are the defaults. Errors: ErrNoData, ErrShape, ErrNotFinite, ErrChanged, ErrSetting
// (a link that does not go with the family; a response that the family does not have,
// with its row); ErrLabels for classes; ErrBoundary if all responses are 0, or all shares
// 1, or if no coefficients are found at which the link has a mean for every row;
// *RankDeficientError for aliased terms, unless L2 > 0; *SeparationError; and
// *ConvergenceError beside the best fit found, as when the maximum is at the boundary of
// the means that an IdentityLink or a SqrtLink has.
//
// References: McCullagh and Nelder, Generalized Linear Models, 2nd ed. (1989), sections
// 2.2 to 2.5, and 8.3 for phi.
func FitGLM(rows RowBlocks, family GLMFamily, settings *GLMSettings) (*GLM, error) {
	s := args.OrDefaults(settings)
	link, err := family.linked(s.Link)
	if err != nil {
		return nil, err
	}
	s.Link = Link(link.Link)
	m := likelihoodModel{family: family, link: s.Link, settings: "GLMSettings", likelihoodSettings: likelihoodSettings{s.L2, s.Tol, s.MaxIterations}}
	if m.MaxIterations == 0 && !link.Canonical() {
		m.MaxIterations = 1000
	}
	if err := m.check(m.settings); err != nil {
		return nil, err
	}
	f, err := m.fit(rows)
	err = s.explained(err, rows, family)
	if best(err) {
		return f, err
	}
	return nil, err
}

// explained says of a link by which some linear predictors have no mean that the iteration
// ended, or did not begin, where the means end.
func (s GLMSettings) explained(err error, rows RowBlocks, family GLMFamily) error {
	if d, ok := rows.(*Design); ok && errors.Is(err, ErrNotFinite) && d.checkFinite() == nil {
		far := func(y float64) bool { return math.Abs(y) > farResponse || y != 0 && math.Abs(y) < 1/farResponse }
		if i := slices.IndexFunc(d.Y, far); i >= 0 {
			return fmt.Errorf("%w: response %q is %g in row %d, of which the %v link, or the variance, leaves the range of float64; rescale it",
				ErrNotFinite, d.Response, d.Y[i], d.RowNumber(i), s.Link)
		}
	}
	if !family.limited(s.Link) {
		return err
	}
	other := LogLink
	if family.kind() == glm.Binomial {
		other = LogitLink
	}
	e, stopped := err.(*ConvergenceError)
	d, held := rows.(*Design)
	switch {
	case stopped:
		e.Advice = fmt.Sprintf("the maximum may be at the boundary of the means that the %v link has; take the %v link, or allow more iterations", s.Link, other)
	case errors.Is(err, ErrNotFinite) && held && d.checkFinite() == nil:
		return fmt.Errorf("%w: no coefficients were found at which every row has a mean by the %v link; take the %v link", ErrBoundary, s.Link, other)
	}
	return err
}

// farResponse is a response whose cube is next to the end of float64.
const farResponse = 1e100

// leastMean is the mean of a row, relative to the terms that it is the sum of, below which it
// is zero but for rounding.
const leastMean = 0x1p-40

// checkBoundary refuses a fit of counts by the identity link of which the mean of a row
// vanishes. The gradient is not zero there, but the curvature is so large that the decrement
// looks as if it were, or does not, by the rounding of the mean.
func (f *GLM) checkBoundary(d *Design) error {
	if f.family() != (glm.Family{Kind: glm.Poisson, Link: glm.Identity}) {
		return nil
	}
	mu, err := f.LinearPredictor(d)
	if err != nil {
		return err
	}
	x, err := f.rows(d)
	if err != nil {
		return err
	}
	for i, m := range mu {
		size := math.Abs(f.l.B0) + math.Abs(d.offsetAt(i))
		for j, b := range f.l.B {
			size += math.Abs(b * x.At(i, j))
		}
		if d.Weight(i) > 0 && m <= leastMean*size {
			return &ConvergenceError{Method: "Newton's method", Iterations: f.s.Iterations, Measure: "mean of a row beside its terms", Value: m / size, Tol: leastMean}
		}
	}
	return nil
}

func (f *GLM) family() glm.Family { return f.c.Family.with(f.c.Link) }

// Family returns the family.
func (f *GLM) Family() GLMFamily { return f.c.Family }

// Link returns the link.
func (f *GLM) Link() Link { return f.c.Link }

// Classes returns the names of the two classes of a Binomial response, nil if it is a
// share.
func (f *GLM) Classes() []string { return slices.Clone(f.c.Classes) }

// LinearPredictor returns eta = o + b_0 + x'b for every row of d, o being Design.Offset.
// Columns are found by name and brought to the units of the fit. The error names a
// missing term; it says if rows to predict lack the offset that those fitted had.
func (f *GLM) LinearPredictor(d *Design) ([]float64, error) { return f.linear.Predict(d) }

// Predict returns the mean of the response for every row of d, of a share the
// probability of a success. Errors are those of LinearPredictor.
func (f *GLM) Predict(d *Design) ([]float64, error) { return meansOf(f, d) }

// meansOf returns the means of the rows of d.
func meansOf(f interface {
	LinearPredictor(d *Design) ([]float64, error)
	InverseLink(eta float64) (mean, slope float64)
}, d *Design) ([]float64, error) {
	mu, err := f.LinearPredictor(d)
	if err != nil {
		return nil, err
	}
	for i, eta := range mu {
		mu[i], _ = f.InverseLink(eta)
	}
	return mu, nil
}

// Fitted is Predict.
func (f *GLM) Fitted(d *Design) ([]float64, error) { return f.Predict(d) }

// InverseLink returns the mean at a linear predictor, and its derivative; NaN for a
// linear predictor out of the range of the link.
func (f *GLM) InverseLink(eta float64) (mean, slope float64) { return f.family().Mean(eta) }

// DoF returns the effective degrees of freedom, the number of coefficients if there is
// no penalty; see Logistic.DoF.
func (f *GLM) DoF() float64 { return f.s.dof(&f.linear) }

// DoFResidual returns NObs - DoF.
func (f *GLM) DoFResidual() float64 { return float64(f.s.N) - f.DoF() }

// Pearson returns Pearson's statistic, sum w (y - mu)^2/V(mu).
func (f *GLM) Pearson() float64 { return f.s.Pearson }

// Dispersion returns phi: 1 for Poisson and Binomial, and Pearson/DoFResidual for the
// others, NaN if no degree of freedom is left. R's summary(g)$dispersion.
func (f *GLM) Dispersion() float64 {
	if !f.c.Family.estimated() {
		return 1
	}
	if nu := f.DoFResidual(); nu > 0 {
		return f.s.Pearson / nu
	}
	return math.NaN()
}

// LogLik returns the log-likelihood at the estimate, without the penalty, as R's logLik
// does: Gamma and InverseGaussian have it at the dispersion Deviance/sum w. It is NaN
// for a quasi-family, which has none.
func (f *GLM) LogLik() float64 {
	return f.c.Family.logLik(f.c.Own, f.s.Loss, f.s.W, 2*f.s.Loss/f.s.W)
}

// LikelihoodModel says what the likelihood is of; see the type.
func (f *GLM) LikelihoodModel() *LikelihoodModel {
	l := &LikelihoodModel{Model: modelOf(f.c.Family, f.c.Link), Maximized: penalizedBy(f.s.L2)}
	if f.c.Family.quasi() {
		l.Maximized = "a quasi-likelihood (CompareDeviances tests it)"
	}
	return l
}

// Parameters returns the number of coefficients, and one more if Gamma or
// InverseGaussian has a dispersion, as in R.
func (f *GLM) Parameters() int {
	if f.c.Family == Gamma || f.c.Family == InverseGaussian {
		return f.columns() + 1
	}
	return f.columns()
}

// InferenceDoF is +Inf, of normal statistics, z, if the dispersion is 1, or standard
// errors are robust; otherwise DoFResidual, of Student's t.
func (f *GLM) InferenceDoF() float64 {
	if f.c.Family.estimated() && f.c.Sandwich == nil {
		return f.DoFResidual()
	}
	return math.Inf(1)
}

// StdErr returns the standard errors of the coefficients in the order of Names.
func (f *GLM) StdErr() []float64 {
	se := f.s.stdErr()
	if f.c.Sandwich == nil {
		floats.Scale(math.Sqrt(f.Dispersion()), se)
		return se
	}
	for j := range se {
		se[j] = math.Sqrt(f.c.Sandwich[j*len(se)+j])
	}
	return se
}

// VCov returns the covariance matrix of the coefficients in the order of Names,
//
//	phi (A'WA + 2 L2 I)^-1,   W = diag(w_i mu'(eta_i)^2/V(mu_i)),   A = [1 X],
//
// or, after Robust or Clustered, the sandwich.
func (f *GLM) VCov() *mat.SymDense {
	if f.c.Sandwich != nil {
		return mat.NewSymDense(f.columns(), slices.Clone(f.c.Sandwich))
	}
	v := f.s.vcov()
	v.ScaleSym(f.Dispersion(), v)
	return v
}

// Table returns the table of coefficients with z or t statistics and Wald limits at the
// given level; see CoefTable and InferenceDoF.
func (f *GLM) Table(level float64) (report.Rows[CoefRow], error) { return CoefTable(f, level) }

// ConfInt returns Wald limits of the coefficients; see the function ConfInt. Profile has
// those of the likelihood ratio.
func (f *GLM) ConfInt(level float64) (report.Rows[Interval], error) { return ConfInt(f, level) }

// ConfidenceBand returns limits for the mean of the response at every row a = (1, x) of
// d: those of LinkBand, back from the scale of the link; a limit out of its range is the
// end of the range of means. Fitted is the mean, and StdErr
// its standard error by the delta method, |mu'(eta)| s: R's predict(type = "response",
// se.fit = TRUE). Errors are those of LinkBand.
func (f *GLM) ConfidenceBand(d *Design, level float64) (*Band, error) {
	b, err := f.LinkBand(d, level)
	if err != nil {
		return nil, err
	}
	for i, eta := range b.Fitted {
		var slope float64
		b.Fitted[i], slope = f.InverseLink(eta)
		b.StdErr[i] *= math.Abs(slope)
		lower, upper := f.meanWithin(b.Lower[i]), f.meanWithin(b.Upper[i])
		b.Lower[i], b.Upper[i] = math.Min(lower, upper), math.Max(lower, upper)
	}
	return b, nil
}

// meanWithin returns the mean at a linear predictor, and at one out of the range of the
// link the end of the range of means: 0, 1 or infinity.
func (f *GLM) meanWithin(eta float64) float64 {
	switch f.c.Link {
	case ReciprocalLink, ReciprocalSquareLink:
		if eta <= 0 {
			return math.Inf(1)
		}
	case SqrtLink, IdentityLink:
		eta = math.Max(eta, 0)
	}
	mu, _ := f.InverseLink(eta)
	if f.c.Family.kind() == glm.Binomial {
		mu = math.Min(mu, 1)
	}
	return mu
}

// LinkBand returns limits for the linear predictor eta at every row a = (1, x) of d,
//
//	eta -+ q s,   s = sqrt(a' VCov a),
//
// where |z|, or |t| with InferenceDoF degrees of freedom, exceeds q with probability
// 1-level: R's predict(type = "link", se.fit = TRUE).
//
// Errors: those of Predict, ErrSetting for a level that is not between 0 and 1,
// ErrSaturated if the dispersion cannot be estimated, ErrNotEstimable for a fit with a
// penalty, whose bias is not known.
func (f *GLM) LinkBand(d *Design, level float64) (*Band, error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	if f.s.L2 > 0 {
		return nil, fmt.Errorf("%w: the fit has the penalty L2 = %v, and no confidence band, since its bias is not known", ErrNotEstimable, f.s.L2)
	}
	if err := args.ResidualDoF(f.InferenceDoF()); err != nil {
		return nil, err
	}
	eta, err := f.LinearPredictor(d)
	if err != nil {
		return nil, err
	}
	x, err := f.rows(d)
	if err != nil {
		return nil, err
	}
	root, scale := f.s.Root, f.Dispersion()
	if f.c.Sandwich != nil {
		half, err := symmetricRoot(f.VCov())
		if err != nil {
			return nil, err
		}
		root, scale = half.RawMatrix().Data, 1
	}
	stderr := newton.Quadratic(x.RawMatrix(), root, !f.l.NoIntercept)
	for i, v := range stderr {
		stderr[i] = math.Sqrt(scale * v)
	}
	return waldBand(Confidence, level, f.InferenceDoF(), eta, stderr), nil
}

// LR is the test by the deviance that all slopes are zero: Stat is NullDeviance less
// Deviance over Dispersion, chi-squared with one degree of freedom a slope. P is NaN for
// a penalized fit. For an estimated dispersion Anova has the F test.
func (f *GLM) LR() Chi2Test {
	return slopesTest((f.NullDeviance()-f.Deviance())/f.Dispersion(), len(f.l.B), f.s.L2)
}

// Ratios returns exp of the coefficients and of their limits, in the order of Names:
// with LogLink the factors by which the mean grows with a unit of a term, all else
// equal, and with LogitLink odds ratios. The level is between 0 and 1 (ErrSetting); other
// links have no ratios (ErrSetting).
func (f *GLM) Ratios(level float64) (report.Rows[OddsRatio], error) {
	if f.c.Link != LogLink && f.c.Link != LogitLink {
		return nil, fmt.Errorf("%w: the coefficients of a %v link are no logarithms of ratios", ErrSetting, f.c.Link)
	}
	return ratios(f, level, f.c.Link == LogLink)
}

// Raw returns the same fit with coefficients and covariance in the raw units of the
// data; see OLS.Raw. L2 stays in the units of the design fitted. Robust standard errors
// are those of the raw fit's Robust (ErrSetting).
func (f *GLM) Raw() (*GLM, error) {
	if f.c.Sandwich != nil {
		return nil, fmt.Errorf("%w: the standard errors are robust; take Raw first, then its Robust or Clustered", ErrSetting)
	}
	raw := *f
	if err := raw.s.raw(&raw.linear); err != nil {
		return nil, err
	}
	return &raw, nil
}

// GobEncode implements gob.GobEncoder.
func (f *GLM) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.c, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *GLM) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.c, &f.s) }

// Kind names the fit in the title of its tables.
func (f *GLM) Kind() string {
	return f.c.Family.title() + " regression, " + f.c.Link.String() + " link,"
}

// Describe returns the table of the fit; see Summary.
func (f *GLM) Describe() *report.Table { return summary(f) }

// String writes the table of the fit as text.
func (f *GLM) String() string { return f.Describe().String() }

func (f *GLM) dispersionEstimated() bool { return f.c.Family.estimated() }

func (f *GLM) errorsAre() string { return f.c.Errors }
