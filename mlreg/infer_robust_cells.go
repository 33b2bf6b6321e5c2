package mlreg

import (
	"maps"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// cellRows are a block of the rows that a fit was made to, as blockRows are, by cells of factors.
type cellRows struct {
	design *Design       // of the numbers, less its offset
	whole  *Design       // of the numbers
	cells  []*fittedCell // of every row
	u      *mat.Dense    // (1, z) of every row, with the cell's numbers z less their shifts
	r, h   []float64
	first  int // rows of the blocks before
	// expanded returns the rows of a design of the numbers with the columns of the fit.
	expanded func(numbers *Design) *Design
}

// addScore adds s z_i to a score, with the orthonormal coordinates z_i of row i.
func (b *cellRows) addScore(to []float64, s float64, i int) {
	t := b.cells[i].t
	for k, u := range b.u.RawRowView(i) {
		floats.AddScaled(to, s*u, t.RawRowView(k))
	}
}

// fittedCells is fittedBlocks for rows by cells of factors. In a cell, the orthonormal coordinates of a row are T'u, where u = (1, z)
// has the cell's numbers z less their shifts, and T is the same in all its rows. The pass is nil if the rows have no cells, or
// other columns than the fit.
func (f *OLS) fittedCells(rows RowBlocks, visit func(b *cellRows) error) (*cellPass, error) {
	blocks, err := compressed.BlocksOf(rows)
	data, ok := rows.(Data)
	if blocks == nil || err != nil || !ok {
		return nil, err
	}
	like := blocks.Like.(*Design)
	if f.l.Scaling != nil || f.s.Rank == 0 || !slices.Equal(like.Names, f.l.Names) {
		return nil, nil
	}
	if err := f.l.Coding.check(like.Coding, f.l.Names); err != nil {
		return nil, err
	}
	m, err := data.Moments()
	if err != nil {
		return nil, err
	}
	p := f.cellPass(m, blocks.Columns)
	err = blocks.Each(func(d any, of []int) error {
		b, err := p.fitted(d.(*Design), of)
		if err != nil {
			return err
		}
		b.expanded = func(numbers *Design) *Design { return numbers.expanded(like, of, blocks.Columns) }
		return visit(b)
	})
	if err == nil {
		err = f.checkCount(p.n)
	}
	if err == nil {
		err = f.checkRSS(p.rss)
	}
	return p, err
}

// robustCells is Robust for rows by cells: they add T'(sum of s^2 u u') T for their scores s. It is nil as fittedCells is.
func (f *OLS) robustCells(rows RowBlocks, hc HC) (*Robust, error) {
	if err := f.checkSandwich(); err != nil {
		return nil, err
	}
	p, err := f.fittedCells(rows, func(b *cellRows) error {
		for i, c := range b.cells {
			w := b.design.Weight(i)
			if w == 0 {
				continue
			}
			root, err := f.correction(hc, b.h[i], b.first+i+1)
			if err != nil {
				return err
			}
			score := w * root * b.r[i]
			c.scores.SymRankOne(c.scores, score*score, b.u.RowView(i))
		}
		return nil
	})
	if p == nil || err != nil {
		return nil, err
	}
	return f.sandwich(p.scatter(), hc, 0)
}

// cellPass is a pass over the rows of a fit by cells.
type cellPass struct {
	f       *OLS
	columns func(cell int) []compressed.Column
	coords  *lsq.Coordinates
	b       []float64
	center  []float64 // of the columns
	level   dd.Number // the fitted value where the columns are 0
	shift   []float64 // of the numbers, those of the first row
	cells   map[int]*fittedCell
	rows, n int // n are of positive weight
	rss     float64
}

// fittedCell is what the rows of a cell have in common.
type fittedCell struct {
	fit    []float64  // the fitted value is fit'u
	t      *mat.Dense // len(u) x r
	inner  *mat.SymDense
	scores *mat.SymDense // sums of s^2 u u'
}

func (f *OLS) cellPass(m *Moments, columns func(cell int) []compressed.Column) *cellPass {
	p := &cellPass{f: f, columns: columns, b: gram.WithoutNaN(f.l.B), center: make([]float64, len(f.l.B)), cells: make(map[int]*fittedCell)}
	level := f.l.B0 // the fitted value where the columns are at their centers
	p.coords = f.coordinatesAbout(m.MeanX)
	if p.coords.Center != nil {
		p.center, level = p.coords.Center, m.MeanY()
	}
	p.level = dd.Of(level)
	for j, b := range p.b {
		p.level = p.level.Sub(dd.Of(p.center[j]).Mul(dd.Of(b)))
	}
	return p
}

// fitted returns the rows of a block with their residuals and leverages.
func (p *cellPass) fitted(d *Design, of []int) (*cellRows, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	n := d.NObs()
	if p.shift == nil && n > 0 {
		p.shift = slices.Clone(d.X.RawRowView(0))
	}
	b := &cellRows{
		design: d.LessOffset(), whole: d, cells: make([]*fittedCell, n), u: mat.NewDense(n, 1+len(p.shift), nil),
		r: make([]float64, n), h: make([]float64, n), first: p.rows,
	}
	p.rows += n
	for i, cell := range of {
		c := p.cells[cell]
		if c == nil {
			c = p.cell(cell)
			p.cells[cell] = c
		}
		u, w := b.u.RawRowView(i), d.Weight(i)
		u[0] = 1
		floats.SubTo(u[1:], d.X.RawRowView(i)[:len(p.shift)], p.shift)
		b.cells[i], b.r[i] = c, b.design.Y[i]-floats.Dot(c.fit, u)
		if w == 0 {
			continue
		}
		v := b.u.RowView(i)
		b.h[i] = w * mat.Inner(v, c.inner, v)
		p.n++
		p.rss += w * b.r[i] * b.r[i]
		if b.h[i] >= lsq.LeverageOne {
			b.h[i], b.r[i] = 1, 0
		}
	}
	return b, nil
}

// cell makes what the rows of a cell have in common.
func (p *cellPass) cell(number int) *fittedCell {
	k, r := 1+len(p.shift), p.coords.Slopes.Cols
	columns := p.columns(number)
	c := &fittedCell{fit: problem.PredictorOf(columns, p.shift, p.level, p.b), t: mat.NewDense(k, r, nil), scores: mat.NewSymDense(k, nil)}
	at := make([]float64, len(p.b)) // the columns where the numbers are at their shifts, less their centers
	for _, column := range columns {
		at[column.At] = column.Times
		if column.Of >= 0 {
			at[column.At] *= p.shift[column.Of]
			floats.AddScaled(c.t.RawRowView(1+column.Of), column.Times, p.coords.Slopes.Data[column.At*p.coords.Slopes.Stride:][:r])
		}
	}
	floats.Sub(at, p.center)
	first := c.t.RawRowView(0)
	copy(first, p.coords.Offset)
	blas64.Gemv(blas.Trans, 1, p.coords.Slopes, gram.Vector(at), 1, gram.Vector(first))
	c.inner = algebra.Outer(c.t)
	return c
}

// scatter is the sum of s^2 z z' for the orthonormal coordinates z of all rows.
func (p *cellPass) scatter() *mat.SymDense {
	r := p.coords.Slopes.Cols
	sum := blas64.General{Rows: r, Cols: r, Stride: r, Data: make([]float64, r*r)}
	for _, number := range slices.Sorted(maps.Keys(p.cells)) {
		c := p.cells[number]
		var half mat.Dense
		half.Mul(c.scores, c.t)
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, c.t.RawMatrix(), half.RawMatrix(), 1, sum)
	}
	return algebra.AsSymmetric(blas64.Symmetric{N: r, Stride: r, Data: sum.Data, Uplo: blas.Upper})
}

// expanded returns the rows of a design of numbers with the columns of like, given the columns that are not 0 in the cell of every row.
func (d *Design) expanded(like *Design, of []int, columns func(cell int) []compressed.Column) *Design {
	out := *d
	out.Names, out.Coding, out.NoIntercept = like.Names, like.Coding, like.NoIntercept
	out.X = algebra.NewDense(len(of), len(like.Names))
	if d.XLow != nil {
		out.XLow = algebra.NewDense(len(of), len(like.Names))
	}
	known := make(map[int][]compressed.Column)
	for i, cell := range of {
		in, ok := known[cell]
		if !ok {
			in = columns(cell)
			known[cell] = in
		}
		for _, c := range in {
			if c.Of < 0 {
				out.X.Set(i, c.At, c.Times)
				continue
			}
			out.X.Set(i, c.At, c.Times*d.X.At(i, c.Of))
			if d.XLow != nil {
				out.XLow.Set(i, c.At, c.Times*d.XLow.At(i, c.Of))
			}
		}
	}
	return &out
}
