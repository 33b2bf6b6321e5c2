package mlreg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// HACSettings are the options of OLS.HAC.
type HACSettings struct {
	// Lags is L, the number of lags at which the noise may be correlated. The default 0
	// is floor(4 (n/100)^(2/9)), and -1 is none: HC0.
	Lags int
	// Automatic takes L from the data, as sandwich's bwNeweyWest does: with
	// h_t the sum of the scores of the slopes, or of all scores if there are none, and its
	// autocovariances c_j to lag m = floor(4 (n/100)^(2/9)), or 3 in place of 4 if
	// Prewhiten is set,
	//
	//	L = floor(1.1447 (n (s_1/s_0)^2)^(1/3)),   s_0 = c_0 + 2 sum_{j=1}^m c_j,   s_1 = 2 sum_{j=1}^m j c_j.
	//
	// Newey and West, Review of Economic Studies 61 (1994), 631-653, table II. The sum
	// of scores has the units of the columns, so that L depends on them. Lags is 0 then.
	Automatic bool
	// Prewhiten fits a vector autoregression of one lag to the scores, s_t = A s_{t-1} + e_t,
	// takes the covariance of the e_t in place of the s_t, and (I - A)^-1 M (I - A)^-T of
	// the sum M: sandwich's default (Andrews and Monahan, Econometrica 60 (1992), 953-966,
	// eq. 3.2). A row whose RowNumber follows on none only begins it.
	Prewhiten bool
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
// series, if their numbers are more than L apart, do not meet. (sandwich's NeweyWest,
// whose defaults are Automatic and Prewhiten, and statsmodels' cov_type "HAC" count rows as
// they stand.) The sum is one of squares of moving sums of the scores, so that no variance
// is negative.
//
// Nil settings are the defaults. Errors: those of Robust; ErrSetting for Lags < -1 or not
// below the number of rows; ErrShape for row numbers that do not rise, with the row;
// ErrNotEstimable for scores without an autoregression, or whose autocovariances have no sum,
// where that is wanted.
//
// Newey and West, Econometrica 55 (1987), 703-708, eq. 5; the default L is that of their
// Review of Economic Studies 61 (1994), 631-653, for the Bartlett kernel.
func (f *OLS) HAC(d *Design, settings *HACSettings) (*Robust, error) {
	s := args.OrDefaults(settings)
	rows, err := f.fittedRows(d)
	if err != nil {
		return nil, err
	}
	if err := f.checkSandwich(); err != nil {
		return nil, err
	}
	if err := s.check(rows); err != nil {
		return nil, err
	}
	scores := f.scores(rows)
	var back *mat.Dense // (I - A)^-1
	if s.Prewhiten {
		if scores, back, err = scores.whitened(); err != nil {
			return nil, err
		}
	}
	lags, err := f.hacLags(s, scores, len(rows.r))
	if err != nil {
		return nil, err
	}
	scale := 1 / float64(lags+1)
	if s.Correct {
		scale *= float64(f.NObs()) / f.DoFResidual()
	}
	m := mat.NewSymDense(f.s.Rank, nil)
	raw := m.RawSymmetric()
	sum := blas64.General{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}
	scores.movingSums(lags, func(z blas64.General) {
		if back != nil {
			z = algebra.Multiply(mat.NewDense(z.Rows, z.Cols, z.Data[:z.Rows*z.Cols]), back, false, true).RawMatrix()
		}
		gram.AddProduct(sum, scale, z, z, true)
	})
	robust, err := f.sandwich(m, HAC, lags)
	if err == nil {
		robust.s.Prewhitened = s.Prewhiten
	}
	return robust, err
}

// check refuses settings that do not go with the rows, and rows that are not in the order of time.
func (s *HACSettings) check(rows *fittedRows) error {
	n := len(rows.r)
	if s.Lags < -1 || s.Lags >= n {
		return fmt.Errorf("%w: HACSettings.Lags = %d for %d rows; take -1 for none, or fewer than there are rows", ErrSetting, s.Lags, n)
	}
	if s.Automatic && s.Lags != 0 {
		return fmt.Errorf("%w: HACSettings.Automatic is set beside Lags = %d; choose one", ErrSetting, s.Lags)
	}
	for i := 1; i < n; i++ {
		if last, this := rows.design.RowNumber(i-1), rows.design.RowNumber(i); this <= last {
			return fmt.Errorf("%w: row %d comes after row %d; HAC needs the rows in the order of time", ErrShape, this, last)
		}
	}
	return nil
}

// hacLags returns the number of lags that settings mean for n scores.
func (f *OLS) hacLags(s HACSettings, scores *scoreSeries, n int) (int, error) {
	usual := math.Pow(float64(f.NObs())/100, 2.0/9)
	switch {
	case s.Automatic:
		most := 4.
		if s.Prewhiten {
			most = 3
		}
		bandwidth, err := scores.bandwidth(f.sumOfSlopes(), int(most*usual), f.NObs())
		if err != nil {
			return 0, err
		}
		return int(math.Min(bandwidth, float64(n-1))), nil
	case s.Lags == 0:
		return min(n-1, int(4*usual)), nil
	}
	return max(s.Lags, 0), nil
}

// scoreSeries are scores of rows, n x r, in the order of their times.
type scoreSeries struct {
	z      *mat.Dense
	number func(i int) int // rises
}

// scores returns the scores of the rows in their orthonormal coordinates.
func (f *OLS) scores(rows *fittedRows) *scoreSeries {
	n, r := len(rows.r), f.s.Rank
	s := &scoreSeries{mat.NewDense(n, r, nil), rows.design.RowNumber}
	rows.coords.Each(rows.x, func(_, start int, z blas64.General) {
		for i := range z.Rows {
			row := s.z.RawRowView(start + i)
			copy(row, z.Data[i*z.Stride:i*z.Stride+r])
			scaleRow(weighed(rows.design.Weight(start+i), rows.r[start+i]), row)
		}
	})
	return s
}

// sumOfSlopes returns g such that the sum of the scores of all slopes is g's product with
// the scores in orthonormal coordinates: T g is 1 for slopes and 0 for the intercept, unless
// that is all there is.
func (f *OLS) sumOfSlopes() []float64 {
	k := f.columns()
	h := make([]float64, k)
	for j := range k {
		if j > 0 || f.l.NoIntercept || f.s.Rank == 1 {
			h[j] = 1
		}
	}
	// By least squares: aliased terms, whose rows are zeros, do not count. It is no worse conditioned than the fit.
	r, g := lsq.Triangularize(mat.NewDense(k, f.s.Rank, gram.WithoutNaN(f.s.Root)), h)
	blas64.Trsv(blas.NoTrans, lsq.Upper(r), gram.Vector(g))
	return g
}

// whitened returns the residuals of the autoregression s_t = A s_{t-1} + e_t by least
// squares, and (I - A)^-1.
func (s *scoreSeries) whitened() (rest *scoreSeries, back *mat.Dense, err error) {
	n, r := s.z.Dims()
	var at []int // rows that follow on one
	for i := 1; i < n; i++ {
		if s.number(i) == s.number(i-1)+1 {
			at = append(at, i)
		}
	}
	if len(at) <= r {
		return nil, nil, fmt.Errorf("%w: %d rows follow on another, too few to regress %d scores on those before; leave HACSettings.Prewhiten", ErrNotEstimable, len(at), r)
	}
	before, now := mat.NewDense(len(at), r, nil), mat.NewDense(len(at), r, nil)
	for t, i := range at {
		before.SetRow(t, s.z.RawRowView(i-1))
		now.SetRow(t, s.z.RawRowView(i))
	}
	a, err := lsq.LeastSquares(before, now) // A'
	if err == nil {
		var left mat.Dense // I - A
		now.Sub(now, algebra.Multiply(before, a, false, false))
		left.Scale(-1, a.T())
		for j := range r {
			left.Set(j, j, left.At(j, j)+1)
		}
		back = &mat.Dense{}
		err = back.Inverse(&left)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%w: the scores have no autoregression that could be led back (%v); leave HACSettings.Prewhiten", ErrNotEstimable, err)
	}
	return &scoreSeries{now, func(t int) int { return s.number(at[t]) }}, back, nil
}

// bandwidth returns L of HACSettings.Automatic before it is rounded down, for the products
// h_t of the scores with g and their autocovariances to lag m, and n rows that were fitted.
func (s *scoreSeries) bandwidth(g []float64, m, n int) (float64, error) {
	rows, _ := s.z.Dims()
	h := make([]float64, rows)
	for i := range h {
		h[i] = gram.Dot(s.z.RawRowView(i), g)
	}
	s0, s1 := gram.Dot(h, h), 0.
	for j := 1; j <= m; j++ {
		var c float64
		for i, before := 0, 0; i < rows; i++ {
			for s.number(before) < s.number(i)-j {
				before++
			}
			if s.number(before) == s.number(i)-j {
				c += h[i] * h[before]
			}
		}
		s0, s1 = s0+2*c, s1+2*float64(j)*c
	}
	lags := 1.1447 * math.Cbrt(float64(n)*(s1/s0)*(s1/s0))
	if !(lags-lags == 0) {
		return 0, fmt.Errorf("%w: the autocovariances of the scores sum to %g, which gives no number of lags; set HACSettings.Lags", ErrNotEstimable, s0)
	}
	return lags, nil
}

// movingSums calls visit with blocks of the sums of the scores in each window of lags+1
// times that has one.
func (s *scoreSeries) movingSums(lags int, visit func(blas64.General)) {
	n, r := s.z.Dims()
	const most = 256
	block := blas64.General{Cols: r, Stride: r, Data: make([]float64, most*r)}
	first, next := 0, 0 // rows in the window
	for end := s.number(0); first < n; end++ {
		for next < n && s.number(next) <= end {
			next++
		}
		for first < next && s.number(first) < end-lags {
			first++
		}
		if first == next { // an empty window: on to the next row
			if next < n {
				end = s.number(next) - 1
			}
			continue
		}
		row := block.Data[block.Rows*r : (block.Rows+1)*r]
		clear(row)
		for i := first; i < next; i++ {
			floats.Add(row, s.z.RawRowView(i))
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

// Prewhitened tells whether a covariance by OLS.HAC is of prewhitened scores.
func (f *Robust) Prewhitened() bool { return f.s.Prewhitened }

// Lags returns the number of lags of a covariance by OLS.HAC, 0 of others.
func (f *Robust) Lags() int { return f.s.Lags }
