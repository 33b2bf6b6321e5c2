package mlreg

import "github.com/regbook/regbook/mlreg/internal/lsq"

// minimumNorm completes f with the least-squares solution of the rows of d whose
// slopes have the smallest sum of squares.
func (f *OLS) minimumNorm(d *Design) error {
	m, err := lsq.MinimumNorm(d.rows())
	if err != nil {
		return err
	}
	f.s.Rank, f.s.Cond, f.s.Method = m.Rank, m.Cond, "singular value decomposition, minimum norm"
	f.s.Bound, f.s.RawBound = noBound(), noBound()
	f.l.B0, f.l.B, f.s.Root = m.B0, m.B, m.Root.RawMatrix().Data
	return nil
}
