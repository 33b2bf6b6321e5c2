package descent

import "github.com/regbook/regbook/mlreg/internal/gram"

// Sums are a Source that knows all cross-products.
type Sums struct {
	g      []float64 // p x p, both triangles
	c      []float64 // X'y
	yy     float64
	p      int
	square []float64
}

// NewSums takes the cross-products X'X (p x p, both triangles), X'y and y'y.
func NewSums(xx, xy []float64, yy float64) *Sums {
	p := len(xy)
	s := &Sums{g: xx, c: xy, yy: yy, p: p, square: make([]float64, p)}
	for j := range p {
		s.square[j] = xx[j*p+j]
	}
	return s
}

// Terms implements Source.
func (s *Sums) Terms() int { return s.p }

// Null implements Source.
func (s *Sums) Null() float64 { return s.yy }

// Square implements Source.
func (s *Sums) Square(j int) float64 { return s.square[j] }

// Cross implements Source.
func (s *Sums) Cross(rows, cols []int, dst []float64, stride int) {
	for r, j := range rows {
		from, to := s.row(j), dst[r*stride:]
		for c, k := range cols {
			to[c] = from[k]
		}
	}
}

func (s *Sums) row(j int) []float64 { return s.g[j*s.p : (j+1)*s.p] }

// Residual implements Source: every gradient is exact.
func (s *Sums) Residual(set []int, w, _, g []float64) float64 {
	copy(g, s.c)
	s.add(-1, set, w, g)
	rss := s.yy
	for i, j := range set {
		rss -= w[i] * (s.c[j] + g[j])
	}
	return max(rss, 0)
}

// Exact implements Source: every gradient is.
func (s *Sums) Exact([]int, []float64) {}

// Gradients implements Source.
func (s *Sums) Gradients(set []int, w, g []float64) {
	if set == nil {
		copy(g, s.c)
		return
	}
	clear(g)
	s.add(1, set, w, g)
}

// add adds f X'X w to g.
func (s *Sums) add(f float64, set []int, w, g []float64) {
	const width = 512 // columns that a task takes
	gram.Each((s.p+width-1)/width, func(task int) {
		from, to := task*width, min((task+1)*width, s.p)
		for i, j := range set {
			gram.Axpy(f*w[i], s.row(j)[from:to], g[from:to])
		}
	})
}
