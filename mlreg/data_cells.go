package mlreg

import (
	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

func init() {
	compressed.SumsOf = func(s *compressed.Sums) any { return sumsOfCell(s) }
	compressed.SumRows = func(d any, of []int, cells int) ([]any, error) { return d.(*Design).sumCells(of, cells) }
	compressed.Merge = func(to, from any) { to.(*problem.Sums).Merge(from.(*problem.Sums)) }
	compressed.Moments = func(like any, cells []compressed.Cell) (any, error) {
		return momentsOfCells(like.(*Design), cells)
	}
}

// momentsOfCells returns the moments of the columns of like.
func momentsOfCells(like *Design, cells []compressed.Cell) (*Moments, error) {
	m := NewMoments(like)
	m.s.Omitted = like.Omitted
	if len(cells) > 0 {
		m.s.Sums = problem.Expand(len(like.Names), partsOf(cells))
	}
	return valid(m, m.check(func(int) bool { return false }))
}

// partsOf returns cells as parts of a model.
func partsOf(cells []compressed.Cell) []problem.Part {
	parts := make([]problem.Part, len(cells))
	for i, c := range cells {
		parts[i] = problem.Part{Sums: c.Sums.(*problem.Sums), Columns: c.Columns}
	}
	return parts
}

// sumsOfCell takes sums that were computed elsewhere.
func sumsOfCell(c *compressed.Sums) *problem.Sums {
	k := len(c.Mean)
	s := problem.NewSums(k - 1)
	s.N, s.W, s.LogW, s.RelErr, s.GrossW = c.N, c.W, c.LogW, c.RelErr, c.W
	copy(s.MeanX, c.Mean)
	s.MeanXLow, s.MeanY, s.MeanYLow = c.Low[:k-1:k-1], c.Mean[k-1], c.Low[k-1]
	s.Gross, s.Lost = c.Gross, c.Lost
	for j := range k - 1 {
		copy(s.SXX[j*(k-1):(j+1)*(k-1)], c.S[j*k:j*k+k-1])
		s.SXY[j] = c.S[j*k+k-1]
	}
	s.SYY = c.S[k*k-1]
	return &s
}

// sumCells returns the sums of the rows of every cell.
func (d *Design) sumCells(of []int, cells int) ([]any, error) {
	out := make([]any, cells)
	if d.weightless() {
		return out, d.checkFinite()
	}
	if err := d.checkFit(); err != nil {
		return nil, err
	}
	d = d.LessOffset()
	start := make([]int, cells+1)
	for _, c := range of {
		start[c+1]++
	}
	for c := range cells {
		start[c+1] += start[c]
	}
	order, next := make([]int, len(of)), append([]int(nil), start...)
	for i, c := range of {
		order[next[c]] = i
		next[c]++
	}
	for c := range cells {
		rows := order[start[c]:start[c+1]]
		if len(rows) == 0 {
			continue
		}
		part := d
		if len(rows) < len(of) {
			part = d.gathered(rows)
		}
		s := problem.SumRows(part.rows())
		m := &Moments{momentsState{header{Names: d.Names, Response: d.Response}, s}}
		if err := m.check(part.varies); err != nil {
			if bad := d.checkFinite(); bad != nil {
				return nil, bad
			}
			return nil, err
		}
		if s.N > 0 {
			out[c] = &s
		}
	}
	return out, nil
}

// gathered returns some rows with what their sums are of.
func (d *Design) gathered(rows []int) *Design {
	part := &Design{X: takeRows(d.X, rows), Names: d.Names, Response: d.Response, Y: gram.Take(d.Y, rows), Weights: gram.Take(d.Weights, rows)}
	if d.XLow != nil {
		part.XLow = takeRows(d.XLow, rows)
	}
	return part
}
