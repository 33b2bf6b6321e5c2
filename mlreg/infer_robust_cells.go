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
)

// robustCells is Robust for rows by cells of factors. In a cell, the orthonormal coordinates of a row are T u, where u = (1, z)
// has the cell's numbers z less their shifts, and T is the same in all its rows: leverages are w u'T'T u, and the rows add
// T (sum of s^2 u u') T' for their scores s. It is nil if the rows have no cells, or other columns than the fit.
func (f *OLS) robustCells(rows RowBlocks, hc HC) (*Robust, error) {
	blocks, err := compressed.BlocksOf(rows)
	data, ok := rows.(Data)
	if blocks == nil || err != nil || !ok {
		return nil, err
	}
	like := blocks.Like.(*Design)
	if f.l.Scaling != nil || !slices.Equal(like.Names, f.l.Names) {
		return nil, nil
	}
	if err := f.checkSandwich(); err != nil {
		return nil, err
	}
	if err := f.l.Coding.check(like.Coding, f.l.Names); err != nil {
		return nil, err
	}
	m, err := data.Moments()
	if err != nil {
		return nil, err
	}
	p := f.cellPass(m, blocks.Columns)
	err = blocks.Each(func(d any, of []int) error { return p.add(d.(*Design), of, hc) })
	if err != nil {
		return nil, err
	}
	if err := f.checkCount(p.n); err != nil {
		return nil, err
	}
	if err := f.checkRSS(p.rss); err != nil {
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
	level   float64   // the fitted value where the columns are at their centers
	shift   []float64 // of the numbers, those of the first row
	cells   map[int]*fittedCell
	rows, n int // n are of positive weight
	rss     float64
}

// fittedCell is what the rows of a cell have in common.
type fittedCell struct {
	fit    []float64  // the fitted value is fit'u
	t      *mat.Dense // r x len(u)
	inner  *mat.SymDense
	scores *mat.SymDense // sums of s^2 u u'
}

func (f *OLS) cellPass(m *Moments, columns func(cell int) []compressed.Column) *cellPass {
	p := &cellPass{f: f, columns: columns, b: gram.WithoutNaN(f.l.B), center: make([]float64, len(f.l.B)), level: f.l.B0, cells: make(map[int]*fittedCell)}
	p.coords = f.coordinatesAbout(m.MeanX)
	if p.coords.Center != nil {
		p.center, p.level = p.coords.Center, m.MeanY()
	}
	return p
}

// add adds the rows of a block.
func (p *cellPass) add(d *Design, of []int, hc HC) error {
	if err := d.Check(); err != nil {
		return err
	}
	y := d.LessOffset().Y
	if p.shift == nil && d.NObs() > 0 {
		p.shift = slices.Clone(d.X.RawRowView(0))
	}
	u := make([]float64, 1+len(p.shift))
	u[0] = 1
	for i, cell := range of {
		p.rows++
		w := d.Weight(i)
		if w == 0 {
			continue
		}
		c := p.cells[cell]
		if c == nil {
			c = p.cell(cell)
			p.cells[cell] = c
		}
		floats.SubTo(u[1:], d.X.RawRowView(i)[:len(p.shift)], p.shift)
		r := y[i] - floats.Dot(c.fit, u)
		v := mat.NewVecDense(len(u), u)
		h := w * mat.Inner(v, c.inner, v)
		p.n++
		p.rss += w * r * r
		if h >= lsq.LeverageOne {
			h, r = 1, 0
		}
		root, err := p.f.correction(hc, h, p.rows)
		if err != nil {
			return err
		}
		score := w * root * r
		c.scores.SymRankOne(c.scores, score*score, v)
	}
	return nil
}

// cell makes what the rows of a cell have in common.
func (p *cellPass) cell(number int) *fittedCell {
	k, r := 1+len(p.shift), p.coords.Slopes.Cols
	c := &fittedCell{fit: make([]float64, k), t: mat.NewDense(r, k, nil), scores: mat.NewSymDense(k, nil)}
	at := make([]float64, len(p.b)) // the columns where the numbers are at their shifts, less their centers
	value := dd.Of(p.level)
	for _, column := range p.columns(number) {
		at[column.At] = column.Times
		if column.Of >= 0 {
			at[column.At] *= p.shift[column.Of]
			c.fit[1+column.Of] += column.Times * p.b[column.At]
			slopes := p.coords.Slopes.Data[column.At*p.coords.Slopes.Stride:]
			for q := range r {
				c.t.Set(q, 1+column.Of, c.t.At(q, 1+column.Of)+column.Times*slopes[q])
			}
		}
	}
	for j, b := range p.b {
		value = value.Add(dd.Of(at[j]).Sub(dd.Of(p.center[j])).Mul(dd.Of(b)))
		at[j] -= p.center[j]
	}
	c.fit[0] = value.Hi
	first := slices.Clone(p.coords.Offset)
	blas64.Gemv(blas.Trans, 1, p.coords.Slopes, gram.Vector(at), 1, gram.Vector(first))
	c.t.SetCol(0, first)
	c.inner = mat.NewSymDense(k, nil)
	algebra.AddInner(c.inner.RawSymmetric(), c.t.RawMatrix())
	return c
}

// scatter is the sum of s^2 z z' for the orthonormal coordinates z of all rows.
func (p *cellPass) scatter() *mat.SymDense {
	r := p.coords.Slopes.Cols
	sum := blas64.General{Rows: r, Cols: r, Stride: r, Data: make([]float64, r*r)}
	for _, number := range slices.Sorted(maps.Keys(p.cells)) {
		c := p.cells[number]
		var half mat.Dense
		half.Mul(c.t, c.scores)
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, half.RawMatrix(), c.t.RawMatrix(), 1, sum)
	}
	return algebra.AsSymmetric(blas64.Symmetric{N: r, Stride: r, Data: sum.Data, Uplo: blas.Upper})
}
