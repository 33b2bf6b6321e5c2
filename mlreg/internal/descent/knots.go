package descent

import (
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Knot is a point of the lasso path at which the active columns change. Columns
// that change at the same lambda are knots of the same weights.
type Knot struct {
	Lambda  float64
	Entered int // the column that enters, or -1
	Left    int // the column that leaves, or -1
	Set     []int
	W       []float64
	RSS     float64
	Gap     float64 // as in Certificate; see end for lambda = 0
	KKT     float64
}

const (
	tie      = 1e-12 // what is nearer to its bound, relative to it, is at it
	same     = 1e-9  // a knot so near to the last one is the last one
	parallel = 1e-10 // the slope of a gradient along its bound, relative to it
)

// Knots returns the knots of the path w(lambda) that minimizes
//
//	|y - Xw|^2 + lambda sum_j f_j |w_j|
//
// from the smallest lambda for which every penalized weight is zero down to
// least, which is the last knot, at most so many. It reports whether it got to
// the end. With signs s of the active columns A, w is linear in lambda between
// knots,
//
//	w_A = u - lambda v,  u = G_A^-1 X_A'y,  v = G_A^-1 (f_A s_A)/2,
//
// and so are the gradients of the others, x_j'r = a_j + lambda b_j with
// a = X'(y - X_A u) and b = X'X_A v; the next knot is where a w_j becomes zero, or
// an |x_j'r| lambda f_j/2. (Osborne, Presnell and Turlach, 2000, IMA Journal of
// Numerical Analysis 20, 389-403; Efron, Hastie, Johnstone and Tibshirani, 2004,
// Annals of Statistics 32, section 3.1: least angle regression with the lasso
// modification.)
//
// However many columns get there at once, the direction below the knot is that of
// non-negative least squares, see turn.
func Knots(src Source, f []float64, least float64, most int) (knots []Knot, done bool) {
	h := newHomotopy(src, f)
	for j := range f {
		if f[j] == 0 && src.Square(j) > 0 {
			h.enter(j, 0)
		}
	}
	h.direction()
	h.segment()
	lambda := 0.0
	for j, a := range h.a {
		if f[j] > 0 && !h.in[j] {
			lambda = math.Max(lambda, 2*math.Abs(a)/f[j])
		}
	}
	for range 10*most + 100 {
		next, column := h.next(lambda)
		if next <= least || column < 0 {
			h.place(least)
			last := h.certify(least)
			if least == 0 {
				last.Gap = h.end(last)
			}
			return append(knots, last), true
		}
		lambda = next
		h.moved = false
		changes := h.turn(lambda, column)
		if h.moved { // not if all that got to their bounds depend on the active ones
			h.segment()
		}
		if knots = append(knots, changes...); len(knots) >= most {
			return knots[:most], false
		}
	}
	return knots, false
}

// homotopy is a segment of the path.
type homotopy struct {
	src  Source
	f    []float64
	c    []float64 // X'y
	in   []bool    // active
	out  []bool    // dependent on the active columns: do not try again
	sign []float64 // of active columns
	l    factor
	u, v []float64 // in the order of l.id
	a, b []float64 // p
	tied []float64 // the sign of the columns that were at zero and at the bound at the last knot, 0 for others

	moved       bool      // a column entered or left since the last segment
	off, before []float64 // room for residuals, p, and for the weights before a step, p
	certifier   *Solver
	l1          []float64 // of the problem certified, p
}

func newHomotopy(src Source, f []float64) *homotopy {
	p := len(f)
	h := &homotopy{
		src: src, f: f, c: make([]float64, p), in: make([]bool, p), out: make([]bool, p), sign: make([]float64, p),
		a: make([]float64, p), b: make([]float64, p), tied: make([]float64, p),
		off: make([]float64, p), before: make([]float64, p), l1: make([]float64, p),
		certifier: &Solver{
			src: src, null: src.Null(), square: make([]float64, p),
			w: make([]float64, p), g: make([]float64, p), limit: make([]float64, p), work: &working{},
		},
	}
	for j := range p {
		h.certifier.square[j] = src.Square(j)
	}
	h.l.least = 1e-14 // weights are refined
	h.l.id = []int{}  // a nil set is y for Gradients
	src.Gradients(nil, nil, h.c)
	return h
}

func (h *homotopy) enter(j int, sign float64) bool {
	cross := make([]float64, len(h.l.id), len(h.l.id)+1)
	h.src.Cross([]int{j}, h.l.id, cross, len(cross))
	if !h.l.append(j, cross, h.src.Square(j)) {
		h.out[j] = true
		return false
	}
	h.in[j], h.sign[j], h.moved = true, sign, true
	return true
}

func (h *homotopy) leave(j int) {
	h.l.remove(slices.Index(h.l.id, j))
	h.in[j], h.moved = false, true
	clear(h.out)
}

const (
	refinements = 4
	fine        = 1e-14 // no refinement for relative residuals of this size
)

// direction computes v, and with it b, refined until X_A'X_A v is right.
func (h *homotopy) direction() {
	half := make([]float64, h.l.len())
	for i, j := range h.l.id {
		half[i] = h.f[j] * h.sign[j] / 2
	}
	h.v = append(h.v[:0], half...)
	h.l.solve(h.v)
	for pass := 0; ; pass++ {
		h.src.Gradients(h.l.id, h.v, h.b)
		off := h.off[:len(half)]
		var worst float64
		for i, j := range h.l.id {
			off[i] = half[i] - h.b[j]
			worst = math.Max(worst, math.Abs(off[i])-fine*math.Abs(half[i]))
		}
		if pass == refinements || !(worst > 0) {
			return
		}
		h.l.solve(off)
		for i, v := range off {
			h.v[i] += v
		}
	}
}

// segment computes u, and with it a, refined until X_A'(y - X_A u) is zero.
func (h *homotopy) segment() {
	h.u = slices.Grow(h.u[:0], h.l.len())[:h.l.len()]
	for i, j := range h.l.id {
		h.u[i] = h.c[j]
	}
	h.l.solve(h.u)
	for pass := 0; ; pass++ {
		h.src.Residual(h.l.id, h.u, nil, h.a)
		off := h.off[:len(h.u)]
		var worst float64
		for i, j := range h.l.id {
			off[i] = h.a[j]
			worst = math.Max(worst, math.Abs(off[i])-fine*math.Sqrt(h.src.Square(j)*h.src.Null()))
		}
		if pass == refinements || !(worst > 0) {
			return
		}
		h.l.solve(off)
		for i, v := range off {
			h.u[i] += v
		}
	}
}

// weight returns the i-th active weight at lambda, 0 for one that is not more than
// rounding.
func (h *homotopy) weight(i int, lambda float64) float64 {
	w := h.u[i] - lambda*h.v[i]
	if h.f[h.l.id[i]] > 0 && math.Abs(w) <= tie*(math.Abs(h.u[i])+lambda*math.Abs(h.v[i])) {
		return 0
	}
	return w
}

// next returns the next knot below lambda and a column that changes at it, -1 if
// none does.
func (h *homotopy) next(lambda float64) (at float64, column int) {
	column = -1
	try := func(l float64, j int, last bool) {
		if last && l > lambda*(1-same) || l > lambda*(1+tie) || !(l > at) {
			return
		}
		at, column = math.Min(l, lambda), j
	}
	for i, j := range h.l.id {
		if h.f[j] > 0 && h.v[i] != 0 {
			try(h.u[i]/h.v[i], j, h.tied[j] != 0)
		}
	}
	for j := range h.f {
		if h.in[j] || h.out[j] || h.f[j] == 0 || h.src.Square(j) == 0 {
			continue
		}
		for _, s := range []float64{1, -1} {
			if slope := s*h.f[j]/2 - h.b[j]; math.Abs(slope) > parallel*h.f[j] {
				try(h.a[j]/slope, j, h.tied[j] == s)
			}
		}
	}
	return at, column
}

// turn finds the direction below a knot at lambda, and returns the changes. With
// the columns A whose weights are not zero there, and the columns T whose weights
// are zero and whose gradients are at their bounds, all those that have just got
// to either among them, v minimizes
//
//	|X_A v_A + X_T v_T - r/lambda|^2   subject to   s_j v_j >= 0 for j in T:
//
// weights of T grow in the direction of their gradients or stay zero, and then
// their gradients fall as fast as the bound, at least. Non-negative least squares
// ends however many columns are tied, and needs no rule for which is the first.
// (Lawson and Hanson, 1974, Solving Least Squares Problems, chapter 23.)
func (h *homotopy) turn(lambda float64, column int) []Knot {
	h.place(lambda)
	clear(h.tied)
	var candidates []int
	was := slices.Clone(h.in)
	for i, j := range slices.Clone(h.l.id) {
		if h.f[j] > 0 && (j == column || h.weight(i, lambda) == 0) {
			h.tied[j] = h.sign[j]
			candidates = append(candidates, j)
		}
	}
	for j := range h.f {
		if h.in[j] || h.out[j] || h.f[j] == 0 || h.src.Square(j) == 0 {
			continue
		}
		g := h.a[j] + lambda*h.b[j]
		if j == column || math.Abs(g) >= lambda*h.f[j]/2*(1-tie) {
			h.tied[j] = math.Copysign(1, g)
			candidates = append(candidates, j)
		}
	}
	left := false
	for _, j := range candidates {
		if h.in[j] {
			h.leave(j)
			left = true
		}
	}
	if left {
		h.direction()
	}
	h.nonNegative(candidates)
	slices.Sort(candidates)
	candidates = slices.DeleteFunc(candidates, func(j int) bool { return h.in[j] == was[j] })
	if len(candidates) == 0 {
		return nil
	}
	point := h.certify(lambda)
	var knots []Knot
	for _, j := range candidates {
		k := point
		if h.in[j] {
			k.Entered = j
		} else {
			k.Left = j
		}
		knots = append(knots, k)
	}
	return knots
}

// nonNegative lets columns enter whose weights then grow in the direction of their
// gradients, from those that are in. It leaves the direction.
func (h *homotopy) nonNegative(candidates []int) {
	blocked := make([]bool, len(h.f))
	for {
		best, most := -1, parallel
		for _, j := range candidates {
			if h.in[j] || h.out[j] || blocked[j] {
				continue
			}
			if rate := 1 - 2*h.tied[j]*h.b[j]/h.f[j]; rate > most {
				best, most = j, rate
			}
		}
		if best < 0 {
			return
		}
		clear(h.before)
		for i, j := range h.l.id {
			h.before[j] = h.v[i]
		}
		if !h.enter(best, h.tied[best]) {
			continue
		}
		h.direction()
		if h.v[h.l.len()-1]*h.tied[best] <= 0 { // rounding
			h.leave(best)
			blocked[best] = true
			h.direction()
			continue
		}
		h.feasible()
	}
}

// feasible goes from the direction before to the one that solves
// least squares without the columns that get to zero on the way.
func (h *homotopy) feasible() {
	before := h.before
	for {
		step, first := 1.0, -1
		for i, j := range h.l.id {
			if s := h.tied[j]; s != 0 && s*h.v[i] <= 0 {
				if t := before[j] / (before[j] - h.v[i]); first < 0 || t < step {
					step, first = t, j
				}
			}
		}
		if first < 0 {
			return
		}
		for i, j := range h.l.id {
			before[j] += step * (h.v[i] - before[j])
		}
		before[first] = 0
		h.leave(first)
		h.direction()
	}
}

// end returns how far the residual sum of squares at lambda = 0 is above least
// squares, g'G^-1 g for the gradients g, and NaN if not every column is active.
func (h *homotopy) end(k Knot) float64 {
	for j := range h.f {
		if !h.in[j] && h.src.Square(j) > 0 {
			return math.NaN()
		}
	}
	all, off := make([]float64, len(h.f)), make([]float64, h.l.len())
	h.src.Residual(k.Set, k.W, nil, all)
	for i, j := range h.l.id {
		off[i] = all[j]
	}
	h.l.forward(off)
	return gram.Dot(off, off)
}

// place takes the weights of the segment at lambda for those to certify.
func (h *homotopy) place(lambda float64) {
	s := h.certifier
	clear(s.w)
	s.set, s.values = make([]int, 0, h.l.len()), make([]float64, 0, h.l.len())
	for i, j := range h.l.id {
		if w := h.weight(i, lambda); w != 0 {
			s.set, s.values = append(s.set, j), append(s.values, w)
			s.w[j] = w
		}
	}
	sortByColumn(s.set, s.values)
}

// certify returns the point at lambda of the weights in place, with its certificate.
func (h *homotopy) certify(lambda float64) Knot {
	s := h.certifier
	for j, f := range h.f {
		h.l1[j] = lambda * f
		s.limit[j] = h.l1[j] / 2
	}
	s.work.rss = h.src.Residual(s.set, s.values, nil, s.g)
	c := s.certify(&Elastic{L1: h.l1})
	return Knot{Lambda: lambda, Entered: -1, Left: -1, Set: s.set, W: s.values, RSS: c.RSS, Gap: c.Gap, KKT: c.KKT}
}

// sortByColumn sorts columns and their weights.
func sortByColumn(set []int, w []float64) {
	for i := 1; i < len(set); i++ {
		for k := i; k > 0 && set[k] < set[k-1]; k-- {
			set[k], set[k-1] = set[k-1], set[k]
			w[k], w[k-1] = w[k-1], w[k]
		}
	}
}
