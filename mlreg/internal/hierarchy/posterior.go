package hierarchy

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Groups are the posterior distributions of the coefficients of a level's groups.
type Groups struct {
	Coef []float64 // groups x Columns
	Cov  []float64 // groups x pairs(Columns), relative to sigma^2, counting that of the fixed coefficients
	K    []float64 // groups x varying^2: covariance of the effects given the coefficients around, relative to sigma^2
}

// Posterior returns the distribution of the coefficients of all groups given the
// variances, level by level, and the degrees of freedom that all coefficients take
// together. Beta and cov are those of the fixed columns.
func (t *Tree) Posterior(delta [][]float64, beta, cov []float64) ([]*Groups, float64) {
	c := t.Columns
	out := make([]*Groups, len(t.Levels))
	for l := range out {
		n := t.Levels[l].N
		out[l] = &Groups{make([]float64, n*c), make([]float64, n*pairs(c)), make([]float64, n*len(t.Levels[l].Vary)*len(t.Levels[l].Vary))}
	}
	mean, cov0 := make([]float64, c), make([]float64, c*c)
	p := len(t.Fixed)
	for i, fi := range t.Fixed {
		mean[fi] = beta[i]
		for j, fj := range t.Fixed {
			cov0[fi*c+fj] = cov[i*p+j]
		}
	}
	n := t.Levels[0].N
	parts := make([]float64, max((n+chunk-1)/chunk, 1))
	roots := make([][]float64, len(delta))
	for l, d := range delta {
		roots[l] = root(d, len(t.Levels[l].Vary))
	}
	gram.Each(len(parts), func(part int) {
		r := newReducer(t, delta, 0, 0)
		r.descend(roots)
		none := make([]float64, c)
		for g := part * chunk; g < min((part+1)*chunk, n); g++ {
			parts[part] += r.down(g, mean, cov0, none, out)
		}
	})
	dof := 0.0
	for _, d := range parts {
		dof += d
	}
	return out, dof
}

// root returns a matrix S with S S' = a, which is a covariance.
func root(a []float64, n int) []float64 {
	out := make([]float64, n*n)
	values, vectors := eigen(a, n)
	for j, w := range values {
		for i := range n {
			out[i*n+j] = math.Sqrt(math.Max(w, 0)) * vectors.At(i, j)
		}
	}
	return out
}

// descent is the work of down.
type descent struct {
	az, ac, b, u, m     []float64
	tt, full, half, one []float64
	shift               []float64
}

// descend makes room for down.
func (r *reducer) descend(roots [][]float64) {
	k, c := r.k, r.t.Columns
	r.root = roots[r.level]
	r.to = &descent{
		az: make([]float64, k*c), ac: make([]float64, k*c), b: make([]float64, k*k), u: make([]float64, k), m: make([]float64, c), shift: make([]float64, c),
		tt: make([]float64, c*c), full: make([]float64, c*c), half: make([]float64, c*c), one: make([]float64, k*k),
	}
	if r.inner != nil {
		r.inner.descend(roots)
	}
}

// given sets K, A_z. and u = A_zy - A_z. mean of a group, K the covariance of its effects
// given the coefficients around it, relative to sigma^2.
func (r *reducer) given(g int, mean []float64) {
	clear(r.to.az)
	if r.inner == nil {
		r.givenRows(g, mean)
		return
	}
	r.below(g)
	t, c, k, w := r.t, r.t.Columns, r.k, r.to
	a, q := r.inner.out.F, r.inner.out.q
	r.conditionalCov(a, q)
	in := t.kept(r.level + 1)
	for i, z := range r.z {
		w.u[i] = a[z*q+q-1]
		for j, zj := range r.z {
			w.u[i] += a[z*q+zj] * t.shift[r.level][g*k+j]
		}
		for j, col := range in[:q-1] {
			w.az[i*c+col] = a[z*q+j]
			w.u[i] -= a[z*q+j] * mean[col]
		}
	}
}

// givenRows is given of an innermost group, of its rows R.
func (r *reducer) givenRows(g int, mean []float64) {
	t, c, k, w := r.t, r.t.Columns, r.k, r.to
	q := c + 1
	a := t.factors[g*q*q:]
	r.rootedCov(a, q)
	e := r.v[:k] // R_zy - R_z. mean
	for i := range k {
		s := a[i*q+c]
		for at := i; at < c; at++ {
			s -= a[i*q+at] * mean[t.order[at]]
		}
		e[i] = s
	}
	for i := range k {
		s := 0.0
		for l := range i + 1 {
			s += a[l*q+i] * e[l]
		}
		w.u[i] = s
		for at, col := range t.order[:c] {
			s := 0.0
			for l := range min(i, at) + 1 {
				s += a[l*q+i] * a[l*q+at]
			}
			w.az[i*c+col] = s
		}
	}
}

// rootedCov sets K by the rows a of a group. With R of what varies and Delta = S S':
//
//	N = R S,  I + N'N = L L',  K = (S L^-T)(S L^-T)'.
func (r *reducer) rootedCov(a []float64, q int) {
	k, w := r.k, r.to
	for i := range k {
		for j := range k {
			s := 0.0
			for l := i; l < k; l++ {
				s += a[i*q+l] * r.root[l*k+j]
			}
			r.v[i*k+j] = s
		}
	}
	for i := range k {
		for j := range k {
			s := 0.0
			for l := range k {
				s += r.v[l*k+i] * r.v[l*k+j]
			}
			r.m[i*k+j] = s
		}
		r.m[i*k+i]++
	}
	cholesky(r.m, k)
	for i := range k { // rows of S L^-T
		row := w.one[i*k : (i+1)*k]
		for j := range k {
			s := r.root[i*k+j]
			for l := range j {
				s -= row[l] * r.m[j*k+l]
			}
			row[j] = s / r.m[j*k+j]
		}
	}
	for i := range k {
		for j := range k {
			r.ka[i*k+j] = dot(w.one[i*k:(i+1)*k], w.one[j*k:(j+1)*k])
		}
	}
}

// down computes the distribution of the coefficients of a group and all groups in it,
// given that of the coefficients around it, their mean less the shift of the response. It
// returns the degrees of freedom of their effects.
func (r *reducer) down(g int, mean, cov, shift []float64, out []*Groups) float64 {
	r.given(g, mean)
	c, k, w := r.t.Columns, r.k, r.to
	r.combine(mean, cov)
	to := out[r.level]
	for i, v := range w.m {
		to.Coef[g*c+i] = v + shift[i]
	}
	copy(to.K[g*k*k:], r.ka)
	packed := to.Cov[g*pairs(c):]
	for i := range c {
		copy(packed[pair(i, 0):], w.full[i*c:i*c+i+1])
	}
	dof := r.effectsDoF(cov)
	if r.inner == nil {
		return dof
	}
	copy(w.shift, shift)
	for i, v := range r.t.Levels[r.level].Vary {
		w.m[v] -= r.t.shift[r.level][g*k+i]
		w.shift[v] += r.t.shift[r.level][g*k+i]
	}
	for inner := r.start[g]; inner < r.start[g+1]; inner++ {
		dof += r.inner.down(inner, w.m, w.full, w.shift, out)
	}
	return dof
}

// combine sets mean and covariance of the coefficients of a group from those around it: of its effects
//
//	u = K (A_zy - A_z. mean),  K + K A_z cov A_z' K.
func (r *reducer) combine(mean, cov []float64) {
	c, k, w := r.t.Columns, r.k, r.to
	vary := r.t.Levels[r.level].Vary
	copy(w.m, mean)
	clear(w.tt) // I - z K A_z
	for i := range c {
		w.tt[i*c+i] = 1
	}
	for i, vi := range vary {
		for j := range k {
			ka := r.ka[i*k+j]
			w.m[vi] += ka * w.u[j]
			for col := range c {
				w.tt[vi*c+col] -= ka * w.az[j*c+col]
			}
		}
	}
	for i := range c { // tt cov tt', of which most rows are those of I
		for j := range c {
			s := 0.0
			for l := range c {
				s += w.tt[i*c+l] * cov[l*c+j]
			}
			w.half[i*c+j] = s
		}
	}
	for i := range c {
		for j := range i + 1 {
			s := dot(w.half[i*c:(i+1)*c], w.tt[j*c:(j+1)*c])
			w.full[i*c+j], w.full[j*c+i] = s, s
		}
	}
	for i, vi := range vary {
		for j, vj := range vary {
			w.full[vi*c+vj] += r.ka[i*k+j]
		}
	}
}

// effectsDoF returns the degrees of freedom of the effects of a group: k - tr(Delta^-1 Var u),
// where Delta^-1 K = (I + A Delta)^-1, which is I - A K:
//
//	tr(A K) - tr((I - A K) A_z cov A_z' K).
func (r *reducer) effectsDoF(cov []float64) float64 {
	c, k, w := r.t.Columns, r.k, r.to
	vary := r.t.Levels[r.level].Vary
	for i := range k {
		for j := range c {
			s := 0.0
			for l := range c {
				s += w.az[i*c+l] * cov[l*c+j]
			}
			w.ac[i*c+j] = s
		}
		for j := range k {
			s := 0.0
			for l := range k {
				s += w.az[i*c+vary[l]] * r.ka[l*k+j]
			}
			w.one[i*k+j] = s // A K
		}
	}
	for i := range k {
		for j := range k {
			w.b[i*k+j] = dot(w.ac[i*c:(i+1)*c], w.az[j*c:(j+1)*c])
		}
	}
	dof := 0.0
	for i := range k {
		dof += w.one[i*k+i]
		for j := range k {
			left := -w.one[i*k+j]
			if i == j {
				left++
			}
			for l := range k {
				dof -= left * w.b[j*k+l] * r.ka[l*k+i]
			}
		}
	}
	return dof
}
