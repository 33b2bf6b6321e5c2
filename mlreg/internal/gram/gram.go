package gram

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Rows are the n x k matrix A whose columns are those of X (n x p, row-major)
// and, if it is not nil, Y, each multiplied by its scale.
type Rows struct {
	X blas64.General
	Y []float64
	// Weights are n non-negative weights, nil for ones. Rows of weight zero
	// are not looked at.
	Weights []float64
	// Scale are the k scales, nil for ones. Powers of two cost no digit, and
	// keep the squares of very large and very small numbers representable.
	Scale []float64
}

// Sums are the sums over the rows a_i of A that least squares needs.
type Sums struct {
	N    int       // rows of positive weight
	W    float64   // sum of weights
	Mean []float64 // k: sum w_i a_i / W
	// MeanLo is what rounding took from Mean, k: their sum is as good as the mean
	// of what is left of A about its center.
	MeanLo []float64
	// S is the k x k matrix sum w_i (a_i - Mean)(a_i - Mean)', its upper
	// triangle.
	S blas64.Symmetric
}

// Centered returns the sums of the rows.
//
// The products are of z_i = a_i - c, with c the mean of rows spread over the
// data, and
//
//	Mean = c + d,  S = sum w_i z_i z_i' - W d d',  d = sum w_i z_i / W.
//
// The subtraction loses at most a bit as long as W d_j^2 <= S_jj, that is c_j
// is within a standard deviation of the mean; if some c_j is not, the pass is
// done again with c = Mean. A constant column has a sum of squares of exactly
// zero. NaN and infinities in a row of positive weight end up in Mean and S.
func Centered(r Rows) *Sums {
	k := r.columns()
	s := &Sums{
		Mean: make([]float64, k), MeanLo: make([]float64, k),
		S: blas64.Symmetric{N: k, Stride: max(k, 1), Uplo: blas.Upper, Data: make([]float64, k*k)},
	}
	if r.Weights == nil {
		s.N, s.W = r.X.Rows, float64(r.X.Rows)
	}
	var low float64
	for _, w := range r.Weights {
		if w > 0 {
			s.N++
			var e float64
			s.W, e = twoSum(s.W, w)
			low += e
		}
	}
	s.W += low
	if s.N == 0 || k == 0 {
		return s
	}
	const passes = 3
	p := newPacking(r, r.sampleMean(s.N))
	for range passes {
		if s.take(p.products(), p) {
			break
		}
	}
	return s
}

// take sets Mean and S from the products of [Z 1] and moves the center of the
// packing to the mean. It reports whether the center was near enough.
func (s *Sums) take(g blas64.Symmetric, p *packing) bool {
	k := s.S.N
	near := true
	d := make([]float64, k)
	for j := range d {
		d[j] = g.Data[j*g.Stride+k] / s.W
	}
	for i := range k {
		row, from := s.S.Data[i*k:(i+1)*k], g.Data[i*g.Stride:i*g.Stride+k]
		wd := s.W * d[i]
		for j := i; j < k; j++ {
			row[j] = from[j] - wd*d[j]
		}
		near = near && !(wd*d[i] > row[i])
		var low float64
		p.center[i], low = twoSum(p.center[i], d[i]/p.scale[i])
		s.Mean[i], s.MeanLo[i] = p.center[i]*p.scale[i], low*p.scale[i]
	}
	return near
}

// Merge adds the sums of other rows, by the update of Chan, Golub and LeVeque (1983).
func (s *Sums) Merge(o *Sums) {
	if !(o.W > 0) {
		s.N += o.N
		return
	}
	if !(s.W > 0) {
		n := s.N
		*s = *o
		s.N += n
		return
	}
	k, w := s.S.N, s.W+o.W
	d := make([]float64, k)
	for j := range d {
		d[j] = (o.Mean[j] - s.Mean[j]) + (o.MeanLo[j] - s.MeanLo[j])
		var low float64
		s.Mean[j], low = twoSum(s.Mean[j], o.W/w*d[j])
		s.MeanLo[j] += low
	}
	c := s.W / w * o.W
	for i := range k {
		row, from := s.S.Data[i*s.S.Stride:i*s.S.Stride+k], o.S.Data[i*o.S.Stride:i*o.S.Stride+k]
		for j := i; j < k; j++ {
			row[j] += from[j] + c*d[i]*d[j]
		}
	}
	s.N += o.N
	s.W = w
}

// columns returns k.
func (r Rows) columns() int {
	if r.Y == nil {
		return r.X.Cols
	}
	return r.X.Cols + 1
}

func (r Rows) row(i int) []float64 {
	return r.X.Data[i*r.X.Stride : i*r.X.Stride+r.X.Cols]
}

func (r Rows) weight(i int) float64 {
	if r.Weights == nil {
		return 1
	}
	return r.Weights[i]
}

// sampleMean returns the means of X and Y over a thousand or two of the n rows
// of positive weight, evenly spaced, as x_first + mean(x - x_first), which is
// x_first if all are the same.
func (r Rows) sampleMean(n int) []float64 {
	k := r.columns()
	value, sum := make([]float64, k), make([]float64, k)
	var first []float64
	step := max(1, n/1024)
	seen, used := 0, 0.0
	for i := range r.X.Rows {
		if r.weight(i) == 0 {
			continue
		}
		if seen%step == 0 {
			r.copyRow(value, i)
			if first == nil {
				first = append(first, value...)
			}
			for j, v := range value {
				sum[j] += v - first[j]
			}
			used++
		}
		seen++
	}
	for j := range sum {
		first[j] += sum[j] / used
	}
	return first
}

// copyRow copies row i of [X y], without its scale.
func (r Rows) copyRow(dst []float64, i int) {
	copy(dst, r.row(i))
	if r.Y != nil {
		dst[r.X.Cols] = r.Y[i]
	}
}
