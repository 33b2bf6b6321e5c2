package certify

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// leastShare is what a sweep leaves D_j at least of G_jj, so that the proof of D <= G does not take all of it.
const leastShare = 1e-7

// ascend is one sweep of coordinate ascent of D on the barrier
//
//	sum_j gain_j D_j + mu log det(G - D),   gain_j = phi ((1-p) beta_j^2 + p (u_j/d_j - beta_j)^2),
//
// gain being the derivative of minus the log of the bound: with P = (G-D)^-1, the best change of
// D_j alone is 1/P_jj - mu/gain_j, and P changes by a matrix of rank one. It returns false if G - D cannot be
// factored. D is not proven afterwards.
func (w *workspace) ascend(nd *node, mu float64) bool {
	m := w.m
	if !factorBelow(w.t, w.g, m, nd.d) {
		return false
	}
	invert(w.inverse, w.t, m)
	for k := range w.free {
		p := w.law.inclusion[k]
		for j := w.start[k]; j < w.start[k+1]; j++ {
			beta, in := w.beta[j], w.u[j]/nd.d[j]-w.beta[j]
			gain := nd.component.phi * ((1-p)*beta*beta + p*in*in)
			row := w.inverse[j*m+j : j*m+m]
			pivot := row[0]
			if !(pivot > 0) || math.IsInf(pivot, 1) {
				return false
			}
			change := 1/pivot - mu/math.Max(gain, 1e-12)
			floor := math.Min(nd.d[j], leastShare*w.g[j*m+j])
			change = math.Max(math.Min(change, 0.9/pivot), math.Max(-nd.d[j]/2, floor-nd.d[j]))
			nd.d[j] += change
			w.subtractOuter(j, change/(1-change*pivot))
		}
	}
	return true
}

// subtractOuter adds c row row' of the inverse, from column j on, to the rows below j.
func (w *workspace) subtractOuter(j int, c float64) {
	m := w.m
	row := w.inverse[j*m+j : j*m+m]
	for i := 1; i < len(row); i++ {
		if f := c * row[i]; f != 0 {
			gram.Axpy(f, row[i:], w.inverse[(j+i)*m+j+i:(j+i)*m+m])
		}
	}
}

// improve lowers the bound of a node by a sweep of D, proven again, and Newton's method.
// It leaves the node, and beta, as they were if that does not lower it.
func (w *workspace) improve(nd *node, value, mu float64, steps int) (lower float64, ok bool) {
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
	if !w.ascend(nd, mu) {
		return back()
	}
	proven := provenBelow(w.t, w.g, m, nd.d)
	for try := 0; !proven && try < 20; try++ {
		for j := range nd.d {
			nd.d[j] *= 0.97
		}
		proven = provenBelow(w.t, w.g, m, nd.d)
	}
	if !proven {
		return back()
	}
	w.settle(nd)
	if lower = w.descend(nd, steps); lower > value {
		return back()
	}
	return lower, true
}

// settle lessens a D that is proven for the computed G so that it, and with it what is inherited,
// holds for every matrix of statement 5, and renews v. G~ <= (1+tau) G and G~' >= (1-tau) G.
func (w *workspace) settle(nd *node) {
	m := w.m
	for j := range nd.d {
		nd.d[j] *= 1 - 4*w.p.tau
	}
	if !w.p.det {
		return
	}
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
