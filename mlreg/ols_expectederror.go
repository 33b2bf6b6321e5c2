package mlreg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/blocked"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// nested returns the residual sum of squares and the rank of the fits to the
// first k columns of d, k = 0 ... p.
func nested(d *Design) (rss []float64, rank []int, err error) {
	s, err := newSystem(d)
	if err != nil {
		return nil, nil, err
	}
	if !s.YUnit.Squarable() {
		return nil, nil, d.notFinite(-1)
	}
	sol, _ := s.Solve()
	p := d.NTerms()
	first := s.Columns() - p // columns before that of term 1
	rss, rank = make([]float64, p+1), make([]int, p+1)
	left, c := sol.RSS, len(sol.Keep)
	for m := p; m >= 0; m-- {
		for c > 0 && sol.Keep[c-1] >= m+first {
			c--
			left += sol.QtY[c] * sol.QtY[c]
		}
		rss[m], rank[m] = s.Squares(left), c
	}
	return rss, rank, nil
}

// ExpectedError is what a fit does on average over the noise, when the
// truth is known: y_i = f(x_i) + e_i with independent e_i of mean 0 and variance
// sigma^2.
type ExpectedError struct {
	Rank     int     // r, the number of parameters, the intercept included
	Bias2    float64 // mean over the rows of (f - E yhat)^2
	Variance float64 // mean over the rows of var yhat
	Error    float64 // E |f - yhat|^2/n = Bias2 + Variance
	Training float64 // E RSS/n, on the training rows
	New      float64 // E |y' - yhat|^2/n for new responses y', Error + sigma^2
}

// ExpectedErrorPath returns the expected error of the least-squares fits to the
// first k columns of d, k = 0 ... p, besides the intercept if d has one, at the
// rows of d. truth is f at the n rows, and sigma2 the noise variance; the
// response of d is not used. With the projection H_k onto those columns, of rank
// r_k, all of it is exact:
//
//	Bias2    = |(I - H_k) f|^2/n,
//	Variance = sigma^2 r_k/n,
//	Training = Bias2 + sigma^2 (1 - r_k/n),
//	New      = Bias2 + sigma^2 (1 + r_k/n),
//
// so that New - Training = 2 sigma^2 r_k/n, the optimism of the training error
// (Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd
// ed., eq. 7.12 and 7.24). The error matches ErrSetting if sigma2 is negative or
// not finite or d has weights, and otherwise those of FitOLS.
func ExpectedErrorPath(d *Design, truth []float64, sigma2 float64) (report.Rows[ExpectedError], error) {
	if err := checkNoise(d, sigma2); err != nil {
		return nil, err
	}
	rss, rank, err := nested(d.WithResponse(d.Response, truth))
	if err != nil {
		return nil, err
	}
	n := float64(d.NObs())
	path := make([]ExpectedError, len(rss))
	for k := range path {
		r := float64(rank[k])
		path[k] = newExpectedError(rank[k], rss[k]/n, sigma2*r/n, rss[k]/n+sigma2*(1-r/n), sigma2)
	}
	return path, nil
}

// ExpectedErrorAt returns the expected error of the least-squares fit to train
// at other rows: Y of train and of at is the truth f without noise, and sigma2
// the noise variance of the training responses. Training is of the rows of train,
// all else of the rows of at. With the fit's linear map yhat = S f from training
// responses to predictions at the m rows of at, it is exact:
//
//	Bias2 = |f - S f|^2/m,   Variance = sigma^2 trace(S S')/m.
//
// Aliased says what is done if train is rank deficient: with MinimumNorm the
// path may be followed past interpolation, p >= n. Errors are those of FitOLS
// and OLS.Predict, and ErrSetting as for ExpectedErrorPath.
func ExpectedErrorAt(train, at *Design, sigma2 float64, aliased AliasedPolicy) (*ExpectedError, error) {
	if err := checkNoise(train, sigma2); err != nil {
		return nil, err
	}
	fit, err := FitOLS(train, &OLSSettings{Aliased: aliased, Sigma2: sigma2})
	if err != nil {
		return nil, err
	}
	residual, err := fit.Residuals(at)
	if err != nil {
		return nil, err
	}
	leverage, err := fit.Leverage(at.withoutWeights())
	if err != nil {
		return nil, err
	}
	m := float64(at.NObs())
	n := float64(train.NObs())
	e := newExpectedError(fit.s.Rank, gram.Squares(residual)/m, sigma2*floats.Sum(leverage)/m, fit.RSS()/n+sigma2*(1-fit.DoF()/n), sigma2)
	return &e, nil
}

// ExpectedRidgeErrorAt returns the expected error of ridge regression, FitRidge with
// nil settings, at other rows: what ExpectedErrorAt returns of least squares. Y of
// train and of at is the truth f without noise, and sigma2 the noise variance of the
// training responses. With the singular value decomposition Xc = U S V' of the
// centered training columns, d_j = s_j^2/(s_j^2 + lambda), and rows x of at less the
// means of the training columns, it is exact:
//
//	Variance = sigma^2 mean_x [ 1/n + sum_j (x'v_j d_j/s_j)^2 ],
//	Training = RSS(f)/n + sigma^2 [ n - 1 - sum_j d_j (2 - d_j) ]/n,
//
// without the 1s, and without centering, if the design has no intercept. RSS(f) is
// that of the fit to the truth, and Bias2 the mean square of its residuals at the
// rows of at. Rank is that of the columns, with the intercept, whatever lambda is.
// Errors are those of FitRidge and Ridge.Predict, and ErrSetting as for
// ExpectedErrorPath.
//
// Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd ed.,
// eq. 3.47 and 7.9.
func ExpectedRidgeErrorAt(train, at *Design, sigma2, lambda float64) (*ExpectedError, error) {
	if err := checkNoise(train, sigma2); err != nil {
		return nil, err
	}
	fit, err := FitRidge(train, lambda, nil)
	if err != nil {
		return nil, err
	}
	residual, err := fit.Residuals(at)
	if err != nil {
		return nil, err
	}
	rows, err := fit.rows(at)
	if err != nil {
		return nil, err
	}
	n, p := train.X.Dims()
	if p == 0 {
		return ExpectedErrorAt(train, at, sigma2, ErrorOnAliased) // nothing is penalized
	}
	m := at.NObs()
	means := make([]float64, p)
	own, rank := 1., 1 // of the intercept
	if train.NoIntercept {
		own, rank = 0, 0
	} else {
		for j := range means {
			means[j] = floats.Sum(mat.Col(nil, j, train.X)) / float64(n)
		}
	}
	centered := func(x *mat.Dense) *mat.Dense {
		var c mat.Dense
		c.Apply(func(_, j int, v float64) float64 { return v - means[j] }, x)
		return &c
	}
	_, s, v, err := blocked.SVD(centered(train.X), mat.SVDThinV)
	if err != nil {
		return nil, fmt.Errorf("%w: the singular values of the columns", ErrNotConverged)
	}
	var along mat.Dense
	along.Mul(centered(rows), v)
	variance, left := own/float64(n), float64(n)-own
	for j, sj := range s {
		if sj <= s[0]*float64(max(n, p))*0x1p-52 {
			break
		}
		rank++
		kept := sj / (sj*sj + lambda)
		a := mat.Norm(along.ColView(j), 2) * kept
		variance += a * a / float64(m)
		left -= sj * kept * (2 - sj*kept)
	}
	e := newExpectedError(rank, gram.Squares(residual)/float64(m), sigma2*variance,
		(fit.RSS()+sigma2*math.Max(left, 0))/float64(n), sigma2)
	return &e, nil
}

func newExpectedError(rank int, bias2, variance, training, sigma2 float64) ExpectedError {
	return ExpectedError{
		Rank: rank, Bias2: bias2, Variance: variance, Error: bias2 + variance,
		Training: training, New: bias2 + variance + sigma2,
	}
}

func checkNoise(d *Design, sigma2 float64) error {
	if err := args.Given("the design", d); err != nil {
		return err
	}
	switch {
	case !(sigma2 >= 0) || math.IsInf(sigma2, 0):
		return fmt.Errorf("%w: the noise variance is %v; it is finite and not negative", ErrSetting, sigma2)
	case d.Weights != nil:
		return fmt.Errorf("%w: the expected error is for rows without weights", ErrSetting)
	}
	return nil
}

// Tabulate returns the errors as a table: of bias and of variance, on the training rows
// and on new ones.
func (ExpectedError) Tabulate(e []ExpectedError) *report.Table {
	return tables.Rows("Expected error",
		tables.Int("parameters", e, func(e ExpectedError) int { return e.Rank }),
		tables.Number("bias²", e, 0, func(e ExpectedError) float64 { return e.Bias2 }),
		tables.Number("variance", e, 0, func(e ExpectedError) float64 { return e.Variance }),
		tables.Number("error", e, 0, func(e ExpectedError) float64 { return e.Error }),
		tables.Number("training", e, 0, func(e ExpectedError) float64 { return e.Training }),
		tables.Number("new", e, 0, func(e ExpectedError) float64 { return e.New }))
}

// String writes the error as text.
func (e ExpectedError) String() string { return report.Rows[ExpectedError]{e}.String() }
