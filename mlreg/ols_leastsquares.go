package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// newSystem is the least-squares problem of the rows of d.
func newSystem(d *Design) (*lsq.System, error) {
	if err := d.checkFit(); err != nil {
		return nil, err
	}
	d = d.LessOffset()
	s, err := lsq.NewSystem(d.rows(), nil)
	return s, d.named(err)
}

// newEquations is the least-squares problem of moments.
func newEquations(m *Moments) *lsq.Equations { return lsq.NewEquations(&m.s.Sums, m.s.NoIntercept) }

// fitRows fits the rows of a design.
func fitRows(d *Design, settings OLSSettings) (*OLS, error) {
	f := newOLS(d.header(), settings)
	if d != nil && len(d.Offset) == len(d.Y) {
		if err := d.checkOffset(); err != nil {
			return nil, err
		}
		d = d.LessOffset()
	}
	if tall, err := f.fitTall(d); tall != nil || err != nil {
		return tall, err
	}
	sys, err := newSystem(d)
	if err != nil {
		return nil, err
	}
	rows := d.rows()
	f.s.N, f.s.W, f.s.LogW = rows.Totals()
	f.s.Twofold = d.XLow != nil
	sol, method := sys.Solve()
	f.s.Method = method
	aliased := len(sol.Keep) < sys.Columns()
	switch {
	case aliased && settings.Aliased == ErrorOnAliased:
		return nil, f.rankDeficient(sol.Keep)
	case aliased && settings.Aliased == MinimumNorm:
		err = f.minimumNorm(d)
	default:
		if err = f.set(sol, sys.Units); err == nil {
			f.certifyInputs(sol, sys.Units, d.XLow != nil && d.Scaling == nil, nil, 0)
		}
	}
	if err != nil {
		return nil, err
	}
	residual := f.predict(d.X, d.XLow)
	for i, yhat := range residual {
		residual[i] = d.Y[i] - yhat
	}
	if aliased && settings.Aliased == MinimumNorm {
		f.s.RSS = d.centeredSquares(residual, f.s.W) // the intercept is rounded
	}
	if err := f.setTotal(d, sys); err != nil {
		return nil, err
	}
	f.s.Orth = sys.Orthogonality(residual)
	return f, nil
}

// fitTall fits many rows by their cross-products, nil if that does not keep the
// digits.
func (f *OLS) fitTall(d *Design) (*OLS, error) {
	if !lsq.PreferSums(d.NObs(), f.columns()) || d.XLow != nil {
		return nil, nil
	}
	m, err := d.Moments()
	if err != nil {
		return nil, nil // newSystem names what is wrong
	}
	e := newEquations(m)
	sol := e.SolveRows(d.rows())
	if sol == nil {
		return nil, nil
	}
	f.s.N, f.s.W, f.s.LogW = m.s.N, m.s.W, m.s.LogW
	f.s.Method = "Cholesky of the cross-products, corrected by residuals"
	return f.setSums(e, sol, m)
}

// setTotal takes the total sum of squares of the rows.
func (f *OLS) setTotal(d *Design, sys *lsq.System) error {
	varies := d.varies(len(d.Names))
	f.s.TSS = d.centeredSquares(d.Y, f.s.W)
	switch {
	case len(f.l.B) == 0:
		f.s.TSS = f.s.RSS // in place of the same but for rounding
	case !d.NoIntercept && !varies:
		f.s.TSS = 0 // but for rounding
	}
	finite := f.s.TSS-f.s.TSS == 0 && f.s.RSS-f.s.RSS == 0
	if !finite || f.s.TSS < problem.LeastSquares && sys.YUnit < -400 && varies {
		return f.outOfRange()
	}
	return nil
}

// newOLS returns a fit whose coefficients are not yet known.
func newOLS(h header, settings OLSSettings) *OLS {
	return &OLS{
		linear: linear{linearState{header: h, coefficients: coefficients{B: make([]float64, len(h.Names))}}},
		s:      olsState{Sigma2Known: settings.Sigma2},
	}
}

// set takes the coefficients and the root of their covariance from a solution
// of a system in its units.
// The error says if one of them, or the residual sum of squares, is no float64.
func (f *OLS) set(sol *lsq.Solution, units problem.Units) error {
	f.s.Rank, f.s.Cond = len(sol.Keep), sol.Cond
	f.s.RSS = units.Squares(sol.RSS)
	if math.IsInf(f.s.RSS, 1) || f.s.RSS < 0x1p-1022 && sol.RSS > 0 && units.YUnit < -400 {
		return f.outOfRange()
	}
	k := f.columns()
	f.s.Root = make([]float64, k*f.s.Rank)
	for i := range f.s.Root {
		f.s.Root[i] = math.NaN()
	}
	for j := range f.l.B {
		f.l.B[j] = math.NaN()
	}
	f.s.Rest = nil
	for _, v := range sol.Rest {
		f.s.Rest = append(f.s.Rest, append(v, make([]float64, f.s.Rank-len(v))...)...)
	}
	f.setLow(sol, units)
	for c, j := range sol.Keep {
		b := units.Slope(j, sol.B[c])
		switch {
		case f.l.NoIntercept:
			f.l.B[j] = b
		case j == 0:
			f.l.B0 = b
		default:
			f.l.B[j-1] = b
		}
		row := f.root(j).Data
		for i := range row {
			row[i] = 0
			if i >= c {
				row[i] = units.Root(j, sol.T.At(c, i))
			}
		}
		if length := blas64.Nrm2(gram.Vector(row)); math.IsInf(b, 0) || math.IsInf(length, 0) {
			return fmt.Errorf("%w: the coefficient of %q, %v, or its standard error, of %v for sigma = 1, leaves the range of float64; rescale the data",
				ErrNotFinite, f.Names()[j], b, length)
		}
	}
	f.certify(sol, units)
	return nil
}

// setLow takes what rounding took from the coefficients and from Root, as far as
// the solution knows.
func (f *OLS) setLow(sol *lsq.Solution, units problem.Units) {
	offset := f.columns() - len(f.l.B)
	if sol.BLow != nil {
		f.l.BLow = make([]float64, len(f.l.B))
		for c, j := range sol.Keep {
			low := units.Slope(j, sol.BLow[c])
			if j < offset {
				f.l.B0Low = low
			} else {
				f.l.BLow[j-offset] = low
			}
		}
	}
	if sol.FirstLow != nil {
		f.s.RootLow = make([]float64, f.s.Rank)
		if len(sol.Keep) > 0 && sol.Keep[0] == 0 {
			for i, v := range sol.FirstLow {
				f.s.RootLow[i] = units.Root(0, v)
			}
		}
	}
	if sol.TLow != nil {
		f.s.RootLow = make([]float64, len(f.s.Root))
		for c, j := range sol.Keep {
			for i := c; i < len(sol.Keep); i++ {
				f.s.RootLow[j*f.s.Rank+i] = units.Root(j, sol.TLow.At(c, i))
			}
		}
	}
}

// outOfRange is the error for a response whose squares are no float64.
func (f *OLS) outOfRange() error {
	return fmt.Errorf("%w: the squares of response %q leave the range of float64; rescale it, or the weights", ErrNotFinite, f.l.Response)
}

// rankDeficient names the columns that are not kept.
func (f *OLS) rankDeficient(keep []int) *RankDeficientError {
	names := f.Names()
	e := &RankDeficientError{Rank: len(keep), Columns: len(names), NObs: f.s.N}
	for j, name := range names {
		if !slices.Contains(keep, j) {
			e.Aliased = append(e.Aliased, name)
		}
	}
	return e
}

// fitSums fits moments by Cholesky of the centered cross-products, or, where these lose the digits, the
// rows that they are of, if there are any and they are not too many.
func fitSums(m *Moments, rows RowBlocks, settings OLSSettings) (*OLS, error) {
	if err := m.checkFit(); err != nil {
		return nil, err
	}
	f := newOLS(m.header(), settings)
	f.s.N, f.s.W, f.s.LogW = m.s.N, m.s.W, m.s.LogW
	f.s.Method = "Cholesky of the cross-products"
	e := newEquations(m)
	sol := e.Solve()
	if rows != nil && settings.Aliased != MinimumNorm && e.Loses(sol) && lsq.FactorAffordable(m.s.N, f.columns()) {
		p, err := newPasses(rows)
		if err != nil {
			return nil, err
		}
		return p.factored(e, m, settings)
	}
	if err := f.refuseAliased(sol.Keep, settings.Aliased); err != nil {
		var deficient *RankDeficientError
		if errors.As(err, &deficient) {
			deficient.Sums = true
		}
		return nil, err
	}
	return f.setSums(e, sol, m)
}

// checkFit says why no fit can be made to the sums.
func (m *Moments) checkFit() error {
	if m.s.N == 0 {
		return fmt.Errorf("%w: the moments are of no rows", ErrNoData)
	}
	return checkCoefficients(m.s.Names, m.s.NoIntercept)
}

// refuseAliased is the error for columns that are not kept, unless they are to be dropped, of rows that are
// not in memory.
func (f *OLS) refuseAliased(keep []int, policy AliasedPolicy) error {
	switch {
	case len(keep) == f.columns() || policy == DropAliased:
		return nil
	case policy == MinimumNorm:
		return fmt.Errorf("%w: the minimum-norm solution; sums resolve directions to 1e-7 only", ErrNeedsRows)
	}
	return f.rankDeficient(keep)
}

// setSums takes the fit from a solution of normal equations.
func (f *OLS) setSums(e *lsq.Equations, sol *lsq.Solution, m *Moments) (*OLS, error) {
	if err := f.set(sol, e.A); err != nil {
		return nil, err
	}
	f.certifyInputs(sol, e.A, false, m.s.MeanX, m.s.MeanY)
	f.s.TSS = e.Squares(e.YY)
	f.s.Orth = e.Orthogonality(sol)
	return f, nil
}
