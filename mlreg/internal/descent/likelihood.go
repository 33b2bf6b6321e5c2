package descent

import (
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Likelihood is the Model of a Datafit on columns, centered if there are intercepts:
//
//	2 sum_i loss_i(eta_i),  eta_ik = offset_ik + b_0k + sum_j x_ij w_jk.
//
// Weight w_jk, of column j and linear predictor k, has the number k p + j.
type Likelihood struct {
	data    *Columns
	fit     Datafit
	offset  [][]float64 // nil for zeros
	at      *predictors
	rows    []*Rows // of every predictor, with its r for the residual
	null    float64
	length  float64 // of the residuals at zero
	scale   float64
	second  curvature
	g       []float64
	limit   []float64
	columns []int
}

// NewLikelihood returns the model of columns; offset are those of q linear
// predictors, nil for zeros.
func NewLikelihood(data *Columns, fit Datafit, offset [][]float64, intercept bool) *Likelihood {
	m := &Likelihood{
		data: data, fit: fit, offset: offset, at: newPredictors(fit, data.n, offset, intercept),
		g: make([]float64, data.p), limit: make([]float64, data.p),
	}
	m.at.center()
	_, m.scale = fit.Scale()
	first := newRows(data, m.at.r[0])
	for _, r := range m.at.r {
		own := *first
		own.r, own.null = r, m.scale*m.scale
		m.rows = append(m.rows, &own)
		m.length += gram.Dot(r, r)
	}
	m.length = math.Sqrt(m.length)
	m.null = m.at.deviance()
	if q := fit.Predictors(); q > 1 {
		m.second = &coupled{l: m, c: perRow(q*(q+1)/2, data.n)}
	} else {
		m.second = &single{l: m}
	}
	m.Renew(false)
	return m
}

// split returns the column and the linear predictor of a weight.
func (m *Likelihood) split(c int) (j, k int) { return c % m.data.p, c / m.data.p }

// Weights implements Model.
func (m *Likelihood) Weights() int { return m.data.p * len(m.rows) }

// Length implements Model.
func (m *Likelihood) Length(c int) float64 { return m.rows[0].length[c%m.data.p] }

// Null implements Model.
func (m *Likelihood) Null() (deviance, residual float64) { return m.null, m.length }

// Noise implements Model.
func (m *Likelihood) Noise(c int) float64 { return 2 * rounding * m.Length(c) * m.scale }

// Intercepts implements Model.
func (m *Likelihood) Intercepts() []float64 { return slices.Clone(m.at.b0) }

// Move implements Model.
func (m *Likelihood) Move(set []int, w []float64) float64 {
	for k, eta := range m.at.eta {
		for i := range eta {
			eta[i] = m.at.b0[k]
		}
		if m.offset != nil {
			gram.Axpy(1, m.offset[k], eta)
		}
	}
	for i, c := range set {
		j, k := m.split(c)
		gram.Axpy(w[i], m.data.Column(j), m.at.eta[k])
	}
	m.at.center()
	return m.at.deviance()
}

// Descent implements Model: 2 x_j'r_k.
func (m *Likelihood) Descent(set []int, limit, u []float64) {
	p := m.data.p
	for k, rows := range m.rows {
		m.columns = m.columns[:0]
		for _, c := range set {
			if c/p == k {
				m.columns = append(m.columns, c%p)
			}
		}
		for j := range p {
			m.limit[j] = limit[k*p+j] / 2
		}
		rows.gradients(m.columns, gram.Dot(rows.r, rows.r), m.limit, m.g)
		for j, g := range m.g {
			u[k*p+j] = 2 * g
		}
	}
}

// Exact implements Model.
func (m *Likelihood) Exact(set []int, u []float64) {
	m.rows[0].each(len(set), func(i int) {
		j, k := m.split(set[i])
		u[set[i]] = 2 * gram.Dot(m.data.Column(j), m.rows[k].r)
	})
}

// Shrink implements Model. Residuals bound the minimum if their sums are zero, as the
// intercepts make them; if not, all that is known is that no loss is negative.
func (m *Likelihood) Shrink(s, wu float64) float64 {
	if m.at.intercept && !m.at.centered(1e-11) {
		return m.at.deviance() + wu
	}
	return 2 * m.at.shrink(s, m.offset)
}

// Renew implements Model.
func (m *Likelihood) Renew(bound bool) bool {
	if bound && math.IsInf(m.fit.Bound(0), 1) {
		return false
	}
	m.second.renew(bound)
	return true
}

// Cross implements Model.
func (m *Likelihood) Cross(rows, cols []int, dst []float64, stride int) {
	m.second.cross(rows, cols, dst, stride)
}
