package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// HC names a heteroscedasticity-consistent covariance estimator. With residuals
// r_i, leverages h_i, weights w_i (1 unless given) and G = (A'WA)^-1,
//
//	VCov = G (sum_i w_i^2 c_i r_i^2 a_i a_i') G.
type HC int

const (
	HC0      HC = iota // c_i = 1; White (1980), Econometrica 48, 817-838
	HC1                // c_i = n/(n-p), p = DoF; Hinkley (1977), Stata's "robust"
	HC2                // c_i = 1/(1-h_i); unbiased if the noise is homoscedastic after all
	HC3                // c_i = 1/(1-h_i)^2; MacKinnon and White (1985), for small n
	HAC                // of Newey and West, for autocorrelated noise, too: see OLS.HAC
	Clusters           // for noise correlated within clusters: see OLS.Clustered
)

// String returns "HC0" to "HC3", "HAC" or "clustered".
func (hc HC) String() string {
	switch hc {
	case HAC:
		return "HAC"
	case Clusters:
		return "clustered"
	}
	return fmt.Sprintf("HC%d", int(hc))
}

// Robust is a least-squares fit with a heteroscedasticity-robust covariance of
// its coefficients. It is a Wald: ConfInt, CoefTable, Contrast and
// WaldTest take it. It holds no data and does not change.
type Robust struct {
	linear
	s robustState
}

type robustState struct {
	Root    []float64 // k x r: VCov = Root Root'; aliased rows are NaN
	DoF     float64
	Kind    HC
	N       int
	Minimum bool // of the minimum-norm fit to rank-deficient data
	Lags    int  // of HAC
	// Prewhitened tells how HAC was computed.
	Prewhitened bool
}

// Robust returns the fit with the covariance estimator hc, from the rows that
// were fitted. Coefficients stay the same. Rows of weight zero do not count.
//
// Rows in blocks (RowBlocks) take two passes, the first for their means. Those of a source.Design with factors take one, in
// which a row has as many numbers as its cell, and no dummies: n k^2 operations for k numbers, beside p^2 for every cell.
//
// Errors: those of Influence, ErrSetting for an unknown hc, ErrChanged, and, for HC2 and HC3,
// a row of leverage 1, for which they are not defined (ErrNotEstimable).
//
// MacKinnon and White, Journal of Econometrics 29 (1985), 305-325.
func (f *OLS) Robust(rows RowBlocks, hc HC) (*Robust, error) {
	if hc < HC0 || hc > HC3 {
		return nil, fmt.Errorf("%w: no covariance estimator %v; take HC0, HC1, HC2 or HC3, or call OLS.HAC or Clustered", ErrSetting, hc)
	}
	return f.robust(rows, hc, func(b *fittedRows, i int) (float64, error) { return f.correction(hc, b.h[i], b.first+i+1) })
}

// robust is Robust of rows whose residuals count by sqrt(c_i), which correct returns for row i of a block.
func (f *OLS) robust(rows RowBlocks, hc HC, correct func(b *fittedRows, i int) (float64, error)) (*Robust, error) {
	if err := f.checkSandwich(); err != nil {
		return nil, err
	}
	var m *mat.SymDense // in the orthonormal coordinates of the rows: VCov = T M T'
	add := func(b *fittedRows) error {
		score := make([]float64, len(b.r)) // w_i sqrt(c_i) r_i
		for i, r := range b.r {
			c, err := correct(b, i)
			if err != nil {
				return err
			}
			score[i] = weighed(b.design.Weight(i), c*r)
		}
		if b.cells != nil {
			b.cells.addSquares(score)
			return nil
		}
		part := scattered(b.coords, b.x, score)
		if m != nil {
			part.AddSym(m, part)
		}
		m = part
		return nil
	}
	var cells *cellPass
	var err error
	if d, ok := rows.(*Design); ok {
		var b *fittedRows
		if b, err = f.fittedRows(d); err == nil {
			err = add(b)
		}
	} else {
		cells, err = f.eachFitted(rows, add)
	}
	switch {
	case err != nil:
		return nil, err
	case cells != nil:
		m = cells.scatter()
	}
	return f.sandwich(m, hc, 0)
}

// weighed is w v, and 0 for a weight of zero, whatever v is.
func weighed(w, v float64) float64 {
	if w == 0 {
		return 0
	}
	return w * v
}

// scaleRow multiplies a row by its score; where that is zero, as in rows of weight zero, the
// row does not count, whatever it is.
func scaleRow(score float64, row []float64) {
	if score == 0 {
		clear(row)
		return
	}
	floats.Scale(score, row)
}

// sandwich returns the fit with the covariance T M T'.
func (f *OLS) sandwich(m *mat.SymDense, hc HC, lags int) (*Robust, error) {
	half, err := symmetricRoot(m)
	if err != nil {
		return nil, err
	}
	root := algebra.Multiply(mat.NewDense(f.columns(), f.s.Rank, f.s.Root), half, false, false)
	own := linear{f.l}
	own.l.header, own.l.B, own.l.BLow = f.l.header.clone(), slices.Clone(f.l.B), slices.Clone(f.l.BLow)
	return &Robust{own, robustState{
		Root: root.RawMatrix().Data, DoF: f.DoFResidual(), Kind: hc, N: f.NObs(), Minimum: f.checkEstimable() != nil, Lags: lags,
	}}, nil
}

// NObs returns the number of observations; rows of weight zero do not count.
func (f *Robust) NObs() int { return f.s.N }

// HC returns which estimator the covariance is.
func (f *Robust) HC() HC { return f.s.Kind }

// robustTo says what the standard errors hold under, and which they are.
func (f *Robust) robustTo() string {
	switch {
	case f.s.Kind == Clusters:
		return "what rows of a cluster have in common"
	case f.s.Kind == HAC && f.s.Prewhitened:
		return fmt.Sprintf("autocorrelation and unequal variances (HAC, %d lags, prewhitened)", f.s.Lags)
	case f.s.Kind == HAC:
		return fmt.Sprintf("autocorrelation and unequal variances (HAC, %d lags)", f.s.Lags)
	}
	return "unequal variances (" + f.s.Kind.String() + ")"
}

// VCov returns the robust covariance matrix of the coefficients, in the order of
// Names; NaN for aliased terms.
func (f *Robust) VCov() *mat.SymDense { return algebra.Covariance(f.s.Root, f.columns()) }

// StdErr returns the robust standard errors in the order of Names.
func (f *Robust) StdErr() []float64 { return algebra.RowLengths(f.s.Root, f.columns()) }

// vcovRoot is Root with zeros for aliased terms.
func (f *Robust) vcovRoot() *mat.Dense {
	k := f.columns()
	return mat.NewDense(k, len(f.s.Root)/k, gram.WithoutNaN(f.s.Root))
}

// InferenceDoF returns the residual degrees of freedom of the fit. Statistics
// are only approximately Student's t with them, better than normal in small
// samples.
func (f *Robust) InferenceDoF() float64 { return f.s.DoF }

// ConfInt returns two-sided confidence limits from the robust standard errors;
// see the function ConfInt.
func (f *Robust) ConfInt(level float64) (report.Rows[Interval], error) { return ConfInt(f, level) }

// Table returns the table of coefficients with robust standard errors; see
// CoefTable.
func (f *Robust) Table(level float64) (report.Rows[CoefRow], error) { return CoefTable(f, level) }

// ConfidenceBand returns limits for the mean of the response at every row a = (1, x)
// of d from the robust covariance,
//
//	yhat -+ q sqrt(a' VCov a),
//
// where |t| with InferenceDoF degrees of freedom exceeds q with probability 1-level.
// There is no band of a new observation: its variance at a row is not known. Errors
// are those of OLS.ConfidenceBand.
func (f *Robust) ConfidenceBand(d *Design, level float64) (*Band, error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	z, err := f.columnsOf(d)
	if err != nil {
		return nil, err
	}
	if f.s.Minimum {
		return nil, fmt.Errorf("%w: the fit is the minimum-norm one of rank-deficient data", ErrNotEstimable)
	}
	stderr := f.squaredLengths(z.X.RawMatrix(), f.s.Root)
	for i, v := range stderr {
		stderr[i] = math.Sqrt(v)
	}
	return waldBand(Confidence, level, f.s.DoF, f.predictRows(z), stderr), nil
}

// GobEncode implements gob.GobEncoder.
func (f *Robust) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *Robust) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.s) }

// Describe returns the table of the fit; see Summary.
func (f *Robust) Describe() *report.Table { return summary(f) }

// String writes the table of the fit as text.
func (f *Robust) String() string { return f.Describe().String() }
