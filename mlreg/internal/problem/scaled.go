package problem

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Scaled is the weighted least-squares problem min |y - A b| with A = [1 X], or X
// without an intercept, and every column and y divided by a power of two to a
// length of about 1, so that no sum of squares overflows or underflows. Scaling so
// costs no digit.
type Scaled struct {
	A       *mat.Dense // n x k, of the rows of positive weight
	Y       []float64  // n
	Exp     []int      // column j is divided by 2^Exp[j]
	YExp    int
	W, LogW float64 // sums of weights and of their logarithms
}

// Scale copies the rows of positive weight.
func Scale(r Rows) (*Scaled, error) {
	p, first := r.X.Cols, 1
	if r.NoIntercept {
		first = 0
	}
	k := p + first
	data := make([]float64, 0, r.X.Rows*k)
	s := &Scaled{Exp: make([]int, k)}
	for i, y := range r.Y {
		w := r.Weight(i)
		if w == 0 {
			continue
		}
		root := math.Sqrt(w)
		s.W += root * root
		s.LogW += 2 * math.Log(root)
		s.Y = append(s.Y, root*y)
		if first == 1 {
			data = append(data, root)
		}
		for _, x := range r.X.Data[i*r.X.Stride : i*r.X.Stride+p] {
			data = append(data, root*x)
		}
	}
	s.A = mat.NewDense(len(s.Y), k, data)
	factor := make([]float64, k)
	for j := range factor {
		e, ok := Exponent(blas64.Nrm2(blas64.Vector{N: len(s.Y), Inc: k, Data: data[j:]}))
		if !ok {
			return nil, &RangeError{Column: j - first}
		}
		s.Exp[j], factor[j] = e, math.Ldexp(1, -e)
	}
	for i := range s.Y {
		row := s.A.RawRowView(i)
		for j, c := range factor {
			row[j] *= c
		}
	}
	e, ok := Exponent(blas64.Nrm2(blas64.Vector{N: len(s.Y), Inc: 1, Data: s.Y}))
	if !ok {
		return nil, &RangeError{Column: Response}
	}
	s.YExp = e
	for i := range s.Y {
		s.Y[i] = math.Ldexp(s.Y[i], -e)
	}
	return s, nil
}
