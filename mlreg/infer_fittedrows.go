package mlreg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// fittedRows are rows that a fit was made to, with their residuals and leverages: a design (fittedRows), a block of rows
// (fittedBlocks), or a block of rows by cells of factors (fittedCells). A row of leverage 1 determines its own fitted value:
// its residual is 0.
type fittedRows struct {
	given  *Design    // as they came; by cells, with the numbers for columns
	design *Design    // less its offset
	x      *mat.Dense // the columns in the order and units of the fit; nil by cells
	coords *lsq.Coordinates
	cells  *cellRows // nil for rows of all columns
	r, h   []float64
	first  int // rows of the blocks before
}

// determined sets the residuals of rows of leverage 1 to 0.
func (b *fittedRows) determined() {
	for i, h := range b.h {
		if h >= lsq.LeverageOne {
			b.h[i], b.r[i] = 1, 0
		}
	}
}

// whole returns the rows with the columns of the fit.
func (b *fittedRows) whole() *Design {
	if b.cells == nil {
		return b.given
	}
	return b.cells.expanded(b.given)
}

// adder returns what adds s z_i to a vector, with the orthonormal coordinates z_i of row i.
func (b *fittedRows) adder() func(to []float64, s float64, i int) {
	if b.cells != nil {
		return b.cells.addCoordinates
	}
	z := b.coords.Of(b.x)
	return func(to []float64, s float64, i int) {
		floats.AddScaled(to, s, z.Data[i*z.Stride:i*z.Stride+z.Cols])
	}
}

// fittedRows looks the rows of d up and checks that they are those fitted: as
// many of positive weight, and the residual sum of squares of the fit.
func (f *OLS) fittedRows(d *Design) (*fittedRows, error) {
	r, err := f.Residuals(d)
	if err != nil {
		return nil, err
	}
	x, err := f.rows(d)
	if err != nil {
		return nil, err
	}
	rows := &fittedRows{given: d, design: d.LessOffset(), x: x, r: r}
	d = rows.design
	if err := f.checkCount(d.PositiveRows()); err != nil {
		return nil, err
	}
	rss := d.weightedSquares(r, 0)
	rounding := 16 * dd.Unit * f.sizeOfParts(d, x) // of the residuals
	if !(math.Abs(math.Sqrt(rss)-math.Sqrt(f.RSS())) <= rounding) {
		if err := f.checkRSS(rss); err != nil {
			return nil, err
		}
	}
	rows.coords = f.coordinatesOf(x, d.Weights)
	if rows.coords.Center != nil {
		rows.center(d.meanY(f.s.W), gram.WithoutNaN(f.l.B))
		rest := d.center(r, 0, f.s.W) // what rounding took from the mean of y
		floats.AddConst(-rest, r)
	}
	rows.h = rows.coords.Leverages(x, d.Weights)
	rounded := min(lsq.LeverageOne, 1-64*dd.Unit*f.Cond())
	for i, h := range rows.h {
		if h >= rounded && h < lsq.LeverageOne {
			rows.h[i] = leverageByFit(d, i, h)
		}
	}
	rows.determined()
	return rows, nil
}

// leverageByFit returns the leverage of row i, which is near to 1, where rounding of h may be as large
// as 1 - h: what the fit of a response that is zero in all other rows leaves. It is h if there is none.
func leverageByFit(d *Design, i int, h float64) float64 {
	indicator := *d
	indicator.Y, indicator.Offset, indicator.Classes = make([]float64, len(d.Y)), nil, nil
	indicator.Y[i] = 1
	fit, err := FitOLS(&indicator, &OLSSettings{Aliased: DropAliased})
	if err != nil {
		return h
	}
	return 1 - fit.RSS()/d.Weight(i)
}

// sizeOfParts returns |y| + |b_0| sqrt(W) + sum_j |b_j||x_j|, the size of what
// residuals are made of.
func (f *OLS) sizeOfParts(d *Design, x *mat.Dense) float64 {
	size := math.Sqrt(d.weightedSquares(d.Y, 0)) + math.Abs(f.l.B0)*math.Sqrt(f.s.W)
	for j, b := range gram.WithoutNaN(f.l.B) {
		size += math.Abs(b) * math.Sqrt(d.weightedSquares(mat.Col(nil, j, x), 0))
	}
	return size
}

// center sets the residuals to (y - ybar) - (x - xbar)'b about the center of the coordinates,
// which does not round at the size of the intercept.
func (b *fittedRows) center(ybar float64, slopes []float64) {
	for i := range b.r {
		r := b.design.Y[i] - ybar
		for j, v := range b.x.RawRowView(i)[:len(slopes)] {
			r -= (v - b.coords.Center[j]) * slopes[j]
		}
		b.r[i] = r
	}
}

// checkCount refuses other rows than those fitted by how many have a positive weight.
func (f *OLS) checkCount(n int) error {
	if n == f.NObs() {
		return nil
	}
	return fmt.Errorf("%w: there are %d rows of positive weight, and the fit has %d; give the rows that were fitted", ErrShape, n, f.NObs())
}

// checkRSS refuses other rows than those fitted by their residual sum of squares.
func (f *OLS) checkRSS(rss float64) error {
	if math.Abs(rss-f.RSS()) <= 1e-6*f.RSS()+1e-10*f.TSS() {
		return nil
	}
	return fmt.Errorf("%w: the residual sum of squares of these rows is %g, and that of the fit is %g; give the rows that were fitted", ErrShape, rss, f.RSS())
}

// eachFitted calls visit with the rows that were fitted, block after block: by one pass over cells of factors, which it
// returns, or by two passes if the rows have no cells, or other columns than the fit. It checks that they are as many as the
// fit has, with its residual sum of squares.
func (f *OLS) eachFitted(rows RowBlocks, visit func(b *fittedRows) error) (*cellPass, error) {
	all, rss := 0, 0.0
	take := func(b *fittedRows) error {
		b.first = all
		all += b.given.NObs()
		rss += b.design.weightedSquares(b.r, 0)
		b.determined()
		return visit(b)
	}
	cells, err := f.fittedCells(rows, take)
	if cells == nil && err == nil {
		err = f.fittedBlocks(rows, take)
	}
	if err != nil {
		return nil, err
	}
	return cells, f.checkRSS(rss)
}

// fittedBlocks makes two passes over the rows that were fitted: one for their means, about
// which residuals and leverages keep their digits, and one that calls visit.
func (f *OLS) fittedBlocks(rows RowBlocks, visit func(b *fittedRows) error) error {
	p, err := newPasses(rows)
	if err != nil {
		return err
	}
	mean, err := f.meansOf(p)
	if err != nil {
		return err
	}
	if err := f.checkCount(p.w); err != nil {
		return err
	}
	slopes := gram.WithoutNaN(f.l.B)
	coords := f.coordinatesAbout(func() []float64 { return mean[:len(slopes)] })
	return p.each(func(block *Design) error {
		z, err := f.columnsOf(block)
		if err != nil {
			return err
		}
		b := &fittedRows{given: block, design: block.LessOffset(), x: z.X, coords: coords}
		if coords.Center != nil {
			b.r = make([]float64, block.NObs())
			b.center(mean[len(slopes)], slopes)
		} else if b.r, err = f.Residuals(block); err != nil {
			return err
		}
		b.h = coords.Leverages(b.x, block.Weights)
		return visit(b)
	})
}

// meansOf returns the means of the columns of the fit, that of the response last, by one pass.
func (f *OLS) meansOf(p *passes) ([]float64, error) {
	sums := make([]shiftedSum, len(f.l.B)+1)
	var w float64
	err := p.each(func(block *Design) error {
		z, err := f.columnsOf(block)
		if err != nil {
			return err
		}
		block = block.LessOffset()
		for i, y := range block.Y {
			wi := block.Weight(i)
			if wi == 0 {
				continue
			}
			w += wi
			for j, x := range z.X.RawRowView(i)[:len(f.l.B)] {
				sums[j].add(wi, x)
			}
			sums[len(f.l.B)].add(wi, y)
		}
		return nil
	})
	mean := make([]float64, len(sums))
	for j, s := range sums {
		mean[j] = s.from + s.sum/w
	}
	return mean, err
}

// shiftedSum is a sum about its first value.
type shiftedSum struct {
	from, sum float64
	seen      bool
}

func (s *shiftedSum) add(w, x float64) {
	if !s.seen {
		s.from, s.seen = x, true
	}
	s.sum += w * (x - s.from)
}

// fittedCells calls visit with the rows that were fitted by cells of factors, by one pass. The pass is nil if the rows have
// no cells, or other columns than the fit.
func (f *OLS) fittedCells(rows RowBlocks, visit func(b *fittedRows) error) (*cellPass, error) {
	blocks, err := f.cellBlocks(rows)
	data, ok := rows.(Data)
	if blocks == nil || err != nil || !ok || f.s.Rank == 0 {
		return nil, err
	}
	m, err := data.Moments()
	if err != nil {
		return nil, err
	}
	level, coords := f.l.B0, f.coordinatesAbout(m.MeanX)
	if coords.Center != nil {
		level = m.MeanY()
	}
	p, n := f.cellPass(blocks, coords, level), 0
	err = p.each(func(c *cellRows) error {
		b := &fittedRows{given: c.numbers, design: c.numbers.LessOffset(), cells: c, r: make([]float64, len(c.cells)), h: make([]float64, len(c.cells))}
		for i := range b.r {
			b.r[i] = b.design.Y[i] - c.predictor(i)
			if w := b.design.Weight(i); w != 0 {
				b.h[i] = w * c.squaredLength(i)
			}
		}
		n += b.design.PositiveRows()
		return visit(b)
	})
	if err != nil {
		return nil, err
	}
	return p, f.checkCount(n)
}
