package newton

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Cells are the rows of Passes by cells of factors: X of a block has the numbers, and of[i] is the cell of row i. In a cell, the
// columns of Passes are multiples of the numbers, or constant: those that are not 0 are Columns.
type Cells struct {
	Columns func(cell int) []problem.Column
	Each    func(f func(b Block, of []int) error) error

	points problem.Points
}

// cell is what a pass has of the rows of a cell, for u = (1, z) with its numbers z less their shifts.
type cell struct {
	columns []problem.Column
	eta     []float64 // the linear predictor is eta'u
	score   []float64 // sum r_i u_i
}

// sums returns the sums of a pass at eta = b0 + x'b, for columns x in a scaling: the losses, the cross-products at the curvatures, and
// the least curvature. A row takes as many operations as its cell has squares of numbers.
func (c *Cells) sums(scaling *problem.Scaling, b0 float64, b []float64) (*gram.LossSums, *gram.Sums, float64, error) {
	p := len(b)
	if scaling == nil {
		scaling = &problem.Scaling{Center: make([]float64, p), Scale: slices.Repeat([]float64{1}, p)}
	}
	total, least := &gram.LossSums{Least: math.Inf(1)}, math.Inf(1)
	level, slopes := dd.Of(b0), make([]float64, p) // where the columns are 0
	for j, v := range b {
		slopes[j] = v / scaling.Scale[j]
		level = level.Sub(dd.Of(slopes[j]).Mul(dd.Of(scaling.Center[j])))
	}
	cells, products := make(map[int]*cell), problem.CellSums{}
	err := c.Each(func(block Block, of []int) error {
		u := c.points.Of(block.X, block.Weights)
		at := make([]*cell, len(of))
		eta, curvature := make([]float64, len(of)), make([]float64, len(of))
		for i, number := range of {
			if at[i] = cells[number]; at[i] == nil {
				columns := c.Columns(number)
				at[i] = &cell{columns: columns, eta: problem.PredictorOf(columns, c.points.Shift, level, slopes), score: make([]float64, u.Cols)}
				cells[number] = at[i]
			}
			eta[i] = floats.Dot(at[i].eta, u.Data[i*u.Stride:(i+1)*u.Stride])
			if block.Offset != nil {
				eta[i] += block.Offset[i]
			}
		}
		total.Add(gram.LossesAt(block.Fit, eta, curvature))
		for i, r := range eta { // now minus the slopes of the losses
			floats.AddScaled(at[i].score, r, u.Data[i*u.Stride:(i+1)*u.Stride])
			if curvature[i] > 0 {
				least = math.Min(least, curvature[i])
			}
		}
		products.Add(block.X, curvature, of)
		return nil
	})
	if err != nil {
		return nil, nil, 0, err
	}
	total.X = c.scores(cells, scaling)
	return total, c.products(products, scaling), least, nil
}

// scores returns sum r_i x_i of the columns in the scaling. A column that is 0 in a cell is minus its center over its scale there.
func (c *Cells) scores(cells map[int]*cell, scaling *problem.Scaling) []float64 {
	var all float64
	to := make([]float64, len(scaling.Center))
	in := make([]float64, len(to)) // sums of r_i where the column is not 0
	for _, number := range slices.Sorted(maps.Keys(cells)) {
		at := cells[number]
		all += at.score[0]
		for _, column := range at.columns {
			j, value := column.At, column.Times
			if column.Of >= 0 {
				value *= c.points.Shift[column.Of]
				to[j] += column.Times * at.score[1+column.Of]
			}
			to[j] += (value - scaling.Center[j]) * at.score[0]
			in[j] += at.score[0]
		}
	}
	for j := range to {
		to[j] = (to[j] - scaling.Center[j]*(all-in[j])) / scaling.Scale[j]
	}
	return to
}

// products returns the cross-products of the columns in the scaling.
func (c *Cells) products(s problem.CellSums, scaling *problem.Scaling) *gram.Sums {
	p := len(scaling.Center)
	e := s.Expand(p, c.Columns)
	out := &gram.Sums{N: e.N, W: e.W, Mean: make([]float64, p), S: blas64.Symmetric{N: p, Stride: max(p, 1), Uplo: blas.Upper, Data: e.SXX}}
	for j := range p {
		out.Mean[j] = e.MeanOf(j).Sub(dd.Of(scaling.Center[j])).Float() / scaling.Scale[j]
		for k := j; k < p; k++ {
			e.SXX[j*p+k] /= scaling.Scale[j] * scaling.Scale[k]
		}
	}
	return out
}
