package hierarchy

// outer adds what is left of a group whose cross-products depend on the Deltas of inner
// levels. With A~ = (A^-1 + Delta)^-1, T = A~ A^-1 and K = Delta (I + A Delta)^-1,
//
//	dA~  = T dA T' - A~ E A~
//	d2A~ = T (d2A - dA1 K dA2 - dA2 K dA1) T'                of two inner elements
//	       -(T dA T') E A~ - A~ E (T dA T')                  of an inner and an own one
//	       A~ E1 A~ E2 A~ + A~ E2 A~ E1 A~                   of two own ones
//
// and the same for log |I + A Delta|.
func (r *reducer) outer(in *jet, g int) {
	q, k := in.q, r.k
	r.own = r.t.shift[r.level][g*k : (g+1)*k]
	r.out.Log += in.Log
	w := r.eliminate(in.F, q)
	if r.full == nil {
		r.full, r.tm = make([]float64, q*q), make([]float64, q*q)
	}
	r.conditionalCov(in.F, q)
	r.setReduced(in.F, w, q)
	r.setT(w, q)
	r.keep(r.out.F, r.full, q)
	if r.order > 0 {
		first := r.outerFirst(in, q)
		if r.order > 1 {
			r.outerSecond(in, first, q)
		}
	}
}

// setReduced sets A~ of all columns, from w = A_z (I + Delta A_zz)^-1.
func (r *reducer) setReduced(a, w []float64, q int) {
	k := r.k
	for i := range q {
		for j := range q {
			s := a[i*q+j]
			for c := range k {
				for l := range k {
					s -= w[i*k+c] * r.delta[c*k+l] * a[r.z[l]*q+j]
				}
			}
			r.full[i*q+j] = s
		}
	}
	for i := range q {
		for j := range i {
			s := (r.full[i*q+j] + r.full[j*q+i]) / 2
			r.full[i*q+j], r.full[j*q+i] = s, s
		}
		for c, z := range r.z {
			r.full[i*q+z], r.full[z*q+i] = w[i*k+c], w[i*k+c]
		}
	}
}

// setT sets T = I - A_z K z', of which A_z K = w Delta; where the effects vary themselves it is
// (I + A_zz Delta)^-1, which does not cancel.
func (r *reducer) setT(w []float64, q int) {
	k := r.k
	clear(r.tm)
	for i := range q {
		r.tm[i*q+i] = 1
		for c, z := range r.z {
			s := 0.0
			for l := range k {
				s += w[i*k+l] * r.delta[l*k+c]
			}
			r.tm[i*q+z] -= s
		}
	}
	for i, zi := range r.z {
		for j, zj := range r.z {
			r.tm[zi*q+zj] = r.left[i*k+j]
		}
	}
}

// outerFirst adds the first derivatives, and returns dA~ by every element, own ones first.
func (r *reducer) outerFirst(in *jet, q int) [][]float64 {
	own, first := pairs(r.k), make([][]float64, r.out.m)
	for e := range own {
		first[e] = negated(product(product(r.full, r.element(e, q), q), r.full, q))
		r.out.Log1[e] += trace(r.full, r.element(e, q), q)
	}
	kz := r.embedded(q)
	for i := range in.m {
		first[own+i] = r.through(in.D[i], q)
		r.out.Log1[own+i] += in.Log1[i] + trace(kz, in.D[i], q)
	}
	for e, d := range first {
		r.keep(r.out.D[e], d, q)
	}
	return first
}

// outerSecond adds the second derivatives.
func (r *reducer) outerSecond(in *jet, first [][]float64, q int) {
	own, kz := pairs(r.k), r.embedded(q)
	for e1 := range r.out.m {
		for e2 := range e1 + 1 {
			var s []float64
			var l float64
			if e2 < own {
				e := product(product(first[e1], r.element(e2, q), q), r.full, q)
				s = negated(both(e, q))
				l = trace(first[e1], r.element(e2, q), q)
			} else { // both inner
				i, j := e1-own, e2-own
				dk := product(in.D[i], kz, q)
				middle := negated(both(product(dk, in.D[j], q), q))
				add(middle, in.S[pair(i, j)])
				s = r.through(middle, q)
				l = in.Log2[pair(i, j)] + trace(kz, in.S[pair(i, j)], q) - trace(dk, product(in.D[j], kz, q), q)
			}
			r.keep(r.out.S[pair(e1, e2)], s, q)
			r.out.Log2[pair(e1, e2)] += l
		}
	}
}

// conditionalCov sets K = Delta (I + A_zz Delta)^-1, the covariance of the effects given
// all else, relative to sigma^2.
func (r *reducer) conditionalCov(a []float64, q int) {
	k := r.k
	for i := range k {
		for j := range k {
			s := 0.0
			for l := range k {
				s += a[r.z[i]*q+r.z[l]] * r.delta[l*k+j]
			}
			if i == j {
				s++
			}
			r.m[i*k+j] = s
		}
	}
	copy(r.ka, r.delta)
	clear(r.left)
	for i := range k {
		r.left[i*k+i] = 1
	}
	solveRight(r.m, k, r.perm, r.both)
	for i := range k {
		for j := range i {
			s := (r.ka[i*k+j] + r.ka[j*k+i]) / 2
			r.ka[i*k+j], r.ka[j*k+i] = s, s
		}
	}
}

// embedded is K among all columns.
func (r *reducer) embedded(q int) []float64 {
	out := make([]float64, q*q)
	for i, zi := range r.z {
		for j, zj := range r.z {
			out[zi*q+zj] = r.ka[i*r.k+j]
		}
	}
	return out
}

// element is the direction of an element of Delta among all columns.
func (r *reducer) element(e, q int) []float64 {
	out := make([]float64, q*q)
	for a := range r.k {
		for b := range a + 1 {
			if pair(a, b) == e {
				out[r.z[a]*q+r.z[b]], out[r.z[b]*q+r.z[a]] = 1, 1
			}
		}
	}
	return out
}

// keep adds the rows and columns that are kept, of the response with the shift of the group.
func (r *reducer) keep(to, from []float64, q int) {
	n, y := len(r.rows), q-1
	for i, ri := range r.rows {
		for j, rj := range r.rows {
			v := from[ri*q+rj]
			if ri == y {
				for c, z := range r.z {
					v += r.own[c] * from[z*q+rj]
				}
			}
			if rj == y {
				for c, z := range r.z {
					v += r.own[c] * from[ri*q+z]
					if ri == y {
						for d, x := range r.z {
							v += r.own[c] * r.own[d] * from[x*q+z]
						}
					}
				}
			}
			to[i*n+j] += v
		}
	}
}

// through is T d T'.
func (r *reducer) through(d []float64, q int) []float64 {
	return product(product(r.tm, d, q), transposed(r.tm, q), q)
}

func product(a, b []float64, q int) []float64 {
	out := make([]float64, q*q)
	for i := range q {
		for l := range q {
			v := a[i*q+l]
			if v == 0 {
				continue
			}
			for j := range q {
				out[i*q+j] += v * b[l*q+j]
			}
		}
	}
	return out
}

func transposed(a []float64, q int) []float64 {
	out := make([]float64, q*q)
	for i := range q {
		for j := range q {
			out[j*q+i] = a[i*q+j]
		}
	}
	return out
}

func negated(a []float64) []float64 {
	for i, v := range a {
		a[i] = -v
	}
	return a
}

// both is a + a'.
func both(a []float64, q int) []float64 {
	out := transposed(a, q)
	add(out, a)
	return out
}

// trace is tr(a b).
func trace(a, b []float64, q int) float64 {
	s := 0.0
	for i := range q {
		for j := range q {
			s += a[i*q+j] * b[j*q+i]
		}
	}
	return s
}
