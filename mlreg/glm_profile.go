package mlreg

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/newton"
	"github.com/regbook/regbook/mlreg/report"
)

// Profile returns limits of every coefficient by the profile likelihood, R's confint(g): the
// values of coefficient j at which the deviance, minimized over all other coefficients, is
// q^2 phi above that of the fit,
//
//	(D_j(v) - D)/phi = q^2,
//
// where |z|, or |t| with the residual degrees of freedom if phi is estimated, exceeds q with
// probability 1-level. They need not be symmetric, and do not change with the
// parametrization. A limit is infinite if the deviance never rises so far. d has the rows
// that were fitted. R's limits have |z| for an estimated phi, too, and are narrower.
//
// Each limit is found by Newton's steps on the root of the deviance, kept in a bracket, to
// 1e-10 of a standard error, each step a fit of the other coefficients from those of the
// last. Errors are those of Anova, ErrSetting for the level, and *ConvergenceError for a
// limit that is not found.
//
// Venables and Ripley, Modern Applied Statistics with S, 4th ed. (2002), section 8.4.
func (f *GLM) Profile(d *Design, level float64) (report.Rows[Interval], error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	if _, err := f.termsOf(d); err != nil {
		return nil, err
	}
	y := d.Y
	if f.c.Classes != nil {
		var err error
		if _, y, err = d.binaryLabels(); err != nil {
			return nil, err
		}
	}
	m := likelihoodModel{family: f.c.Family, link: f.c.Link}
	return m.profile(&f.linear, &f.s, d, y, level, f.deviationDoF(), f.Dispersion())
}

// Profile returns limits of every coefficient by the profile likelihood; see GLM.Profile.
// The error is ErrNotEstimable for a fit with a penalty.
func (f *Logistic) Profile(d *Design, level float64) (report.Rows[Interval], error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	if f.s.L2 > 0 {
		return nil, fmt.Errorf("%w: the fit has the penalty L2 = %v, and its deviance is not the smallest", ErrNotEstimable, f.s.L2)
	}
	rows, err := f.LogLikRows(d)
	if err != nil {
		return nil, err
	}
	var loss float64
	for _, v := range rows {
		loss -= v
	}
	if n := d.PositiveRows(); n != f.s.N || math.Abs(loss-f.s.Loss) > 1e-6*(f.s.Loss+1e-3) {
		return nil, fmt.Errorf("%w: the deviance of these %d rows is %g, and that of the %d fitted %g; give the rows that were fitted", ErrShape, n, 2*loss, f.s.N, f.Deviance())
	}
	_, y, err := d.binaryLabels()
	if err != nil {
		return nil, err
	}
	m := likelihoodModel{family: Binomial, link: LogitLink, labels: true}
	return m.profile(&f.linear, &f.s, d, y, level, math.Inf(1), 1)
}

// profile returns the limits of the coefficients of f, whose rows have the responses y, by the
// quantile of Student's t with dof degrees of freedom and the dispersion phi.
func (m *likelihoodModel) profile(f *linear, s *likelihoodState, d *Design, y []float64, level, dof, phi float64) (report.Rows[Interval], error) {
	z, err := f.columnsOf(d)
	if err != nil {
		return nil, err
	}
	p := &profile{
		q:    &newton.Problem{X: z.X.RawMatrix(), Weights: z.Weights, Fit: m.loss(y, z.Weights), Offset: z.Offset, Intercept: !f.l.NoIntercept},
		beta: f.Coef(), names: f.Names(), cov: s.vcov(), loss: s.Loss, level: level, linear: !m.family.with(m.link).Canonical(),
	}
	p.target = gram.Square(dist.TQuantile(1-level, dof)) * phi / 2
	return p.limits()
}

// profile goes along the coefficients of a fit.
type profile struct {
	q      *newton.Problem
	names  []string
	beta   []float64
	cov    *mat.SymDense // for a dispersion of 1
	loss   float64       // at the fit
	level  float64
	target float64 // what it may rise by
	linear bool    // see newton.Settings
}

// limits returns those of all coefficients.
func (p *profile) limits() (report.Rows[Interval], error) {
	out := make(report.Rows[Interval], len(p.beta))
	for j, name := range p.names {
		lower, err := p.limit(j, -1)
		if err != nil {
			return nil, err
		}
		upper, err := p.limit(j, 1)
		if err != nil {
			return nil, err
		}
		out[j] = Interval{name, lower, upper, p.level}
	}
	return out, nil
}

// limit returns the limit of coefficient j on one side.
func (p *profile) limit(j int, side float64) (float64, error) {
	q := p.without(j)
	unit := math.Sqrt(p.cov.At(j, j)) * math.Sqrt(2*p.target)
	others := append(append([]float64{}, p.beta[:j]...), p.beta[j+1:]...)
	near, far := 0.0, math.Inf(1) // distances, in units
	last, nearRise := 0.0, 0.0
	at := 1.0
	const most, steps = 1e6, 100
	for range steps {
		v := p.beta[j] + side*at*unit
		// The others move along: an intercept far outside of the data takes the means to 0
		// or infinity unless the slopes do.
		rise, slope, beta, err := p.rise(q, j, v, p.along(j, others, side*(at-near)*unit))
		if beta == nil {
			rise, slope, beta, err = p.rise(q, j, v, others)
		}
		switch {
		case errors.Is(err, newton.ErrNotFinite) || beta == nil:
			far = at // out of the range of the link
		case err != nil:
			return 0, err
		default:
			if math.Abs(rise-p.target) <= 1e-10*p.target {
				return v, nil
			}
			if math.Abs(at-last) < 1e-12*at {
				return p.reached(j, v, rise)
			}
			if rise < p.target {
				near, nearRise, others = at, rise, beta
			} else {
				far = at
			}
		}
		last = at
		// The root of the rise is next to linear.
		next := math.NaN()
		if beta != nil {
			root := math.Sqrt(math.Max(rise, 0))
			next = at + (math.Sqrt(p.target)-root)*2*root/(side*slope*unit)
		}
		if !(next > near && next < far) {
			if next = (near + far) / 2; math.IsInf(far, 1) {
				next = 2 * at
			}
		}
		if at = math.Min(next, 4*last); at > most {
			return math.Inf(int(side)), nil
		}
		if far-near < 1e-13*far {
			return p.reached(j, p.beta[j]+side*near*unit, nearRise)
		}
	}
	return 0, &ConvergenceError{Method: fmt.Sprintf("the profile of %q", p.names[j]), Iterations: steps, Measure: "width of the bracket in standard errors", Value: far - near, Tol: 1e-10}
}

// reached returns the limit v of coefficient j, where no step is left, if the deviance has
// risen there as far as rounding tells.
func (p *profile) reached(j int, v, rise float64) (float64, error) {
	if math.Abs(rise-p.target) <= 1e-6*p.target {
		return v, nil
	}
	return 0, &ConvergenceError{Method: fmt.Sprintf("the profile of %q", p.names[j]), Measure: "rise of the deviance", Value: 2 * rise, Tol: 2 * p.target,
		Advice: "beyond it some rows have no mean by the link, or the other coefficients no best values; take ConfInt, or another link"}
}

// along returns where the other coefficients are expected after a step of coefficient j, to
// first order.
func (p *profile) along(j int, others []float64, step float64) []float64 {
	out := make([]float64, len(others))
	for k := range out {
		i := k
		if k >= j {
			i++
		}
		out[k] = others[k] + step*p.cov.At(i, j)/p.cov.At(j, j)
	}
	return out
}

// without returns the problem without coefficient j, whose part will be an offset.
func (p *profile) without(j int) *newton.Problem {
	q := *p.q
	first := q.First()
	if j < first {
		q.Intercept = false
		return &q
	}
	from := p.q.X
	q.X = blas64.General{Rows: from.Rows, Cols: from.Cols - 1, Stride: max(from.Cols-1, 1), Data: make([]float64, from.Rows*max(from.Cols-1, 1))}
	for i := range from.Rows {
		row, to := from.Data[i*from.Stride:i*from.Stride+from.Cols], q.X.Data[i*q.X.Stride:]
		copy(to, row[:j-first])
		copy(to[j-first:q.X.Cols], row[j-first+1:])
	}
	return &q
}

// rise returns by how much the loss rises if coefficient j is v and the others are at
// their best, its derivative by v, and the others; nil if there is none.
func (p *profile) rise(q *newton.Problem, j int, v float64, others []float64) (rise, slope float64, beta []float64, err error) {
	first := p.q.First()
	column := func(i int) float64 {
		if j < first {
			return 1
		}
		return p.q.X.Data[i*p.q.X.Stride+j-first]
	}
	at := *q
	at.Offset = make([]float64, p.q.X.Rows)
	copy(at.Offset, p.q.Offset)
	for i := range at.Offset {
		at.Offset[i] += v * column(i)
	}
	var pt *newton.Point
	if at.Parameters() == 0 {
		pt = at.At(nil)
	} else {
		s, err := at.Solve(others, nil, newton.Settings{Tol: 1e-10, Most: 1000, Linear: p.linear})
		if err != nil {
			return 0, 0, nil, err
		}
		if pt = s.Point; !s.Converged {
			return 0, 0, nil, fmt.Errorf("the profile of %q: %w", p.names[j], notConverged(false, s.Iterations, s.Decrement, 1e-10))
		}
	}
	if pt.F-pt.F != 0 {
		return 0, 0, nil, newton.ErrNotFinite
	}
	// The derivative by v is that of the whole problem.
	full := append(append([]float64{}, pt.Beta[:min(j, len(pt.Beta))]...), v)
	full = append(full, pt.Beta[min(j, len(pt.Beta)):]...)
	slope = -p.q.At(full).Score[j]
	if beta = pt.Beta; beta == nil { // the coefficient is the only one
		beta = []float64{}
	}
	return pt.F - p.loss, slope, beta, nil
}
