package problem

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

// Remainder is what the rows that Read gives say, of weighted rows with and without a column of ones and a penalty.
func TestRemainder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	const n, p = 60, 3
	r := Rows{X: blas64.General{Rows: n, Cols: p, Stride: p}}
	for i := range n {
		for j := range p {
			r.X.Data = append(r.X.Data, math.Ldexp(rnd.NormFloat64(), 9*j))
		}
		r.Y, r.Weights = append(r.Y, rnd.NormFloat64()), append(r.Weights, float64(i%3))
	}
	for _, without := range []bool{false, true} {
		for _, penalty := range [][]float64{nil, {3, 0, 700}} {
			r.NoIntercept = without
			s, err := Scale(r, penalty)
			if err != nil {
				t.Fatal(err)
			}
			k := s.Columns()
			rows := blas64.General{Rows: s.Rows(), Cols: k + 1, Stride: k + 1, Data: make([]float64, s.Rows()*(k+1))}
			got, _ := s.Read(rows, 0, s.Rows())
			for j := range k {
				b, low := make([]float64, k), make([]float64, k)
				for c := range b {
					b[c], low[c] = rnd.NormFloat64(), rnd.NormFloat64()/1e3
				}
				var squares float64
				products := make([]float64, k)
				for i := range got {
					row := rows.Data[i*rows.Stride : i*rows.Stride+k]
					left := row[j]
					for c, v := range row {
						left -= v * (b[c] + low[c])
					}
					squares += left * left
					for c, v := range row {
						products[c] += v * left
					}
				}
				gotSquares, gotProducts := s.Remainder(j, b, low)
				off := math.Abs(gotSquares - squares)
				for c, v := range products {
					off = max(off, math.Abs(gotProducts[c]-v))
				}
				if !(off < 1e-13*float64(k)*(1+squares)) {
					t.Errorf("column %d, no intercept: %v, penalty %v: off by %.1e of %g", j, without, penalty, off, squares)
				}
			}
		}
	}
}
