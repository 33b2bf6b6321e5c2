package problem

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Rows of positive weight, far from zero and in any units, lead back to the residuals and the coefficients
// of the data, and rows of zeros stand below them.
func TestPreparedRowsLeadBack(t *testing.T) {
	const n, p, below = 30, 5, 2
	for _, noIntercept := range []bool{false, true} {
		r := sample(n, p, noIntercept)
		for i := range n {
			r.X.Data[i*p+2] += 100
		}
		q, err := Prepare(r, below)
		if err != nil {
			t.Fatal(err)
		}
		if far := q.Center[2] != 0; far == noIntercept {
			t.Errorf("no intercept: %v, centers %v", noIntercept, q.Center)
		}
		raw := make([]float64, q.First+p)
		for j := range p {
			raw[q.First+j] = float64(j+1) / math.Pow(10, float64(80*j/(p-1)-40)) * 1e-20
		}
		if q.First == 1 {
			raw[0] = 3e-20
		}
		b := q.FromRaw(raw)
		back, low := q.Coefficients(b, make([]float64, len(b)))
		var product mat.VecDense
		product.MulVec(q.ToRaw(), mat.NewVecDense(len(b), b))
		for j, v := range raw {
			near(t, "coefficient", back[j]+low[j], v)
			near(t, "coefficient by the matrix", product.AtVec(j), v)
		}
		q.Weigh()
		for k, i := range q.Rows {
			want, size := r.Y[i], math.Abs(r.Y[i])
			if q.First == 1 {
				want -= raw[0]
			}
			for j := range p {
				v := raw[q.First+j] * r.X.Data[i*p+j]
				want, size = want-v, size+math.Abs(v)
			}
			row := q.A.Data[k*q.A.Stride : k*q.A.Stride+q.A.Cols]
			got := q.YUnit.Out(q.Y[k]-gram.Dot(row, b)) / math.Sqrt(r.Weights[i])
			if !(math.Abs(got-want) < 1e-13*size) || q.Weights[k] != r.Weights[i] || r.Weights[i] == 0 {
				t.Errorf("row %d of weight %g: residual %g, want %g", i, q.Weights[k], got, want)
			}
		}
		for j := range q.A.Cols {
			column := blas64.Vector{N: len(q.Y), Inc: q.A.Stride, Data: q.A.Data[j:]}
			if largest := math.Abs(column.Data[blas64.Iamax(column)*column.Inc]); largest < 0.5 || largest > 2 {
				t.Errorf("a largest value of %g in column %d", largest, j)
			}
			for k := range below {
				if v := q.A.Data[(len(q.Rows)+k)*q.A.Stride+j]; v != 0 {
					t.Errorf("%g below the rows", v)
				}
			}
		}
	}
}

// Columns are conditioned if the mean of one is more than 8 deviations from zero, and the model has an intercept, or if values
// are beyond 2^200.
func TestConditioningOfRows(t *testing.T) {
	for _, c := range []struct {
		mean, deviation float64
		noIntercept     bool
		want            bool
	}{
		{7.9, 1, false, false}, {8.1, 1, false, true}, {8.1, 1, true, false}, {0.81, 0.1, false, true}, {0, 0, false, false},
		{0, math.Ldexp(1, 199), false, false}, {0, math.Ldexp(1, 200), true, true}, {0, math.Ldexp(1, -201), false, false}, {0, math.Ldexp(1, -202), true, true},
	} {
		r := Rows{X: blas64.General{Rows: 6, Cols: 2, Stride: 2}, NoIntercept: c.noIntercept}
		for i := range 6 {
			sign := float64(1 - 2*(i%2))
			r.X.Data = append(r.X.Data, 5*sign, c.mean+c.deviation*sign)
		}
		if got := Conditioning(r) != nil; got != c.want {
			t.Errorf("mean %g, deviation %g, no intercept %v: conditioned %v, want %v", c.mean, c.deviation, c.noIntercept, got, c.want)
		}
	}
}

// Sums are conditioned at their means and powers of two of the deviations of their columns.
func TestConditioningOfSums(t *testing.T) {
	r := sample(40, 3, false)
	s := SumRows(r)
	for _, noIntercept := range []bool{false, true} {
		c := s.Conditioning(noIntercept)
		for j, scale := range c.Scale {
			mean, square := s.MeanX[j], s.Product(j, j)/s.W
			if noIntercept {
				square, mean = square+mean*mean, 0
			}
			if size := math.Sqrt(square) / scale; c.Center[j] != mean || scale != UnitOf(scale/2).Float() || size < 0.5 || size > 2 {
				t.Errorf("no intercept: %v, column %d: center %g and scale %g of mean %g and deviation %g", noIntercept, j, c.Center[j], scale, mean, math.Sqrt(square))
			}
		}
	}
}
