package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/dd"
)

// absorption is least squares within the levels of a factor.
type absorption struct {
	means  *levelMeans
	head   header
	within RowBlocksFunc // rows less the means of their levels
	ols    *OLS          // of those rows, whose degrees of freedom do not count the levels
	syy    float64       // within levels
}

// absorb makes two passes over rows: one for the means of every level, and one for the sums of
// what is left of the rows without them.
func absorb(rows RowBlocks) (*absorption, error) {
	if d, ok := rows.(*Design); ok && d == nil {
		return nil, errNilDesign
	}
	p, err := newPasses(rows)
	if err != nil {
		return nil, err
	}
	p.absorbs = true
	a := &absorption{means: &levelMeans{place: make(map[string]int)}}
	if err := p.each(a.means.add); err != nil {
		return nil, err
	}
	if len(a.means.names) == 0 {
		return nil, errWeightless
	}
	a.means.finish()
	a.head = p.h.clone()
	a.head.NoIntercept = true
	a.within = func(f func(block *Design) error) error {
		return p.each(func(block *Design) error {
			z, err := a.means.within(block)
			if err != nil {
				return err
			}
			return f(z)
		})
	}
	m, err := MomentsOfBlocks(a.within)
	if err != nil {
		return nil, err
	}
	for j, name := range m.s.Names {
		if m.s.Squares()[j] == 0 {
			return nil, fmt.Errorf("%w: term %q does not vary within a level of %q, whose effects take all of it; leave it out", ErrConstant, name, a.means.factor)
		}
	}
	a.syy = m.s.SYY
	a.means.account(m)
	if a.ols, err = FitOLS(m, nil); err != nil {
		return nil, err
	}
	return a, nil
}

// levelMeans are the means of the columns, of the response last, over the rows of each level.
type levelMeans struct {
	factor string
	place  map[string]int
	names  []string
	rows   []int       // of positive weight
	w      []dd.Number // sums of weights
	width  int         // p+1
	mean   []dd.Number // levels x width: sums until finish divides them
	off    []float64   // levels x width: sums of |w x|, then bounds of what the means are off by
}

// refuseAbsorb is for fits that absorb no factor.
func (d *Design) refuseAbsorb() error {
	if d == nil || d.Absorb == "" {
		return nil
	}
	return fmt.Errorf("%w: the design absorbs %q, which FitAbsorbed fits; to use another fit, write the factor among the terms (in a formula, + in place of the bar; a condition is I(a | b))",
		ErrSetting, d.Absorb)
}

// level returns the number of a level.
func (m *levelMeans) level(name string) int {
	g, ok := m.place[name]
	if !ok {
		g = len(m.names)
		m.place[name] = g
		m.names, m.rows, m.w = append(m.names, name), append(m.rows, 0), append(m.w, dd.Number{})
		m.mean = append(m.mean, make([]dd.Number, m.width)...)
		m.off = append(m.off, make([]float64, m.width)...)
	}
	return g
}

// add adds the rows of a block to the sums of their levels, to twice the digits.
func (m *levelMeans) add(block *Design) error {
	switch {
	case block.Levels == nil:
		return fmt.Errorf("%w: the rows have no level of a factor to absorb; write it behind a bar, y ~ x | zone, or set Design.Levels and Design.Absorb", ErrNoData)
	case len(block.Names) == 0:
		return fmt.Errorf("%w beside the absorbed factor %q; the means of its levels are all that there is to fit", ErrNoTerms, block.Absorb)
	case m.width == 0:
		m.factor, m.width = block.Absorb, len(block.Names)+1
	}
	if len(block.Classes) > 2 {
		return block.checkFit()
	}
	block = block.LessOffset()
	columns := block.doubleColumns()
	for i, y := range block.Y {
		w := block.Weight(i)
		if w == 0 {
			continue
		}
		g := m.level(block.Levels[i])
		m.rows[g]++
		m.w[g] = m.w[g].Add(dd.Of(w))
		sums, sizes := m.mean[g*m.width:(g+1)*m.width], m.off[g*m.width:(g+1)*m.width]
		for j := range sums {
			x := dd.Of(y)
			if j < m.width-1 {
				x = columns.at(i, j)
			}
			if w != 1 {
				x = x.Mul(dd.Of(w))
			}
			sums[j] = sums[j].Add(x)
			sizes[j] += math.Abs(x.Hi)
		}
	}
	return nil
}

// finish makes means of sums. A sum of n terms in double-double is off by less than 4 (n + 2) u^2 times
// the sum of their sizes, u = 2^-53.
func (m *levelMeans) finish() {
	for g, w := range m.w {
		bound := 4 * float64(m.rows[g]+2) * dd.Unit * dd.Unit / w.Hi
		for k := g * m.width; k < (g+1)*m.width; k++ {
			m.mean[k], m.off[k] = m.mean[k].Div(w), m.off[k]*bound
		}
	}
}

// within returns the rows of a block less the means of their levels, rounded once; those of weight
// zero are zero. Where nothing is left but what the mean may be off by, it is zero, too: a column that
// is constant in a level has no more.
func (m *levelMeans) within(block *Design) (*Design, error) {
	less := block.LessOffset()
	z := *less
	n, p := less.NObs(), m.width-1
	z.X, z.XLow, z.Y, z.Classes = algebra.NewDense(n, p), nil, make([]float64, n), nil
	z.NoIntercept, z.Absorb = true, ""
	columns := less.doubleColumns()
	for i, y := range less.Y {
		if less.Weight(i) == 0 {
			continue
		}
		g, ok := m.place[less.Levels[i]]
		if !ok {
			return nil, fmt.Errorf("%w: the first pass had no level %q of %q", ErrChanged, less.Levels[i], m.factor)
		}
		left := func(x dd.Number, k int) float64 {
			v := x.Sub(m.mean[k]).Float()
			if math.Abs(v) <= 2*m.off[k] {
				return 0
			}
			return v
		}
		row := z.X.RawRowView(i)
		for j := range row {
			row[j] = left(columns.at(i, j), g*m.width+j)
		}
		z.Y[i] = left(dd.Of(y), g*m.width+p)
	}
	return &z, nil
}

// account adds to sums of rows within levels what these rows are off by: each value by its rounding
// and, three times at most, by what its mean is off by.
func (m *levelMeans) account(sums *Moments) {
	p := m.width - 1
	squares := sums.s.Squares()
	if sums.s.Lost == nil {
		sums.s.Lost = make([]float64, p)
	}
	for j := range m.width {
		var ss float64
		for g, w := range m.w {
			off := 3 * m.off[g*m.width+j]
			ss += w.Hi * off * off
		}
		lost := dd.Unit*math.Sqrt(squares[j]) + math.Sqrt(ss)
		switch {
		case j < p:
			sums.s.Lost[j] += lost
		case squares[p] > 0:
			noise := lost / math.Sqrt(squares[p])
			sums.s.RelErr += noise * (2 + noise)
		}
	}
}

// between returns the sum of squares of the response's means of the levels about the mean of all rows.
func (m *levelMeans) between() float64 {
	var sum, w dd.Number
	for g := range m.w {
		sum, w = sum.Add(m.mean[(g+1)*m.width-1].Mul(m.w[g])), w.Add(m.w[g])
	}
	mean := sum.Div(w)
	var ss float64
	for g := range m.w {
		d := m.mean[(g+1)*m.width-1].Sub(mean).Float()
		ss += m.w[g].Hi * d * d
	}
	return ss
}

// effects returns mean y - mean x'b of every level.
func (m *levelMeans) effects(f *coefficients) []float64 {
	out := make([]float64, len(m.names))
	for g := range out {
		means := m.mean[g*m.width : (g+1)*m.width]
		effect := means[m.width-1]
		for j, b := range f.B {
			coef := dd.Of(b)
			if f.BLow != nil {
				coef = coef.Add(dd.Of(f.BLow[j]))
			}
			effect = effect.Sub(coef.Mul(means[j]))
		}
		out[g] = effect.Float()
	}
	return out
}
