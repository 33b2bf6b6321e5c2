package problem

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Columns are centered by Conditioning if their mean is more than so many standard deviations
// from zero, which costs about as many units of rounding, and scaled if their values are beyond
// the unit farUnit or below its inverse.
const (
	farCenter = 8
	farUnit   = 200
)

// Scaling takes columns x to (x - Center)/Scale.
type Scaling struct{ Center, Scale []float64 }

// Conditioning returns centers and scales in which an iteration on the columns of rows loses no
// digits to their location and unit, nil if the columns do as they are. Scales are powers of two,
// and there are centers only if there is an intercept. Rows of weight zero do not count.
func Conditioning(r Rows) *Scaling {
	rows, weights := r.Positive()
	x := r.X
	if !farOut(x, rows, !r.NoIntercept) {
		return nil
	}
	s := &Scaling{Center: make([]float64, x.Cols), Scale: make([]float64, x.Cols)}
	column := make([]float64, len(rows))
	var total float64
	for _, w := range weights {
		total += w
	}
	for j := range x.Cols {
		var largest float64
		for k, i := range rows {
			column[k] = x.Data[i*x.Stride+j]
			largest = math.Max(largest, math.Abs(column[k]))
		}
		s.Scale[j] = 1
		if u := UnitOf(largest); max(u, -u) > farUnit {
			s.Scale[j] = u.Float()
		}
		if r.NoIntercept {
			continue
		}
		for k := range column {
			column[k] /= s.Scale[j]
		}
		s.Center[j] = Centre(column, weights, total) * s.Scale[j]
	}
	return s
}

// Conditioning centers columns, if there is an intercept, at powers of two of their deviations, so
// that cross-products keep their digits.
func (s *Sums) Conditioning(noIntercept bool) *Scaling {
	p := len(s.SXY)
	c := &Scaling{Center: make([]float64, p), Scale: make([]float64, p)}
	for j, mean := range s.MeanX {
		ss := s.Product(j, j)
		if noIntercept {
			ss += s.W * gram.Square(mean)
		} else {
			c.Center[j] = mean
		}
		c.Scale[j] = UnitOfSquares(ss / s.W).Float()
	}
	return c
}

// farOut tells from a thousand rows whether columns are to be conditioned.
func farOut(x blas64.General, rows []int, intercept bool) bool {
	const sample = 1000
	step := max(1, len(rows)/sample)
	first, sum, squares := make([]float64, x.Cols), make([]float64, x.Cols), make([]float64, x.Cols)
	least, most := Unit(-farUnit-1).Float(), Unit(farUnit).Float()
	var n float64
	for r := 0; r < len(rows); r += step {
		row := x.Data[rows[r]*x.Stride : rows[r]*x.Stride+x.Cols]
		if n++; n == 1 {
			copy(first, row)
		}
		for j, v := range row {
			if size := math.Abs(v); size >= most && !math.IsInf(v, 0) || size < least && v != 0 {
				return true
			}
			v -= first[j]
			sum[j] += v
			squares[j] += v * v
		}
	}
	if !intercept {
		return false
	}
	for j := range sum {
		mean := sum[j] / n
		if gram.Square(first[j]+mean) > farCenter*farCenter*math.Max(squares[j]/n-mean*mean, 0) {
			return true
		}
	}
	return false
}

// Of returns (x - center)/scale. A column that differs from its center by no more
// than rounding becomes zero.
func (s *Scaling) Of(x blas64.General) *mat.Dense {
	z := mat.NewDense(x.Rows, x.Cols, nil)
	largest := make([]float64, x.Cols)
	for i := range x.Rows {
		row := z.RawRowView(i)
		for j, v := range x.Data[i*x.Stride : i*x.Stride+x.Cols] {
			row[j] = (v - s.Center[j]) / s.Scale[j]
			largest[j] = math.Max(largest[j], math.Abs(row[j]))
		}
	}
	for j, v := range largest {
		if v <= 4*dd.Unit*math.Abs(s.Center[j])/s.Scale[j] {
			for i := range x.Rows {
				z.Set(i, j, 0)
			}
		}
	}
	return z
}

// Unscale takes parameters of classes and a root of their covariance from columns
// (x - Center)/Scale to those of x.
func (s *Scaling) Unscale(b, root []float64, intercept bool) {
	p, order := len(s.Center), len(b)
	first := 0
	if intercept {
		first = 1
	}
	row := func(r int) blas64.Vector { return gram.Vector(root[r*order : (r+1)*order]) }
	for at := 0; at < order; at += p + first {
		for j, center := range s.Center {
			r := at + first + j
			b[r] /= s.Scale[j]
			blas64.Scal(1/s.Scale[j], row(r))
			if intercept && center != 0 {
				b[at] -= b[r] * center
				blas64.Axpy(-center, row(r), row(at))
			}
		}
	}
}
