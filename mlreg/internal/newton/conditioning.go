package newton

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Columns are centered for Newton's method if their mean is more than so many
// standard deviations from zero, which costs about as many units of rounding, and
// scaled if their values are beyond 2^farExponent or below its inverse.
const (
	farCenter   = 8
	farExponent = 200
)

// Scaling takes columns x to (x - Center)/Scale.
type Scaling struct{ Center, Scale []float64 }

// Conditioning returns centers and scales in which Newton's method loses no
// digits to the location and the unit of the columns of x, nil if the columns do
// as they are. Scales are powers of two, and there are centers only if there is an
// intercept. Rows of weight zero do not count.
func Conditioning(x blas64.General, weights []float64, intercept bool) *Scaling {
	rows := make([]int, 0, x.Rows)
	for i := range x.Rows {
		if weights == nil || weights[i] > 0 {
			rows = append(rows, i)
		}
	}
	if !farOut(x, rows, intercept) {
		return nil
	}
	s := &Scaling{Center: make([]float64, x.Cols), Scale: make([]float64, x.Cols)}
	column := make([]float64, len(rows))
	w := make([]float64, len(rows))
	var total float64
	for r, i := range rows {
		w[r] = 1
		if weights != nil {
			w[r] = weights[i]
		}
		total += w[r]
	}
	for j := range x.Cols {
		var largest float64
		for r, i := range rows {
			column[r] = x.Data[i*x.Stride+j]
			largest = math.Max(largest, math.Abs(column[r]))
		}
		s.Scale[j] = 1
		if _, e := math.Frexp(largest); largest > 0 && max(e, -e) > farExponent {
			s.Scale[j] = math.Ldexp(1, e)
		}
		if !intercept {
			continue
		}
		for r := range column {
			column[r] /= s.Scale[j]
		}
		s.Center[j] = problem.Centre(column, w, total) * s.Scale[j]
	}
	return s
}

// farOut tells from a thousand rows whether columns are to be conditioned.
func farOut(x blas64.General, rows []int, intercept bool) bool {
	const sample = 1000
	step := max(1, len(rows)/sample)
	first, sum, squares := make([]float64, x.Cols), make([]float64, x.Cols), make([]float64, x.Cols)
	least, most := math.Ldexp(1, -farExponent-1), math.Ldexp(1, farExponent)
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
		if square(first[j]+mean) > square(farCenter)*math.Max(squares[j]/n-mean*mean, 0) {
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
		if v <= 4*unit*math.Abs(s.Center[j])/s.Scale[j] {
			for i := range x.Rows {
				z.Set(i, j, 0)
			}
		}
	}
	return z
}
