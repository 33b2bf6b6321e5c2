package mlreg

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Summary returns the table of a fit: for every term the estimate, its
// standard error, the statistic (t, or z when the noise variance is known),
// its two-sided p-value, and the limits at the given level, 0.95 for 95%.
// Below it stand, as far as the fit has them: n, residual degrees of freedom,
// sigma, R2, adjusted R2, F, log-likelihood, AIC, BIC, the method, the
// condition number, the digits that are certified, how orthogonal the residual
// is to the columns of X, and the terms left out as aliased.
//
// The methods looked for are those of *OLS, and those of *Logistic, *GLM, *Multinomial
// and *BayesLogistic: deviances, likelihood ratio, log evidence, norm of the
// gradient, Newton decrement. A fit that lacks one goes without its number. A
// posterior has neither statistic nor p-value. The error is that of its Table: a
// level that is not between 0 and 1, say. Describe of these fits is their summary at
// level 0.95.
func Summary(fit interface {
	Table(level float64) (CoefRows, error)
}, level float64) (*report.Table, error) {
	if err := given("the fit", fit); err != nil {
		return nil, err
	}
	rows, err := fit.Table(level)
	if err != nil {
		return nil, err
	}
	t := rows.at(level)
	t.Title, t.Notes = summaryTitle(fit), facts(fit)
	t.Columns[3].Name = "t"
	if f, ok := fit.(interface{ SigmaKnown() bool }); ok && f.SigmaKnown() {
		t.Columns[3].Name = "z"
	}
	if f, ok := fit.(interface{ InferenceDoF() float64 }); ok && math.IsInf(f.InferenceDoF(), 1) {
		t.Columns[3].Name = "z"
	}
	inUnits := tables.Unit(t.Columns[1].Values, t.Columns[2].Values)
	for _, j := range []int{1, 2, 5, 6} {
		t.Columns[j] = inUnits(t.Columns[j].Name, t.Columns[j].Values)
	}
	if _, ok := fit.(interface{ PosteriorMean() []float64 }); ok {
		t.Columns[1].Name, t.Columns[2].Name = "mode", "std. deviation"
		t.Columns = slices.Delete(t.Columns, 3, 5) // a posterior tests nothing
	}
	return t, nil
}

// summary is Summary at the level of Describe, which cannot fail.
func summary(fit interface {
	Table(level float64) (CoefRows, error)
}) *report.Table {
	return tables.OrError(Summary(fit, 0.95))
}

// summaryTitle names the kind of fit and the response: "OLS fit of lpsa".
func summaryTitle(fit any) string {
	t := reflect.TypeOf(fit)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	title := t.Name() + " fit"
	if f, ok := fit.(interface{ kind() string }); ok {
		title = f.kind()
	}
	if f, ok := fit.(interface{ Response() string }); ok {
		title = tables.Of(title, f.Response())
	}
	if f, ok := fit.(interface{ Classes() []string }); ok && len(f.Classes()) == 2 {
		title += fmt.Sprintf(": log odds of %s against %s", f.Classes()[1], f.Classes()[0])
	}
	return title
}

func (f *BayesLogistic) kind() string { return "Logistic posterior" }

func (f *GLM) kind() string {
	return f.c.Family.title() + " regression, " + f.c.Link.String() + " link,"
}

// title is the name at the beginning of a sentence.
func (f GLMFamily) title() string { return strings.ToUpper(f.String()[:1]) + f.String()[1:] }

// facts returns the lines under the coefficients.
func facts(fit any) []string {
	var lines []string
	for _, line := range [][]string{sizeFacts(fit), explainedFacts(fit), devianceFacts(fit), likelihoodFacts(fit), methodFacts(fit), certificateFacts(fit)} {
		lines = append(lines, joined(line)...)
	}
	if f, ok := fit.(interface{ Scaling() *Scaling }); ok {
		lines = inScaledUnits(lines, f.Scaling())
	}
	if f, ok := fit.(interface{ Aliased() []string }); ok && len(f.Aliased()) > 0 {
		lines = append(lines, "aliased, given by the other terms: "+strings.Join(f.Aliased(), ", "))
	}
	return lines
}

func sizeFacts(fit any) (facts []string) {
	if f, ok := fit.(interface{ NObs() int }); ok {
		n := fmt.Sprintf("n = %d", f.NObs())
		if f, ok := fit.(interface{ Omitted() int }); ok && f.Omitted() > 0 {
			n += fmt.Sprintf(" (%d omitted for missing values)", f.Omitted())
		}
		facts = append(facts, n)
	}
	if f, ok := fit.(interface{ DoFResidual() float64 }); ok {
		facts = append(facts, "residual df = "+format.Number(f.DoFResidual(), 6))
	}
	if f, ok := fit.(interface{ Sigma2() float64 }); ok {
		s := "σ = " + format.Number(math.Sqrt(f.Sigma2()), format.Digits)
		if k, ok := fit.(interface{ SigmaKnown() bool }); ok {
			s += map[bool]string{true: " (known)", false: " (estimated)"}[k.SigmaKnown()]
		}
		facts = append(facts, s)
	}
	return facts
}

func explainedFacts(fit any) (facts []string) {
	if f, ok := fit.(interface{ R2() float64 }); ok {
		facts = append(facts, "R² = "+format.Decimal(f.R2(), 4))
	}
	if f, ok := fit.(interface{ AdjR2() float64 }); ok {
		facts = append(facts, "adjusted R² = "+format.Decimal(f.AdjR2(), 4))
	}
	if f, ok := fit.(interface{ F() FTest }); ok {
		if test := f.F(); !math.IsNaN(test.Stat) {
			facts = append(facts, test.String())
		}
	}
	return facts
}

// devianceFacts are those of fits by likelihood or by a posterior.
func devianceFacts(fit any) (facts []string) {
	if f, ok := fit.(interface{ Deviance() float64 }); ok {
		facts = append(facts, "deviance "+format.Decimal(f.Deviance(), 2))
	}
	if f, ok := fit.(interface{ NullDeviance() float64 }); ok {
		facts = append(facts, "null deviance "+format.Decimal(f.NullDeviance(), 2))
	}
	if f, ok := fit.(*GLM); ok {
		facts = append(facts, "Pearson "+format.Decimal(f.Pearson(), 2))
		if f.c.Family.estimated() {
			facts = append(facts, "dispersion "+format.Number(f.Dispersion(), format.Digits)+" (estimated)")
		}
		if f.c.Errors != "" {
			facts = append(facts, "standard errors: "+f.c.Errors)
		}
	}
	if f, ok := fit.(interface{ LR() Chi2Test }); ok {
		if test := f.LR(); !math.IsNaN(test.P) {
			facts = append(facts, "likelihood ratio: "+test.String())
		}
	}
	if f, ok := fit.(interface{ L2() float64 }); ok && f.L2() > 0 {
		facts = append(facts, "penalized, L2 = "+format.Number(f.L2(), format.Digits))
	}
	if f, ok := fit.(interface{ LogEvidence() float64 }); ok {
		facts = append(facts, "log evidence = "+format.Decimal(f.LogEvidence(), 2)+" (Laplace)")
	}
	return facts
}

func likelihoodFacts(fit any) (facts []string) {
	f, ok := fit.(Likelihood)
	if !ok || math.IsNaN(f.LogLik()) {
		return nil
	}
	return []string{
		"log L = " + format.Decimal(f.LogLik(), 2),
		"AIC = " + format.Decimal(AIC(f), 2),
		"BIC = " + format.Decimal(BIC(f), 2),
	}
}

func methodFacts(fit any) (facts []string) {
	if f, ok := fit.(*Robust); ok {
		facts = append(facts, "standard errors robust to "+f.robustTo())
	}
	if f, ok := fit.(interface{ Method() string }); ok && f.Method() != "" {
		facts = append(facts, f.Method())
	}
	if f, ok := fit.(interface{ Cond() float64 }); ok {
		facts = append(facts, "condition number "+format.Number(f.Cond(), 3))
	}
	return facts
}

// fewDigits is the number of digits from which on the rounding of the data is not
// mentioned: a table has four, and numbers are compared to some more.
const fewDigits = 6

// certificateFacts says what the fit stands behind.
func certificateFacts(fit any) (facts []string) {
	if f, ok := fit.(interface{ Digits() (coef, stderr int) }); ok {
		coef, stderr := f.Digits()
		facts = append(facts, fmt.Sprintf("correct digits: %d (estimates), %d (standard errors)", coef, stderr))
		if f, ok := fit.(interface{ InputDigits() (coef, stderr int) }); ok {
			if coef, stderr := f.InputDigits(); min(coef, stderr) < fewDigits {
				facts = append(facts, fmt.Sprintf("%d and %d if the data were rounded to float64", coef, stderr))
			}
		}
	}
	if f, ok := fit.(interface{ Orthogonality() float64 }); ok {
		facts = append(facts, "|xⱼ'r| ≤ "+format.PowerAbove(math.Max(f.Orthogonality(), 1e-16))+" ‖xⱼ‖ ‖y‖ for all columns")
	}
	if f, ok := fit.(interface{ GradNorm() float64 }); ok {
		facts = append(facts, "gradient norm ≤ "+format.AtLeastRounding(f.GradNorm()))
	}
	if f, ok := fit.(interface{ Decrement() float64 }); ok {
		facts = append(facts, "estimates within "+format.AtLeastRounding(f.Decrement())+" standard errors of the optimum")
	}
	return facts
}

// Describe returns the table of the fit; see Summary.
func (f *OLS) Describe() *report.Table { return summary(f) }

// String writes the table of the fit as text.
func (f *OLS) String() string { return f.Describe().String() }

// Describe returns the table of the fit; see Summary.
func (f *Robust) Describe() *report.Table { return summary(f) }

// String writes the table of the fit as text.
func (f *Robust) String() string { return f.Describe().String() }

// Describe returns the table of the fit; see Summary.
func (f *Logistic) Describe() *report.Table { return summary(f) }

// String writes the table of the fit as text.
func (f *Logistic) String() string { return f.Describe().String() }

// Describe returns the table of the fit; see Summary.
func (f *GLM) Describe() *report.Table { return summary(f) }

// String writes the table of the fit as text.
func (f *GLM) String() string { return f.Describe().String() }

// Describe returns the table of the fit; see Summary.
func (f *Multinomial) Describe() *report.Table { return summary(f) }

// String writes the table of the fit as text.
func (f *Multinomial) String() string { return f.Describe().String() }

// Describe returns the table of the posterior; see Summary.
func (f *BayesLogistic) Describe() *report.Table { return summary(f) }

// String writes the table of the posterior as text.
func (f *BayesLogistic) String() string { return f.Describe().String() }

// at is the table of the rows whose limits have the level, which is left out if 0.
func (r CoefRows) at(level float64) *report.Table {
	suffix := ""
	if level > 0 {
		suffix = " " + format.Percent(level)
	}
	return tables.Rows("",
		tables.Text("term", r, func(r CoefRow) string { return r.Term }),
		tables.Number("estimate", r, 0, func(r CoefRow) float64 { return r.Estimate }),
		tables.Number("std. error", r, 0, func(r CoefRow) float64 { return r.StdErr }),
		tables.Number("statistic", r, 3, func(r CoefRow) float64 { return r.Statistic }),
		tables.P("p", r, func(r CoefRow) float64 { return r.P }),
		tables.Number("lower"+suffix, r, 0, func(r CoefRow) float64 { return r.Lower }),
		tables.Number("upper"+suffix, r, 0, func(r CoefRow) float64 { return r.Upper }))
}

// At returns the table of the rows with the level of their limits, which they were
// made for, in the headings. The error is ErrSetting for a level that is not between
// 0 and 1.
func (r CoefRows) At(level float64) (*report.Table, error) {
	if err := checkLevel(level); err != nil {
		return nil, err
	}
	return r.at(level), nil
}

// Describe returns the rows as a table.
func (r CoefRows) Describe() *report.Table { return r.at(0) }

// String writes the rows as text.
func (r CoefRows) String() string { return r.Describe().String() }

// Describe returns the row as a table.
func (r CoefRow) Describe() *report.Table { return CoefRows{r}.Describe() }

// String writes the row as text.
func (r CoefRow) String() string { return r.Describe().String() }

// Describe returns the limits as a table.
func (l Intervals) Describe() *report.Table {
	return tables.Rows("Confidence limits",
		tables.Text("term", l, func(l Interval) string { return l.Term }),
		tables.Number("lower", l, format.Digits+1, func(l Interval) float64 { return l.Lower }),
		tables.Number("upper", l, format.Digits+1, func(l Interval) float64 { return l.Upper }))
}

// String writes the limits as text.
func (l Intervals) String() string { return l.Describe().String() }

// Describe returns the limits as a table.
func (l Interval) Describe() *report.Table { return Intervals{l}.Describe() }

// String writes the limits as text.
func (l Interval) String() string { return l.Describe().String() }

func (r OddsRatios) at(suffix string) *report.Table {
	number := func(name string, f func(OddsRatio) float64) report.Column {
		return tables.Number(name, r, format.Digits+1, f) // 0.92 and 0.96 would be alike
	}
	title, name := "Odds ratios", "odds ratio"
	if len(r) > 0 && r[0].OfMeans {
		title, name = "Ratios of means", "ratio"
	}
	return tables.Rows(title,
		tables.Text("term", r, func(r OddsRatio) string { return r.Term }),
		number(name, func(r OddsRatio) float64 { return r.Ratio }),
		number("lower"+suffix, func(r OddsRatio) float64 { return r.Lower }),
		number("upper"+suffix, func(r OddsRatio) float64 { return r.Upper }),
		tables.P("p", r, func(r OddsRatio) float64 { return r.P }))
}

// At returns the table of the odds ratios with the level of their limits, which they
// were made for, in the headings. The error is ErrSetting for a level that is not
// between 0 and 1.
func (r OddsRatios) At(level float64) (*report.Table, error) {
	if err := checkLevel(level); err != nil {
		return nil, err
	}
	return r.at(" " + format.Percent(level)), nil
}

// Describe returns the odds ratios as a table.
func (r OddsRatios) Describe() *report.Table { return r.at("") }

// String writes the odds ratios as text.
func (r OddsRatios) String() string { return r.Describe().String() }

// Describe returns the odds ratio as a table.
func (r OddsRatio) Describe() *report.Table { return OddsRatios{r}.Describe() }

// String writes the odds ratio as text.
func (r OddsRatio) String() string { return r.Describe().String() }
