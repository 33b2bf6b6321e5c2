package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// absorption is least squares within the levels of a factor.
type absorption struct {
	means  *levelMeans
	head   header
	within RowBlocksFunc // rows less the means of their levels
	ols    *OLS          // of those rows, whose degrees of freedom do not count the levels
	syy    float64       // within levels
}

// absorb sums rows within levels: where they are, or by two passes, one for the means of every level, and one for the sums of
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
	a.within = func(f func(block *Design) error) error {
		return p.each(func(block *Design) error {
			z, err := a.means.within(block)
			if err != nil {
				return err
			}
			return f(z)
		})
	}
	m, err := a.summed(rows)
	if m == nil && err == nil {
		m, err = a.read(p)
	}
	if err != nil {
		return nil, err
	}
	for j, name := range m.s.Names {
		if m.s.Squares()[j] == 0 {
			return nil, fmt.Errorf("%w: term %q does not vary within a level of %q, whose effects take all of it; leave it out", ErrConstant, name, a.means.factor)
		}
	}
	a.syy = m.s.SYY
	if a.ols, err = FitOLS(m, nil); err != nil {
		return nil, err
	}
	return a, nil
}

// read returns the sums within levels of rows.
func (a *absorption) read(p *passes) (*Moments, error) {
	if err := p.each(a.means.add); err != nil {
		return nil, err
	}
	if len(a.means.names) == 0 {
		return nil, errWeightless
	}
	a.means.finish()
	a.head = p.h.clone()
	a.head.NoIntercept = true
	m, err := MomentsOfBlocks(a.within)
	if err != nil {
		return nil, err
	}
	a.means.account(m)
	return m, nil
}

// mostLost is what the errors of sums may be of the sums within levels; where they are more, since the means of levels are far
// apart, rows are read.
const mostLost = 1e-8

// summed returns the sums within levels of rows that are summed where they are, nil if they are to be read.
func (a *absorption) summed(rows RowBlocks) (*Moments, error) {
	found, err := compressed.LevelsOf(rows)
	if found == nil || err != nil || len(found.Cells) == 0 {
		return nil, err
	}
	like := *found.Like.(*Design)
	like.NoIntercept = true
	width := len(like.Names) + 1
	if width == 1 {
		return nil, nil // reading tells that there are no terms
	}
	means := &levelMeans{place: make(map[string]int), factor: found.Factor, width: width}
	m := NewMoments(&like)
	m.s.Omitted = like.Omitted
	total := newWithin(width)
	for cells := found.Cells; len(cells) > 0; {
		n := 1
		for n < len(cells) && cells[n].Level == cells[0].Level {
			n++
		}
		level := problem.Expand(width-1, partsOf(cells[:n]))
		means.take(cells[0].Level, &level)
		total.add(&level)
		cells = cells[n:]
	}
	total.fill(&m.s.Sums)
	for j, ss := range m.s.Squares() {
		if 4*m.s.RelErr*m.s.Gross[j] > mostLost*ss {
			return nil, nil
		}
	}
	a.means, a.head = means, m.header()
	if !a.head.Offset {
		mean, ss := means.between()
		a.head.Observed.Y = meanSD{mean, math.Sqrt((m.s.SYY + ss) / m.s.W)}
	}
	return valid(m, m.check(func(int) bool { return false }))
}

// take has the means of a level from its sums, and what these are off by.
func (m *levelMeans) take(name string, s *problem.Sums) {
	g := m.level(name)
	m.rows[g], m.w[g] = s.N, dd.Of(s.W)
	for j := range m.width {
		mean := dd.Of(s.MeanY).Add(dd.Of(s.MeanYLow))
		if j < m.width-1 {
			mean = s.MeanOf(j)
		}
		k := g*m.width + j
		m.mean[k], m.off[k] = mean, s.RelErr*math.Sqrt(s.Gross[j]/s.W)+s.MeanErrOf(j)
	}
}

// within are sums of rows less the means of their levels.
type within struct {
	problem.Sums
	products dd.Vector // width x width
}

func newWithin(width int) *within {
	w := &within{Sums: problem.NewSums(width - 1), products: dd.NewVector(width * width)}
	w.Gross, w.Lost = make([]float64, width), make([]float64, width-1)
	return w
}

// add adds a level, whose means are 0 then.
func (w *within) add(s *problem.Sums) {
	w.N, w.W, w.LogW = w.N+s.N, w.W+s.W, w.LogW+s.LogW
	w.RelErr, w.GrossW, w.Merged = math.Max(w.RelErr, s.RelErr), w.W, true
	p := len(s.SXY)
	for j := range p + 1 {
		if w.Gross[j] += s.Gross[j]; j < p {
			w.Lost[j] = math.Hypot(w.Lost[j], s.LostOf(j))
		}
		for k := j; k <= p; k++ {
			at := j*(p+1) + k
			w.products.Set(at, w.products.At(at).Add(dd.Of(s.Product(j, k))))
		}
	}
}

// fill sets the sums.
func (w *within) fill(s *problem.Sums) {
	*s = w.Sums
	p := len(s.SXY)
	for j := range p + 1 {
		for k := j; k <= p; k++ {
			s.SetProduct(j, k, w.products.At(j*(p+1)+k).Float())
		}
	}
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

// between returns the mean of the response in all rows, and the sum of squares of its means of the levels about it.
func (m *levelMeans) between() (whole, ss float64) {
	var sum, w dd.Number
	for g := range m.w {
		sum, w = sum.Add(m.mean[(g+1)*m.width-1].Mul(m.w[g])), w.Add(m.w[g])
	}
	mean := sum.Div(w)
	for g := range m.w {
		d := m.mean[(g+1)*m.width-1].Sub(mean).Float()
		ss += m.w[g].Hi * d * d
	}
	return mean.Float(), ss
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
