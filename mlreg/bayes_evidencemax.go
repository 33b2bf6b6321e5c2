package mlreg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// EvidenceMethod is a way to maximize the evidence.
type EvidenceMethod int

const (
	// ProfileGradient evaluates the evidence on a grid over the whole range of
	// lambda = sigma^2/tau^2, with the best sigma^2 for every lambda. Beside the
	// largest value it finds a zero of the derivative by bisection. It finds the
	// global maximum. Default.
	ProfileGradient EvidenceMethod = iota
	// FixedPoint repeats MacKay's updates tau^2 = |m|^2/gamma, sigma^2 =
	// RSS/(n' - gamma). It climbs to a local maximum.
	FixedPoint
)

// MaximizeSettings are the options of EvidenceSurface.Maximize.
type MaximizeSettings struct {
	// Sigma2 is the noise variance if it is known; the default 0 maximizes
	// over it too.
	Sigma2 float64
	// Method is ProfileGradient or FixedPoint.
	Method EvidenceMethod
	// MaxIterations bounds the updates of FixedPoint; default 10000.
	MaxIterations int
}

// MaxEvidence is where the evidence is largest (type II maximum likelihood,
// empirical Bayes). FitBayes with GaussianPrior{Tau2: Tau2} and
// KnownVariance(Sigma2) has this evidence.
type MaxEvidence struct {
	Tau2, Sigma2 float64
	Lambda       float64 // Sigma2/Tau2
	LogEvidence  float64
	// EffectiveParameters is MacKay's gamma.
	EffectiveParameters float64
	// Gradient certifies the maximum: the derivatives with respect to log tau^2
	// and, unless sigma^2 was known, log sigma^2.
	Gradient   []float64
	Iterations int
}

// BoundaryError says that the evidence rises all the way to a limit of a
// parameter and has no maximum inside. It matches ErrBoundary.
type BoundaryError struct {
	Parameter   string  // "tau^2" or "sigma^2"
	Limit       float64 // the limit of the parameter, 0
	LogEvidence float64 // the limit of the evidence, +Inf if it has none
	Reason      string
}

// Error names the parameter and the limit.
func (e *BoundaryError) Error() string {
	return format.Line(fmt.Sprintf("%v: the evidence rises to %.6g as %s tends to %v: %s", ErrBoundary, e.LogEvidence, e.Parameter, e.Limit, e.Reason))
}

// Unwrap makes errors.Is(err, ErrBoundary) true.
func (e *BoundaryError) Unwrap() error { return ErrBoundary }

// Maximize returns the tau^2 and sigma^2 that maximize the evidence, with a flat
// intercept or without. Nil settings are the defaults.
//
// If the evidence rises to a limit, Maximize returns that limit and a
// *BoundaryError: tau^2 = 0 if the data support no slope, or sigma^2 = 0 if the
// terms fit the response exactly. FixedPoint may also fail with a
// *ConvergenceError, and then returns its last values. A constant response is an
// error (ErrConstant).
//
// MacKay, Neural Computation 4 (1992), 415-447, section 4; Bishop, Pattern
// Recognition and Machine Learning, eqs. 3.91 to 3.95.
func (e *EvidenceSurface) Maximize(settings *MaximizeSettings) (*MaxEvidence, error) {
	if settings == nil {
		settings = &MaximizeSettings{}
	}
	if settings.Sigma2 != 0 {
		if err := KnownVariance(settings.Sigma2).checkNoise(); err != nil {
			return nil, err
		}
	}
	if settings.MaxIterations < 0 {
		return nil, fmt.Errorf("%w: MaxIterations = %d; it is not negative", ErrSetting, settings.MaxIterations)
	}
	if e.at(math.Inf(1)).fit <= 0 {
		return nil, fmt.Errorf("%w: response %q; its evidence has no maximum", ErrConstant, e.s.Response)
	}
	switch settings.Method {
	case ProfileGradient:
		return e.profile(settings.Sigma2)
	case FixedPoint:
		return e.fixedPoint(settings.Sigma2, cmp.Or(settings.MaxIterations, 10000))
	}
	return nil, fmt.Errorf("%w: MaximizeSettings.Method = %d; it is ProfileGradient or FixedPoint", ErrSetting, settings.Method)
}

// bestSigma2 returns the known noise variance, or the best for a fit.
func (e *EvidenceSurface) bestSigma2(known float64, r ridge) float64 {
	if known > 0 {
		return known
	}
	return r.fit / e.s.Constants.N
}

// profileAt returns the largest evidence for a lambda, and its derivative with
// respect to log lambda, (gamma - lambda |m|^2/sigma^2)/2.
func (e *EvidenceSurface) profileAt(lambda, known float64) (log, slope float64) {
	r := e.at(lambda)
	sigma2 := e.bestSigma2(known, r)
	log = e.s.Constants.KnownNoise(sigma2, r.fit, r.logDet)
	return log, (r.gamma - lambda*r.norm2/sigma2) / 2
}

func (e *EvidenceSurface) profile(known float64) (*MaxEvidence, error) {
	const step, margin = 0.25, 60 // of log lambda
	low := math.Log(slices.Min(e.s.S2)) - margin
	high := math.Log(slices.Max(e.s.S2)) + margin
	best, at, slope := math.Inf(-1), low, 0.0
	points := int((high-low)/step) + 1
	for i := range points {
		l := low + float64(i)*step
		log, s := e.profileAt(math.Exp(l), known)
		if log > best {
			best, at, slope = log, l, s
		}
	}
	if err := e.boundary(math.Exp(at), known); err != nil {
		return e.limit(err, known), err
	}
	if err := e.noSlopes(known); best <= err.LogEvidence {
		return e.limit(err, known), err
	}
	// The largest value of the grid has a zero of the derivative beside it.
	a, b := at-step, at
	if slope > 0 {
		a, b = at, at+step
	}
	iterations := points
	for m := (a + b) / 2; a < m && m < b; m = (a + b) / 2 {
		if _, s := e.profileAt(math.Exp(m), known); s > 0 {
			a = m
		} else {
			b = m
		}
		iterations++
	}
	lambda := math.Exp((a + b) / 2)
	sigma2 := e.bestSigma2(known, e.at(lambda))
	return e.maximum(sigma2/lambda, sigma2, known, iterations), nil
}

// boundary tells whether lambda is at a limit.
func (e *EvidenceSurface) boundary(lambda, known float64) *BoundaryError {
	if lambda > 1e10*slices.Max(e.s.S2) {
		return e.noSlopes(known)
	}
	if e.s.Rest > 0 || known > 0 || lambda > 1e-10*slices.Min(e.s.S2) {
		return nil
	}
	limit := math.Inf(1)
	if float64(len(e.s.S2)) >= e.s.Constants.N {
		limit, _ = e.profileAt(lambda, known)
	}
	return &BoundaryError{"sigma^2", 0, limit, "the terms fit the response exactly; give a known noise variance"}
}

// noSlopes is the limit tau^2 = 0.
func (e *EvidenceSurface) noSlopes(known float64) *BoundaryError {
	limit, _ := e.profileAt(math.Inf(1), known)
	return &BoundaryError{"tau^2", 0, limit, "the data speak for slopes of zero; leave the terms out"}
}

// limit returns the values that a boundary stands for.
func (e *EvidenceSurface) limit(err *BoundaryError, known float64) *MaxEvidence {
	m := &MaxEvidence{LogEvidence: err.LogEvidence}
	if err.Parameter == "tau^2" {
		m.Lambda = math.Inf(1)
		m.Sigma2 = e.bestSigma2(known, e.at(math.Inf(1)))
		return m
	}
	m.EffectiveParameters = float64(len(e.s.S2))
	m.Tau2 = e.at(0).norm2 / m.EffectiveParameters
	return m
}

func (e *EvidenceSurface) maximum(tau2, sigma2, known float64, iterations int) *MaxEvidence {
	r := e.at(sigma2 / tau2)
	m := &MaxEvidence{
		Tau2: tau2, Sigma2: sigma2, Lambda: sigma2 / tau2,
		EffectiveParameters: r.gamma, Iterations: iterations,
	}
	m.LogEvidence = e.s.Constants.KnownNoise(sigma2, r.fit, r.logDet)
	logTau2, logSigma2 := e.Gradient(tau2, sigma2)
	if m.Gradient = []float64{logTau2, logSigma2}; known > 0 {
		m.Gradient = m.Gradient[:1]
	}
	return m
}

func (e *EvidenceSurface) fixedPoint(known float64, most int) (*MaxEvidence, error) {
	const tol = 1e-13 // of log lambda
	var sum float64
	for _, s2 := range e.s.S2 {
		sum += s2
	}
	l := sum / float64(len(e.s.S2))
	change := math.Inf(1)
	var tau2, sigma2 float64
	for i := range most {
		r := e.at(l)
		tau2 = r.norm2 / r.gamma
		if sigma2 = known; known == 0 {
			sigma2 = r.rss / r.free
		}
		if err := e.boundary(l, known); err != nil {
			return e.limit(err, known), err
		}
		next := sigma2 / tau2
		change = math.Abs(math.Log(next / l))
		if l = next; change <= tol {
			return e.maximum(tau2, sigma2, known, i+1), nil
		}
	}
	return e.maximum(tau2, sigma2, known, most), &ConvergenceError{
		Method: "MacKay's fixed point", Iterations: most, Measure: "change of log lambda", Value: change, Tol: tol,
	}
}

// Describe returns the maximum as a table. The gradient is stated as a bound: its
// digits are rounding.
func (m *MaxEvidence) Describe() *report.Table {
	short := func(v float64) string { return format.Number(v, format.Digits) }
	t := tables.List("Maximum of the evidence",
		[]string{"τ²", "σ²", "λ = σ²/τ²", "log evidence", "effective parameters"},
		[]float64{m.Tau2, m.Sigma2, m.Lambda, m.LogEvidence, m.EffectiveParameters},
		short(m.Tau2), short(m.Sigma2), short(m.Lambda), format.Decimal(m.LogEvidence, 3), format.Decimal(m.EffectiveParameters, 3))
	if len(m.Gradient) > 0 {
		g := 1e-8
		for _, v := range m.Gradient {
			g = math.Max(g, math.Abs(v))
		}
		t.Notes = []string{"gradient at most " + format.PowerAbove(g)}
	}
	return t
}

// String writes the maximum as text.
func (m *MaxEvidence) String() string { return m.Describe().String() }
