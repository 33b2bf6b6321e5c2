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
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Level is a level of nested groups.
type Level struct {
	N      int   // number of groups
	Parent []int // group of the level above for every group, ascending; nil for the outermost level
	Vary   []int // columns whose coefficients vary between the groups
}

// Tree holds the rows of all innermost groups as triangular factors: nothing is squared
// before the effects of a group are eliminated, so that groups may differ by far more
// than their rows do. Columns 0 to Columns-1 have coefficients, column number Columns is
// the response.
type Tree struct {
	Columns int
	Fixed   []int   // columns that have a fixed coefficient
	Levels  []Level // outermost first

	order   []int       // columns in the order of the factors: those that vary in the innermost groups, the others, the response
	place   []int       // of every column in order
	factors []float64   // of every innermost group, (Columns+1)^2: R with R'R the cross-products of its rows
	rest    [][]float64 // of the groups around: cross-products of kept columns that innermost effects do not reach
	shift   [][]float64 // of every group of outer levels: its own least squares, about which the factors have the response
	work    []float64
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

// kept returns the columns left when the effects of the levels from l on are
// eliminated: fixed ones, those that vary at outer levels, and the response.
func (t *Tree) kept(l int) []int {
	if l == len(t.Levels) {
		return gram.NumbersTo(t.Columns + 1)
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

// Start empties the tree, whose levels are set, before rows are added.
func (t *Tree) Start() {
	q, last := t.Columns+1, &t.Levels[len(t.Levels)-1]
	t.order, t.place = append(make([]int, 0, q), last.Vary...), make([]int, q)
	for c := range q {
		if !slices.Contains(last.Vary, c) {
			t.order = append(t.order, c)
		}
	}
	for at, c := range t.order {
		t.place[c] = at
	}
	t.factors, t.work = make([]float64, last.N*q*q), make([]float64, q)
	t.rest = nil
}

// Add adds a row, with the root of its weight multiplied in, to an innermost group, by
// Givens rotations.
func (t *Tree) Add(group int, row []float64) {
	q, x := len(t.order), t.work
	for at, c := range t.order {
		x[at] = row[c]
	}
	r := t.factors[group*q*q : (group+1)*q*q]
	for j, v := range x {
		if v == 0 {
			continue
		}
		a := r[j*q+j : (j+1)*q]
		h := math.Sqrt(a[0]*a[0] + v*v)
		if h == 0 || math.IsInf(h, 1) {
			h = math.Hypot(a[0], v)
		}
		c, s := a[0]/h, v/h
		a[0] = h
		rest := x[j+1:]
		for l, u := range rest {
			w := a[l+1]
			a[l+1], rest[l] = c*w+s*u, c*u-s*w
		}
	}
}

// Finish ends the adding of rows.
func (t *Tree) Finish() {
	t.shiftResponse()
	q, last := len(t.order), len(t.Levels)-1
	k, keep := len(t.Levels[last].Vary), t.kept(last)
	around := 1
	if last > 0 {
		around = t.Levels[last-1].N
	}
	t.rest = matrices(around, len(keep))
	for g := range t.Levels[last].N {
		to, r := t.rest[0], t.factors[g*q*q:(g+1)*q*q]
		if last > 0 {
			to = t.rest[t.Levels[last].Parent[g]]
		}
		for i, a := range keep {
			for j, b := range keep[:i+1] {
				s := 0.0
				for row := k; row <= min(t.place[a], t.place[b]); row++ {
					s += r[row*q+t.place[a]] * r[row*q+t.place[b]]
				}
				to[i*len(keep)+j] += s
			}
		}
	}
	for _, m := range t.rest {
		mirror(m, len(keep))
	}
}

// shiftResponse takes a_g'z of every group of the outer levels from the response, so that what
// is left when its effects are eliminated is no difference of large numbers; outer adds it
// again. Any a_g is right; these are, nearly, of least squares.
func (t *Tree) shiftResponse() {
	q, last := len(t.order), len(t.Levels)-1
	t.shift = make([][]float64, last)
	of := make([]int, t.Levels[last].N) // group of the level
	for l := last; l > 0; l-- {
		t.shift[l-1] = make([]float64, t.Levels[l-1].N*len(t.Levels[l-1].Vary))
	}
	for l := range last {
		vary, n := t.Levels[l].Vary, t.Levels[l].N
		k := len(vary)
		for g := range of {
			of[g] = g
			for up := last; up > l; up-- {
				of[g] = t.Levels[up].Parent[of[g]]
			}
		}
		a := make([]float64, n*k*k)
		for g, to := range of {
			r := t.factors[g*q*q : (g+1)*q*q]
			for i, ci := range vary {
				for row := range t.place[ci] + 1 {
					v := r[row*q+t.place[ci]]
					for j, cj := range vary {
						a[to*k*k+i*k+j] += v * r[row*q+t.place[cj]]
					}
					t.shift[l][to*k+i] += v * r[row*q+q-1]
				}
			}
		}
		for g := range n {
			m := a[g*k*k : (g+1)*k*k]
			for i := range k {
				m[i*k+i] *= 1 + 1e-9
			}
			if _, bad := cholesky(m, k); bad >= 0 {
				clear(t.shift[l][g*k : (g+1)*k])
				continue
			}
			solve(m, k, t.shift[l][g*k:(g+1)*k])
		}
		for g, to := range of {
			r := t.factors[g*q*q : (g+1)*q*q]
			for i, ci := range vary {
				for row := range t.place[ci] + 1 {
					r[row*q+q-1] -= r[row*q+t.place[ci]] * t.shift[l][to*k+i]
				}
			}
		}
	}
}

// mirror copies the lower triangle to the upper one.
func mirror(m []float64, q int) {
	for i := range q {
		for j := range i {
			m[j*q+i] = m[i*q+j]
		}
	}
}

// Products returns the cross-products of the rows of an innermost group, (Columns+1)^2 in
// the order of the columns, added to sum.
func (t *Tree) Products(group int, sum []float64) {
	q := len(t.order)
	r := t.factors[group*q*q : (group+1)*q*q]
	for i, a := range t.order {
		for j, b := range t.order {
			s := 0.0
			for row := range min(i, j) + 1 {
				s += r[row*q+i] * r[row*q+j]
			}
			sum[a*q+b] += s
		}
	}
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
	q, m int
	F    []float64   // q x q
	D    [][]float64 // m of q x q
	S    [][]float64 // pairs(m) of q x q, see pair
	Log  float64
	Log1 []float64
	Log2 []float64 // pairs(m)
}

func newJet(q, m, order int) *jet {
	j := &jet{q: q, m: m, F: make([]float64, q*q)}
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
	if len(t.Levels) == 1 {
		add(parts[0].F, t.rest[0])
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
	m, stack []float64
	perm     []int
	full, tm []float64
	own      []float64 // shift of the group
	both     []float64 // ka, then left: K and (I + A_zz Delta)^-1
	ka, left []float64
	to       *descent

	// innermost: L^-1 R of what varies and of what is kept, and for every pair (a,b) of
	// effects the products w_a w_b' + w_b w_a', packed, and B_ab; t2 sums B_cd times the products
	// of (a,b), u2 B_cd B_ab
	at                 []int // places of what is kept
	v, y, w            []float64
	products, between  []float64
	f, d, t2, u2, root []float64
}

func newReducer(t *Tree, delta [][]float64, level, order int) *reducer {
	in, keep := t.kept(level+1), t.kept(level)
	k := len(t.Levels[level].Vary)
	r := &reducer{
		t: t, level: level, order: order, delta: delta[level], k: k,
		z: positions(t.Levels[level].Vary, in), rows: positions(keep, in),
		m: make([]float64, k*k), stack: make([]float64, len(in)*k), perm: make([]int, k), both: make([]float64, 2*k*k),
	}
	r.ka, r.left = r.both[:k*k], r.both[k*k:]
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
		return r
	}
	n, p := pairs(len(keep)), pairs(k)
	for _, c := range keep {
		r.at = append(r.at, t.place[c])
	}
	r.v, r.y, r.w, r.f = make([]float64, k*k), make([]float64, k*len(keep)), make([]float64, len(keep)*k), make([]float64, n)
	if order > 0 {
		r.products, r.between, r.d = make([]float64, p*n), make([]float64, p), make([]float64, p*n)
	}
	if order > 1 {
		r.t2, r.u2 = make([]float64, p*p*n), make([]float64, p*p)
	}
	return r
}

// groups adds what is left of the groups from one number to before another.
func (r *reducer) groups(from, to int) {
	for g := from; g < to; g++ {
		if r.inner == nil {
			r.innermost(g)
			continue
		}
		r.below(g)
		r.outer(r.inner.out, g)
	}
	if r.inner == nil {
		r.collect()
	}
}

// below sums the groups in a group.
func (r *reducer) below(g int) {
	r.inner.out.clear()
	r.inner.groups(r.start[g], r.start[g+1])
	if r.inner.inner == nil {
		add(r.inner.out.F, r.t.rest[g])
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

// innermost adds what is left of one innermost group. With R of what varies, M = I + R
// Delta R' = L L', and V = L^-1 R, Y = L^-1 of the rows of R of what is kept, that is
//
//	F = Y'Y,  log |M|,  W = Y'V = A (I + Delta A_zz)^-1 z,  B = V'V,
//
// sums of squares all, so that nothing cancels.
func (r *reducer) innermost(g int) {
	q := r.t.Columns + 1
	a := r.t.factors[g*q*q:]
	r.setM(a, q)
	r.factorM()
	r.solveM(a, q)
	r.addSquares()
	if r.order > 0 {
		r.derivatives()
	}
}

// setM sets M = I + (R Delta) R', the lower triangle, of the rows a of a group.
func (r *reducer) setM(a []float64, q int) {
	k := r.k
	for i := range k {
		for j := range k {
			s := 0.0
			for l := i; l < k; l++ {
				s += a[i*q+l] * r.delta[l*k+j]
			}
			r.v[i*k+j] = s
		}
		for j := range i + 1 {
			s := 0.0
			for l := j; l < k; l++ {
				s += r.v[i*k+l] * a[j*q+l]
			}
			r.m[i*k+j] = s
		}
		r.m[i*k+i]++
	}
}

// factorM overwrites M, which is at least I, by L, and adds log |M|.
func (r *reducer) factorM() {
	k := r.k
	for j := range k {
		d := r.m[j*k+j]
		for l := range j {
			d -= r.m[j*k+l] * r.m[j*k+l]
		}
		d = math.Sqrt(math.Max(d, 1))
		r.m[j*k+j] = d
		r.out.Log += 2 * math.Log(d)
		for i := j + 1; i < k; i++ {
			s := r.m[i*k+j]
			for l := range j {
				s -= r.m[i*k+l] * r.m[j*k+l]
			}
			r.m[i*k+j] = s / d
		}
	}
}

// solveM sets V and Y, L^-1 times the upper triangle R of what varies and of what is kept.
func (r *reducer) solveM(a []float64, q int) {
	k, kept := r.k, r.out.q
	for i := range k {
		row, d := r.m[i*k:], r.m[i*k+i]
		for j := range k {
			s := 0.0
			if j >= i {
				s = a[i*q+j]
			}
			for l := range i {
				s -= row[l] * r.v[l*k+j]
			}
			r.v[i*k+j] = s / d
		}
		for j, at := range r.at {
			s := 0.0
			if at >= i {
				s = a[i*q+at]
			}
			for l := range i {
				s -= row[l] * r.y[l*kept+j]
			}
			r.y[i*kept+j] = s / d
		}
	}
}

// addSquares adds Y'Y, packed.
func (r *reducer) addSquares() {
	k, kept, n := r.k, r.out.q, 0
	for i := range kept {
		for j := range i + 1 {
			s := 0.0
			for l := range k {
				s += r.y[l*kept+i] * r.y[l*kept+j]
			}
			r.f[n] += s
			n++
		}
	}
}

// derivatives adds what derivatives consist of.
func (r *reducer) derivatives() {
	k, kept := r.k, r.out.q
	for i := range kept {
		for j := range k {
			s := 0.0
			for l := range k {
				s += r.y[l*kept+i] * r.v[l*k+j]
			}
			r.w[i*k+j] = s
		}
	}
	n, e := pairs(kept), 0
	for c := range k {
		for d := range c + 1 {
			s := 0.0
			for l := range k {
				s += r.v[l*k+c] * r.v[l*k+d]
			}
			r.between[e] = s
			f := 2.0
			if c == d {
				f = 1
			}
			r.out.Log1[e] += f * s
			to, at := r.products[e*n:(e+1)*n], 0
			for i := range kept {
				wc, wd := r.w[i*k+c], r.w[i*k+d]
				for j := range i + 1 {
					to[at] = wc*r.w[j*k+d] + wd*r.w[j*k+c]
					at++
				}
			}
			e++
		}
	}
	floats.Add(r.d, r.products)
	if r.order < 2 {
		return
	}
	for c, b := range r.between {
		floats.AddScaled(r.t2[c*e*n:(c+1)*e*n], b, r.products)
		floats.AddScaled(r.u2[c*e:(c+1)*e], b, r.between)
	}
}

// collect makes of what innermost has summed the cross-products and their derivatives:
//
//	dF [E] = -W E W',   d log = tr(B E),
//	d2 F [E1, E2] = W E1 B E2 W' + its transpose,   d2 log = -tr(B E1 B E2).
func (r *reducer) collect() {
	k, kept, m, n := r.k, r.out.q, pairs(r.k), pairs(r.out.q)
	unpack(r.out.F, r.f, 1, kept)
	clear(r.f)
	if r.order == 0 {
		return
	}
	for c := range k {
		for d := range c + 1 {
			e, f := pair(c, d), -1.0
			if c == d {
				f = -0.5
			}
			unpack(r.out.D[e], r.d[e*n:(e+1)*n], f, kept)
		}
	}
	clear(r.d)
	if r.order < 2 {
		return
	}
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
							at := pair(ij[1], kl[0])*m + pair(ij[0], kl[1])
							s -= r.u2[at]
							unpack(to, r.t2[at*n:(at+1)*n], 1, kept)
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

// unpack adds f times a packed symmetric matrix.
func unpack(to, packed []float64, f float64, q int) {
	at := 0
	for i := range q {
		for j := range i {
			to[i*q+j] += f * packed[at]
			to[j*q+i] += f * packed[at]
			at++
		}
		to[i*q+i] += f * packed[at]
		at++
	}
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
