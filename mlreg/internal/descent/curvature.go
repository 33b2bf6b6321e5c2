package descent

import (
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// curvature has the second derivatives of a Likelihood.
type curvature interface {
	// renew takes those of the last point, or what they never exceed.
	renew(bound bool)
	// cross is Model.Cross.
	cross(rows, cols []int, dst []float64, stride int)
}

// single are the second derivatives of a Likelihood of one linear predictor: twice the
// cross-products of columns weighted by curvatures, and centered by them if there is an
// intercept.
type single struct {
	l     *Likelihood
	bound bool
	root  []float64 // of the curvatures, of a part of the rows if there are few columns
	h     float64   // the sum of the curvatures
	least float64   // of them
	means map[int]float64
	all   []float64         // the cross-products if there are few columns, p x p
	cache map[int][]float64 // columns, if there are few rows
	free  [][]float64
}

const (
	// partRows is up to how many rows weighted columns are kept, and how many rows of them
	// there are at a time if there are more.
	partRows = 2048
	// fewColumns of more rows have all their cross-products computed at once, so that no
	// vector of the rows is kept for those to come.
	fewColumns = 8
)

// few tells whether all cross-products are computed at once.
func (m *single) few() bool { return m.l.data.n > partRows && m.l.data.p <= fewColumns }

// renew implements curvature.
func (m *single) renew(bound bool) {
	m.bound = bound
	n, p := m.l.data.n, m.l.data.p
	for _, col := range m.cache {
		m.free = append(m.free, col)
	}
	m.cache, m.means = make(map[int][]float64), make(map[int]float64)
	if size := n; m.root == nil {
		if m.few() {
			size = partRows
		}
		m.root = make([]float64, size)
	}
	size := len(m.root)
	m.h, m.least = 0, 0
	var largest float64
	for from := 0; from < n; from += size {
		largest = max(largest, slices.Max(m.curvatures(from, min(from+size, n))))
	}
	m.least = 1e-6 * largest // so that no row is beyond recall
	for from := 0; from < n; from += size {
		c := m.curvatures(from, min(from+size, n))
		for _, v := range c {
			m.h += v
		}
		if m.few() {
			for j := range p {
				m.means[j] += gram.Dot(c, m.l.data.Column(j)[from:from+len(c)])
			}
		} else {
			roots(c)
		}
	}
	if !m.few() {
		return
	}
	for j := range p {
		m.means[j] /= m.h
	}
	every := gram.NumbersTo(p)
	m.all = make([]float64, p*p)
	m.crossInParts(every, every, m.all, p)
}

// curvatures returns those of rows from from to to, in the room for roots.
func (m *single) curvatures(from, to int) []float64 {
	c := m.root[:to-from]
	if m.bound {
		for i := range c {
			c[i] = m.l.fit.Bound(from + i)
		}
		return c
	}
	m.l.fit.Curvatures(from, m.l.at.r, [][]float64{c})
	for i, v := range c {
		if v < m.least && m.l.fit.Weight(from+i) != 0 {
			c[i] = m.least
		}
	}
	return c
}

// roots replaces curvatures by their roots.
func roots(c []float64) {
	for i, v := range c {
		c[i] = math.Sqrt(v)
	}
}

// rootsOf returns the roots of the curvatures of rows from from to to.
func (m *single) rootsOf(from, to int) []float64 {
	if !m.few() {
		return m.root[from:to]
	}
	c := m.curvatures(from, to)
	roots(c)
	return c
}

// column returns column j weighted and centered.
func (m *single) column(j int) []float64 {
	if col, ok := m.cache[j]; ok {
		return col
	}
	var col []float64
	if k := len(m.free); k > 0 {
		col, m.free = m.free[k-1], m.free[:k-1]
	} else {
		col = make([]float64, m.l.data.n)
	}
	m.weigh(j, m.mean(j), 0, m.root, col)
	m.cache[j] = col
	return col
}

// mean returns the weighted mean of column j, or zero if there is no intercept.
func (m *single) mean(j int) float64 {
	if !m.l.at.intercept {
		return 0
	}
	mean, ok := m.means[j]
	if !ok {
		for i, x := range m.l.data.Column(j) {
			mean += m.root[i] * (m.root[i] * x)
		}
		mean /= m.h
		m.means[j] = mean
	}
	return mean
}

// weigh fills col with rows of column j, from one on, weighted by roots and centered.
func (m *single) weigh(j int, mean float64, from int, root, col []float64) {
	x := m.l.data.Column(j)[from:]
	for i := range col {
		col[i] = root[i] * x[i]
	}
	gram.Axpy(-mean, root, col)
}

// cross implements curvature.
func (m *single) cross(rows, cols []int, dst []float64, stride int) {
	switch {
	case m.few():
		for r, j := range rows {
			for c, k := range cols {
				dst[r*stride+c] = m.all[j*m.l.data.p+k]
			}
		}
	case m.l.data.n > partRows:
		m.crossInParts(rows, cols, dst, stride)
	default:
		a, b := make([][]float64, len(rows)), make([][]float64, len(cols))
		for r, j := range rows {
			a[r] = m.column(j)
		}
		for c, j := range cols {
			b[c] = m.column(j)
		}
		cross(m.l.rows[0], a, b, dst, stride)
	}
	scale(2, dst, len(rows), len(cols), stride)
}

// scale multiplies a matrix.
func scale(f float64, a []float64, rows, cols, stride int) {
	for r := range rows {
		for c := range a[r*stride : r*stride+cols] {
			a[r*stride+c] *= f
		}
	}
}

// crossInParts writes cross-products, with the columns of some rows at a time.
func (m *single) crossInParts(rows, cols []int, dst []float64, stride int) {
	a, b := make([][]float64, len(rows)), make([][]float64, len(cols))
	need := slices.Compact(slices.Sorted(slices.Values(slices.Concat(rows, cols))))
	part, sums := perRow(len(need), partRows), make([]float64, len(rows)*len(cols))
	for _, j := range need {
		m.mean(j)
	}
	for r := range rows {
		clear(dst[r*stride : r*stride+len(cols)])
	}
	for from := 0; from < m.l.data.n; from += partRows {
		to := min(from+partRows, m.l.data.n)
		root := m.rootsOf(from, to)
		m.l.rows[0].each(len(need), func(i int) {
			part[i] = part[i][:to-from]
			m.weigh(need[i], m.mean(need[i]), from, root, part[i])
		})
		at := func(j int) []float64 {
			i, _ := slices.BinarySearch(need, j)
			return part[i]
		}
		for r, j := range rows {
			a[r] = at(j)
		}
		for c, j := range cols {
			b[c] = at(j)
		}
		cross(m.l.rows[0], a, b, sums, len(cols))
		for r := range rows {
			gram.Axpy(1, sums[r*len(cols):(r+1)*len(cols)], dst[r*stride:r*stride+len(cols)])
		}
	}
}

// cross writes a_r'b_c to dst[r*stride+c].
func cross(s *Rows, a, b [][]float64, dst []float64, stride int) {
	four, two := len(a)&^3, len(b)&^1
	s.each(four/4*(two/2), func(t int) {
		r, c := t%(four/4)*4, t/(four/4)*2
		var sums [8]float64
		gram.Dots4x2((*[4][]float64)(a[r:r+4]), b[c], b[c+1], &sums)
		for i := range 4 {
			dst[(r+i)*stride+c], dst[(r+i)*stride+c+1] = sums[2*i], sums[2*i+1]
		}
	})
	for r := range a {
		from := two
		if r >= four {
			from = 0
		}
		for c := from; c < len(b); c++ {
			dst[r*stride+c] = gram.Dot(a[r], b[c])
		}
	}
}
