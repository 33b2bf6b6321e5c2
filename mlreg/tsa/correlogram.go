package tsa

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Correlogram are autocorrelations of a series by lag, or partial ones. It does not
// change.
type Correlogram struct {
	// Partial tells partial autocorrelations.
	Partial bool
	N       int // values that are not missing
	// Value are those at lags 1 to len(Value).
	Value []float64
	// Covariance0 is c_0, the variance of the series with divisor N.
	Covariance0 float64
}

// ACF returns the autocorrelations of x at lags 1 to lags, R's acf:
//
//	r_k = c_k/c_0,   c_k = sum_{t=1}^{n-k} (x_t - mean)(x_{t+k} - mean) / n.
//
// NaN is missing: c_k is then the sum over the pairs that are there, divided by k more
// than their number, as by R's acf with na.action = na.pass, and r_k is NaN if there are
// none.
//
// Errors: ErrNoData for fewer than 2 values, ErrSetting for lags that are not between 1 and
// n-1, ErrNotFinite for an infinite value, ErrConstant if all are equal.
//
// Box, Jenkins, Reinsel and Ljung, Time Series Analysis, 5th ed., eq. 2.1.12.
func ACF(x []float64, lags int) (*Correlogram, error) {
	c, err := autocovariances(x, lags)
	if err != nil {
		return nil, err
	}
	g := &Correlogram{N: present(x), Covariance0: c[0]}
	for _, v := range c[1:] {
		g.Value = append(g.Value, v/c[0])
	}
	return g, nil
}

// PACF returns the partial autocorrelations of x, R's pacf: at lag k the last
// coefficient of the autoregression of order k that the Yule-Walker equations of ACF
// give, by the recursion of Durbin and Levinson. For autoregressions of order p they
// are zero beyond lag p, up to noise. From a lag on that no two values are apart they
// are NaN. Errors are those of ACF.
//
// Durbin, Review of the International Statistical Institute 28 (1960), 233-244.
func PACF(x []float64, lags int) (*Correlogram, error) {
	g, err := ACF(x, lags)
	if err != nil {
		return nil, err
	}
	partial, _, _ := levinson(g.Value)
	return &Correlogram{Partial: true, N: g.N, Value: partial, Covariance0: g.Covariance0}, nil
}

// levinson solves the Yule-Walker equations of autocorrelations r_1 ... of every order:
// it returns the last coefficient of each, the coefficients of the last order, and its
// share of the variance that is noise.
func levinson(r []float64) (partial, phi []float64, noise float64) {
	noise = 1
	for k, next := range r {
		for j, v := range phi {
			next -= v * r[k-1-j]
		}
		last := next / noise
		old := append([]float64(nil), phi...)
		for j := range phi {
			phi[j] -= last * old[k-1-j]
		}
		phi, partial = append(phi, last), append(partial, last)
		noise *= 1 - last*last
	}
	return partial, phi, noise
}

func present(x []float64) int {
	n := 0
	for _, v := range x {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// autocovariances returns c_0 ... c_lags.
func autocovariances(x []float64, lags int) ([]float64, error) {
	n := len(x)
	if present(x) < 2 {
		return nil, fmt.Errorf("%w: a series of %d values that are not missing; autocorrelations need 2", mlreg.ErrNoData, present(x))
	}
	if lags < 1 || lags >= n {
		return nil, fmt.Errorf("%w: %d lags of %d values; take 1 to %d", mlreg.ErrSetting, lags, n, n-1)
	}
	for i, v := range x {
		if math.IsInf(v, 0) {
			return nil, fmt.Errorf("%w: the series is %v in row %d", mlreg.ErrNotFinite, v, i+1)
		}
	}
	mean := meanOf(n, func(t int) float64 { return x[t] })
	c := make([]float64, lags+1)
	for k := range c {
		pairs := 0
		for t := range n - k {
			if p := (x[t] - mean) * (x[t+k] - mean); !math.IsNaN(p) {
				c[k] += p
				pairs++
			}
		}
		c[k] /= float64(pairs + k)
		if pairs == 0 {
			c[k] = math.NaN()
		}
	}
	if !(c[0] > 0) {
		return nil, fmt.Errorf("%w: all values of the series are %v", mlreg.ErrConstant, mean)
	}
	return c, nil
}

// Limit returns the limit z/sqrt(n) that the absolute value at a lag exceeds with
// probability 1-level if the series is white noise: what R's plots draw. The error is
// ErrSetting for a level that is not between 0 and 1.
func (g *Correlogram) Limit(level float64) (float64, error) {
	if err := fault.Level(level); err != nil {
		return 0, err
	}
	return dist.NormalQuantile(0.5+level/2) / math.Sqrt(float64(g.N)), nil
}

// Limits returns, for each lag k, the limit for a series whose autocorrelations are zero
// from lag k on: Bartlett's
//
//	z sqrt((1 + 2 (r_1^2 + ... + r_{k-1}^2)) / n)
//
// for autocorrelations, and Limit for partial ones. (Bartlett, Supplement to the Journal
// of the Royal Statistical Society 8 (1946), 27-41.)
func (g *Correlogram) Limits(level float64) ([]float64, error) {
	white, err := g.Limit(level)
	if err != nil {
		return nil, err
	}
	limits, sum := make([]float64, len(g.Value)), 1.0
	for k, r := range g.Value {
		limits[k] = white * math.Sqrt(sum)
		if !g.Partial {
			sum += 2 * r * r
		}
	}
	return limits, nil
}

// Describe returns the values with their limits of 95 % as a table.
func (g *Correlogram) Describe() *report.Table {
	title, lags := "Autocorrelations", make([]int, len(g.Value))
	if g.Partial {
		title = "Partial autocorrelations"
	}
	for k := range lags {
		lags[k] = k + 1
	}
	t := tables.Rows(title, report.IntColumn("lag", lags...), report.NumberColumn("value", g.Value, 3))
	if limit, err := g.Limit(0.95); err == nil {
		t.Notes = append(t.Notes, fmt.Sprintf("%d values; white noise stays within %s at 95 %% of the lags", g.N, format.Number(limit, 3)))
	}
	return t
}

// String writes the values as text.
func (g *Correlogram) String() string { return g.Describe().String() }

// YuleWalker returns the autoregression of order q that has the autocorrelations of x, R's
// ar.yw without its choice of order: q coefficients, and the variance of the noise, c_0
// times its share, times n/(n-q-1) as by R, where n counts the values that are not missing.
// Without missing values such an autoregression is stable.
//
// Errors: those of ACF; ErrSaturated for q >= n-1; ErrNoData if no two values are so many
// rows apart as a lag, or too few for autocorrelations that a series can have.
func YuleWalker(x []float64, q int) (coef []float64, sigma2 float64, err error) {
	g, err := ACF(x, q)
	if err != nil {
		return nil, 0, err
	}
	for k, r := range g.Value {
		if math.IsNaN(r) {
			return nil, 0, fmt.Errorf("%w: no two values of the series are %d rows apart; take q less than that", mlreg.ErrNoData, k+1)
		}
	}
	if q >= g.N-1 {
		return nil, 0, fmt.Errorf("%w: %d coefficients and a mean of %d values", mlreg.ErrSaturated, q, g.N)
	}
	partial, phi, noise := levinson(g.Value)
	if slices.ContainsFunc(partial, func(r float64) bool { return !(math.Abs(r) < 1) }) {
		return nil, 0, fmt.Errorf("%w: so many values are missing that the autocorrelations up to lag %d are not those of any series; take fewer lags", mlreg.ErrNoData, q)
	}
	n := float64(g.N)
	return phi, g.Covariance0 * noise * n / (n - float64(q+1)), nil
}

// LjungBoxRow is the test at a lag.
type LjungBoxRow struct {
	Lag  int
	ACF  float64
	Stat float64 // Q
	DF   float64 // Lag - fitted; NaN, as P is, if that is not positive
	P    float64
}

// LjungBox tests for lags 1 to lags whether the autocorrelations of x up to that lag are
// all zero, R's Box.test with type = "Ljung-Box", statsmodels' acorr_ljungbox:
//
//	Q = n (n+2) sum_{j=1}^k r_j^2/(n-j),
//
// chi-squared with k - fitted degrees of freedom; fitted is the number of coefficients
// of the autoregression whose residuals x are, 0 for a series. n counts the values that
// are not missing. Q and its P are NaN from a lag k >= n on, or one that no two values are
// apart.
//
// Errors: those of ACF, and ErrSetting for fitted < 0 and for lags <= fitted, which leave no
// lag with a degree of freedom. (Ljung and Box, Biometrika 65
// (1978), 297-303.)
func LjungBox(x []float64, lags, fitted int) (report.Rows[LjungBoxRow], error) {
	if fitted < 0 {
		return nil, fmt.Errorf("%w: %d fitted coefficients", mlreg.ErrSetting, fitted)
	}
	g, err := ACF(x, lags)
	if err != nil {
		return nil, err
	}
	if lags <= fitted {
		return nil, fmt.Errorf("%w: %d lags less %d fitted coefficients are %d degrees of freedom, which must be positive; take more lags than coefficients", mlreg.ErrSetting, lags, fitted, lags-fitted)
	}
	n, sum := float64(g.N), 0.0
	rows := make(report.Rows[LjungBoxRow], lags)
	for k, r := range g.Value {
		if sum += r * r / (n - float64(k+1)); float64(k+1) >= n {
			sum = math.NaN()
		}
		row := LjungBoxRow{Lag: k + 1, ACF: r, Stat: n * (n + 2) * sum, DF: math.NaN(), P: math.NaN()}
		if df := float64(k + 1 - fitted); df > 0 {
			row.DF = df
			if !math.IsNaN(sum) {
				row.P = dist.Chi2Upper(row.Stat, df)
			}
		}
		rows[k] = row
	}
	return rows, nil
}

// Tabulate returns the tests as a table.
func (LjungBoxRow) Tabulate(r []LjungBoxRow) *report.Table {
	return tables.Rows("Ljung-Box tests of no autocorrelation",
		tables.Int("lag", r, func(r LjungBoxRow) int { return r.Lag }),
		tables.Number("autocorrelation", r, 3, func(r LjungBoxRow) float64 { return r.ACF }),
		tables.Number("Q", r, 0, func(r LjungBoxRow) float64 { return r.Stat }),
		tables.Blank(tables.Number(format.DF, r, 6, func(r LjungBoxRow) float64 { return r.DF })),
		tables.Blank(tables.P(format.P, r, func(r LjungBoxRow) float64 { return r.P })))
}

// String writes the test as text.
func (r LjungBoxRow) String() string { return report.Rows[LjungBoxRow]{r}.String() }
