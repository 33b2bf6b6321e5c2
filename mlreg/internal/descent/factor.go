package descent

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// factor is the Cholesky factor of cross-products of columns that come and go:
// L L' = G. Row i of L, i+1 numbers, is rows[i].
type factor struct {
	rows [][]float64
	id   []int // the columns, in order
	free [][]float64
	// least is as dependent, which it is if zero.
	least float64
	// Rotations of a removal, kept to be used again.
	cos, sin []float64
}

// dependent is the squared length of the part of a column that is orthogonal
// to those in the factor, relative to its own, below which it is taken for a
// linear combination of them.
const dependent = 1e-12

func (f *factor) len() int { return len(f.id) }

// append adds a column whose cross-products with those in the factor are g and
// whose squared length is square. It reports false, and leaves in g the solution
// u of L u = g, if the column depends on those in the factor.
func (f *factor) append(id int, g []float64, square float64) bool {
	f.forward(g)
	rest := square - gram.Dot(g, g)
	least := f.least
	if least == 0 {
		least = dependent
	}
	if rest <= least*square {
		return false
	}
	row := f.row(len(g) + 1)
	copy(row, g)
	row[len(g)] = math.Sqrt(rest)
	f.rows = append(f.rows, row)
	f.id = append(f.id, id)
	return true
}

// row returns room for a row of n numbers.
func (f *factor) row(n int) []float64 {
	if k := len(f.free); k > 0 {
		row := f.free[k-1]
		f.free = f.free[:k-1]
		if cap(row) >= n {
			return row[:n]
		}
	}
	return make([]float64, n, n+n/2+16)
}

// remove takes out the column at position k: the rows after it lose an element
// and are rotated back to triangular form.
func (f *factor) remove(k int) {
	n := len(f.id)
	f.free = append(f.free, f.rows[k])
	copy(f.rows[k:], f.rows[k+1:])
	copy(f.id[k:], f.id[k+1:])
	f.rows, f.id = f.rows[:n-1], f.id[:n-1]
	m := n - 1 - k
	if m == 0 {
		return
	}
	if cap(f.cos) < m {
		f.cos, f.sin = make([]float64, 2*m), make([]float64, 2*m)
	}
	c, s := f.cos[:m], f.sin[:m]
	// Element k of each row is carried along the row, from one rotation to
	// the next. Four rows at a time, as each is a chain of dependent steps.
	i := 0
	for ; i+4 <= m; i += 4 {
		r0, r1, r2, r3 := f.rows[k+i][k:], f.rows[k+i+1][k:], f.rows[k+i+2][k:], f.rows[k+i+3][k:]
		t0, t1, t2, t3 := r0[0], r1[0], r2[0], r3[0]
		for j := range i {
			cj, sj := c[j], s[j]
			v0, v1, v2, v3 := r0[j+1], r1[j+1], r2[j+1], r3[j+1]
			r0[j], t0 = cj*v0+sj*t0, cj*t0-sj*v0
			r1[j], t1 = cj*v1+sj*t1, cj*t1-sj*v1
			r2[j], t2 = cj*v2+sj*t2, cj*t2-sj*v2
			r3[j], t3 = cj*v3+sj*t3, cj*t3-sj*v3
		}
		f.rotate(k, i, i, t0)
		f.rotate(k, i+1, i, t1)
		f.rotate(k, i+2, i, t2)
		f.rotate(k, i+3, i, t3)
	}
	for ; i < m; i++ {
		f.rotate(k, i, 0, f.rows[k+i][k])
	}
}

// rotate applies rotations from to i to row k+i, with t carried so far, the last
// of them being the one that this row defines.
func (f *factor) rotate(k, i, from int, t float64) {
	row := f.rows[k+i][k:]
	for j := from; j < i; j++ {
		c, s, v := f.cos[j], f.sin[j], row[j+1]
		row[j], t = c*v+s*t, c*t-s*v
	}
	v := row[i+1]
	r := math.Hypot(v, t)
	f.cos[i], f.sin[i] = v/r, t/r
	row[i] = r
	f.rows[k+i] = f.rows[k+i][:k+i+1]
}

// solve replaces b by the solution of L L' x = b.
func (f *factor) solve(b []float64) {
	f.forward(b)
	f.backward(b)
}

// forward replaces b by the solution of L u = b.
func (f *factor) forward(b []float64) {
	for i := range b {
		row := f.rows[i]
		b[i] = (b[i] - gram.Dot(row[:i], b[:i])) / row[i]
	}
}

// backward replaces b by the solution of L' x = b.
func (f *factor) backward(b []float64) {
	for i := len(b) - 1; i >= 0; i-- {
		row := f.rows[i]
		b[i] /= row[i]
		gram.Axpy(-b[i], row[:i], b[:i])
	}
}

// inverseTrace returns trace((L L')^-1 diag(d)) = |L^-1 diag(d)^(1/2)|_F^2.
func (f *factor) inverseTrace(d []float64) float64 {
	n := len(f.id)
	var sum float64
	e := make([]float64, n)
	for j := range n {
		if d[j] == 0 {
			continue
		}
		clear(e)
		e[j] = 1
		for i := j; i < n; i++ {
			row := f.rows[i]
			e[i] = (e[i] - gram.Dot(row[j:i], e[j:i])) / row[i]
		}
		sum += d[j] * gram.Dot(e[j:], e[j:])
	}
	return sum
}
