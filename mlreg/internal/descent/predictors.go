package descent

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// predictors are the linear predictors of rows, with what their loss is there.
type predictors struct {
	fit       Datafit
	intercept bool
	eta, r    [][]float64
	b0        []float64
	sums      Totals
	total     float64 // what sums of residuals are differences of
}

func newPredictors(fit Datafit, n int, offset [][]float64, intercept bool) *predictors {
	q := fit.Predictors()
	p := &predictors{
		fit: fit, intercept: intercept, eta: perRow(q, n), r: perRow(q, n),
		b0: make([]float64, q), sums: *newTotals(q),
	}
	for k, o := range offset {
		copy(p.eta[k], o)
	}
	p.total, _ = fit.Scale()
	return p
}

// deviance returns twice the loss.
func (p *predictors) deviance() float64 { return 2 * p.sums.Loss }

// center finds the intercepts for which residuals sum to zero, by Newton's method,
// and with them residuals and the deviance at eta.
func (p *predictors) center() {
	p.measure()
	for range 100 {
		if !p.intercept || p.centered(1e-14) {
			return
		}
		if len(p.b0) == 1 {
			p.search(0, 100)
			return
		}
		_, before := p.worst()
		p.shift(p.newton())
		if k, after := p.worst(); after > before/2 {
			p.search(k, 20) // rows without curvature mislead Newton's step
		}
	}
}

// search finds the intercept of one predictor for which its residuals sum to zero,
// or comes nearer.
func (p *predictors) search(k, steps int) {
	from, far, grow := 0.0, 1.0, 2.0
	for range steps {
		sum, h := p.sums.R[k], p.sums.C[pair(len(p.b0), k, k)]
		if math.Abs(sum) <= 1e-14*p.total {
			return
		}
		const most = 4 // that a step is long
		step := sum / h
		if !(h > 0) { // no row is curved: look for one that is, far away, then in between
			if sum*from < 0 {
				grow = 0.5
			}
			far *= grow
			step = math.Copysign(far, sum)
		} else {
			step = max(-most, min(step, most))
		}
		from = sum
		p.move(k, step)
		p.measure()
	}
}

// worst returns the predictor whose residuals have the largest sum, and its size.
func (p *predictors) worst() (k int, size float64) {
	for l, sum := range p.sums.R {
		if v := math.Abs(sum); v > size {
			k, size = l, v
		}
	}
	return k, size
}

// measure computes residuals, the loss and the sums of its second derivatives at eta.
func (p *predictors) measure() { p.fit.At(p.eta, p.r, &p.sums) }

// centered tells whether sums of residuals are zero, beside what they are sums of.
func (p *predictors) centered(tol float64) bool {
	_, size := p.worst()
	return size <= tol*p.total
}

// move adds to an intercept.
func (p *predictors) move(k int, step float64) {
	p.b0[k] += step
	for i := range p.eta[k] {
		p.eta[k][i] += step
	}
}

// newton returns Newton's step of several intercepts.
func (p *predictors) newton() []float64 {
	q := len(p.b0)
	f, step := p.ones(), make([]float64, 0, q)
	for _, k := range f.id {
		step = append(step, p.sums.R[k])
	}
	f.solve(step)
	all := make([]float64, q)
	for i, k := range f.id {
		all[k] = step[i]
	}
	return all
}

// ones returns the factor of the second derivatives by the intercepts, without those
// that depend on others.
func (p *predictors) ones() *factor {
	q := len(p.b0)
	f := new(factor)
	for l := range q {
		g := make([]float64, 0, q)
		for _, k := range f.id {
			g = append(g, p.sums.C[pair(q, k, l)])
		}
		f.append(l, g, p.sums.C[pair(q, l, l)])
	}
	return f
}

// shift adds a step to the intercepts, less of it if the loss would rise by more
// than rounding.
func (p *predictors) shift(step []float64) {
	const most = 4 // that a step is long
	t, done, before := 1.0, 0.0, p.sums.Loss
	for _, d := range step {
		t = math.Min(t, most/math.Abs(d))
	}
	for ; t > 1e-9; t /= 2 {
		for k, d := range step {
			p.move(k, (t-done)*d)
		}
		done = t
		p.measure()
		if p.sums.Loss <= before+1e-14*p.total {
			return
		}
	}
}

// shrink returns sum_i (F_i(-s r_i) - F_i(-r_i)) - (1-s) r'offset, F_i being the
// conjugates of the losses, for which F_i(-r_i) = -r_i'eta_i - loss_i.
func (p *predictors) shrink(s float64, offset [][]float64) float64 {
	if s == 1 {
		return 0
	}
	sum := p.sums.Loss
	theta := make([]float64, len(p.r))
	for i := range p.r[0] {
		if p.fit.Weight(i) == 0 {
			continue
		}
		for k, r := range p.r {
			theta[k] = s * r[i]
		}
		sum += p.fit.Conjugate(i, theta)
	}
	for k, r := range p.r {
		sum += gram.Dot(r, p.eta[k])
		if offset != nil {
			sum -= (1 - s) * gram.Dot(r, offset[k])
		}
	}
	return sum
}
