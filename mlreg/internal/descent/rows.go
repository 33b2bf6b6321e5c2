package descent

import (
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Columns are the n x p numbers of X by columns, and y, shared by the sources
// that are made of them.
type Columns struct {
	n, p int
	x    []float64 // column j is x[j*n:(j+1)*n]
	y    []float64
}

// NewColumns returns columns of zeros, to be filled.
func NewColumns(n, p int) *Columns {
	return &Columns{n: n, p: p, x: make([]float64, n*p), y: make([]float64, n)}
}

// Column returns column j of X.
func (c *Columns) Column(j int) []float64 { return c.x[j*c.n : (j+1)*c.n] }

// Y returns y.
func (c *Columns) Y() []float64 { return c.y }

// Rows are a Source that keeps the residual and does not compute most
// gradients. Of the residual it knows the projection on some directions q_k that
// earlier residuals had, and X'q_k, so that with the rest e
//
//	r = sum_k a_k q_k + e,   |x_j'r - sum_k a_k x_j'q_k| <= |x_j||e|,
//
// which tells for most columns that |x_j'r| is within its limit. (The sphere test
// of gap-safe rules, Ndiaye and others, 2017, Journal of Machine Learning
// Research 18, article 128, about a point that moves along.)
type Rows struct {
	*Columns
	length []float64 // |x_j|
	null   float64
	r      []float64
	q      [][]float64 // orthonormal
	xq     [][]float64 // X'q_k
	need   []int
	buf    []float64
}

// NewRows returns the source of centred columns.
func NewRows(c *Columns) *Rows {
	s := &Rows{Columns: c, length: make([]float64, c.p), r: make([]float64, c.n), buf: make([]float64, c.n)}
	s.each(c.p, func(j int) { s.length[j] = math.Sqrt(gram.Dot(c.Column(j), c.Column(j))) })
	s.null = gram.Dot(c.y, c.y)
	copy(s.r, c.y)
	return s
}

// each calls do for every task from 0 to n, about n dot products in all.
func (s *Rows) each(n int, do func(int)) {
	const numbers = 1 << 16 // looked at by a task
	size := max(1, numbers/max(1, s.n))
	gram.Each((n+size-1)/size, func(task int) {
		for i := task * size; i < min((task+1)*size, n); i++ {
			do(i)
		}
	})
}

// Terms implements Source.
func (s *Rows) Terms() int { return s.p }

// Null implements Source.
func (s *Rows) Null() float64 { return s.null }

// Square implements Source.
func (s *Rows) Square(j int) float64 { return s.length[j] * s.length[j] }

// Cross implements Source.
func (s *Rows) Cross(rows, cols []int, dst []float64, stride int) {
	four := len(rows) &^ 3
	s.each(four/4*(len(cols)/2), func(t int) {
		r, c := t%(four/4)*4, t/(four/4)*2
		var a [4][]float64
		for i := range a {
			a[i] = s.Column(rows[r+i])
		}
		var sums [8]float64
		gram.Dots4x2(&a, s.Column(cols[c]), s.Column(cols[c+1]), &sums)
		for i := range a {
			to := dst[(r+i)*stride+c:]
			to[0], to[1] = sums[2*i], sums[2*i+1]
		}
	})
	dot := func(r, c int) { dst[r*stride+c] = gram.Dot(s.Column(rows[r]), s.Column(cols[c])) }
	if c := len(cols) - 1; c%2 == 0 {
		for r := range four {
			dot(r, c)
		}
	}
	s.each((len(rows)-four)*len(cols), func(t int) { dot(four+t%(len(rows)-four), t/(len(rows)-four)) })
}

// Residual implements Source.
func (s *Rows) Residual(set []int, w, limit, g []float64) float64 {
	copy(s.r, s.y)
	for i, j := range set {
		gram.Axpy(-w[i], s.Column(j), s.r)
	}
	rss := gram.Dot(s.r, s.r)

	e := s.buf
	copy(e, s.r)
	clear(g)
	for range 2 { // the second time for what rounding left
		for k, q := range s.q {
			a := gram.Dot(q, e)
			gram.Axpy(-a, q, e)
			gram.Axpy(a, s.xq[k], g)
		}
	}
	rest := math.Sqrt(gram.Dot(e, e))
	slack := rest + rounding*(math.Sqrt(s.null)+math.Sqrt(rss))
	s.need = s.need[:0]
	for j, v := range g {
		if math.Abs(v)+s.length[j]*slack > limit[j] {
			s.need = append(s.need, j)
		}
	}
	if len(s.need) > s.p/refresh && rest*rest > 1e-6*rss {
		s.extend(e, rest, g)
		s.need = s.need[:0]
		slack = rounding * (math.Sqrt(s.null) + math.Sqrt(rss))
		for j, v := range g {
			if math.Abs(v)+s.length[j]*slack > limit[j] {
				s.need = append(s.need, j)
			}
		}
	}
	s.need = append(s.need, set...)
	slices.Sort(s.need)
	s.need = slices.Compact(s.need)
	s.Exact(s.need, g)
	return rss
}

// Exact implements Source.
func (s *Rows) Exact(set []int, g []float64) {
	s.each(len(set), func(i int) { g[set[i]] = gram.Dot(s.Column(set[i]), s.r) })
}

const (
	refresh    = 4  // a new direction is worth it if a part of this many columns is in doubt
	directions = 16 // at most
)

// extend adds the direction of e, of the given length, and what it contributes
// to the gradients.
func (s *Rows) extend(e []float64, length float64, g []float64) {
	if len(s.q) == directions {
		s.q, s.xq = s.q[1:], s.xq[1:]
	}
	q := make([]float64, s.n)
	gram.Axpy(1/length, e, q)
	xq := make([]float64, s.p)
	s.each(s.p, func(j int) { xq[j] = gram.Dot(s.Column(j), q) })
	gram.Axpy(length, xq, g)
	s.q, s.xq = append(s.q, q), append(s.xq, xq)
}

// Gradients implements Source.
func (s *Rows) Gradients(set []int, w, g []float64) {
	v := s.y
	if set != nil {
		v = make([]float64, s.n)
		for i, j := range set {
			gram.Axpy(w[i], s.Column(j), v)
		}
	}
	s.each(s.p, func(j int) { g[j] = gram.Dot(s.Column(j), v) })
}
