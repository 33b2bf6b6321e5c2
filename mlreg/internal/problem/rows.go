package problem

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Rows are n rows of p columns and a response, with weights of which at least one
// is positive; nil weights are ones.
type Rows struct {
	X           blas64.General
	Low         blas64.General // what rounding took from X; empty is zero
	Y, Weights  []float64
	NoIntercept bool
}

// Weight returns that of row i.
func (r *Rows) Weight(i int) float64 {
	if r.Weights == nil {
		return 1
	}
	return r.Weights[i]
}

// Positive returns the rows of positive weight, and their weights.
func (r *Rows) Positive() (rows []int, weights []float64) {
	rows, weights = make([]int, 0, r.X.Rows), make([]float64, 0, r.X.Rows)
	for i := range r.X.Rows {
		if w := r.Weight(i); w > 0 {
			rows, weights = append(rows, i), append(weights, w)
		}
	}
	return rows, weights
}

// Totals returns the number of rows of positive weight, the sum of their weights and
// of their logarithms.
func (r *Rows) Totals() (n int, w, logW float64) {
	for i := range r.Y {
		if v := r.Weight(i); v > 0 {
			n++
			w += v
			logW += math.Log(v)
		}
	}
	return n, w, logW
}

// Means returns the weighted means of the columns and of y, given the sum of
// weights: what the model takes for the center, zeros without an intercept.
func (r *Rows) Means(w float64) (x []float64, y float64) {
	x = make([]float64, r.X.Cols)
	for i, v := range r.Y {
		share := r.Weight(i) / w
		if share == 0 || r.NoIntercept {
			continue
		}
		y += share * v
		gram.Axpy(share, r.X.Data[i*r.X.Stride:i*r.X.Stride+r.X.Cols], x)
	}
	return x, y
}

// At returns the value in row i of column j to twice the digits.
func (r *Rows) At(i, j int) dd.Number {
	x := dd.Of(r.X.Data[i*r.X.Stride+j])
	if r.Low.Data != nil {
		x = x.Add(dd.Of(r.Low.Data[i*r.Low.Stride+j]))
	}
	return x
}

// FromRows prepares the rows, in the given order if it is not nil.
func FromRows(r Rows, order []int) (*Problem, error) {
	n, p := r.X.Rows, r.X.Cols
	if order != nil {
		n = len(order)
	}
	at := func(i int) int { // the row
		if order == nil {
			return i
		}
		return order[i]
	}
	d := &Problem{MeanX: make([]float64, p), Units: Units{XUnit: make([]Unit, p)}, XT: blas64.General{Rows: p, Cols: n, Stride: n, Data: make([]float64, n*p)}, Y: make([]float64, n)}
	var weights, root []float64 // nil for ones
	if r.Weights != nil {
		weights, root = make([]float64, n), make([]float64, n)
	}
	for i := range n {
		w := r.Weight(at(i))
		d.W += w
		if w > 0 {
			d.N++
		}
		if weights != nil {
			weights[i], root[i] = w, math.Sqrt(w)
		}
		d.Y[i] = r.Y[at(i)]
	}
	d.copyColumns(r.X, at)
	prepare := func(v []float64) (mean float64, unit Unit, ok bool) {
		if !r.NoIntercept {
			mean = Centre(v, weights, d.W)
		}
		for i, w := range root {
			v[i] *= w
		}
		if unit, ok = Measure(blas64.Nrm2(blas64.Vector{N: n, Inc: 1, Data: v})); ok {
			scale(v, unit)
		}
		return mean, unit, ok
	}
	fine := make([]bool, p)
	gram.Each(p, func(j int) { d.MeanX[j], d.XUnit[j], fine[j] = prepare(d.Column(j)) })
	for j, ok := range fine {
		if !ok {
			return nil, &RangeError{Column: j}
		}
	}
	var ok bool
	if d.MeanY, d.YUnit, ok = prepare(d.Y); !ok || !d.YUnit.Squarable() {
		return nil, &RangeError{Column: Response}
	}
	d.YY = squares(d.Y)
	return d, nil
}

// copyColumns copies rows of x, the i-th that at says, into columns, block by block.
func (d *Problem) copyColumns(x blas64.General, at func(i int) int) {
	const width = 16
	gram.Each((x.Cols+width-1)/width, func(task int) {
		from, to := task*width, min((task+1)*width, x.Cols)
		var cols [width][]float64
		for j := from; j < to; j++ {
			cols[j-from] = d.Column(j)
		}
		for i := range d.XT.Cols {
			row := at(i)
			for j, v := range x.Data[row*x.Stride+from : row*x.Stride+to] {
				cols[j][i] = v
			}
		}
	})
}
