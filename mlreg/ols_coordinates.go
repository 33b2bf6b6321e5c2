package mlreg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// coordinates are the rows of the data in an orthonormal basis of the column
// space of the fit: with (A'A)^-1 = T T', the row a = (1, x) has the coordinates
// z = T'a and the leverage |z|^2.
type coordinates struct {
	slopes blas64.General // p x r: the rows of T that belong to slopes
	offset []float64      // r: the row of T that belongs to the intercept
	center []float64      // p: subtracted from x; nil is 0
}

// coordinatesOf returns how the fit maps the rows x, with weights w, that it was
// made to. The basis starts with the column of ones, so the other coordinates are
// those of x minus its mean alone; no digits are lost to a large mean.
func (f *OLS) coordinatesOf(x *mat.Dense, w []float64) *coordinates {
	return f.coordinatesAbout(func() []float64 { return columnMeans(x, w) })
}

// coordinatesAbout is coordinatesOf given the means of the columns.
func (f *OLS) coordinatesAbout(means func() []float64) *coordinates {
	p, r := len(f.l.B), f.s.Rank
	c := &coordinates{
		slopes: blas64.General{Rows: p, Cols: r, Stride: max(r, 1), Data: gram.WithoutNaN(f.s.Root)},
		offset: make([]float64, r),
	}
	if f.l.NoIntercept {
		return c
	}
	copy(c.offset, c.slopes.Data)
	c.slopes.Data = c.slopes.Data[r:]
	for j := range p {
		if c.slopes.Data[j*r] != 0 {
			return c
		}
	}
	c.center = means()
	clear(c.offset[1:])
	return c
}

// columnMeans returns the weighted means of the columns of x.
func columnMeans(x *mat.Dense, w []float64) []float64 {
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

// each calls visit with the coordinates of the rows from start on, block by
// block, chunks of blocks at the same time; z is m x r with one row a row of x,
// not multiplied by the root of a weight. The blocks do not depend on the number
// of processors. Visit must not keep z.
func (c *coordinates) each(x *mat.Dense, visit func(chunk, start int, z blas64.General)) {
	n, p := x.Dims()
	r := c.slopes.Cols
	raw := x.RawMatrix()
	const block = 128
	gram.EachChunk(n, func() func(chunk, start, end int) {
		z := blas64.General{Cols: r, Stride: max(r, 1), Data: make([]float64, block*max(r, 1))}
		centered := blas64.General{Cols: p, Stride: max(p, 1), Data: make([]float64, block*max(p, 1))}
		return func(chunk, start, end int) {
			for first := start; first < end; first += block {
				z.Rows = min(block, end-first)
				rows := blas64.General{Rows: z.Rows, Cols: p, Stride: raw.Stride, Data: raw.Data[first*raw.Stride:]}
				if c.center != nil && p > 0 {
					centered.Rows = z.Rows
					for i := range z.Rows {
						floats.SubTo(centered.Data[i*p:(i+1)*p], rows.Data[i*rows.Stride:i*rows.Stride+p], c.center)
					}
					rows = centered
				}
				for i := range z.Rows {
					copy(z.Data[i*z.Stride:], c.offset)
				}
				blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, rows, c.slopes, 1, z)
				visit(chunk, first, z)
			}
		}
	})
}

// leverages returns w_i |z_i|^2; the weights w are 1 if nil.
func (c *coordinates) leverages(x *mat.Dense, w []float64) []float64 {
	n, _ := x.Dims()
	h := make([]float64, n)
	c.each(x, func(_, start int, z blas64.General) {
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
