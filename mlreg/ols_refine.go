package mlreg

import (
	"fmt"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// RefineSettings are the options of RefineOLS.
type RefineSettings struct {
	OLSSettings
	// Passes is how many passes for corrections there may be at most; the default 0 is 6.
	// Two are usual.
	Passes int
}

// RefineOLS fits least squares to rows in blocks to the digits that FitOLS has of rows in
// memory, as Digits states. Sums of many rows, which a first pass computes, are solved by
// their Cholesky factor T, and each other pass sums the residuals r = y - b_0 - X b, in twice
// the digits, for the correction
//
//	b + T T'X'r,
//
// which makes up for what the sums lost. A correction leaves the part rho = |T'E T| of an
// error, E being the error of the sums. Where rho is above 1e-3, where a column is aliased to
// the sums, and where columns carry what rounding took from them (Design.XLow), the second
// pass is the last: it factors the rows by Householder QR in double-double arithmetic, block
// below block, without cross-products, in some 2 ns for each row and pair of columns. Sums of
// a source that computes its own (Data), with the error that they state, take the place of
// the first pass.
//
// Up to four million numbers are put together and fitted as a design is. Nil settings are
// the defaults. Errors: those of FitOLS; *ConvergenceError beside the fit if the passes for
// corrections are not enough; ErrChanged; ErrNeedsRows for the minimum-norm solution.
//
// Golub and Van Loan, Matrix Computations, 4th ed., section 5.3.8; Björck, Numerical
// Methods for Least Squares Problems (1996), section 6.6.5; Demmel, Grigori, Hoemmen and
// Langou, 2012, SIAM Journal on Scientific Computing 34, A206-A239, section 3.
func RefineOLS(rows RowBlocks, settings *RefineSettings) (*OLS, error) {
	s := args.OrDefaults(settings)
	if s.Passes < 0 {
		return nil, fmt.Errorf("%w: RefineSettings.Passes = %d; it is not negative", ErrSetting, s.Passes)
	}
	if s.Passes == 0 {
		s.Passes = 6
	}
	if d, ok := rows.(*Design); ok {
		return FitOLS(d, &s.OLSSettings)
	}
	p, err := newPasses(rows)
	if err != nil {
		return nil, err
	}
	m, small, err := p.moments()
	if err != nil {
		return nil, err
	}
	if small != nil {
		return FitOLS(small, &s.OLSSettings)
	}
	if err := m.checkFit(); err != nil {
		return nil, err
	}
	if m.s.Lost != nil {
		return fitBlocks(p, m, s.OLSSettings)
	}
	return p.corrected(m, s)
}

// corrected fits the sums and corrects the solution by passes, where that keeps the digits.
func (p *passes) corrected(m *Moments, s RefineSettings) (*OLS, error) {
	e := newEquations(m)
	pass := 0
	sol, err := e.SolvePasses(s.Passes, func(b0, b0Lo float64, b, bLo, scale []float64) (*gram.Gradient, error) {
		pass++
		var sum *gram.Gradient
		var of rowCount
		err := p.each(func(block *Design) error {
			block = block.LessOffset()
			part := gram.Rows{X: block.X.RawMatrix(), Y: block.Y, Weights: block.Weights, Scale: scale}.Residuals(nil, b0, b0Lo, b, bLo)
			of.add(block)
			if sum == nil {
				sum = part
			} else {
				sum.Add(part)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		return sum, of.check(m)
	})
	if err != nil {
		return nil, err
	}
	if sol == nil {
		return fitBlocks(p, m, s.OLSSettings)
	}
	f, err := newOLS(m.header(), s.OLSSettings).refined(e, sol, m, fmt.Sprintf("Cholesky of the cross-products, corrected by residuals in %d passes", pass))
	if err != nil {
		return nil, err
	}
	if !sol.Converged {
		return f, &ConvergenceError{Method: "corrections by residuals", Iterations: pass, Measure: "relative correction", Value: sol.Correction, Tol: dd.Unit}
	}
	return f, nil
}

// refined takes the fit from a corrected solution.
func (f *OLS) refined(e *lsq.Equations, sol *lsq.Solution, m *Moments, method string) (*OLS, error) {
	f.s.N, f.s.W, f.s.LogW, f.s.Method = m.s.N, m.s.W, m.s.LogW, method
	if _, err := f.setSums(e, sol, m); err != nil {
		return nil, err
	}
	f.s.Orth = sol.Cosine
	return f, nil
}

// moments returns those of the rows: of a source that computes its own, as they are, and
// else by the first pass, which also puts the rows together if they are few.
func (p *passes) moments() (m *Moments, small *Design, err error) {
	_, function := p.rows.(RowBlocksFunc)
	if data, ok := p.rows.(Data); ok && !function {
		m, err = data.Moments()
		return m, nil, err
	}
	var all gatherer
	err = p.each(func(block *Design) error {
		all.add(block)
		switch {
		case block.weightless():
			return nil
		case m == nil:
			m, err = block.Moments()
			return err
		}
		return m.Add(block)
	})
	switch {
	case err != nil:
		return nil, nil, err
	case m == nil:
		return nil, nil, errWeightless
	}
	m.s.Omitted = p.h.Omitted
	return m, all.d, nil
}
