package mlreg

import (
	"errors"
	"fmt"
	"math"

	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// digitsOfSums are those of a fit to sums below which FitOLS reads the rows, if the data have them.
const digitsOfSums = 6

// refitted returns the fit to the sums m of data, or, where rounding of the sums may have taken
// what it says, that to the rows, if the data have those.
func refitted(f *OLS, err error, data Data, m *Moments, settings OLSSettings) (*OLS, error) {
	rows, ok := data.(RowBlocks)
	switch {
	case !ok || err != nil && !errors.Is(err, ErrRankDeficient):
		return f, err
	case err == nil:
		if coef, stderr := f.Digits(); len(f.Aliased()) == 0 && min(coef, stderr) >= digitsOfSums {
			return f, nil
		}
	}
	p, err := newPasses(rows)
	if err != nil {
		return nil, err
	}
	return fitBlocks(p, m, settings)
}

// fitBlocks fits rows by one pass of Householder QR in double-double arithmetic, as FitOLS fits
// those of a design; of their sums m it takes how columns are scaled, and counts.
func fitBlocks(p *passes, m *Moments, settings OLSSettings) (*OLS, error) {
	e := newEquations(m)
	blocks := lsq.NewBlocks(e.Exp, e.YExp, m.s.NoIntercept)
	twofold := false
	var of rowCount
	err := p.each(func(block *Design) error {
		if block = block.LessOffset(); !block.weightless() {
			of.add(block)
			twofold = twofold || block.XLow != nil
			blocks.Add(block.rows())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := of.check(m); err != nil {
		return nil, err
	}
	f := newOLS(m.header(), settings)
	f.s.N, f.s.W, f.s.LogW, f.s.Twofold = m.s.N, m.s.W, m.s.LogW, twofold
	f.s.Method = "Householder QR in double-double, by blocks of rows"
	sol, tss := blocks.Solve()
	if len(sol.Keep) < f.columns() {
		switch settings.Aliased {
		case ErrorOnAliased:
			return nil, f.rankDeficient(sol.Keep)
		case MinimumNorm:
			return nil, fmt.Errorf("%w: the minimum-norm solution; blocks of rows do not give it", ErrNeedsRows)
		}
	}
	exp, yexp := blocks.Exponents()
	if err := f.set(sol, exp, yexp); err != nil {
		return nil, err
	}
	f.certifyInputs(sol, exp, yexp, twofold && m.s.Scaling == nil, nil, 0)
	f.s.Orth = sol.Cosine
	switch f.s.TSS = math.Ldexp(tss, 2*yexp); {
	case len(f.l.B) == 0:
		f.s.TSS = f.s.RSS
	case m.s.SYY == 0 && !m.s.NoIntercept:
		f.s.TSS = 0 // but for rounding
	}
	return f, nil
}

// rowCount is what a pass over rows has in common with the sums of the rows.
type rowCount struct {
	n int
	w float64
}

// add counts the rows of a block.
func (c *rowCount) add(block *Design) {
	c.n += block.PositiveRows()
	for i := range block.NObs() {
		c.w += block.Weight(i)
	}
}

// check returns an error if the sums are of other rows.
func (c *rowCount) check(m *Moments) error {
	if c.n == m.s.N && c.w <= m.s.W*(1+1e-9) && c.w >= m.s.W*(1-1e-9) {
		return nil
	}
	return fmt.Errorf("%w: the sums are of %d rows of weight %g, and the blocks have %d of %g", ErrChanged, m.s.N, m.s.W, c.n, c.w)
}
