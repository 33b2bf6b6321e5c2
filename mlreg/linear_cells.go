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

// cellPass is a pass over rows by cells of factors, for a fit whose covariance, but for a factor, is T T'. In a cell, the linear predictor of a
// row is fit'u and its orthonormal coordinates T'a are t u, where u = (1, z) has the cell's numbers z less their shifts.
type cellPass struct {
	blocks *compressed.Blocks
	fit    *linear
	level  dd.Number // the linear predictor where the columns are 0
	slopes []float64
	origin dd.Vector  // the coordinates where the columns are 0
	along  *mat.Dense // r x p: those of the columns
	points problem.Points
	cells  map[int]*fittedCell
}

// fittedCell is what the rows of a cell have in common.
type fittedCell struct {
	fit     []float64     // the linear predictor is fit'u
	t       *mat.Dense    // r x len(u)
	inner   *mat.SymDense // t't
	squares *mat.SymDense // sums of s^2 u u'
}

// cellRows are a block of rows by cells.
type cellRows struct {
	pass    *cellPass
	numbers *Design // the rows, with the numbers for columns
	of      []int
	cells   []*fittedCell // of every row
	u       *mat.Dense
}

// cellBlocks returns rows by cells of factors, nil if they have none, or other columns than the fit.
func (f *linear) cellBlocks(rows RowBlocks) (*compressed.Blocks, error) {
	blocks, err := compressed.BlocksOf(rows)
	if blocks == nil || err != nil {
		return nil, err
	}
	like := blocks.Like.(*Design)
	if f.l.Scaling != nil || !slices.Equal(like.Names, f.l.Names) {
		return nil, nil
	}
	return valid(blocks, f.l.Coding.check(like.Coding, f.l.Names))
}

// coordinates returns those of rows by a k x r root T of the covariance.
func (f *linear) coordinates(root []float64, r int) *lsq.Coordinates {
	c := &lsq.Coordinates{
		Slopes: blas64.General{Rows: len(f.l.B), Cols: r, Stride: max(r, 1), Data: gram.WithoutNaN(root)},
		Offset: make([]float64, r),
	}
	if !f.l.NoIntercept {
		copy(c.Offset, c.Slopes.Data)
		c.Slopes.Data = c.Slopes.Data[r:]
	}
	return c
}

// cellPass returns a pass in the coordinates of a fit whose linear predictor is level at their centers.
func (f *linear) cellPass(blocks *compressed.Blocks, coords *lsq.Coordinates, level float64) *cellPass {
	p := &cellPass{blocks: blocks, fit: f, level: dd.Of(level), slopes: gram.WithoutNaN(f.l.B), cells: make(map[int]*fittedCell)}
	r, s := coords.Slopes.Cols, coords.Slopes
	p.origin, p.along = dd.Vector{Hi: slices.Clone(coords.Offset), Lo: make([]float64, r)}, mat.NewDense(r, len(p.slopes), nil)
	for j, b := range p.slopes {
		slopes := s.Data[j*s.Stride : j*s.Stride+r]
		p.along.SetCol(j, slopes)
		if coords.Center != nil {
			center := dd.Of(coords.Center[j])
			p.level = p.level.Sub(center.Mul(dd.Of(b)))
			p.origin.AddScaled(center.Neg(), dd.Vector{Hi: slopes, Lo: make([]float64, r)})
		}
	}
	return p
}

// each calls visit with every block.
func (p *cellPass) each(visit func(b *cellRows) error) error {
	return p.blocks.Each(func(d any, of []int) error {
		b, err := p.block(d.(*Design), of)
		if err != nil {
			return err
		}
		return visit(b)
	})
}

// block finds the cells of rows.
func (p *cellPass) block(d *Design, of []int) (*cellRows, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if d.Y == nil {
		return nil, errNoResponse
	}
	if err := p.fit.l.checkOffset(d); err != nil {
		return nil, err
	}
	u := p.points.Of(d.X.RawMatrix(), d.Weights)
	b := &cellRows{pass: p, numbers: d, of: of, cells: make([]*fittedCell, len(of)), u: mat.NewDense(u.Rows, u.Cols, u.Data)}
	for i, cell := range of {
		c := p.cells[cell]
		if c == nil {
			c = p.cell(cell)
			p.cells[cell] = c
		}
		b.cells[i] = c
	}
	return b, nil
}

// cell makes what the rows of a cell have in common.
func (p *cellPass) cell(number int) *fittedCell {
	columns, k, r := p.blocks.Columns(number), 1+len(p.points.Shift), p.along.RawMatrix().Rows
	c := &fittedCell{
		fit: problem.PredictorOf(columns, p.points.Shift, p.level, p.slopes),
		t:   mat.NewDense(r, k, nil), squares: mat.NewSymDense(k, nil),
	}
	for i := range r {
		c.t.SetRow(i, problem.PredictorOf(columns, p.points.Shift, p.origin.At(i), p.along.RawRowView(i)))
	}
	c.inner = algebra.AsSymmetric(algebra.Inner(c.t.RawMatrix()))
	return c
}

// predictor returns the linear predictor of row i, without its offset.
func (b *cellRows) predictor(i int) float64 { return floats.Dot(b.cells[i].fit, b.u.RawRowView(i)) }

// squaredLength returns a'T T'a of row i.
func (b *cellRows) squaredLength(i int) float64 {
	u := b.u.RowView(i)
	return mat.Inner(u, b.cells[i].inner, u)
}

// addCoordinates adds s T'a of row i to a vector.
func (b *cellRows) addCoordinates(to []float64, s float64, i int) {
	t, u := b.cells[i].t, b.u.RawRowView(i)
	for k := range to {
		to[k] += s * floats.Dot(t.RawRowView(k), u)
	}
}

// addSquares adds s_i^2 a_i a_i' of the rows to what scatter returns; those of s_i = 0 do not count, whatever they are.
func (b *cellRows) addSquares(s []float64) {
	for i, s := range s {
		if s != 0 {
			squares := b.cells[i].squares
			squares.SymRankOne(squares, s*s, b.u.RowView(i))
		}
	}
}

// expanded returns a design of these rows and numbers with the columns of the fit.
func (b *cellRows) expanded(numbers *Design) *Design {
	return numbers.expanded(b.pass.blocks.Like.(*Design), b.of, b.pass.blocks.Columns)
}

// scatter is the sum of s^2 T'a a'T over all rows.
func (p *cellPass) scatter() *mat.SymDense {
	r := p.along.RawMatrix().Rows
	sum := blas64.General{Rows: r, Cols: r, Stride: r, Data: make([]float64, r*r)}
	for _, number := range slices.Sorted(maps.Keys(p.cells)) {
		c := p.cells[number]
		var half mat.Dense
		half.Mul(c.t, c.squares)
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, half.RawMatrix(), c.t.RawMatrix(), 1, sum)
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
