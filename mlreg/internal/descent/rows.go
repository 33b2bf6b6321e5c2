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

// NewColumns takes the columns of X, one after the other, and y, which is not empty.
func NewColumns(x, y []float64) *Columns {
	return &Columns{n: len(y), p: len(x) / len(y), x: x, y: y}
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
	out    fold
}

// fold are rows left out of columns that stand for all, as if they had been
// centered without them: of column j minus mean_j one.
type fold struct {
	from, to int
	mean     []float64 // p, nil for zeros
	one      []float64 // n, zero for rows left out
	weight   float64   // one'one
}

// NewRows returns the source of centered columns.
func NewRows(c *Columns) *Rows { return newRows(c, slices.Clone(c.y)) }

// newRows is NewRows that keeps the residual in r.
func newRows(c *Columns, r []float64) *Rows {
	s := &Rows{Columns: c, length: make([]float64, c.p), r: r}
	s.each(c.p, func(j int) { s.length[j] = math.Sqrt(gram.Dot(c.Column(j), c.Column(j))) })
	s.null = gram.Dot(c.y, c.y)
	return s
}

// NewFold returns the source of the columns without rows from to to, centered anew
// if there is an intercept, and the means taken off: multiples of one.
func NewFold(c *Columns, from, to int, one []float64, intercept bool) (s *Rows, meanX []float64, meanY float64) {
	s = &Rows{Columns: &Columns{n: c.n, p: c.p, x: c.x, y: slices.Clone(c.y)}, length: make([]float64, c.p)}
	s.out = fold{from: from, to: to}
	clear(s.y[from:to])
	if intercept {
		o := slices.Clone(one)
		clear(o[from:to])
		w := gram.Dot(o, o)
		s.out.one, s.out.weight, s.out.mean = o, w, make([]float64, c.p)
		meanY = gram.Dot(o, s.y) / w
		gram.Axpy(-meanY, o, s.y)
		s.each(c.p, func(j int) { s.out.mean[j] = gram.Dot(o, c.Column(j)) / w })
	}
	s.each(c.p, func(j int) {
		x := c.Column(j)
		all := gram.Dot(x, x)
		square := s.product(j, j)
		if square > 1e-13*all { // otherwise it varies in the rows left out only
			s.length[j] = math.Sqrt(square)
		}
	})
	s.null = gram.Dot(s.y, s.y)
	s.r = slices.Clone(s.y)
	meanX = s.out.mean
	if meanX == nil {
		meanX = make([]float64, c.p)
	}
	return s, meanX, meanY
}

// product returns x_j'x_k.
func (s *Rows) product(j, k int) float64 {
	a, b := s.Column(j), s.Column(k)
	if s.out.to == 0 {
		return gram.Dot(a, b)
	}
	f := &s.out
	sum := gram.Dot(a[:f.from], b[:f.from]) + gram.Dot(a[f.to:], b[f.to:])
	if f.mean != nil {
		sum -= f.weight * f.mean[j] * f.mean[k]
	}
	return sum
}

// add adds f X_set w to v.
func (s *Rows) add(f float64, set []int, w, v []float64) {
	var mean float64
	for i, j := range set {
		gram.Axpy(f*w[i], s.Column(j), v)
		if s.out.mean != nil {
			mean += f * w[i] * s.out.mean[j]
		}
	}
	clear(v[s.out.from:s.out.to])
	if s.out.mean != nil {
		gram.Axpy(-mean, s.out.one, v)
	}
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
		s.block(rows[r:r+4], cols[c:c+2], dst[r*stride+c:], stride)
	})
	dot := func(r, c int) { dst[r*stride+c] = s.product(rows[r], cols[c]) }
	if c := len(cols) - 1; c%2 == 0 {
		for r := range four {
			dot(r, c)
		}
	}
	s.each((len(rows)-four)*len(cols), func(t int) { dot(four+t%(len(rows)-four), t/(len(rows)-four)) })
}

// block is Cross for four rows and two columns.
func (s *Rows) block(rows, cols []int, dst []float64, stride int) {
	var sums, more [8]float64
	part := func(from, to int, sums *[8]float64) {
		var a [4][]float64
		for i, j := range rows {
			a[i] = s.Column(j)[from:to]
		}
		gram.Dots4x2(&a, s.Column(cols[0])[from:to], s.Column(cols[1])[from:to], sums)
	}
	if s.out.to == 0 {
		part(0, s.n, &sums)
	} else {
		part(0, s.out.from, &sums)
		part(s.out.to, s.n, &more)
	}
	for i, j := range rows {
		for c, k := range cols {
			v := sums[2*i+c] + more[2*i+c]
			if s.out.mean != nil {
				v -= s.out.weight * s.out.mean[j] * s.out.mean[k]
			}
			dst[i*stride+c] = v
		}
	}
}

// Residual implements Source.
func (s *Rows) Residual(set []int, w, limit, g []float64) float64 {
	copy(s.r, s.y)
	s.add(-1, set, w, s.r)
	rss := gram.Dot(s.r, s.r)
	if limit == nil {
		s.each(s.p, func(j int) { g[j] = gram.Dot(s.Column(j), s.r) })
	} else {
		s.gradients(set, rss, limit, g)
	}
	return rss
}

// gradients writes X'r to g, r being kept, exactly where Residual promises it.
func (s *Rows) gradients(set []int, rss float64, limit, g []float64) {
	if s.directions() == 0 { // few columns
		s.each(s.p, func(j int) { g[j] = gram.Dot(s.Column(j), s.r) })
		return
	}
	if s.buf == nil {
		s.buf = make([]float64, s.n)
	}
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
	if s.directions() > 0 && len(s.need) > s.p/refresh && rest*rest > 1e-6*rss {
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
}

// Exact implements Source.
func (s *Rows) Exact(set []int, g []float64) {
	s.each(len(set), func(i int) { g[set[i]] = gram.Dot(s.Column(set[i]), s.r) })
}

const (
	refresh        = 4 // a new direction is worth it if a part of this many columns is in doubt
	mostDirections = 32
	manyColumns    = 24 // that directions are kept for
)

// directions is how many are kept at most: a projection on one takes as long as the
// gradients of four columns, and the room of one, so that those of few columns are computed
// without any.
func (s *Rows) directions() int {
	if s.p < manyColumns {
		return 0
	}
	return min(mostDirections, s.p/8)
}

// extend adds the direction of e, of the given length, and what it contributes
// to the gradients.
func (s *Rows) extend(e []float64, length float64, g []float64) {
	if len(s.q) == s.directions() {
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
		s.add(1, set, w, v)
	}
	s.each(s.p, func(j int) { g[j] = gram.Dot(s.Column(j), v) })
}
