package certify

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// leastShare is what a sweep leaves D_j at least of G_jj, so that the proof of D <= G does not take all of it.
const leastShare = 1e-7

// raise is one sweep of coordinate ascent of a diagonal D below the symmetric matrix g of order n on the barrier
//
//	sum_j gain_j D_j + mu log det(G - D).
//
// With P = (G-D)^-1, the best change of D_j alone is 1/P_jj - mu/gain_j, and P changes by a matrix of rank
// one. It returns false if G - D cannot be factored. D is not proven afterwards. t and inverse are room for matrices.
func raise(t, inverse, g []float64, n int, d, gain []float64, mu float64) bool {
	if !factorBelow(t, g, n, d) {
		return false
	}
	invert(inverse, t, n)
	for j := range n {
		row := inverse[j*n+j : j*n+n]
		pivot := row[0]
		if !(pivot > 0) || math.IsInf(pivot, 1) {
			return false
		}
		floor := math.Min(d[j], leastShare*g[j*n+j])
		change := 1/pivot - mu/math.Max(gain[j], 1e-12)
		change = math.Max(math.Min(change, 0.9/pivot), math.Max(-d[j]/2, floor-d[j]))
		d[j] += change
		c := change / (1 - change*pivot)
		for i := 1; i < len(row); i++ {
			if f := c * row[i]; f != 0 {
				gram.Axpy(f, row[i:], inverse[(j+i)*n+j+i:(j+i)*n+n])
			}
		}
	}
	return true
}

// gains sets direction to the derivatives of minus the log of the bound with respect to D, and returns it:
//
//	phi ((1-p) beta_j^2 + p (u_j/d_j - beta_j)^2).
func (w *workspace) gains(nd *node) []float64 {
	for k := range w.free {
		p := w.law.inclusion[k]
		for j := w.start[k]; j < w.start[k+1]; j++ {
			beta, in := w.beta[j], w.u[j]/nd.d[j]-w.beta[j]
			w.direction[j] = nd.component.phi * ((1-p)*beta*beta + p*in*in)
		}
	}
	return w.direction[:w.m]
}

// improve lowers the bound of a node by a sweep of D, proven again, and Newton's method.
// It leaves the node, and beta, as they were if that does not lower it.
func (w *workspace) improve(nd *node, value, mu float64) (lower float64, ok bool) {
	m := w.m
	d, v, beta := w.kept[0][:m], nd.v, w.kept[1][:m]
	copy(d, nd.d)
	copy(beta, w.beta)
	back := func() (float64, bool) {
		copy(nd.d, d)
		copy(w.beta[:m], beta)
		nd.v = v
		return w.evaluate(nd), false
	}
	if !raise(w.t, w.inverse, w.g, m, nd.d, w.gains(nd), mu) {
		return back()
	}
	if !w.prove(nd) {
		return back()
	}
	const steps = 6
	if lower = w.descend(nd, steps); lower > value {
		return back()
	}
	return lower, true
}

// prove lessens D until it is proven to be below the computed G, and then so that it, and with it what is inherited,
// holds for every matrix of statement 5: G~ <= (1+tau) G and G~' >= (1-tau) G. It renews v. It returns false if there is no such D.
func (w *workspace) prove(nd *node) bool {
	m := w.m
	proven := provenBelow(w.t, w.g, m, nd.d)
	for try := 0; !proven && try < 20; try++ {
		for j := range nd.d {
			nd.d[j] *= 0.97
		}
		proven = provenBelow(w.t, w.g, m, nd.d)
	}
	if !proven {
		return false
	}
	for j := range nd.d {
		nd.d[j] *= 1 - 4*w.p.tau
	}
	if w.p.det {
		w.renewPivots(nd)
	}
	return true
}

// renewPivots replaces v where that of the node alone is larger.
func (w *workspace) renewPivots(nd *node) {
	m := w.m
	copy(w.t, w.g[:m*m])
	if !eliminate(w.t, m, m) {
		return // the v inherited hold
	}
	v := make([]float64, m)
	conditionalPivots(v, w.t, m)
	for j := range v {
		v[j] = math.Max(v[j]*(1-4*w.p.tau), nd.v[j])
	}
	nd.v = v
}
