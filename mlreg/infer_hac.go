package mlreg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// HACSettings are the options of OLS.HAC.
type HACSettings struct {
	// Lags is L, the number of lags at which the noise may be correlated. The default 0
	// is floor(4 (n/100)^(2/9)), and -1 is none: HC0.
	Lags int
	// Correct multiplies the covariance by n/(n - DoF), as HC1 does; statsmodels'
	// use_correction, sandwich's adjust.
	Correct bool
}

// HAC returns the fit with the covariance of Newey and West, which holds if the noise is
// autocorrelated and of changing variance, from the rows d that were fitted in the order
// of time. With scores s_t = w_t r_t a_t, residuals r_t and rows a_t,
//
//	VCov = G (sum_{l=-L}^{L} (1 - |l|/(L+1)) sum_t s_t s_{t-l}') G,   G = (A'WA)^-1.
//
// Lags are distances of RowNumbers: a row that was omitted keeps its time, and rows of two
// series, if their numbers are more than L apart, do not meet. (sandwich's NeweyWest with
// prewhite = FALSE, statsmodels' cov_type "HAC" count rows as they stand.) The sum is one
// of squares of moving sums of the scores, so that no variance is negative.
//
// Nil settings are the defaults. Errors: those of Robust; ErrSetting for Lags < -1 or not
// below the number of rows; ErrShape for row numbers that do not rise, with the row.
//
// Newey and West, Econometrica 55 (1987), 703-708, eq. 5; the default L is that of their
// Review of Economic Studies 61 (1994), 631-653, for the Bartlett kernel.
func (f *OLS) HAC(d *Design, settings *HACSettings) (*Robust, error) {
	s := orDefaults(settings)
	rows, err := f.fittedRows(d)
	if err != nil {
		return nil, err
	}
	if err := checkResidualDoF(f.DoFResidual()); err != nil {
		return nil, err
	}
	n, r := len(rows.r), f.s.Rank
	if r == 0 {
		return nil, fmt.Errorf("%w: no coefficient was fitted", ErrNotEstimable)
	}
	lags := s.Lags
	switch {
	case lags == 0:
		lags = min(n-1, int(4*math.Pow(float64(f.NObs())/100, 2.0/9)))
	case lags == -1:
		lags = 0
	}
	if lags < 0 || lags >= n {
		return nil, fmt.Errorf("%w: HACSettings.Lags = %d for %d rows; take -1 for none, or fewer than there are rows", ErrSetting, s.Lags, n)
	}
	for i := 1; i < n; i++ {
		if rows.RowNumber(i) <= rows.RowNumber(i-1) {
			return nil, fmt.Errorf("%w: row %d comes after row %d; HAC needs the rows in the order of time", ErrShape, rows.RowNumber(i), rows.RowNumber(i-1))
		}
	}
	scores := mat.NewDense(n, r, nil)
	rows.coords.each(rows.x, func(_, start int, z blas64.General) {
		for i := range z.Rows {
			floats.AddScaled(scores.RawRowView(start+i), rows.weight(start+i)*rows.r[start+i], z.Data[i*z.Stride:i*z.Stride+r])
		}
	})
	m := mat.NewSymDense(r, nil)
	raw := m.RawSymmetric()
	sum := blas64.General{Rows: r, Cols: r, Stride: raw.Stride, Data: raw.Data}
	scale := 1 / float64(lags+1)
	if s.Correct {
		scale *= float64(f.NObs()) / f.DoFResidual()
	}
	movingSums(scores, rows.RowNumber, lags, func(z blas64.General) { gram.AddProduct(sum, scale, z, z, true) })
	return f.sandwich(m, HAC, lags)
}

// movingSums calls visit with blocks of the sums of the scores in each window of lags+1
// times that has one.
func movingSums(scores *mat.Dense, number func(i int) int, lags int, visit func(blas64.General)) {
	n, r := scores.Dims()
	const most = 256
	block := blas64.General{Cols: r, Stride: r, Data: make([]float64, most*r)}
	first, next := 0, 0 // rows in the window
	for end := number(0); first < n; end++ {
		for next < n && number(next) <= end {
			next++
		}
		for first < next && number(first) < end-lags {
			first++
		}
		if first == next { // an empty window: on to the next row
			if next < n {
				end = number(next) - 1
			}
			continue
		}
		row := block.Data[block.Rows*r : (block.Rows+1)*r]
		clear(row)
		for i := first; i < next; i++ {
			floats.Add(row, scores.RawRowView(i))
		}
		if block.Rows++; block.Rows == most {
			visit(block)
			block.Rows = 0
		}
	}
	if block.Rows > 0 {
		visit(block)
	}
}

// Lags returns the number of lags of a covariance by OLS.HAC, 0 of others.
func (f *Robust) Lags() int { return f.s.Lags }
