package certify

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// evaluate returns the log of the bound of statement 2 at beta, and sets u, odds, form and
// the law. Rounding is left to seal.
func (w *workspace) evaluate(nd *node) float64 {
	w.form = 0
	for i, d := range nd.d {
		a := gram.Dot(w.g[i*w.m:i*w.m+w.m], w.beta[:w.m]) - d*w.beta[i]
		w.u[i] = w.b[i] - a
		w.form += w.beta[i] * a
	}
	return w.logConstant(nd) - nd.component.phi*(w.q-w.form) + w.setLaw(nd, w.u)
}

// logConstant is the log weight of the units in without Q and the size.
func (w *workspace) logConstant(nd *node) float64 {
	c := nd.component.logKappa + w.ownIn
	if w.p.det {
		c -= w.logDet / 2
	}
	return c
}

// setLaw sets odds and law from u, and returns the log of the law's sum. It needs no more of the
// node than its units and their columns.
func (w *workspace) setLaw(nd *node, u []float64) float64 {
	units := len(w.free)
	for k, unit := range w.free {
		var x, det float64
		for j := w.start[k]; j < w.start[k+1]; j++ {
			x += u[j] * u[j] / nd.d[j]
			if w.p.det {
				det -= math.Log(nd.v[j]) / 2
			}
		}
		// The factor covers the rounding of x: no less than statement 2 asks for.
		w.odds[k] = w.p.own[unit] + nd.component.phi*x*(1+2*gamma(w.start[k+1]-w.start[k]+4)) + det
	}
	return w.law.set(w.p.size, w.k0, w.odds[:units])
}

// open makes the law of a node that was sealed, without its matrix.
func (w *workspace) open(nd *node) {
	w.setFree(nd.free)
	w.k0 = len(nd.in)
	w.setLaw(nd, nd.u)
}

// solveFor sets beta so that the bound has the linear term u of the node (statement 3). Where D is
// so near to G that the factorization fails, a smaller D gives a beta that is nearly that:
// the bound holds for any.
func (w *workspace) solveFor(nd *node) {
	d := nd.d
	for shrink := 1e-9; !factorBelow(w.t, w.g, w.m, d); shrink *= 10 {
		if shrink > 1 {
			clear(w.beta[:w.m])
			return
		}
		d = append(w.shift[:0], nd.d...)
		for i := range d {
			d[i] *= 1 - shrink
		}
	}
	for i, u := range nd.u {
		w.beta[i] = w.b[i] - u
	}
	solve(w.t, w.m, w.beta)
}

// descend lowers the bound by at most some steps of Newton's method in beta, and returns its log. As a function of
// a = (G-D) beta it has
//
//	gradient 2 phi (beta - p u/d),   Hessian 2 phi ((G-D)^-1 + K),   K_jj = (p + 2 phi p (1-p) u^2/d)/d
//
// with p the inclusions, but for covariances between columns of one unit and by sizes, which are left
// out. The step in beta is (G - D + K^-1)^-1 K^-1 (p u/d - beta).
func (w *workspace) descend(nd *node, steps int) float64 {
	value := w.evaluate(nd)
	m, phi := w.m, nd.component.phi
	if m == 0 {
		return value
	}
	for range steps {
		copy(w.best, w.beta[:m])
		for k := range w.free {
			p := w.law.inclusion[k]
			for j := w.start[k]; j < w.start[k+1]; j++ {
				u, d := w.u[j], nd.d[j]
				curvature := math.Max((p+2*phi*p*(1-p)*u*u/d)/d, 1e-9)
				w.shift[j] = d - 1/curvature
				w.direction[j] = (p*u/d - w.beta[j]) / curvature
			}
		}
		if !factorBelow(w.t, w.g, m, w.shift[:m]) {
			break
		}
		solve(w.t, m, w.direction)
		next, ok := w.search(nd, value)
		if !ok {
			copy(w.beta[:m], w.best)
			return w.evaluate(nd)
		}
		done := value-next < 0.01
		if value = next; done {
			break
		}
	}
	return value
}

// search goes from best along direction as far as lowers the bound.
func (w *workspace) search(nd *node, value float64) (next float64, ok bool) {
	step := 1.0
	for range 4 {
		for j := range w.m {
			w.beta[j] = w.best[j] + step*w.direction[j]
		}
		if next = w.evaluate(nd); next <= value {
			return next, true
		}
		step *= 0.3
	}
	return value, false
}

// seal stores the bound at beta in the node so that it holds whatever rounding did. There is rounding in u and form: |G_jk| <=
// root_j root_k, since G is positive definite, so that with B = sum_k root_k |beta_k| the sizes of the terms of u_j add up to
// at most
//
//	|b_j| + d_j |beta_j| + root_j B =: a_j,
//
// and u_j has the error e_j = gamma_{m+4} a_j, form f = gamma_{2m+8} sum_j |beta_j| a_j. And there is the matrix M~' of statement 5 for
// which a draw's weight is exact, while the bound is that of another, M~. As (1-tau)/(1+tau) M~ <= M~', the smallest quadratic over a
// support falls by at most 1 - (1-tau)/(1+tau) <= 2 tau times itself, which in M~ is at most (1+tau)^2/(1-tau)^2 q <= (1+5 tau) q for
// tau <= 1e-3; the determinant of s columns falls by at most the factor ((1-tau)/(1+tau))^s, and
// half of that log is at most s tau/(1-tau^2). The columns of the draw itself have that room in v.
func (w *workspace) seal(nd *node) {
	m, tau := w.m, w.p.tau
	var length, form float64
	for k, r := range w.root[:m] {
		length += r * math.Abs(w.beta[k])
	}
	nd.u = make([]float64, m)
	for j, u := range w.u[:m] {
		beta := math.Abs(w.beta[j])
		size := math.Abs(w.b[j]) + nd.d[j]*beta + w.root[j]*length
		form += beta * size
		nd.u[j] = math.Copysign((math.Abs(u)+gamma(m+4)*size*(1+gamma(m+8)))*(1+4*dd.Unit), u)
	}
	low := w.q*(1-2*tau*(1+5*tau)-4*dd.Unit) - w.form - gamma(2*m+8)*form*(1+gamma(m+8))
	nd.base = w.logConstant(nd) - nd.component.phi*low
	if w.p.det {
		nd.base += float64(w.s) * tau * (1 + tau)
	}
	nd.logU = nd.base + w.setLaw(nd, nd.u)
	nd.split = w.widest(nd)
	nd.setLower(w.lower(nd))
}

// widest is the free unit whose part in the slack of the bound is the largest: phi Var(beta_j) (G_jj - d_j)
// under the law, and what det G_TT <= prod G_jj leaves above prod v_j.
func (w *workspace) widest(nd *node) int {
	all := w.sizes[:len(w.free)]
	for k := range w.free {
		p := w.law.inclusion[k]
		var slack float64
		for j := w.start[k]; j < w.start[k+1]; j++ {
			gjj, mean := w.g[j*w.m+j], w.u[j]/nd.d[j]
			in := mean - w.beta[j]
			slack += nd.component.phi * ((1-p)*w.beta[j]*w.beta[j] + p*in*in) * (gjj - nd.d[j])
			if w.p.det {
				slack += p / 2 * math.Log(gjj/nd.v[j])
			}
		}
		all[k] = slack
	}
	return w.resolve(all)
}
