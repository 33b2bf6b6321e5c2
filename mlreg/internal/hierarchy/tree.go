// Package hierarchy solves regressions whose coefficients vary between nested groups,
//
//	y_j = X_j b + Z_j u_j + e_j,   u_j ~ N(0, sigma^2 Delta),   e_j ~ N(0, sigma^2 I),
//
// by eliminating the effects of one group after the other from the cross-products of its
// rows. Groups nest to any depth; nothing larger than the cross-products of one group is
// ever formed. It knows columns and groups by number only.
package hierarchy

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Level is a level of nested groups.
type Level struct {
	N      int   // number of groups
	Parent []int // group of the level above for every group, ascending; nil for the outermost level
	Vary   []int // columns whose coefficients vary between the groups
}

// Tree holds the cross-products of all innermost groups. Columns 0 to Columns-1 have
// coefficients, column number Columns is the response.
type Tree struct {
	Columns int
	Fixed   []int     // columns that have a fixed coefficient
	Levels  []Level   // outermost first
	Sums    []float64 // of every innermost group, (Columns+1)^2 cross-products
}

// pairs returns k(k+1)/2, the number of elements of a symmetric matrix.
func pairs(k int) int { return k * (k + 1) / 2 }

// pair numbers the elements of a symmetric matrix: (0,0), (1,0), (1,1), (2,0), ...
func pair(a, b int) int {
	if a < b {
		a, b = b, a
	}
	return a*(a+1)/2 + b
}

// Elements returns the number of elements of the Deltas of all levels.
func (t *Tree) Elements() int {
	m := 0
	for _, l := range t.Levels {
		m += pairs(len(l.Vary))
	}
	return m
}

// kept returns the columns left when the effects of the levels from l on are
// eliminated: fixed ones, those that vary at outer levels, and the response.
func (t *Tree) kept(l int) []int {
	if l == len(t.Levels) {
		all := make([]int, t.Columns+1)
		for j := range all {
			all[j] = j
		}
		return all
	}
	in := make([]bool, t.Columns+1)
	for _, j := range t.Fixed {
		in[j] = true
	}
	for _, outer := range t.Levels[:l] {
		for _, j := range outer.Vary {
			in[j] = true
		}
	}
	in[t.Columns] = true
	var out []int
	for j, yes := range in {
		if yes {
			out = append(out, j)
		}
	}
	return out
}

// positions returns where columns stand among others.
func positions(columns, among []int) []int {
	at := make([]int, len(columns))
	for i, c := range columns {
		for j, a := range among {
			if a == c {
				at[i] = j
			}
		}
	}
	return at
}

// jet is a matrix of cross-products with its derivatives with respect to the elements
// of some Deltas, and the logarithm of a determinant with its derivatives. The element
// (a,b) of a Delta moves (b,a) with it.
type jet struct {
	q, m  int
	F     []float64   // q x q
	D     [][]float64 // m of q x q
	S     [][]float64 // pairs(m) of q x q, see pair
	Log   float64
	Log1  []float64
	Log2  []float64 // pairs(m)
	order int
}

func newJet(q, m, order int) *jet {
	j := &jet{q: q, m: m, F: make([]float64, q*q), order: order}
	if order > 0 {
		j.D, j.Log1 = matrices(m, q), make([]float64, m)
	}
	if order > 1 {
		j.S, j.Log2 = matrices(pairs(m), q), make([]float64, pairs(m))
	}
	return j
}

func matrices(n, q int) [][]float64 {
	out, all := make([][]float64, n), make([]float64, n*q*q)
	for i := range out {
		out[i] = all[i*q*q : (i+1)*q*q]
	}
	return out
}

func (j *jet) clear() {
	clear(j.F)
	j.Log = 0
	clear(j.Log1)
	clear(j.Log2)
	for _, d := range j.D {
		clear(d)
	}
	for _, s := range j.S {
		clear(s)
	}
}

func add(to, from []float64) {
	for i, v := range from {
		to[i] += v
	}
}

func (j *jet) add(o *jet) {
	add(j.F, o.F)
	j.Log += o.Log
	add(j.Log1, o.Log1)
	add(j.Log2, o.Log2)
	for i := range j.D {
		add(j.D[i], o.D[i])
	}
	for i := range j.S {
		add(j.S[i], o.S[i])
	}
}

// chunk is the most groups of the outermost level that one sum takes.
const chunk = 1024

// reduce eliminates the effects of all groups, given Delta of every level, and returns
// the cross-products that are left with their derivatives up to an order of 0, 1 or 2.
// Elements of outer levels come first.
func (t *Tree) reduce(delta [][]float64, order int) *jet {
	n := t.Levels[0].N
	chunks := max((n+chunk-1)/chunk, 1)
	parts := make([]*jet, chunks)
	gram.Each(chunks, func(c int) {
		r := newReducer(t, delta, 0, order)
		r.groups(c*chunk, min((c+1)*chunk, n))
		parts[c] = r.out
	})
	for _, p := range parts[1:] {
		parts[0].add(p)
	}
	return parts[0]
}

// reducer eliminates the effects of the groups of one level.
type reducer struct {
	t     *Tree
	level int
	order int
	delta []float64
	k     int
	z     []int // positions of the varying columns in what comes in
	rows  []int // positions of what is kept
	out   *jet  // sum over the groups

	inner *reducer // nil for the innermost level
	start []int    // first group of the level below for every group

	// work
	m, stack     []float64
	perm         []int
	t2, u2       []float64 // innermost: sums of (w_i w_l') B_jk and B_il B_jk
	full, tm, ka []float64
}

func newReducer(t *Tree, delta [][]float64, level, order int) *reducer {
	in, keep := t.kept(level+1), t.kept(level)
	k := len(t.Levels[level].Vary)
	r := &reducer{
		t: t, level: level, order: order, delta: delta[level], k: k,
		z: positions(t.Levels[level].Vary, in), rows: positions(keep, in),
		m: make([]float64, k*k), stack: make([]float64, len(in)*k), perm: make([]int, k), ka: make([]float64, k*k),
	}
	m := 0
	for _, l := range t.Levels[level:] {
		m += pairs(len(l.Vary))
	}
	r.out = newJet(len(keep), m, order)
	if level+1 < len(t.Levels) {
		r.inner = newReducer(t, delta, level+1, order)
		below := t.Levels[level+1]
		r.start = make([]int, t.Levels[level].N+1)
		for _, p := range below.Parent {
			r.start[p+1]++
		}
		for i := range t.Levels[level].N {
			r.start[i+1] += r.start[i]
		}
	} else if order > 1 {
		r.t2 = make([]float64, pairs(k)*pairs(k)*len(keep)*len(keep))
		r.u2 = make([]float64, pairs(k)*pairs(k))
	}
	return r
}

// groups adds what is left of the groups from one number to before another.
func (r *reducer) groups(from, to int) {
	size := (r.t.Columns + 1) * (r.t.Columns + 1)
	for g := from; g < to; g++ {
		if r.inner == nil {
			r.innermost(r.t.Sums[g*size : (g+1)*size])
			continue
		}
		r.inner.out.clear()
		r.inner.groups(r.start[g], r.start[g+1])
		r.outer(r.inner.out)
	}
	if r.inner == nil && r.order > 1 {
		r.collect()
	}
}

// eliminate solves for A (I + Delta A_zz)^-1 z, of which it returns the rows of all
// columns (q x k), and adds the logarithm of the determinant.
func (r *reducer) eliminate(a []float64, q int) []float64 {
	k := r.k
	for i := range k {
		for j := range k {
			s := 0.0
			for l := range k {
				s += r.delta[i*k+l] * a[r.z[l]*q+r.z[j]]
			}
			if i == j {
				s++
			}
			r.m[i*k+j] = s
		}
	}
	w := r.stack[:q*k]
	for i := range q {
		for j, z := range r.z {
			w[i*k+j] = a[i*q+z]
		}
	}
	r.out.Log += solveRight(r.m, k, r.perm, w)
	return w
}

// solveRight overwrites the rows x of w by x M^-1, M by its factors, and returns
// log |det M|.
func solveRight(m []float64, k int, perm []int, w []float64) float64 {
	logdet := factor(m, k, perm)
	rows := len(w) / max(k, 1)
	var small [16]float64
	x := small[:]
	if k > len(small) {
		x = make([]float64, k)
	}
	for i := range rows {
		row := w[i*k : (i+1)*k]
		// M = P'LU: x M = row, so y U = row, v L = y, x = v P.
		for j := range k {
			s := row[j]
			for l := range j {
				s -= row[l] * m[l*k+j]
			}
			row[j] = s / m[j*k+j]
		}
		for j := k - 1; j >= 0; j-- {
			for l := j + 1; l < k; l++ {
				row[j] -= row[l] * m[l*k+j]
			}
		}
		for j := range k {
			x[perm[j]] = row[j]
		}
		copy(row, x[:k])
	}
	return logdet
}

// innermost adds what is left of one innermost group.
func (r *reducer) innermost(a []float64) {
	q, k, out := r.t.Columns+1, r.k, r.out
	w := r.eliminate(a, q)
	kept := out.q
	for i, ri := range r.rows {
		for j, rj := range r.rows[:i+1] {
			s := a[ri*q+rj]
			for c := range k {
				t := 0.0
				for l := range k {
					t += r.delta[c*k+l] * a[r.z[l]*q+rj]
				}
				s -= w[ri*k+c] * t
			}
			out.F[i*kept+j] += s
			if i != j {
				out.F[j*kept+i] += s
			}
		}
	}
	if r.order == 0 {
		return
	}
	for c := range k {
		for d := range c + 1 {
			e := pair(c, d)
			b := w[r.z[c]*k+d]
			f := 1.0
			if c == d {
				f = 0.5
			}
			out.Log1[e] += 2 * f * b
			for i, ri := range r.rows {
				for j, rj := range r.rows {
					out.D[e][i*kept+j] -= f * (w[ri*k+c]*w[rj*k+d] + w[ri*k+d]*w[rj*k+c])
				}
			}
		}
	}
	if r.order > 1 {
		r.second(w)
	}
}

// second adds what second derivatives consist of.
func (r *reducer) second(w []float64) {
	k, kept, m := r.k, r.out.q, pairs(r.k)
	at := 0
	for c := range k {
		for d := range c + 1 {
			bcd := w[r.z[c]*k+d]
			// T[ab][cd] += (w_a w_b' + w_b w_a') B_cd
			for a := range k {
				for b := range a + 1 {
					e := pair(a, b)
					r.u2[e*m+at] += w[r.z[a]*k+b] * bcd
					t := r.t2[(e*m+at)*kept*kept:]
					for i, ri := range r.rows {
						wa, wb := w[ri*k+a]*bcd, w[ri*k+b]*bcd
						for j, rj := range r.rows[:i+1] {
							t[i*kept+j] += wa*w[rj*k+b] + wb*w[rj*k+a]
						}
					}
				}
			}
			at++
		}
	}
}

// collect makes second derivatives of what second has summed:
//
//	d2 F [E1, E2] = W E1 B E2 W' + its transpose,   d2 log = -tr(B E1 B E2).
func (r *reducer) collect() {
	k, kept, m := r.k, r.out.q, pairs(r.k)
	for a := range k {
		for b := range a + 1 {
			for c := range k {
				for d := range c + 1 {
					e1, e2 := pair(a, b), pair(c, d)
					if e2 > e1 {
						continue
					}
					s, to := 0.0, r.out.S[pair(e1, e2)]
					for _, ij := range turns(a, b) {
						for _, kl := range turns(c, d) {
							at := pair(ij[0], kl[1])*m + pair(ij[1], kl[0])
							s -= r.u2[at]
							t := r.t2[at*kept*kept:]
							for i := range kept {
								for j := range i + 1 {
									to[i*kept+j] += t[i*kept+j]
									if i != j {
										to[j*kept+i] += t[i*kept+j]
									}
								}
							}
						}
					}
					r.out.Log2[pair(e1, e2)] += s
				}
			}
		}
	}
	clear(r.t2)
	clear(r.u2)
}

// turns returns (a,b) and, if it differs, (b,a).
func turns(a, b int) [][2]int {
	if a == b {
		return [][2]int{{a, a}}
	}
	return [][2]int{{a, b}, {b, a}}
}

// factor overwrites a k x k matrix by its factors L and U with partial pivoting,
// P M = L U, and returns log |det M|.
func factor(m []float64, k int, perm []int) float64 {
	for i := range perm {
		perm[i] = i
	}
	logdet := 0.0
	for j := range k {
		p := j
		for i := j + 1; i < k; i++ {
			if math.Abs(m[i*k+j]) > math.Abs(m[p*k+j]) {
				p = i
			}
		}
		if p != j {
			for l := range k {
				m[j*k+l], m[p*k+l] = m[p*k+l], m[j*k+l]
			}
			perm[j], perm[p] = perm[p], perm[j]
		}
		d := m[j*k+j]
		logdet += math.Log(math.Abs(d))
		for i := j + 1; i < k; i++ {
			f := m[i*k+j] / d
			m[i*k+j] = f
			for l := j + 1; l < k; l++ {
				m[i*k+l] -= f * m[j*k+l]
			}
		}
	}
	return logdet
}
