package mlreg

import (
	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// fittedCellRows are a block of the rows that a fit was made to, as blockRows are, by cells of factors.
type fittedCellRows struct {
	*cellRows
	design *Design // of the numbers, less its offset
	r, h   []float64
}

// addScore adds s z_i to a score, with the orthonormal coordinates z_i of row i.
func (b *fittedCellRows) addScore(to []float64, s float64, i int) {
	t, u := b.cells[i].t, b.u.RawRowView(i)
	for k := range to {
		to[k] += s * floats.Dot(t.RawRowView(k), u)
	}
}

// fittedCells is fittedBlocks for rows by cells of factors, by one pass. The pass is nil if the rows have no cells, or other columns than the
// fit.
func (f *OLS) fittedCells(rows RowBlocks, visit func(b *fittedCellRows) error) (*cellPass, error) {
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
	p, n, rss := f.cellPass(blocks, coords, level), 0, 0.0
	err = p.each(func(b *cellRows) error {
		fitted := fittedCellsOf(b)
		n += fitted.design.PositiveRows()
		rss += fitted.design.weightedSquares(fitted.r, 0)
		for i, h := range fitted.h {
			if h >= lsq.LeverageOne {
				fitted.h[i], fitted.r[i] = 1, 0
			}
		}
		return visit(fitted)
	})
	if err == nil {
		err = f.checkCount(n)
	}
	if err == nil {
		err = f.checkRSS(rss)
	}
	return p, err
}

// fittedCellsOf returns the rows of a block with their residuals and leverages.
func fittedCellsOf(b *cellRows) *fittedCellRows {
	n := b.numbers.NObs()
	rows := &fittedCellRows{cellRows: b, design: b.numbers.LessOffset(), r: make([]float64, n), h: make([]float64, n)}
	for i := range n {
		rows.r[i] = rows.design.Y[i] - b.predictor(i)
		if w := rows.design.Weight(i); w != 0 {
			rows.h[i] = w * b.squaredLength(i)
		}
	}
	return rows
}

// robustCells is Robust for rows by cells. It is nil as fittedCells is.
func (f *OLS) robustCells(rows RowBlocks, hc HC) (*Robust, error) {
	if err := f.checkSandwich(); err != nil {
		return nil, err
	}
	p, err := f.fittedCells(rows, func(b *fittedCellRows) error {
		score := make([]float64, len(b.r))
		for i := range score {
			root, err := f.correction(hc, b.h[i], b.first+i+1)
			if err != nil {
				return err
			}
			score[i] = weighed(b.design.Weight(i), root*b.r[i])
		}
		b.addSquares(score)
		return nil
	})
	if p == nil || err != nil {
		return nil, err
	}
	return f.sandwich(p.scatter(), hc, 0)
}
