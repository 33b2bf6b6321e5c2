package descent

import (
	"math"
)

// Quadratic is the Model |y - Xw|^2 of a Source.
type Quadratic struct {
	src   Source
	units []float64 // multiply the columns; nil for ones
	set   []int
	value []float64 // of the source's weights in the set
	rss   float64
	data  float64   // |y| + sum |x_j w_j|
	half  []float64 // x_j'(y - Xw)
	limit []float64
}

// NewQuadratic returns the model of the columns of a source multiplied by units, nil
// for ones.
func NewQuadratic(src Source, units []float64) *Quadratic {
	p := src.Terms()
	q := &Quadratic{src: src, units: units, half: make([]float64, p), limit: make([]float64, p)}
	q.Move(nil, nil)
	return q
}

func (q *Quadratic) unit(c int) float64 {
	if q.units == nil {
		return 1
	}
	return q.units[c]
}

// Weights implements Model.
func (q *Quadratic) Weights() int { return q.src.Terms() }

// Length implements Model.
func (q *Quadratic) Length(c int) float64 { return q.unit(c) * math.Sqrt(q.src.Square(c)) }

// Null implements Model.
func (q *Quadratic) Null() (deviance, residual float64) {
	return q.src.Null(), math.Sqrt(q.src.Null())
}

// Noise implements Model.
func (q *Quadratic) Noise(c int) float64 { return 2 * rounding * q.Length(c) * q.data }

// Move implements Model.
func (q *Quadratic) Move(set []int, w []float64) float64 {
	q.set, q.value = append(q.set[:0], set...), q.value[:0]
	q.data = math.Sqrt(q.src.Null())
	for i, c := range set {
		q.value = append(q.value, q.unit(c)*w[i])
		q.data += q.Length(c) * math.Abs(w[i])
	}
	for c := range q.limit {
		q.limit[c] = math.Inf(1)
	}
	q.rss = q.src.Residual(q.set, q.value, q.limit, q.half)
	return q.rss
}

// Descent implements Model: 2 x_c'(y - Xw).
func (q *Quadratic) Descent(_ []int, limit, u []float64) {
	for c, l := range limit {
		q.limit[c] = l / (2 * q.unit(c))
	}
	q.src.Residual(q.set, q.value, q.limit, q.half)
	for c, h := range q.half {
		u[c] = 2 * q.unit(c) * h
	}
}

// Exact implements Model.
func (q *Quadratic) Exact(set []int, u []float64) {
	q.src.Exact(set, q.half)
	for _, c := range set {
		u[c] = 2 * q.unit(c) * q.half[c]
	}
}

// Cross implements Model.
func (q *Quadratic) Cross(rows, cols []int, dst []float64, stride int) {
	q.src.Cross(rows, cols, dst, stride)
	for r, j := range rows {
		to, f := dst[r*stride:], 2*q.unit(j)
		for c, k := range cols {
			to[c] *= f * q.unit(k)
		}
	}
}

// Renew implements Model: the second derivatives are the same everywhere.
func (q *Quadratic) Renew(bool) bool { return false }

// Shrink implements Model: r is 2(y - Xw), and F(r) = |r|^2/4 - r'y.
func (q *Quadratic) Shrink(s, wu float64) float64 {
	return (1-s)*(1-s)*q.rss + (1-s)*wu
}

// Intercepts implements Model: columns and y are centered.
func (q *Quadratic) Intercepts() []float64 { return []float64{0} }
