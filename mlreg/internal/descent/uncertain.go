package descent

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Uncertain bounds the duality gap, and the violation of the optimality conditions as
// Certificate has it, of weights w (p) in a problem whose cross-products are known to
// relErr |x_j||x_k| only, whatever the true ones are. The penalty is that of the weights
// w_j/unit_j, nil for ones.
//
// The gradients are then wrong by e_j = relErr |x_j| m, m = |y| + sum_j |x_j w_j|, and
// |r|^2 by relErr m^2. A dual point of the true problem is s(r - h), where h is the part of
// r along the columns that have no penalty, |h| <= q, and s makes the gradients feasible
// where they are largest; in the formula of Solver.certify,
//
//	gap <= (1-s)^2 (|r|^2 + relErr m^2) + q^2 + 2 s sum_j |w_j| e_j
//	     + sum_b (Omega_b(w_b) - 2 s w_b'u_b + Omega*_b(2 s (|u_b| + e_b))).
//
// It is infinite if the columns without a penalty are not independent beyond the errors.
func (s *Sums) Uncertain(pen *Elastic, unit, w []float64, relErr float64) (gap, kkt float64) {
	p := s.p
	of := func(j int) float64 {
		if unit == nil {
			return 1
		}
		return unit[j]
	}
	length, u, e := make([]float64, p), make([]float64, p), make([]float64, p)
	var set []int
	var values []float64
	size := math.Sqrt(s.yy)
	for j, v := range w {
		length[j] = of(j) * math.Sqrt(s.square[j])
		if v != 0 {
			set, values = append(set, j), append(values, v)
			size += math.Sqrt(s.square[j]) * math.Abs(v)
		}
	}
	rss := s.Residual(set, values, nil, u)
	for j := range u {
		u[j] *= of(j)
		e[j] = (relErr + rounding) * length[j] * size
	}
	var free []int
	for b, columns := range pen.Of {
		if pen.L1[b] == 0 && pen.l2(b) == 0 {
			free = append(free, columns...)
		}
	}
	q2 := s.alongFree(free, of, u, e, relErr)
	for j := range e {
		e[j] += length[j] * math.Sqrt(q2)
	}
	norms := func(b int) (size, err float64) {
		for _, j := range pen.Of[b] {
			v := math.Abs(u[j])
			if pen.positive(b) {
				v = math.Max(u[j], 0)
			}
			size, err = math.Hypot(size, v), math.Hypot(err, e[j])
		}
		return size, err
	}
	all, some := 1.0, 1.0 // feasible for all blocks, and for those whose conjugate may be infinite
	for b := range pen.Of {
		l1 := pen.L1[b]
		if l1 == 0 && pen.l2(b) == 0 || math.IsInf(l1, 1) {
			continue
		}
		g, err := norms(b)
		if total := g + err; total > l1/2 {
			all = math.Min(all, l1/2/total)
			if pen.l2(b) == 0 {
				some = math.Min(some, l1/2/total)
			}
		}
	}
	at := func(scale float64) float64 {
		gap := (1-scale)*(1-scale)*(rss+relErr*size*size) + q2
		for b, columns := range pen.Of {
			l1, l2 := pen.L1[b], pen.l2(b)
			if math.IsInf(l1, 1) {
				continue
			}
			var w2, wu float64
			for _, j := range columns {
				v := w[j] / of(j)
				w2 += v * v
				wu += v * u[j]
				gap += 2 * scale * math.Abs(v) * e[j]
			}
			gap += l1*math.Sqrt(w2) + l2*w2
			if l1 > 0 || l2 > 0 {
				gap -= 2 * scale * wu
			}
			if l2 > 0 {
				g, err := norms(b)
				gap += square(math.Max(2*scale*(g+err)-l1, 0)) / (4 * l2)
			}
		}
		return gap
	}
	gap = math.Min(at(all), at(some))
	if yy := math.Sqrt(s.yy); yy > 0 {
		kkt = relErr * size / yy
	} else {
		kkt = 0
	}
	return math.Max(gap, 0), kkt
}

// alongFree bounds the squared length of what the residual has along some columns, for
// which the gradients are zero at the minimum.
func (s *Sums) alongFree(free []int, unit func(j int) float64, u, e []float64, relErr float64) float64 {
	k := len(free)
	if k == 0 {
		return 0
	}
	g := mat.NewSymDense(k, nil) // of columns of length 1
	off := make([]float64, k)
	for a, i := range free {
		li := math.Sqrt(s.square[i])
		if li == 0 {
			g.SetSym(a, a, 1)
			continue
		}
		off[a] = (math.Abs(u[i]) + e[i]) / (li * unit(i))
		for b := a; b < k; b++ {
			if lj := math.Sqrt(s.square[free[b]]); lj > 0 {
				g.SetSym(a, b, s.row(i)[free[b]]/li/lj)
			}
		}
	}
	var c mat.Cholesky
	var inverse mat.SymDense
	if !c.Factorize(g) || c.InverseTo(&inverse) != nil {
		return math.Inf(1)
	}
	var trace, q2 float64
	for a := range k {
		trace += inverse.At(a, a)
		for b := range k {
			q2 += off[a] * math.Abs(inverse.At(a, b)) * off[b]
		}
	}
	rho := relErr * float64(k) * trace // bounds the relative change of the inverse
	if rho >= 1 {
		return math.Inf(1)
	}
	return q2 / (1 - rho)
}
