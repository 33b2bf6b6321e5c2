package gram

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
)

// Datafit is a loss of the rows, as a function of their linear predictors.
type Datafit interface {
	// Add takes rows from first on into the sums, all but X, at the linear
	// predictors eta. It replaces eta_i by minus the derivative of the row's loss,
	// and writes its second derivative to curvature: zeros where a weight is zero. It is given 64 rows at most.
	Add(s *LossSums, first int, eta, curvature []float64)
}

// LossSums are the sums over rows that a step of Newton's method needs, of losses
// with the derivatives -r_i and the curvatures c_i.
type LossSums struct {
	Loss      float64
	Ones      float64   // sum r_i
	Curvature float64   // sum c_i
	X         []float64 // p: sum r_i x_i
	Pearson   float64   // sum r_i^2/c_i
	Least     float64   // the least c_i/w_i of a row of positive weight
	Largest   float64   // the largest |eta_i| of a row of positive weight
}

// Losses returns the sums of a loss at eta_i = offset_i + b0 + x_i'b, offset being
// nil for zeros, in one parallel pass over X. It writes c_i to curvature (n).
// Scale must be nil.
func (r Rows) Losses(fit Datafit, curvature, offset []float64, b0 float64, b []float64) *LossSums {
	p := r.X.Cols
	return r.losses(func(s *LossSums, first int, eta []float64) {
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
		fit.Add(s, first, eta, curvature[first:])
		if p > 0 {
			gonum.Implementation{}.Dgemv(blas.Trans, len(eta), p, 1, x, r.X.Stride, eta, 1, 1, s.X, 1)
		}
	})
}

// LossesAt returns the sums of a loss at known eta, but for X. It replaces eta_i by r_i and writes c_i to curvature.
func LossesAt(fit Datafit, eta, curvature []float64) *LossSums {
	return Rows{X: blas64.General{Rows: len(eta)}}.losses(func(s *LossSums, first int, buf []float64) {
		fit.Add(s, first, eta[first:first+len(buf)], curvature[first:])
	})
}

// losses calls block for blocks of rows, chunk by chunk, and adds the sums up.
func (r Rows) losses(block func(s *LossSums, first int, eta []float64)) *LossSums {
	n, p := r.X.Rows, r.X.Cols
	const least, chunks, size = 1024, 64, 64
	rows := max(least, ceil(n, chunks))
	parts := make([]*LossSums, ceil(n, rows))
	Parallel(len(parts), func() func(int) {
		return func(chunk int) {
			s := &LossSums{X: make([]float64, p), Least: math.Inf(1)}
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
		sum.Add(s)
	}
	return sum
}

// Add adds the sums over other rows.
func (s *LossSums) Add(o *LossSums) {
	s.Loss += o.Loss
	s.Ones += o.Ones
	s.Curvature += o.Curvature
	s.Pearson += o.Pearson
	s.Least = math.Min(s.Least, o.Least)
	s.Largest = math.Max(s.Largest, o.Largest)
	blas64.Axpy(1, Vector(o.X), Vector(s.X))
}
