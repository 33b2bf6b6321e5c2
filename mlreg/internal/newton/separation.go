package newton

import (
	"math"
	"slices"
)

// Separation is a direction along which the loss of classes falls for ever.
type Separation struct {
	Rows, Of int       // rows that it separates strictly, of all
	Moves    []float64 // how much each parameter moves the linear predictors
	Values   []float64 // the direction in the units of the columns given
	left     []int     // positions of the rows that it does not separate
}

// Complete tells whether all rows are separated strictly.
func (s *Separation) Complete() bool { return s.Rows == s.Of }

// Separation decides whether a direction separates the rows with y = 1 from those
// with y = 0; it returns nil if none does.
//
// With the rows z_i = s_i (1, x_i), s_i = 1 or -1, it solves the linear program
//
//	maximize sum_i c_i z_i'delta   subject to   z_i'delta >= 0,  |delta_j| <= 1
//
// with positive weights c_i, in columns centered and scaled to typical values of 1,
// and rows scaled to a largest value of 1. The maximum is zero if and only if no
// direction separates (Konis 2007, section 4.1). Rows on the boundary are then tried
// again without the others, until none is left or the rest overlap.
//
// A row with a y between 0 and 1 has a loss that grows on both sides, as that of a
// count above 0 does: no direction may move it, for which it stands twice among the
// z_i, with both signs.
func (q *Problem) Separation(y []float64) (*Separation, error) {
	c := q.separationColumns()
	first := q.First()
	var held []int // positions in c.rows
	for r, i := range c.rows {
		if y[i] > 0 && y[i] < 1 {
			held = append(held, r)
		}
	}
	s, err := separate(len(c.rows)+len(held), q.Parameters(), func(z []float64, r int) {
		side := -1.0
		if r >= len(c.rows) {
			r = held[r-len(c.rows)]
		} else if y[c.rows[r]] > 0 {
			side = 1
		}
		i := c.rows[r]
		if first == 1 {
			z[0] = side
		}
		for j, v := range q.row(i) {
			z[j+first] = side * (v - c.center[j]) / c.scale[j]
		}
	})
	if s == nil || err != nil {
		return nil, err
	}
	q.count(s, c.rows)
	s.Values = slices.Clone(s.Moves)
	for j, center := range c.center {
		s.Values[j+first] /= c.scale[j]
		if first == 1 {
			s.Values[0] -= s.Values[j+1] * center
		}
	}
	copy(s.Moves, s.Values[:first])
	return s, nil
}

// count counts the rows of positive weight, and those of them that a direction separates.
func (q *Problem) count(s *Separation, rows []int) {
	s.Of = len(rows)
	if q.Times == nil {
		return
	}
	s.Of = 0
	for _, i := range rows {
		s.Of += q.Times[i]
	}
	s.Rows = s.Of
	for _, r := range s.left {
		if r < len(rows) { // and not the second of those that no direction may move
			s.Rows -= q.Times[rows[r]]
		}
	}
}

// separationColumns are the rows of positive weight, and medians of the columns
// and typical distances from them.
type separationColumns struct {
	rows          []int
	center, scale []float64
}

func (q *Problem) separationColumns() *separationColumns {
	p := q.X.Cols
	c := &separationColumns{center: make([]float64, p), scale: make([]float64, p)}
	for i := range q.X.Rows {
		if q.Weights == nil || q.Weights[i] > 0 {
			c.rows = append(c.rows, i)
		}
	}
	var sample []int
	for r := 0; r < len(c.rows); r += max(1, len(c.rows)/separationRows) {
		sample = append(sample, c.rows[r])
	}
	for j := range p {
		if q.Intercept {
			c.center[j] = q.median(j, sample, 0, false)
		}
		c.scale[j] = q.median(j, sample, c.center[j], true)
		if c.scale[j] == 0 { // a rare value
			c.scale[j] = q.median(j, c.rows, c.center[j], true)
		}
		if c.scale[j] == 0 {
			c.scale[j] = 1
		}
	}
	return c
}

// median returns the median of column j in the given rows, or of its distances
// from the center that are not zero, 0 if there are none.
func (q *Problem) median(j int, rows []int, center float64, distance bool) float64 {
	v := make([]float64, 0, len(rows))
	for _, i := range rows {
		x := q.row(i)[j] - center
		if distance {
			x = math.Abs(x)
		}
		if !distance || x > 0 {
			v = append(v, x)
		}
	}
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[len(v)/2]
}
