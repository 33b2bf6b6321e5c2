package hierarchy

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
	dof := 0.0
	r := newReducer(t, delta, 0, 0)
	for g := range t.Levels[0].N {
		dof += r.down(g, mean, cov0, out)
	}
	return out, dof
}

// down computes the distribution of the coefficients of a group and all groups in it,
// given that of the coefficients around it. It returns the degrees of freedom of their
// effects.
func (r *reducer) down(g int, mean, cov []float64, out []*Groups) float64 {
	t, c, k := r.t, r.t.Columns, r.k
	var a []float64
	q := c + 1
	in := t.kept(r.level + 1)
	if r.inner == nil {
		a = t.Sums[g*q*q : (g+1)*q*q]
	} else {
		r.inner.out.clear()
		r.inner.groups(r.start[g], r.start[g+1])
		a, q = r.inner.out.F, r.inner.out.q
	}
	r.conditionalCov(a, q)
	y := q - 1
	// Effects: u = K (A_zy - A_z. mean); their covariance K + K A_z cov A_z' K.
	az := make([]float64, k*c) // rows of A_z, columns as coefficients
	u := make([]float64, k)
	for i, z := range r.z {
		u[i] = a[z*q+y]
		for j, col := range in[:y] {
			az[i*c+col] = a[z*q+j]
			u[i] -= a[z*q+j] * mean[col]
		}
	}
	vary := t.Levels[r.level].Vary
	m := append([]float64(nil), mean...)
	tt := make([]float64, c*c) // I - z K A_z
	for i := range c {
		tt[i*c+i] = 1
	}
	for i, vi := range vary {
		for j := range k {
			m[vi] += r.ka[i*k+j] * u[j]
			for col := range c {
				tt[vi*c+col] -= r.ka[i*k+j] * az[j*c+col]
			}
		}
	}
	full := product(product(tt, cov, c), transposed(tt, c), c)
	for i, vi := range vary {
		for j, vj := range vary {
			full[vi*c+vj] += r.ka[i*k+j]
		}
	}
	copy(out[r.level].Coef[g*c:], m)
	copy(out[r.level].K[g*k*k:], r.ka)
	for i := range c {
		for j := range i + 1 {
			out[r.level].Cov[g*pairs(c)+pair(i, j)] = (full[i*c+j] + full[j*c+i]) / 2
		}
	}
	// Degrees of freedom: k - tr(Delta^-1 Var u), where Delta^-1 K = (I + A Delta)^-1,
	// which is I - A K.
	dof := 0.0
	for i := range k {
		own := 0.0
		for j := range k {
			own += az[i*c+vary[j]] * r.ka[j*k+i]
		}
		dof += own
	}
	// tr((I - A K) A_z cov A_z' K)
	ac := make([]float64, k*c)
	for i := range k {
		for j := range c {
			for l := range c {
				ac[i*c+j] += az[i*c+l] * cov[l*c+j]
			}
		}
	}
	b := make([]float64, k*k)
	for i := range k {
		for j := range k {
			b[i*k+j] = dot(ac[i*c:(i+1)*c], az[j*c:(j+1)*c])
		}
	}
	for i := range k {
		for j := range k {
			w := 0.0 // (I - A K)_ij
			if i == j {
				w = 1
			}
			for l := range k {
				w -= az[i*c+vary[l]] * r.ka[l*k+j]
			}
			kb := 0.0 // (K')(B)
			for l := range k {
				kb += b[j*k+l] * r.ka[l*k+i]
			}
			dof -= w * kb
		}
	}
	if r.inner != nil {
		for inner := r.start[g]; inner < r.start[g+1]; inner++ {
			dof += r.inner.down(inner, m, full, out)
		}
	}
	return dof
}
