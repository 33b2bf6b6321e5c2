package lsq

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Coordinates are the rows of the data in an orthonormal basis of the column
// space of the fit: with (A'A)^-1 = T T', the row a = (1, x) has the coordinates
// z = T'a and the leverage |z|^2.
type Coordinates struct {
	Slopes blas64.General // p x r: the rows of T that belong to slopes
	Offset []float64      // r: the row of T that belongs to the intercept
	Center []float64      // p: subtracted from x; nil is 0
}

// LeverageOne is the leverage from which on a row is taken to determine its own
// fitted value: 1 but for rounding.
const LeverageOne = 1 - 1e-12

// ColumnMeans returns the weighted means of the columns of x.
func ColumnMeans(x *mat.Dense, w []float64) []float64 {
	n, p := x.Dims()
	sums, weights := make([][]float64, gram.Chunks(n)), make([]float64, gram.Chunks(n))
	gram.EachChunk(n, func() func(chunk, start, end int) {
		return func(chunk, start, end int) {
			sum := make([]float64, p)
			for i := start; i < end; i++ {
				wi := 1.0
				if w != nil {
					wi = w[i]
				}
				weights[chunk] += wi
				floats.AddScaled(sum, wi, x.RawRowView(i))
			}
			sums[chunk] = sum
		}
	})
	mean := make([]float64, p)
	for _, sum := range sums {
		floats.Add(mean, sum)
	}
	floats.Scale(1/floats.Sum(weights), mean)
	return mean
}

// Each calls visit with the coordinates of the rows from start on, block by
// block, chunks of blocks at the same time; z is m x r with one row a row of x,
// not multiplied by the root of a weight. The blocks do not depend on the number
// of processors. Visit must not keep z.
func (c *Coordinates) Each(x *mat.Dense, visit func(chunk, start int, z blas64.General)) {
	n, p := x.Dims()
	r := c.Slopes.Cols
	raw := x.RawMatrix()
	const block = 128
	gram.EachChunk(n, func() func(chunk, start, end int) {
		z := blas64.General{Cols: r, Stride: max(r, 1), Data: make([]float64, block*max(r, 1))}
		centered := blas64.General{Cols: p, Stride: max(p, 1), Data: make([]float64, block*max(p, 1))}
		return func(chunk, start, end int) {
			for first := start; first < end; first += block {
				z.Rows = min(block, end-first)
				rows := blas64.General{Rows: z.Rows, Cols: p, Stride: raw.Stride, Data: raw.Data[first*raw.Stride:]}
				if c.Center != nil && p > 0 {
					centered.Rows = z.Rows
					for i := range z.Rows {
						floats.SubTo(centered.Data[i*p:(i+1)*p], rows.Data[i*rows.Stride:i*rows.Stride+p], c.Center)
					}
					rows = centered
				}
				for i := range z.Rows {
					copy(z.Data[i*z.Stride:], c.Offset)
				}
				blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, rows, c.Slopes, 1, z)
				visit(chunk, first, z)
			}
		}
	})
}

// Of returns the coordinates of the rows of x.
func (c *Coordinates) Of(x *mat.Dense) blas64.General {
	n, _ := x.Dims()
	r := c.Slopes.Cols
	all := blas64.General{Rows: n, Cols: r, Stride: max(r, 1), Data: make([]float64, n*r)}
	c.Each(x, func(_, start int, z blas64.General) {
		for i := range z.Rows {
			copy(all.Data[(start+i)*r:(start+i+1)*r], z.Data[i*z.Stride:i*z.Stride+r])
		}
	})
	return all
}

// Leverages returns w_i |z_i|^2; the weights w are 1 if nil.
func (c *Coordinates) Leverages(x *mat.Dense, w []float64) []float64 {
	n, _ := x.Dims()
	h := make([]float64, n)
	c.Each(x, func(_, start int, z blas64.General) {
		for i := range z.Rows {
			if w != nil && w[start+i] == 0 {
				continue // whatever the row is
			}
			row := z.Data[i*z.Stride : i*z.Stride+z.Cols]
			h[start+i] = floats.Dot(row, row)
			if w != nil {
				h[start+i] *= w[start+i]
			}
		}
	})
	return h
}
