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
	c       [][]float64 // second derivatives of the last Renew
	ones    *factor     // of their sums
	one     map[int][]float64
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
	first := NewRows(data)
	for _, r := range m.at.r {
		own := *first
		own.r, own.null = r, m.scale*m.scale
		m.rows = append(m.rows, &own)
		m.length += gram.Dot(r, r)
	}
	m.length = math.Sqrt(m.length)
	m.null = m.at.deviance()
	q := fit.Predictors()
	m.c = perRow(q*(q+1)/2, data.n)
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
	q := len(m.rows)
	if bound && math.IsInf(m.fit.Bound(0), 1) {
		return false
	}
	m.fit.Curvatures(0, m.at.r, m.c)
	var largest float64
	for k := range q {
		for _, c := range m.c[pair(q, k, k)] {
			largest = math.Max(largest, c)
		}
	}
	for i := range m.data.n {
		if m.fit.Weight(i) == 0 {
			continue
		}
		var own float64
		for k := range q {
			own = math.Max(own, m.c[pair(q, k, k)][i])
		}
		switch least := 1e-6 * largest; {
		case bound:
			m.uncouple(i, m.fit.Bound(i))
		case own < least:
			m.uncouple(i, least) // so that no row is beyond recall
		}
	}
	m.one = make(map[int][]float64)
	if m.at.intercept {
		kept := m.at.sums.C
		m.at.sums.C = make([]float64, len(kept))
		for t, c := range m.c {
			for _, v := range c {
				m.at.sums.C[t] += v
			}
		}
		m.ones = m.at.ones()
		m.at.sums.C = kept
	}
	return true
}

// uncouple sets the second derivatives of a row to those of separate predictors.
func (m *Likelihood) uncouple(i int, curvature float64) {
	q := len(m.rows)
	for k := range q {
		for l := k; l < q; l++ {
			m.c[pair(q, k, l)][i] = 0
		}
		m.c[pair(q, k, k)][i] = curvature
	}
}

// between are the second derivatives by two linear predictors.
func (m *Likelihood) between(k, l int) []float64 { return m.c[pair(len(m.rows), min(k, l), max(k, l))] }

// Cross implements Model. Intercepts follow the weights: of the second derivatives H
// by both, this is H_ww - H_w0 H_00^-1 H_0w.
func (m *Likelihood) Cross(rows, cols []int, dst []float64, stride int) {
	at := func(set []int, k int) (where []int, columns [][]float64) {
		for i, c := range set {
			if j, of := m.split(c); of == k {
				where, columns = append(where, i), append(columns, m.data.Column(j))
			}
		}
		return where, columns
	}
	for l := range m.rows {
		right, b := at(cols, l)
		weighted := perRow(len(b), m.data.n)
		for k := range m.rows {
			left, a := at(rows, k)
			if len(a) == 0 || len(b) == 0 {
				continue
			}
			c := m.between(k, l)
			m.rows[0].each(len(b), func(t int) {
				for i, v := range b[t] {
					weighted[t][i] = 2 * c[i] * v
				}
			})
			block := make([]float64, len(a)*len(b))
			cross(m.rows[0], a, weighted, block, len(b))
			for r, i := range left {
				for t, v := range block[r*len(b) : (r+1)*len(b)] {
					dst[i*stride+right[t]] = v
				}
			}
		}
	}
	if !m.at.intercept {
		return
	}
	m.project(rows)
	m.project(cols)
	for r, c := range rows {
		mine, to := m.one[c], dst[r*stride:]
		for t, d := range cols {
			to[t] -= 2 * gram.Dot(mine, m.one[d])
		}
	}
}

// project finds L^-1 H_0w for weights, H_00 = L L'.
func (m *Likelihood) project(set []int) {
	var missing []int
	for _, c := range set {
		if _, ok := m.one[c]; !ok {
			missing = append(missing, c)
			m.one[c] = nil
		}
	}
	found := perRow(len(missing), len(m.ones.id))
	m.rows[0].each(len(missing), func(i int) {
		j, k := m.split(missing[i])
		for t, l := range m.ones.id {
			found[i][t] = gram.Dot(m.data.Column(j), m.between(k, l))
		}
		m.ones.forward(found[i])
	})
	for i, c := range missing {
		m.one[c] = found[i]
	}
}
