package descent

import "math"

// Knot is a point of the lasso path at which the active columns change.
type Knot struct {
	Lambda  float64
	Entered int // the column that enters, or -1
	Left    int // the column that leaves, or -1
	Set     []int
	W       []float64
	RSS     float64
	KKT     float64
}

// Knots returns the knots of the path w(lambda) that minimises
//
//	|y - Xw|^2 + lambda sum_j f_j |w_j|
//
// from the smallest lambda for which every penalised weight is zero down to
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
func Knots(src Source, f []float64, least float64, most int) (knots []Knot, done bool) {
	h := newHomotopy(src, f)
	for j := range f {
		if f[j] == 0 && src.Square(j) > 0 {
			h.enter(j, 0)
		}
	}
	h.segment()
	lambda := 0.0
	for j, a := range h.a {
		if f[j] > 0 && !h.in[j] {
			lambda = math.Max(lambda, 2*math.Abs(a)/f[j])
		}
	}
	for len(knots) < most {
		next, column, sign := h.next(lambda)
		if next <= least || column < 0 {
			return append(knots, h.knot(least, -1)), true
		}
		lambda = next
		knot := h.knot(lambda, column)
		if sign == 0 {
			h.leave(column)
			knot.Left = column
		} else {
			if !h.enter(column, sign) {
				continue // a linear combination of the active columns
			}
			knot.Entered = column
		}
		h.segment()
		knots = append(knots, knot)
	}
	return knots, false
}

// homotopy is a segment of the path.
type homotopy struct {
	src   Source
	f     []float64
	c     []float64 // X'y
	in    []bool
	out   []bool    // dependent on the active columns: do not try again
	sign  []float64 // of active columns
	l     factor
	u, v  []float64 // in the order of l.id
	a, b  []float64 // p
	last  int       // the column that changed last, and on which side it was
	lastS float64
}

func newHomotopy(src Source, f []float64) *homotopy {
	p := len(f)
	h := &homotopy{
		src: src, f: f, c: make([]float64, p), in: make([]bool, p), out: make([]bool, p), sign: make([]float64, p),
		a: make([]float64, p), b: make([]float64, p), last: -1,
	}
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
	h.in[j], h.sign[j] = true, sign
	h.last, h.lastS = j, 0
	return true
}

func (h *homotopy) leave(j int) {
	for k, id := range h.l.id {
		if id == j {
			h.l.remove(k)
			break
		}
	}
	h.in[j] = false
	h.last, h.lastS = j, h.sign[j]
	clear(h.out)
}

// segment computes the lines of weights and gradients.
func (h *homotopy) segment() {
	k := h.l.len()
	h.u, h.v = make([]float64, k), make([]float64, k)
	for i, j := range h.l.id {
		h.u[i], h.v[i] = h.c[j], h.f[j]*h.sign[j]/2
	}
	h.l.solve(h.u)
	h.l.solve(h.v)
	h.src.Gradients(append([]int{}, h.l.id...), h.u, h.a)
	for j, c := range h.c {
		h.a[j] = c - h.a[j]
	}
	h.src.Gradients(append([]int{}, h.l.id...), h.v, h.b)
}

// next returns the next knot below lambda and the column that changes at it, -1
// if none does: it enters with the sign, or leaves if that is 0.
func (h *homotopy) next(lambda float64) (at float64, column int, sign float64) {
	const tie = 1e-11
	column = -1
	try := func(l float64, j int, s float64) {
		if l > lambda*(1+tie) || !(l > at) {
			return
		}
		at, column, sign = math.Min(l, lambda), j, s
	}
	for i, j := range h.l.id {
		if h.f[j] == 0 || h.v[i] == 0 {
			continue
		}
		l := h.u[i] / h.v[i]
		if j == h.last && l > lambda*(1-1e-9) {
			continue // it has just entered
		}
		try(l, j, 0)
	}
	for j := range h.f {
		if h.in[j] || h.out[j] || h.f[j] == 0 || h.src.Square(j) == 0 {
			continue
		}
		for _, s := range []float64{1, -1} {
			l := h.a[j] / (s*h.f[j]/2 - h.b[j])
			if j == h.last && s == h.lastS && l > lambda*(1-1e-9) {
				continue // it has just left on this side
			}
			try(l, j, s)
		}
	}
	return at, column, sign
}

// knot returns the point of the segment at lambda, where the weight of a column
// is zero, with its certificate.
func (h *homotopy) knot(lambda float64, zero int) Knot {
	k := Knot{Lambda: lambda, Entered: -1, Left: -1}
	for i, j := range h.l.id {
		if w := h.u[i] - lambda*h.v[i]; w != 0 && j != zero {
			k.Set, k.W = append(k.Set, j), append(k.W, w)
		}
	}
	sortByColumn(k.Set, k.W)
	g, none, w := make([]float64, len(h.f)), make([]float64, len(h.f)), make([]float64, len(h.f))
	for j := range none {
		none[j] = -1
	}
	for i, j := range k.Set {
		w[j] = k.W[i]
	}
	k.RSS = h.src.Residual(k.Set, k.W, none, g)
	ylen := math.Sqrt(h.src.Null())
	for j, v := range g {
		length := math.Sqrt(h.src.Square(j))
		if length == 0 {
			continue
		}
		half := lambda * h.f[j] / 2
		off := math.Max(math.Abs(v)-half, 0)
		if w[j] != 0 {
			off = math.Abs(v - math.Copysign(half, w[j]))
		}
		k.KKT = math.Max(k.KKT, off/(length*ylen))
	}
	return k
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
