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

// RefineOLS fits least squares to rows in blocks by passes, to the digits that FitOLS has of rows
// in memory. The first pass is for the sums, which are solved by their Cholesky factor T as FitOLS
// solves moments. They lose digits with the square of the condition number: the part
// rho = |T'E T| of (X'X)^-1, E being the error of the sums.
//
//   - Up to rho = 1e-6, each other pass is for the residuals r = y - b_0 - X b, in twice the digits,
//     and the correction b + T T'X'r, which leaves the part rho of an error. Standard errors have
//     the digits of the sums, six or more.
//   - Above, or if a column is aliased as far as sums can tell, a pass factors the rows,
//     block by block, in double-double arithmetic, as rows in memory are, and another one measures
//     Orthogonality. Of ten columns that takes some 3 ns for each n k^2, on two processors.
//   - Above, if it would take more than n k^2 = 1e10 of these, corrections go on up to rho = 0.3.
//
// Sums of a source that computes its own (Data), with the error that they state, are taken as
// they are.
//
// Up to four million numbers are put together and fitted as a design is. Nil settings are
// the defaults. Errors: those of FitOLS; *ConvergenceError beside the fit to the sums if rho
// is above 0.3 and a factor too dear, or if the passes are not enough; ErrChanged; ErrNeedsRows for
// the minimum-norm solution.
//
// Golub and Van Loan, Matrix Computations, 4th ed., sections 5.2.2 and 5.3.8; Björck, Numerical
// Methods for Least Squares Problems (1996), section 6.6.5; Demmel, Grigori, Hoemmen and Langou
// (2012), SIAM Journal on Scientific Computing 34, A206-A239, section 3.
func RefineOLS(rows RowBlocks, settings *RefineSettings) (*OLS, error) {
	s := args.OrDefaults(settings)
	if s.Passes < 0 {
		return nil, fmt.Errorf("%w: RefineSettings.Passes = %d; it is not negative", ErrSetting, s.Passes)
	}
	if s.Passes == 0 {
		s.Passes = 6
	}
	if err := s.OLSSettings.check(); err != nil {
		return nil, err
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
	e := newEquations(m)
	limit := lsq.RefinableRounding
	affordable := lsq.FactorAffordable(m.s.N, e.Columns())
	if affordable {
		limit = lsq.FactorRounding
	}
	pass, residuals := 0, p.residuals(m)
	sol, rho, err := e.SolvePasses(s.Passes, limit, func(b0, b0Lo float64, b, bLo, scale []float64) (*gram.Gradient, error) {
		pass++
		return residuals(b0, b0Lo, b, bLo, scale)
	})
	switch {
	case err != nil:
		return nil, err
	case sol == nil && affordable:
		return p.factored(e, m, s.OLSSettings)
	case sol == nil:
		return unrefined(m, &s.OLSSettings, pass, rho)
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

// unrefined is the fit of the sums alone, and says why residuals do not correct it: rho is the relative error of
// the inverse of X'X.
func unrefined(m *Moments, settings *OLSSettings, passes int, rho float64) (*OLS, error) {
	f, err := FitOLS(m, settings)
	if err != nil {
		return nil, err
	}
	return f, &ConvergenceError{
		Method: "corrections by residuals", Iterations: passes, Measure: "relative error of the inverse of X'X", Value: rho, Tol: lsq.RefinableRounding,
		Advice: "the columns are too nearly collinear for their sums: take orthogonal polynomials, center or leave out columns, or compute sums with more digits",
	}
}

// residuals returns what makes a pass for the sums of the residuals of coefficients. Its error is ErrChanged
// if the moments are not of these rows.
func (p *passes) residuals(m *Moments) lsq.Residuals {
	return func(b0, b0Lo float64, b, bLo, scale []float64) (*gram.Gradient, error) {
		var sum *gram.Gradient
		n, w := 0, 0.0
		err := p.each(func(block *Design) error {
			block = block.LessOffset()
			part := gram.Rows{X: block.X.RawMatrix(), Y: block.Y, Weights: block.Weights, Scale: scale}.Residuals(nil, b0, b0Lo, b, bLo)
			n += block.PositiveRows()
			for i := range block.NObs() {
				w += block.Weight(i)
			}
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
		if n != m.s.N || !(w <= m.s.W*(1+1e-9) && w >= m.s.W*(1-1e-9)) {
			return nil, fmt.Errorf("%w: the sums are of %d rows of weight %g, and the blocks have %d of %g", ErrChanged, m.s.N, m.s.W, n, w)
		}
		return sum, nil
	}
}

// factored fits by a pass for the triangular factor of the rows, and one for the certificate. Of the
// moments it takes the size of the columns only.
func (p *passes) factored(e *lsq.Equations, m *Moments, settings OLSSettings) (*OLS, error) {
	rows := e.NewBlocks()
	if err := p.each(func(block *Design) error {
		rows.Add(block.LessOffset().rows())
		return nil
	}); err != nil {
		return nil, err
	}
	sol := rows.Solve()
	orth, err := e.Cosine(sol, p.residuals(m))
	if err != nil {
		return nil, err
	}
	f := newOLS(m.header(), settings)
	f.s.N, f.s.W, f.s.LogW, f.s.Method = m.s.N, m.s.W, m.s.LogW, "Householder QR of blocks of rows in double-double"
	if err := f.refuseAliased(sol.Keep, settings.Aliased); err != nil {
		return nil, err
	}
	if err := f.set(sol, e.A); err != nil {
		return nil, err
	}
	f.certifyInputs(sol, e.A, false, nil, 0)
	f.s.TSS, f.s.Orth = e.Squares(rows.TotalSquares(sol)), orth
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
