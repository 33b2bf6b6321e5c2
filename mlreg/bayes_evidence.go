package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/blocked"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// EvidenceSurface is the log evidence of the model of FitBayes with the prior
// w ~ N(0, tau^2 I), as a function of tau^2 and of the noise. One decomposition
// of the data serves every value, at a cost of min(n, p) operations each. It holds
// no data, does not change, and survives encoding/gob.
type EvidenceSurface struct {
	stored[EvidenceSurface, surfaceState]
}

type surfaceState struct {
	Response  string
	N         int
	Constants dist.Evidence
	S2        []float64 // squared singular values of Z, none zero
	T2        []float64 // squared projections of y on their left vectors
	Rest      float64   // squared length of the part of y orthogonal to those vectors
}

// NewEvidenceSurface decomposes the data: of Z = USV' (X centered, or [1 X] if
// the intercept is under the prior) the evidence needs the s_i^2 and the
// (u_i'y)^2. They come from Z'Z = V S^2 V' or, if rows are given and the columns
// outnumber them, from ZZ' = U S^2 U'. If the smallest eigenvalue
// of Z'Z is below 1e-11 times the largest, and rows are given, Z itself is
// decomposed, which squares nothing and takes a few times longer.
// Nil settings are the defaults. Errors: as FitBayes, and ErrConstant if every term
// is constant.
func NewEvidenceSurface(data Data, settings *BayesSettings) (*EvidenceSurface, error) {
	if settings == nil {
		settings = &BayesSettings{}
	}
	b, err := newBayesData(data, settings.PenalizeIntercept)
	if err != nil {
		return nil, err
	}
	if len(b.priorNames()) == 0 {
		return nil, errNoTerms
	}
	e := &EvidenceSurface{store[EvidenceSurface](surfaceState{Response: b.Response, N: b.n, Constants: b.constants()})}
	if b.g == nil {
		err = e.decomposeOuter(b)
	} else {
		err = e.decomposeGram(b)
	}
	if err != nil {
		return nil, err
	}
	if len(e.s.S2) == 0 {
		return nil, fmt.Errorf("%w: this is so for every term, and nothing is left to compare", ErrConstant)
	}
	return e, nil
}

// decomposeOuter takes ZZ' = U S^2 U'.
func (e *EvidenceSurface) decomposeOuter(b *bayesData) error {
	z, y := b.z(0)
	s2, p, err := algebra.EigenProjections(algebra.Outer(z), y)
	if err != nil {
		return err
	}
	e.take(s2, squared(p), gram.Squares(y), eigenRounding(s2))
	return nil
}

// eigenRounding is what the eigenvalues of a matrix of sums are uncertain by.
func eigenRounding(s2 []float64) float64 { return 1e-15 * float64(len(s2)) * slices.Max(s2) }

// decomposeGram takes Z'Z = V S^2 V', or Z = USV' if that lacks digits.
func (e *EvidenceSurface) decomposeGram(b *bayesData) error {
	s2, p, err := algebra.EigenProjections(b.g, b.c)
	if err != nil {
		return err
	}
	if b.rows != nil && s2[0] < 1e-11*s2[len(s2)-1] {
		return e.decomposeRows(b)
	}
	t2 := squared(p)
	for i := range t2 {
		t2[i] /= s2[i]
	}
	e.take(s2, t2, b.yy, eigenRounding(s2))
	return nil
}

// decomposeRows takes Z = Q R, R = U S V'.
func (e *EvidenceSurface) decomposeRows(b *bayesData) error {
	z, y := b.z(max(0, b.k()-b.n))
	r, qty := triangularize(z, y)
	u, s, _, err := blocked.SVD(r, mat.SVDThinU)
	if err != nil {
		return err
	}
	s2, p := squared(s), make([]float64, len(s))
	blas64.Gemv(blas.Trans, 1, u.RawMatrix(), gram.Vector(qty), 0, gram.Vector(p))
	e.take(s2, squared(p), gram.Squares(y), 1e-30*slices.Max(s2))
	return nil
}

// squared returns the squares in place of p.
func squared(p []float64) []float64 {
	for i, t := range p {
		p[i] = t * t
	}
	return p
}

// take keeps the directions whose squared singular value exceeds least.
func (e *EvidenceSurface) take(s2, t2 []float64, yy, least float64) {
	e.s.Rest = yy
	for i, v := range s2 {
		if v > least {
			e.s.S2, e.s.T2 = append(e.s.S2, v), append(e.s.T2, t2[i])
			e.s.Rest -= t2[i]
		}
	}
	if float64(len(e.s.S2)) >= e.s.Constants.N || e.s.Rest < 1e-14*yy {
		e.s.Rest = 0 // rounding
	}
}

// ridge is the fit with a given lambda.
type ridge struct {
	fit    float64 // |y - Zm|^2 + lambda |m|^2
	rss    float64 // |y - Zm|^2
	norm2  float64 // |m|^2
	gamma  float64 // sum s_i^2/(s_i^2 + lambda)
	free   float64 // n' - gamma
	logDet float64 // sum log(1 + s_i^2/lambda)
}

func (e *EvidenceSurface) at(lambda float64) ridge {
	r := ridge{fit: e.s.Rest, rss: e.s.Rest, free: e.s.Constants.N - float64(len(e.s.S2))}
	for i, s2 := range e.s.S2 {
		keep, shrink := s2/(s2+lambda), 1/(1+s2/lambda)
		r.fit += e.s.T2[i] * shrink
		r.rss += e.s.T2[i] * shrink * shrink
		r.norm2 += e.s.T2[i] * keep / (s2 + lambda)
		r.gamma += keep
		r.free += shrink
		r.logDet += math.Log1p(s2 / lambda)
	}
	return r
}

func checkTau2(tau2 float64) error {
	if !(tau2 > 0) || math.IsInf(tau2, 1) {
		return fmt.Errorf("%w: prior variance tau^2 = %v; it is positive and finite", ErrSetting, tau2)
	}
	return nil
}

// lambda returns sigma^2/tau^2, or 1/tau^2 if tau^2 is relative to sigma^2.
func lambda(tau2 float64, noise Noise) float64 {
	if known, ok := noise.(KnownVariance); ok {
		return float64(known) / tau2
	}
	return 1 / tau2
}

// Response returns the name of the response.
func (e *EvidenceSurface) Response() string { return e.s.Response }

// NObs returns the number of observations; rows of weight zero do not count.
func (e *EvidenceSurface) NObs() int { return e.s.N }

// LogEvidence returns the log marginal likelihood, Bayes.LogEvidence with the
// prior GaussianPrior{Tau2: tau2} and the noise: with lambda = sigma^2/tau^2,
//
//	-n'/2 log(2 pi sigma^2) - sum_i log(1 + s_i^2/lambda)/2
//	    - (|y|^2 - sum_i (u_i'y)^2 s_i^2/(s_i^2 + lambda))/(2 sigma^2) + c
//
// if sigma^2 is known. A tau^2 or a noise out of range is an error.
func (e *EvidenceSurface) LogEvidence(tau2 float64, noise Noise) (float64, error) {
	path, err := e.Path([]float64{tau2}, noise)
	if err != nil {
		return 0, err
	}
	return path.LogEvidence[0], nil
}

// EvidencePath is the evidence along a grid of tau^2.
type EvidencePath struct {
	Tau2        []float64 // prior variances, relative to sigma^2 if that is not known
	Lambda      []float64 // sigma^2/tau^2, the ridge penalty
	LogEvidence []float64
	// EffectiveParameters is gamma, sum s_i^2/(s_i^2 + lambda).
	EffectiveParameters []float64
	RSS                 []float64 // of the posterior mean
	// Best is the index of the largest evidence. AtEdge is true if that is the
	// first or the last: the maximum then lies outside the grid.
	Best   int
	AtEdge bool
}

// Path returns the evidence at every tau^2 of a grid. The error names a tau^2
// or a noise that is out of range.
func (e *EvidenceSurface) Path(tau2 []float64, noise Noise) (*EvidencePath, error) {
	if noise == nil {
		return nil, fmt.Errorf("%w: no noise; give KnownVariance(sigma2), or InverseGamma{} for Jeffreys' prior", ErrSetting)
	}
	if err := noise.checkNoise(); err != nil {
		return nil, err
	}
	if len(tau2) == 0 {
		return nil, fmt.Errorf("%w: no tau^2 is given", ErrSetting)
	}
	p := &EvidencePath{Tau2: slices.Clone(tau2)}
	for i, t := range tau2 {
		if err := checkTau2(t); err != nil {
			return nil, err
		}
		l := lambda(t, noise)
		r := e.at(l)
		log, _ := logEvidence(e.s.Constants, noise, r.fit, r.logDet)
		if math.IsNaN(log) || math.IsInf(log, 0) {
			return nil, fmt.Errorf("%w: the evidence at tau^2 = %v is %v", ErrNotFinite, t, log)
		}
		p.Lambda = append(p.Lambda, l)
		p.LogEvidence = append(p.LogEvidence, log)
		p.EffectiveParameters = append(p.EffectiveParameters, r.gamma)
		p.RSS = append(p.RSS, r.rss)
		if log > p.LogEvidence[p.Best] {
			p.Best = i
		}
	}
	p.AtEdge = p.Best == 0 || p.Best == len(tau2)-1
	return p, nil
}

// LogAverage returns the logarithm of the mean of the evidences along the path: the
// evidence of a model whose prior takes every tau^2 of the grid as equally probable,
//
//	log( sum_k p(y | tau_k^2) / K ).
//
// Families compared by it (CompareFamilies) have posterior probabilities; by their
// largest evidences they have not, since each then chose its prior after seeing y.
// With InverseGamma noise sigma^2 is integrated out as well. A nil or empty path
// returns NaN.
func (p *EvidencePath) LogAverage() float64 {
	if p == nil || len(p.LogEvidence) == 0 {
		return math.NaN()
	}
	return floats.LogSumExp(p.LogEvidence) - math.Log(float64(len(p.LogEvidence)))
}

// Gradient returns the derivatives of the log evidence with respect to
// log tau^2 and log sigma^2, for known variances,
//
//	(|m|^2/tau^2 - gamma)/2,   (RSS/sigma^2 - (n' - gamma))/2,
//
// with the posterior mean m and its residual sum of squares RSS (MacKay,
// Neural Computation 4 (1992), 415-447, section 4). They are NaN if tau2 or
// sigma2 is not positive.
func (e *EvidenceSurface) Gradient(tau2, sigma2 float64) (logTau2, logSigma2 float64) {
	if !(tau2 > 0 && sigma2 > 0) {
		return math.NaN(), math.NaN()
	}
	r := e.at(sigma2 / tau2)
	return (r.norm2/tau2 - r.gamma) / 2, (r.rss/sigma2 - r.free) / 2
}

// Describe returns the evidence along prior variances as a table.
func (p *EvidencePath) Describe() *report.Table {
	t := tables.Rows("Log evidence by prior variance",
		tables.Written("τ²", p.Tau2, func(v float64) string { return format.Number(v, format.Digits) }),
		tables.Written("λ", p.Lambda, func(v float64) string { return format.Number(v, format.Digits) }),
		report.DecimalColumn("log evidence", p.LogEvidence, 3),
		report.DecimalColumn("effective parameters", p.EffectiveParameters, 3),
		report.NumberColumn("RSS", p.RSS, format.Digits+1))
	if len(p.Tau2) > 0 {
		best := "largest at τ² = " + format.Number(p.Tau2[p.Best], format.Digits)
		if p.AtEdge {
			best += ", an edge of the grid"
		}
		t.Notes = []string{best}
	}
	return t
}

// String writes the evidence along prior variances as text.
func (p *EvidencePath) String() string { return p.Describe().String() }

// Describe returns the surface as a table that is written in a line: what it is of, and
// the directions of the data that it is made of.
func (e *EvidenceSurface) Describe() *report.Table {
	s2 := e.s.S2
	return tables.Line(fmt.Sprintf("%s as a function of τ² and σ²: n = %d, %s of the terms that vary",
		tables.Of("Log evidence", e.Response()), e.NObs(), format.Plural(len(s2), "direction")),
		report.NumberColumn("singular value", format.Each(s2, math.Sqrt), 0),
		report.NumberColumn("projection of the response", format.Each(e.s.T2, math.Sqrt), 0))
}

// String writes in a line what the surface is of.
func (e *EvidenceSurface) String() string { return e.Describe().String() }
