package mlreg

import (
	"fmt"
	"math"
)

// DurbinWatson returns the statistic for correlation between neighbouring
// residuals, in order of time,
//
//	DW = sum_{i>1} (r_i - r_{i-1})^2 / sum_i r_i^2,
//
// about 2(1 - r) for the lag-one autocorrelation r: 2 without correlation, near 0
// for positive and near 4 for negative. It is NaN for fewer than two residuals or
// if all are zero. Durbin and Watson (1950), Biometrika 37, 409-428.
func DurbinWatson(residuals []float64) float64 {
	if len(residuals) < 2 {
		return math.NaN()
	}
	var steps, ss float64
	for i, r := range residuals {
		ss += r * r
		if i > 0 {
			steps += (r - residuals[i-1]) * (r - residuals[i-1])
		}
	}
	return steps / ss
}

// NormalityTest is the test of Jarque and Bera, with what it is made of.
type NormalityTest struct {
	Stat, P            float64
	Skewness, Kurtosis float64 // 0 and 3 for the normal
}

// JarqueBera tests that residuals are normal from their skewness S = m3/m2^(3/2)
// and kurtosis K = m4/m2^2, with the central moments m_k over n:
//
//	JB = n/6 (S^2 + (K-3)^2/4),
//
// which is chi-squared with 2 degrees of freedom for large n; for n below some
// hundreds P is rough. Fewer than three residuals (ErrNoData), all equal
// (ErrConstant), or one not finite (ErrNotFinite) are an error. Jarque and Bera
// (1980), Economics Letters 6, 255-259.
func JarqueBera(residuals []float64) (NormalityTest, error) {
	n := float64(len(residuals))
	if n < 3 {
		return NormalityTest{}, fmt.Errorf("%w: skewness and kurtosis of %v residuals", ErrNoData, n)
	}
	for i, r := range residuals {
		if math.IsNaN(r) || math.IsInf(r, 0) {
			return NormalityTest{}, fmt.Errorf("%w: residual %d is %v", ErrNotFinite, i+1, r)
		}
	}
	mean, sd, largest := meanDeviation(residuals, len(residuals))
	if !(sd > 1e-15*largest) {
		return NormalityTest{}, fmt.Errorf("%w: every residual is %v", ErrConstant, residuals[0])
	}
	var skewness, kurtosis float64
	for _, r := range residuals {
		e := (r - mean) / sd
		skewness += e * e * e / n
		kurtosis += e * e * e * e / n
	}
	stat := n / 6 * (skewness*skewness + (kurtosis-3)*(kurtosis-3)/4)
	return NormalityTest{Stat: stat, P: chi2Upper(stat, 2), Skewness: skewness, Kurtosis: kurtosis}, nil
}

// Chi2Test is a statistic that is chi-squared with DF degrees of freedom under
// the hypothesis tested, and the probability P of a larger one.
type Chi2Test struct{ Stat, DF, P float64 }

// BreuschPagan tests that the variance of the noise does not depend on the terms
// of the fit, in the studentised form of Koenker: n R^2 of the regression of the
// squared residuals on the terms and an intercept, which has as many degrees of
// freedom as terms. It is the default of bptest in R's lmtest, and
// het_breuschpagan of statsmodels. Weighted rows are refused (ErrSetting), and so
// is a perfect fit (ErrConstant).
//
// Breusch and Pagan (1979), Econometrica 47, 1287-1294; Koenker (1981), Journal of
// Econometrics 17, 107-112.
func (f *OLS) BreuschPagan(d *Design) (Chi2Test, error) {
	if d.Weights != nil {
		return Chi2Test{}, fmt.Errorf("%w: the Breusch-Pagan test of weighted rows; leave the weights out", ErrSetting)
	}
	rows, err := f.fittedRows(d)
	if err != nil {
		return Chi2Test{}, err
	}
	root := math.Sqrt(f.RSS())
	if root == 0 {
		return Chi2Test{}, fmt.Errorf("%w: every residual is zero", ErrConstant)
	}
	squares := make([]float64, len(rows.r))
	for i, r := range rows.r {
		squares[i] = r / root * (r / root)
	}
	terms, err := f.columnsOf(d)
	if err != nil {
		return Chi2Test{}, err
	}
	of := terms.WithResponse("squared residual", squares)
	of.NoIntercept = false
	g, err := FitOLS(of, &OLSSettings{Aliased: DropAliased})
	if err != nil {
		return Chi2Test{}, err
	}
	stat, df := float64(g.NObs())*g.R2(), g.DoF()-1
	return Chi2Test{stat, df, chi2Upper(stat, df)}, nil
}
