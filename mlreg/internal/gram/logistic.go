package gram

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
)

// LogisticSums are the sums over rows that a step of logistic regression needs,
// with p_i = 1/(1 + exp(-eta_i)) and r_i = y_i - p_i.
type LogisticSums struct {
	Loss float64 // sum w_i log(1 + exp(-(2 y_i - 1) eta_i))
	Ones float64 // sum w_i r_i
	// Curvature is sum w_i p_i (1-p_i).
	Curvature float64
	X         []float64 // p: sum w_i r_i x_i
	Pearson   float64   // sum w_i r_i^2 / (p_i (1-p_i))
	Least     float64   // the least p_i (1-p_i) of a row of positive weight
	Largest   float64   // the largest |eta_i| of a row of positive weight
}

// Logistic returns the sums of rows with responses Y of 0 and 1 at
// eta_i = offset_i + b0 + x_i'b, offset being nil for zeros, in one parallel
// pass. It writes the curvatures w_i p_i (1-p_i) to curvature (n). Scale must be
// nil. No eta overflows: exp is taken of negative numbers only.
func (r Rows) Logistic(curvature, offset []float64, b0 float64, b []float64) *LogisticSums {
	p := r.X.Cols
	return r.logistic(func(s *LogisticSums, first int, eta []float64) {
		for i := range eta {
			eta[i] = b0
			if offset != nil {
				eta[i] += offset[first+i]
			}
		}
		x := r.X.Data[first*r.X.Stride:]
		if p > 0 {
			gonum.Implementation{}.Dgemv(blas.NoTrans, len(eta), p, 1, x, r.X.Stride, b, 1, 1, eta, 1)
		}
		s.add(r, first, eta, curvature[first:])
		if p > 0 {
			gonum.Implementation{}.Dgemv(blas.Trans, len(eta), p, 1, x, r.X.Stride, eta, 1, 1, s.X, 1)
		}
	})
}

// LogisticAt returns the same sums for known eta, but for X, of which it needs the
// number of rows only, and writes w_i r_i to residual (n).
func (r Rows) LogisticAt(residual, curvature, eta []float64) *LogisticSums {
	r.X.Cols = 0
	copy(residual, eta)
	return r.logistic(func(s *LogisticSums, first int, buf []float64) {
		s.add(r, first, residual[first:first+len(buf)], curvature[first:])
	})
}

// logistic calls block for blocks of rows, chunk by chunk, and adds the sums up.
func (r Rows) logistic(block func(s *LogisticSums, first int, eta []float64)) *LogisticSums {
	n, p := r.X.Rows, r.X.Cols
	const least, chunks, size = 1024, 64, 64
	rows := max(least, ceil(n, chunks))
	parts := make([]*LogisticSums, ceil(n, rows))
	Parallel(len(parts), func() func(int) {
		return func(chunk int) {
			s := &LogisticSums{X: make([]float64, p), Least: math.Inf(1)}
			var buf [size]float64
			end := min((chunk+1)*rows, n)
			for first := chunk * rows; first < end; first += size {
				block(s, first, buf[:min(size, end-first)])
			}
			parts[chunk] = s
		}
	})
	sum := parts[0]
	for _, s := range parts[1:] {
		sum.Loss += s.Loss
		sum.Ones += s.Ones
		sum.Curvature += s.Curvature
		sum.Pearson += s.Pearson
		sum.Least = math.Min(sum.Least, s.Least)
		sum.Largest = math.Max(sum.Largest, s.Largest)
		blas64.Axpy(1, blas64.Vector{N: p, Inc: 1, Data: s.X}, blas64.Vector{N: p, Inc: 1, Data: sum.X})
	}
	return sum
}

// add takes the rows from first on into the sums, and turns eta into w_i r_i.
func (s *LogisticSums) add(r Rows, first int, eta, curvature []float64) {
	y, curvature := r.Y[first:first+len(eta)], curvature[:len(eta)]
	product := 1.0 // of 1 + exp(-|eta_i|), at most 2^64
	for i, v := range eta {
		w := r.weight(first + i)
		if w == 0 {
			eta[i], curvature[i] = 0, 0
			continue
		}
		size := math.Abs(v)
		small := expMinus(size)
		near := 1 / (1 + small) // the probability of the likelier class
		far := small * near
		var loss float64
		switch {
		case small < 1e-8:
			loss = small - small*small/2
		case r.Weights == nil:
			product *= 1 + small
		default:
			loss = math.Log1p(small)
		}
		residual, odds := far, small // of a row on its side
		if v > 0 != (y[i] > 0) {
			residual, odds = near, 1/small
			loss += size
		}
		if y[i] == 0 {
			residual = -residual
		}
		s.Loss += w * loss
		s.Pearson += w * odds
		s.Ones += w * residual
		s.Least = min(s.Least, near*far)
		s.Largest = max(s.Largest, size)
		curvature[i] = w * near * far
		s.Curvature += curvature[i]
		eta[i] = w * residual
	}
	s.Loss += math.Log(product)
}

// expMinus returns exp(-v) for v >= 0, to about an ulp, as
// 2^-m 2^(-t/64) exp(-s) with v = (m + t/64) log 2 + s, |s| <= log(2)/128.
func expMinus(v float64) float64 {
	if !(v < 700) {
		return math.Exp(-v)
	}
	const (
		log2Hi = 0x1.62e42fefa0000p-7 // log(2)/64: with k below 2^16, k log2Hi is exact
		log2Lo = 0x1.cf79abc9e3b3ap-46
	)
	k := int(v*(64/math.Ln2) + 0.5)
	s := v - float64(k)*log2Hi - float64(k)*log2Lo
	s2 := s * s
	e := -s + s2*(1./2-s*(1./6)) + s2*s2*(1./24-s*(1./120))
	root := roots[k&63]
	return math.Float64frombits(math.Float64bits(root+root*e) - uint64(k>>6)<<52)
}

// roots are 2^(-t/64).
var roots = func() (r [64]float64) {
	for t := range r {
		r[t] = math.Exp2(-float64(t) / 64)
	}
	return r
}()
