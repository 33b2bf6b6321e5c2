package mlreg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/report"
)

// Wald is an estimate whose coefficients can be tested: it gives their names,
// estimates and covariance in one order, and the degrees of freedom of their t
// statistics. Least-squares fits implement it, with the classical (*OLS) or a robust
// (*Robust) covariance; so may any estimate that is asymptotically normal.
type Wald interface {
	Names() []string
	Coef() []float64
	VCov() *mat.SymDense
	// InferenceDoF returns the degrees of freedom of t statistics, +Inf if they
	// are normal (z).
	InferenceDoF() float64
}

// InferenceDoF returns the degrees of freedom of t statistics and limits:
// DoFResidual if sigma is estimated, +Inf (the normal distribution) if it is
// known.
func (f *OLS) InferenceDoF() float64 {
	if f.SigmaKnown() {
		return math.Inf(1)
	}
	return f.DoFResidual()
}

// ConfInt returns two-sided confidence limits for every coefficient, in the
// order of Names, like R's confint:
//
//	coef_j -+ q stderr_j
//
// The critical value q is exceeded with probability (1-level)/2 by Student's t
// with InferenceDoF degrees of freedom (sigma estimated), or by the normal z if
// that is infinite (sigma known). Limits of an aliased coefficient are NaN. The
// level is between 0 and 1 (ErrSetting); no residual degree of freedom is
// ErrSaturated.
func ConfInt(f Wald, level float64) (report.Rows[Interval], error) {
	rows, err := CoefTable(f, level)
	if err != nil {
		return nil, err
	}
	if err := args.ResidualDoF(f.InferenceDoF()); err != nil {
		return nil, err
	}
	limits := make([]Interval, len(rows))
	for j, row := range rows {
		limits[j] = Interval{row.Term, row.Lower, row.Upper, level}
	}
	return limits, nil
}

// ConfInt returns two-sided confidence limits for the coefficients; see the
// function ConfInt.
func (f *OLS) ConfInt(level float64) (report.Rows[Interval], error) { return ConfInt(f, level) }

// CoefTable returns the table of coefficients in the order of f.Names: estimate,
// standard error, their ratio, its two-sided P, and limits as in ConfInt. An aliased
// term is NaN, and so is every standard error of a saturated fit. The level is
// between 0 and 1 (ErrSetting).
func CoefTable(f Wald, level float64) (report.Rows[CoefRow], error) {
	if err := args.Given("the fit", f); err != nil {
		return nil, err
	}
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	dof := f.InferenceDoF()
	q := dist.TQuantile(1-level, dof)
	names, coef, se := f.Names(), f.Coef(), stdErr(f)
	rows := make([]CoefRow, len(names))
	for j := range rows {
		t := coef[j] / se[j]
		rows[j] = CoefRow{
			Term: names[j], Estimate: coef[j], StdErr: se[j], Statistic: t, P: dist.TTwoSided(t, dof),
			Lower: coef[j] - q*se[j], Upper: coef[j] + q*se[j], Level: level,
		}
	}
	return rows, nil
}

// Table returns the table of coefficients; see CoefTable.
func (f *OLS) Table(level float64) (report.Rows[CoefRow], error) { return CoefTable(f, level) }

// UpperLimits returns one-sided confidence intervals from -Inf up. Each true
// coefficient is below its Upper with probability level:
//
//	coef_j + q stderr_j,
//
// where q is exceeded with probability 1-level by Student's t with InferenceDoF
// degrees of freedom (sigma estimated), or by the normal z (sigma known): at
// level 0.95 and known sigma q is 1.645, where two-sided limits have 1.960.
// Errors: as ConfInt.
func UpperLimits(f Wald, level float64) (report.Rows[Interval], error) {
	return oneSided(f, level, func(limit *Interval, b, distance float64) { limit.Upper = b + distance })
}

// LowerLimits returns one-sided confidence intervals up to +Inf, whose Lower is
// coef_j - q stderr_j with the q of UpperLimits.
func LowerLimits(f Wald, level float64) (report.Rows[Interval], error) {
	return oneSided(f, level, func(limit *Interval, b, distance float64) { limit.Lower = b - distance })
}

func oneSided(f Wald, level float64, end func(limit *Interval, b, distance float64)) (report.Rows[Interval], error) {
	if err := args.Given("the fit", f); err != nil {
		return nil, err
	}
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	dof := f.InferenceDoF()
	if err := args.ResidualDoF(dof); err != nil {
		return nil, err
	}
	q, se := dist.TUpper(1-level, dof), stdErr(f)
	limits := make(report.Rows[Interval], len(se))
	names := f.Names()
	for j, b := range f.Coef() {
		limits[j] = Interval{names[j], math.Inf(-1), math.Inf(1), level}
		end(&limits[j], b, q*se[j])
	}
	return limits, nil
}

// newTTest returns the test of a statistic with nu degrees of freedom.
func newTTest(stat, nu float64) TTest {
	p := dist.TTwoSided(stat, nu)
	t := TTest{stat, nu, p, p / 2, 1 - p/2}
	if t.Stat < 0 {
		t.PUpper, t.PLower = t.PLower, t.PUpper
	}
	return t
}

// Sigma2ConfInt returns two-sided confidence limits for the noise variance, of a
// fit that estimated it with nu = DoFResidual degrees of freedom:
//
//	RSS/c_upper,  RSS/c_lower,
//
// where chi-squared with nu degrees of freedom exceeds c_upper with probability
// (1-level)/2 and c_lower with probability (1+level)/2. They hold for Gaussian
// noise only, however large n is. The Term is "sigma^2". Errors: ErrSetting if the
// level is out of range or the variance was known, ErrSaturated.
func (f *OLS) Sigma2ConfInt(level float64) (Interval, error) {
	if err := fault.Level(level); err != nil {
		return Interval{}, err
	}
	if f.SigmaKnown() {
		return Interval{}, fmt.Errorf("%w: sigma^2 was given to the fit as %v; nothing is estimated", ErrSetting, f.Sigma2())
	}
	nu := f.DoFResidual()
	if err := args.ResidualDoF(nu); err != nil {
		return Interval{}, err
	}
	return Interval{"sigma^2", f.RSS() / dist.Chi2Quantile((1-level)/2, nu), f.RSS() / dist.Chi2Quantile((1+level)/2, nu), level}, nil
}

// stdErr returns the roots of the diagonal of the covariance.
func stdErr(f Wald) []float64 {
	if o, ok := f.(interface{ StdErr() []float64 }); ok {
		return o.StdErr()
	}
	v := f.VCov()
	se := make([]float64, v.SymmetricDim())
	for j := range se {
		se[j] = math.Sqrt(v.At(j, j))
	}
	return se
}
