package descent

import (
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// working is the problem |y - Xw|^2 + sum_j (L1_j |w_j| + L2_j w_j^2) on the working set
// of columns, in which everything is known from their cross-products. Columns are meant by
// their positions in it.
type working struct {
	src  crossProducts
	pen  *Elastic
	cols []int // the columns
	at   []int // p: position of a column plus one, 0 if it is not in the set

	gram   []float64 // cross-products, m x m
	stride int
	square []float64 // the diagonal

	limit, l2      []float64 // L1/2 and L2
	free, positive []bool

	v, q  []float64 // weights, and gradients x_j'(y - Xv)
	rss   float64
	null  float64 // |y|^2
	moved bool    // the last solve changed something

	f        factor // of the active columns, with L2 on the diagonal
	inFactor []bool
	rho      []float64
	before   []float64
}

// crossProducts writes x_j'x_k; see Source.Cross.
type crossProducts interface {
	Cross(rows, cols []int, dst []float64, stride int)
}

func newWorking(src crossProducts, p int, null float64) *working {
	return &working{src: src, at: make([]int, p), null: null, rss: null}
}

func (k *working) has(j int) bool { return k.at[j] > 0 }

func (k *working) row(i int) []float64 { return k.gram[i*k.stride : i*k.stride+len(k.cols)] }

// add takes columns into the set; g has the gradients of all columns.
func (k *working) add(cols []int, g []float64) {
	if len(cols) == 0 {
		return
	}
	m := len(k.cols)
	k.reserve(m + len(cols))
	k.cols = append(k.cols, cols...)
	k.src.Cross(cols, k.cols, k.gram[m*k.stride:], k.stride)
	for i := m; i < len(k.cols); i++ {
		row := k.gram[i*k.stride:]
		for c := range m {
			k.gram[c*k.stride+i] = row[c]
		}
		j := k.cols[i]
		k.at[j] = i + 1
		k.square = append(k.square, row[i])
		k.limit = append(k.limit, k.pen.L1[j]/2)
		k.l2 = append(k.l2, k.pen.l2(j))
		k.free = append(k.free, k.pen.Limit(j) == 0)
		k.positive = append(k.positive, k.pen.positive(j))
		k.v = append(k.v, 0)
		k.q = append(k.q, g[j])
		k.inFactor = append(k.inFactor, false)
	}
}

// reserve makes room for the cross-products of m columns.
func (k *working) reserve(m int) {
	if m <= k.stride {
		return
	}
	stride := min(len(k.at), max(64, m+m/2))
	g := make([]float64, stride*stride)
	for i := range k.cols {
		copy(g[i*stride:], k.row(i))
	}
	k.gram, k.stride = g, stride
}

// penalize sets the penalty.
func (k *working) penalize(pen *Elastic) {
	k.pen = pen
	for i, j := range k.cols {
		k.limit[i] = pen.L1[j] / 2
		k.free[i] = pen.Limit(j) == 0
		if l2 := pen.l2(j); l2 != k.l2[i] {
			k.l2[i] = l2
			k.forget()
		}
	}
}

// forget drops the factor, since what it is of has changed.
func (k *working) forget() {
	k.f.id, k.f.rows = k.f.id[:0], k.f.rows[:0]
	clear(k.inFactor)
}

// sync takes the gradients that are known exactly.
func (k *working) sync(g, limit []float64) {
	for i, j := range k.cols {
		if k.v[i] != 0 || math.Abs(g[j]) > limit[j] {
			k.q[i] = g[j]
		}
	}
}

// solve reduces the duality gap on the working set to fine, and returns the number of
// sweeps.
func (k *working) solve(fine float64, most int) (sweeps int) {
	k.moved = k.newton()
	for sweeps < most && len(k.cols) > 0 {
		sweeps++
		if !k.sweep() {
			break
		}
		k.moved = true
		k.newton()
		if k.gap() <= fine {
			break
		}
	}
	return sweeps
}

// still is how far Xw may move, relative to |y|, as if it did not.
const still = 1e-13

// sweep minimizes over one weight after another, and reports whether that
// changed any.
func (k *working) sweep() bool {
	changed := false
	least := still * still * k.null
	for i, v := range k.v {
		square := k.square[i]
		c := k.q[i] + square*v
		var next float64
		if limit := k.limit[i]; c > limit {
			next = (c - limit) / (square + k.l2[i])
		} else if c < -limit && !k.positive[i] {
			next = (c + limit) / (square + k.l2[i])
		}
		d := next - v
		if d*d*square <= least && (next != 0 || v == 0) {
			continue
		}
		k.v[i] = next
		gram.Axpy(-d, k.row(i), k.q)
		changed = true
	}
	return changed
}

// newton minimizes over the active weights as long as their signs stay as they
// are: a linear system, solved by the Cholesky factor of the cross-products. A
// weight that would change its sign becomes zero, and the others go on. It
// reports whether anything moved.
func (k *working) newton() bool {
	k.before = append(k.before[:0], k.v...)
	k.release()
	rho := k.rho[:0]
	for _, i := range k.f.id {
		rho = append(rho, k.slope(i))
	}
	for i := range k.v {
		if k.active(i) && !k.inFactor[i] {
			rho = k.take(i, rho)
		}
	}
	k.rho = rho
	delta := make([]float64, len(rho))
	for len(rho) > 0 {
		delta = append(delta[:0], rho...)
		k.f.solve(delta)
		step, hit := 1.0, -1
		for c, i := range k.f.id {
			if t, crosses := k.crossing(i, delta[c]); crosses && t < step {
				step, hit = t, c
			}
		}
		for c, i := range k.f.id {
			k.v[i] += step * delta[c]
		}
		if hit < 0 {
			break
		}
		for c := range rho {
			rho[c] *= 1 - step
		}
		rho = k.drop(hit, rho)
	}
	moved := false
	for i, v := range k.before {
		if d := k.v[i] - v; d != 0 {
			gram.Axpy(-d, k.row(i), k.q)
			moved = moved || d*d*k.square[i] > still*still*k.null
		}
	}
	return moved
}

// active tells whether a weight is not zero, or need not be.
func (k *working) active(i int) bool { return k.v[i] != 0 || k.free[i] }

// slope returns half the derivative of -P along an active weight.
func (k *working) slope(i int) float64 {
	slope := k.q[i] - k.l2[i]*k.v[i]
	if k.v[i] != 0 {
		slope -= math.Copysign(k.limit[i], k.v[i])
	}
	return slope
}

// crossing returns the part of a step at which a weight becomes zero, if it
// matters that it does.
func (k *working) crossing(i int, delta float64) (t float64, crosses bool) {
	v := k.v[i]
	if k.free[i] || v*(v+delta) > 0 || delta == 0 {
		return 0, false
	}
	return -v / delta, true
}

// drop sets the weight at a position of the factor to zero and removes it.
func (k *working) drop(c int, rho []float64) []float64 {
	i := k.f.id[c]
	k.v[i] = 0
	k.inFactor[i] = false
	k.f.remove(c)
	return slices.Delete(rho, c, c+1)
}

// release removes columns that are no longer active from the factor.
func (k *working) release() {
	for c := k.f.len() - 1; c >= 0; c-- {
		if i := k.f.id[c]; !k.active(i) {
			k.inFactor[i] = false
			k.f.remove(c)
		}
	}
}

// take appends an active column to the factor and its slope to rho. If it is a
// linear combination of those in the factor, x_i = X u, then the fit stays as it
// is when the weights move along (-u, 1), and they do so, downhill, until one of
// them is zero.
func (k *working) take(i int, rho []float64) []float64 {
	g := make([]float64, 0, k.f.len()+1)
	for k.active(i) {
		g = g[:0]
		row := k.row(i)
		for _, c := range k.f.id {
			g = append(g, row[c])
		}
		if k.f.append(i, g, k.square[i]+k.l2[i]) {
			k.inFactor[i] = true
			return append(rho, k.slope(i))
		}
		k.f.backward(g)
		slope := k.signed(i)
		for c, u := range g {
			slope -= u * k.signed(k.f.id[c])
		}
		direction := 1.0
		if slope > 0 || slope == 0 && k.v[i] > 0 {
			direction = -1
		}
		// step is the largest that keeps every sign, hit what stops it: i
		// itself is -1.
		step, hit := math.Inf(1), len(g)
		if d := direction; k.v[i]*d < 0 {
			step, hit = -k.v[i]/d, -1
		}
		for c, u := range g {
			j := k.f.id[c]
			if d := -u * direction; !k.free[j] && k.v[j]*d < 0 && -k.v[j]/d < step {
				step, hit = -k.v[j]/d, c
			}
		}
		if hit == len(g) {
			return rho // nothing stops it: the columns without a penalty are aliased
		}
		k.v[i] += step * direction
		for c, u := range g {
			k.v[k.f.id[c]] -= step * direction * u
		}
		if hit < 0 {
			k.v[i] = 0
			return rho
		}
		rho = k.drop(hit, rho)
	}
	return rho
}

// signed returns L1/2 with the sign of the weight.
func (k *working) signed(i int) float64 {
	if k.v[i] == 0 {
		return 0
	}
	return math.Copysign(k.limit[i], k.v[i])
}

// complete brings the factor up to date.
func (k *working) complete() {
	k.release()
	for i := range k.v {
		if k.active(i) && !k.inFactor[i] {
			k.take(i, nil)
		}
	}
}

// dof returns the degrees of freedom: the number of independent active columns, less what
// L2 takes away.
func (k *working) dof() float64 {
	active := 0
	for _, v := range k.v {
		if v != 0 {
			active++
		}
	}
	if k.pen.L2 == nil || active == 0 {
		return float64(active)
	}
	k.complete()
	d := make([]float64, k.f.len())
	for c, i := range k.f.id {
		d[c] = k.l2[i]
	}
	return float64(k.f.len()) - k.f.inverseTrace(d)
}

// gap returns the duality gap of the problem on the working set; see
// Solver.certify.
func (k *working) gap() float64 {
	scale := 1.0
	for i, q := range k.q {
		if k.positive[i] {
			q = math.Max(q, 0)
		}
		if q := math.Abs(q); q > k.limit[i] && k.l2[i] == 0 {
			slack := rounding * math.Sqrt(k.square[i]*k.null)
			scale = math.Min(scale, (k.limit[i]+slack)/q)
		}
	}
	gap := (1 - scale) * (1 - scale) * k.rss
	for i, v := range k.v {
		gap += 2*k.limit[i]*math.Abs(v) + v*(k.l2[i]*v-2*scale*k.q[i])
		if excess := scale*math.Abs(k.q[i]) - k.limit[i]; excess > 0 && k.l2[i] > 0 && !(k.positive[i] && k.q[i] < 0) {
			gap += excess * excess / k.l2[i]
		}
	}
	return gap
}
