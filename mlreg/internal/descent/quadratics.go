package descent

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// quadratics are the quadratic model of a deviance on a working set of blocks, in
// which everything is known from second derivatives. Weights are meant by their
// positions in it.
type quadratics struct {
	model  Model
	pen    Penalty
	blocks [][]int
	null   float64
	at     []int // of every block: its place in the set plus one, 0 if it is not there
	in     []int // the blocks
	from   []int // position of each block's first weight
	cols   []int // the weights

	hess   []float64 // second derivatives, m x m
	stride int
	top    []float64 // of every block: the largest eigenvalue of its part
	v, q   []float64 // weights, and minus the derivatives of the model

	f      factor // of the last Newton step, with
	kept   []int  // its weights and
	curved []float64
}

func (k *quadratics) has(b int) bool { return k.at[b] > 0 }

func (k *quadratics) members() []int { return k.in }

func (k *quadratics) weights() (cols []int, v []float64) { return k.cols, k.v }

func (k *quadratics) penalize(pen Penalty) { k.pen = pen }

func (k *quadratics) row(i int) []float64 { return k.hess[i*k.stride : i*k.stride+len(k.cols)] }

// span returns the positions of the t-th block.
func (k *quadratics) span(t int) (from, to int) {
	from = k.from[t]
	return from, from + len(k.blocks[k.in[t]])
}

// add takes blocks into the set.
func (k *quadratics) add(blocks []int) {
	m := len(k.cols)
	for _, b := range blocks {
		k.in = append(k.in, b)
		k.at[b] = len(k.in)
		k.from = append(k.from, len(k.cols))
		k.cols = append(k.cols, k.blocks[b]...)
	}
	if len(k.cols) == m {
		return
	}
	k.v = append(k.v, make([]float64, len(k.cols)-m)...)
	k.q = append(k.q, make([]float64, len(k.cols)-m)...)
	k.reserve(m)
	k.model.Cross(k.cols[m:], k.cols, k.hess[m*k.stride:], k.stride)
	for i := m; i < len(k.cols); i++ {
		row := k.hess[i*k.stride:]
		for c := range m {
			k.hess[c*k.stride+i] = row[c]
		}
	}
	k.bound(len(k.top))
}

// reserve makes room for all weights, of which m have their second derivatives.
func (k *quadratics) reserve(m int) {
	if len(k.cols) <= k.stride {
		return
	}
	stride := max(64, len(k.cols)+len(k.cols)/2)
	h := make([]float64, stride*stride)
	for i := range m {
		copy(h[i*stride:], k.hess[i*k.stride:i*k.stride+m])
	}
	k.hess, k.stride = h, stride
}

// bound finds the largest eigenvalues of the blocks from the t-th on.
func (k *quadratics) bound(t int) {
	k.top = k.top[:t]
	for ; t < len(k.in); t++ {
		from, to := k.span(t)
		top := k.row(from)[from]
		if to > from+1 {
			part := mat.NewSymDense(to-from, nil)
			for i := from; i < to; i++ {
				for c := i; c < to; c++ {
					part.SetSym(i-from, c-from, k.row(i)[c])
				}
			}
			var e mat.EigenSym
			if e.Factorize(part, false) {
				top = slices.Max(e.Values(nil))
			} else {
				top = mat.Trace(part)
			}
		}
		k.top = append(k.top, top)
	}
}

// renew takes the second derivatives of the model's point, or their bound.
func (k *quadratics) renew(bound bool) {
	if !k.model.Renew(bound) || len(k.cols) == 0 {
		return
	}
	k.model.Cross(k.cols, k.cols, k.hess, k.stride)
	k.bound(0)
	k.kept = nil
}

// take takes the derivatives at v.
func (k *quadratics) take(u []float64, _ float64) {
	for i, c := range k.cols {
		k.q[i] = u[c]
	}
}

// gap is that of the certificate.
func (k *quadratics) gap(s *Proximal) float64 { return s.certify(k.pen, k.in).Gap }

// minimize goes down the model plus the penalty until a sweep over all blocks gains
// less than fine, and returns the number of sweeps.
func (k *quadratics) minimize(fine float64, most int) (sweeps int) {
	k.newton()
	stays := 0
	for sweeps < most && len(k.in) > 0 {
		sweeps++
		gain, changed := k.sweep()
		if gain <= fine && !changed {
			break
		}
		if stays++; changed {
			stays = 0
		}
		if stays > 0 || sweeps%8 == 0 {
			k.newton()
		}
	}
	return sweeps
}

// sweep does a proximal step for one block after another. It returns at least half of
// what that gains, and reports whether any block became zero or stopped being it.
func (k *quadratics) sweep() (gain float64, changed bool) {
	least := still * still * k.null
	var next []float64
	for t, b := range k.in {
		from, to := k.span(t)
		top := k.top[t]
		if !(top > 0) {
			continue
		}
		v := k.v[from:to]
		next = next[:0]
		for i, old := range v {
			next = append(next, old+k.q[from+i]/top)
		}
		k.pen.Prox(b, next, 1/top)
		var moves float64
		zeros := false
		for i, old := range v {
			moves += (next[i] - old) * (next[i] - old)
			zeros = zeros || (next[i] == 0) != (old == 0)
		}
		if moves*top/2 <= least && !(zeros && length(next) == 0) {
			continue
		}
		gain += moves * top / 2
		changed = changed || zeros
		for i, old := range v {
			if d := next[i] - old; d != 0 {
				gram.Axpy(-d, k.row(from+i), k.q)
			}
		}
		copy(v, next)
	}
	return gain, changed
}

// newton minimizes over the active weights, as long as the penalty is smooth.
func (k *quadratics) newton() {
	for range 50 {
		active, blocks, rho := k.active()
		if len(active) == 0 {
			return
		}
		d := make([]float64, len(k.v))
		var slope float64
		for i, v := range k.solve(rho) {
			c := k.f.id[i]
			d[active[c]] = v
			slope += v * rho[c]
		}
		if !(slope > 0) || !k.step(blocks, d, slope < 1e-13*k.null) {
			return
		}
	}
}

// active returns the active weights, the blocks that they are of, and minus the
// derivatives of the objective by them; it brings the factor up to date.
func (k *quadratics) active() (active, blocks []int, rho []float64) {
	var curved []float64 // second derivatives of the penalty, block by block
	for t, b := range k.in {
		from, to := k.span(t)
		n := to - from
		grad := make([]float64, n)
		at := len(curved)
		curved = append(curved, make([]float64, n*n)...)
		if !(k.top[t] > 0) || !k.pen.Smooth(b, k.v[from:to], grad, curved[at:]) {
			curved = curved[:at]
			continue
		}
		blocks = append(blocks, t)
		for i := range n {
			active = append(active, from+i)
			rho = append(rho, k.q[from+i]-grad[i])
		}
	}
	if !slices.Equal(active, k.kept) || !slices.Equal(curved, k.curved) {
		k.decompose(active, blocks, curved)
	}
	return active, blocks, rho
}

// decompose finds the factor of the second derivatives of the objective by the
// active weights, without those that depend on others; its id are positions in active.
func (k *quadratics) decompose(active, blocks []int, curved []float64) {
	k.kept, k.curved = active, curved
	k.f.free = append(k.f.free, k.f.rows...)
	k.f.rows, k.f.id = k.f.rows[:0], k.f.id[:0]
	g := make([]float64, 0, len(active))
	c := 0
	for _, t := range blocks {
		from, to := k.span(t)
		n := to - from
		first := c
		for i := range n {
			row := k.row(from + i)
			g = g[:0]
			for _, a := range k.f.id {
				v := row[active[a]]
				if a >= first {
					v += curved[i*n+a-first]
				}
				g = append(g, v)
			}
			k.f.append(c, g, row[from+i]+curved[i*n+i])
			c++
		}
		curved = curved[n*n:]
	}
}

// solve returns the solution of the factor's system, in its order.
func (k *quadratics) solve(rho []float64) []float64 {
	x := make([]float64, 0, len(k.f.id))
	for _, c := range k.f.id {
		x = append(x, rho[c])
	}
	k.f.solve(x)
	return x
}

// step goes along d as far as the objective falls. Weights that would cross zero
// become zero: all of them, or, if the objective rises, the first. A last step is so
// short that rounding hides whether it falls. It reports whether another may follow.
func (k *quadratics) step(blocks []int, d []float64, last bool) bool {
	first, stop := 1.0, -1
	all := slices.Clone(d)
	for _, t := range blocks {
		from, to := k.span(t)
		if part := k.pen.Crossing(k.in[t], k.v[from:to], d[from:to]); part < 1 {
			for i := from; i < to; i++ {
				all[i] = -k.v[i]
			}
			if part < first {
				first, stop = part, t
			}
		}
	}
	if last && stop < 0 {
		k.try(blocks, all, true)
		return false
	}
	if k.try(blocks, all, false) {
		return true
	}
	for scale := first; scale > 1e-9; scale /= 2 {
		for i := range d {
			all[i] = scale * d[i]
		}
		if stop >= 0 && scale == first {
			for i, to := k.span(stop); i < to; i++ {
				all[i] = -k.v[i]
			}
		}
		if k.try(blocks, all, false) {
			return true
		}
	}
	return false
}

// try adds d to the weights if the objective falls, or if it must.
func (k *quadratics) try(blocks []int, d []float64, must bool) bool {
	hd := make([]float64, len(d))
	var change float64
	for i, v := range d {
		if v != 0 {
			gram.Axpy(v, k.row(i), hd)
		}
	}
	for i, v := range d {
		change += v * (hd[i]/2 - k.q[i])
	}
	var next []float64
	for _, t := range blocks {
		from, to := k.span(t)
		next = next[:0]
		for i := from; i < to; i++ {
			next = append(next, k.v[i]+d[i])
			if d[i] == -k.v[i] {
				next[i-from] = 0
			}
		}
		change += k.pen.Value(k.in[t], next) - k.pen.Value(k.in[t], k.v[from:to])
	}
	if !(change < 0) && !must {
		return false
	}
	for i, v := range d {
		if v == -k.v[i] {
			k.v[i] = 0
		} else {
			k.v[i] += v
		}
		k.q[i] -= hd[i]
	}
	return true
}

// dof returns the degrees of freedom
//
//	trace(H (H + Omega'')^-1)
//
// of the second derivatives of the deviance and of the penalty by the active weights:
// the number of independent ones for the lasso. (Vaiter and others, 2017, Annals of the
// Institute of Statistical Mathematics 69, 791-832.)
func (k *quadratics) dof() float64 {
	if slices.ContainsFunc(k.curved, func(v float64) bool { return v != 0 }) {
		k.renew(false) // the trace is that of this point
	}
	active, blocks, _ := k.active()
	place := make([]int, len(active)) // in the factor, plus one
	for i, c := range k.f.id {
		place[c] = i + 1
	}
	trace := float64(len(k.f.id))
	curved, c := k.curved, 0
	for _, t := range blocks {
		from, to := k.span(t)
		n := to - from
		for i := range n {
			x := make([]float64, len(k.f.id))
			any := false
			for j := range n {
				if at := place[c+j]; at > 0 && curved[j*n+i] != 0 {
					x[at-1] = curved[j*n+i]
					any = true
				}
			}
			if at := place[c+i]; any && at > 0 {
				k.f.solve(x)
				trace -= x[at-1]
			}
		}
		curved, c = curved[n*n:], c+n
	}
	return trace
}
