package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// DurbinWatson returns the statistic for correlation between neighboring
// residuals, in order of time; OLS.DurbinWatson has its probability, too:
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
	return NormalityTest{Stat: stat, P: dist.Chi2Upper(stat, 2), Skewness: skewness, Kurtosis: kurtosis}, nil
}

// BreuschPagan tests that the variance of the noise does not depend on the terms
// of the fit, in the studentized form of Koenker: n R^2 of the regression of the
// squared residuals on the terms and an intercept, which has as many degrees of
// freedom as terms. It is the default of bptest in R's lmtest, and
// het_breuschpagan of statsmodels.
//
// With weights, the variance is tested to depend on nothing but them: squares are
// w_i r_i^2, and rows of weight zero do not count. That is bptest of the regression
// of sqrt(w) y on sqrt(w) X; bptest of a weighted fit has squares r_i^2, whose
// mean differs from row to row even if the weights are right. Without an
// intercept it is bptest(m, varformula) with the terms in varformula: bptest(m) then
// leaves the intercept out of the second regression, too, yet takes a degree of
// freedom off for it, and refuses a single term.
//
// A perfect fit is refused (ErrConstant), and so is a fit without terms (ErrNoData).
//
// Breusch and Pagan (1979), Econometrica 47, 1287-1294; Koenker (1981), Journal of
// Econometrics 17, 107-112.
func (f *OLS) BreuschPagan(d *Design) (Chi2Test, error) {
	g, err := f.squaresOnTerms(d)
	if err != nil {
		return Chi2Test{}, err
	}
	stat, df := float64(g.NObs())*g.R2(), g.DoF()-1
	return Chi2Test{Stat: stat, DF: df, P: dist.Chi2Upper(stat, df)}, nil
}

// BreuschPaganOriginal is the test in its form of 1979, which takes the noise for
// normal: half the explained sum of squares of the regression of n r_i^2/RSS on the
// terms and an intercept. It rejects too often if the noise has heavier tails;
// BreuschPagan does not. It is bptest(m, studentize = FALSE) in R's lmtest, and
// het_breuschpagan(robust=False) of statsmodels. All else is as for BreuschPagan.
func (f *OLS) BreuschPaganOriginal(d *Design) (Chi2Test, error) {
	g, err := f.squaresOnTerms(d)
	if err != nil {
		return Chi2Test{}, err
	}
	n := float64(g.NObs()) // squares are of r_i^2/RSS
	stat, df := n*n*(g.TSS()-g.RSS())/2, g.DoF()-1
	return Chi2Test{Stat: stat, DF: df, P: dist.Chi2Upper(stat, df)}, nil
}

// squaresOnTerms is the regression of w_i r_i^2/RSS on the terms and an intercept.
func (f *OLS) squaresOnTerms(d *Design) (*OLS, error) {
	rows, err := f.fittedRows(d)
	if err != nil {
		return nil, err
	}
	root := math.Sqrt(f.RSS())
	if root == 0 {
		return nil, fmt.Errorf("%w: every residual is zero", ErrConstant)
	}
	terms, err := f.columnsOf(d)
	if err != nil {
		return nil, err
	}
	if terms.NTerms() == 0 {
		return nil, fmt.Errorf("%w: the Breusch-Pagan test of a fit without terms", ErrNoData)
	}
	squares := make([]float64, len(rows.r))
	for i, r := range rows.r {
		squares[i] = d.Weight(i) * (r / root) * (r / root)
	}
	of := terms.WithResponse("squared residual", squares).positive().withoutWeights()
	of.NoIntercept = false
	return FitOLS(of, &OLSSettings{Aliased: DropAliased})
}

// Describe returns the test as a table that is written in a line.
func (t NormalityTest) Describe() *report.Table {
	line := fmt.Sprintf("Jarque-Bera χ²(2) = %s, %s (skewness %s, kurtosis %s)",
		format.Number(t.Stat, format.Digits), format.PEquals(t.P), format.Number(t.Skewness, 3), format.Number(t.Kurtosis, 3))
	return tables.Line(line, tables.One("χ²", t.Stat), report.PColumn(format.P, []float64{t.P}), tables.One("skewness", t.Skewness), tables.One("kurtosis", t.Kurtosis))
}

// String writes the test in a line.
func (t NormalityTest) String() string { return t.Describe().String() }
