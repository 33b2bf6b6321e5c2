package descent

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// coupled are the second derivatives of a Likelihood of several linear predictors.
type coupled struct {
	l    *Likelihood
	c    [][]float64 // of the rows
	ones *factor     // of their sums
	one  map[int][]float64
}

// renew implements curvature.
func (m *coupled) renew(bound bool) {
	q := len(m.l.rows)
	m.l.fit.Curvatures(0, m.l.at.r, m.c)
	var largest float64
	for k := range q {
		for _, c := range m.c[pair(q, k, k)] {
			largest = math.Max(largest, c)
		}
	}
	for i := range m.l.data.n {
		if m.l.fit.Weight(i) == 0 {
			continue
		}
		var own float64
		for k := range q {
			own = math.Max(own, m.c[pair(q, k, k)][i])
		}
		switch least := 1e-6 * largest; {
		case bound:
			m.uncouple(i, m.l.fit.Bound(i))
		case own < least:
			m.uncouple(i, least) // so that no row is beyond recall
		}
	}
	m.one = make(map[int][]float64)
	if m.l.at.intercept {
		kept := m.l.at.sums.C
		m.l.at.sums.C = make([]float64, len(kept))
		for t, c := range m.c {
			for _, v := range c {
				m.l.at.sums.C[t] += v
			}
		}
		m.ones = m.l.at.ones()
		m.l.at.sums.C = kept
	}
}

// uncouple sets the second derivatives of a row to those of separate predictors.
func (m *coupled) uncouple(i int, curvature float64) {
	q := len(m.l.rows)
	for k := range q {
		for l := k; l < q; l++ {
			m.c[pair(q, k, l)][i] = 0
		}
		m.c[pair(q, k, k)][i] = curvature
	}
}

// between are the second derivatives by two linear predictors.
func (m *coupled) between(k, l int) []float64 { return m.c[pair(len(m.l.rows), min(k, l), max(k, l))] }

// cross implements curvature. Intercepts follow the weights: of the second derivatives H
// by both, this is H_ww - H_w0 H_00^-1 H_0w.
func (m *coupled) cross(rows, cols []int, dst []float64, stride int) {
	at := func(set []int, k int) (where []int, columns [][]float64) {
		for i, c := range set {
			if j, of := m.l.split(c); of == k {
				where, columns = append(where, i), append(columns, m.l.data.Column(j))
			}
		}
		return where, columns
	}
	for l := range m.l.rows {
		right, b := at(cols, l)
		weighted := perRow(len(b), m.l.data.n)
		for k := range m.l.rows {
			left, a := at(rows, k)
			if len(a) == 0 || len(b) == 0 {
				continue
			}
			c := m.between(k, l)
			m.l.rows[0].each(len(b), func(t int) {
				for i, v := range b[t] {
					weighted[t][i] = 2 * c[i] * v
				}
			})
			block := make([]float64, len(a)*len(b))
			cross(m.l.rows[0], a, weighted, block, len(b))
			for r, i := range left {
				for t, v := range block[r*len(b) : (r+1)*len(b)] {
					dst[i*stride+right[t]] = v
				}
			}
		}
	}
	if !m.l.at.intercept {
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
func (m *coupled) project(set []int) {
	var missing []int
	for _, c := range set {
		if _, ok := m.one[c]; !ok {
			missing = append(missing, c)
			m.one[c] = nil
		}
	}
	found := perRow(len(missing), len(m.ones.id))
	m.l.rows[0].each(len(missing), func(i int) {
		j, k := m.l.split(missing[i])
		for t, l := range m.ones.id {
			found[i][t] = gram.Dot(m.l.data.Column(j), m.between(k, l))
		}
		m.ones.forward(found[i])
	})
	for i, c := range missing {
		m.one[c] = found[i]
	}
}
