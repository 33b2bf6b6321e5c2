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
	d := &doubtful{Elastic: pen, unit: unit, w: w}
	d.size = math.Sqrt(s.yy)
	d.set(s, relErr)
	q2 := s.alongFree(d.free(), d.of, d.u, d.e, relErr)
	for j := range d.e {
		d.e[j] += d.length[j] * math.Sqrt(q2)
	}
	rss := d.rss + relErr*d.size*d.size
	all, some := d.scales()
	gap = math.Min(d.gap(all, rss, q2), d.gap(some, rss, q2))
	if yy := math.Sqrt(s.yy); yy > 0 {
		kkt = relErr * d.size / yy
	}
	return math.Max(gap, 0), kkt
}

// doubtful are weights, and the gradients u_j, known to e_j, that they have.
type doubtful struct {
	*Elastic
	unit, w      []float64
	length, u, e []float64
	size, rss    float64 // m, and |r|^2
}

// of is the unit of a column.
func (d *doubtful) of(j int) float64 {
	if d.unit == nil {
		return 1
	}
	return d.unit[j]
}

// set computes the gradients and their errors.
func (d *doubtful) set(s *Sums, relErr float64) {
	d.length, d.u, d.e = make([]float64, s.p), make([]float64, s.p), make([]float64, s.p)
	var at []int
	var values []float64
	for j, v := range d.w {
		d.length[j] = d.of(j) * math.Sqrt(s.square[j])
		if v != 0 {
			at, values = append(at, j), append(values, v)
			d.size += math.Sqrt(s.square[j]) * math.Abs(v)
		}
	}
	d.rss = s.Residual(at, values, nil, d.u)
	for j := range d.u {
		d.u[j] *= d.of(j)
		d.e[j] = (relErr + rounding) * d.length[j] * d.size
	}
}

// free returns the columns without a penalty.
func (d *doubtful) free() []int {
	var free []int
	for b, columns := range d.Of {
		if d.L1[b] == 0 && d.l2(b) == 0 {
			free = append(free, columns...)
		}
	}
	return free
}

// norms returns |u_b|, of what a block whose weights are positive can have, and |e_b|.
func (d *doubtful) norms(b int) (size, err float64) {
	for _, j := range d.Of[b] {
		v := math.Abs(d.u[j])
		if d.positive(b) {
			v = math.Max(d.u[j], 0)
		}
		size, err = math.Hypot(size, v), math.Hypot(err, d.e[j])
	}
	return size, err
}

// scales returns the largest s at which the gradients of all blocks are feasible, and those of the
// blocks whose conjugate may be infinite.
func (d *doubtful) scales() (all, some float64) {
	all, some = 1, 1
	for b := range d.Of {
		l1 := d.L1[b]
		if l1 == 0 && d.l2(b) == 0 || math.IsInf(l1, 1) {
			continue
		}
		g, err := d.norms(b)
		if total := g + err; total > l1/2 {
			all = math.Min(all, l1/2/total)
			if d.l2(b) == 0 {
				some = math.Min(some, l1/2/total)
			}
		}
	}
	return all, some
}

// gap is the bound of the gap at a scale, given the bound of |r|^2, and q^2.
func (d *doubtful) gap(scale, rss, q2 float64) float64 {
	gap := (1-scale)*(1-scale)*rss + q2
	for b, columns := range d.Of {
		l1, l2 := d.L1[b], d.l2(b)
		if math.IsInf(l1, 1) {
			continue
		}
		var w2, wu float64
		for _, j := range columns {
			v := d.w[j] / d.of(j)
			w2 += v * v
			wu += v * d.u[j]
			gap += 2 * scale * math.Abs(v) * d.e[j]
		}
		gap += l1*math.Sqrt(w2) + l2*w2
		if l1 > 0 || l2 > 0 {
			gap -= 2 * scale * wu
		}
		if l2 > 0 {
			g, err := d.norms(b)
			gap += square(math.Max(2*scale*(g+err)-l1, 0)) / (4 * l2)
		}
	}
	return gap
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

func square(x float64) float64 { return x * x }
