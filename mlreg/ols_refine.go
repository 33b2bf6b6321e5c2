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

// RefineOLS fits least squares to rows in blocks by passes: the first for the sums,
// which are solved by their Cholesky factor T as FitOLS solves moments, and each other
// one for the residuals r = y - b_0 - X b, in twice the digits, and the correction
//
//	b + T T'X'r,
//
// which makes up for what the sums lost. A correction leaves the part rho = |T'E T| of an
// error, E being the error of the sums, so that Digits of the coefficients become those of
// a fit to rows in memory as long as rho is below 0.3, and those of standard errors stay
// those of the sums. Sums of a source that computes its own (Data), with the error that
// they state, are taken as they are: powers of x up to the third from sums good to 10
// digits have 3 digits before and 11 after.
//
// Up to four million numbers are put together and fitted as a design is. Nil settings are
// the defaults. Errors: those of FitOLS; *ConvergenceError beside the fit to the sums if rho
// is larger, or if the passes are not enough; ErrChanged.
//
// Golub and Van Loan, Matrix Computations, 4th ed., section 5.3.8; Björck, Numerical
// Methods for Least Squares Problems (1996), section 6.6.5.
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
	f, err := FitOLS(m, &s.OLSSettings)
	if err != nil {
		return nil, err
	}
	e := newEquations(m)
	pass := 0
	sol, rho, err := e.SolvePasses(s.Passes, func(b0, b0Lo float64, b, bLo, scale []float64) (*gram.Gradient, error) {
		var sum *gram.Gradient
		pass++
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
	})
	if err != nil {
		return nil, err
	}
	if sol == nil {
		return f, &ConvergenceError{
			Method: "corrections by residuals", Iterations: pass, Measure: "relative error of the inverse of X'X", Value: rho, Tol: lsq.RefinableRounding,
			Advice: "the columns are too nearly collinear for their sums: take orthogonal polynomials, center or leave out columns, or compute sums with more digits",
		}
	}
	f, err = newOLS(m.header(), s.OLSSettings).refined(e, sol, m, fmt.Sprintf("Cholesky of the cross-products, corrected by residuals in %d passes", pass))
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
