package mlreg

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
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
	Table(level float64) (report.Rows[CoefRow], error)
}, level float64) (*report.Table, error) {
	if err := args.Given("the fit", fit); err != nil {
		return nil, err
	}
	rows, err := fit.Table(level)
	if err != nil {
		return nil, err
	}
	c := coefColumnsOf(rows)
	c.statistic.Name = "t"
	if f, ok := fit.(interface{ SigmaKnown() bool }); ok && f.SigmaKnown() {
		c.statistic.Name = "z"
	}
	if f, ok := fit.(interface{ InferenceDoF() float64 }); ok && math.IsInf(f.InferenceDoF(), 1) {
		c.statistic.Name = "z"
	}
	inUnits := tables.Unit(c.estimate.Values, c.stdErr.Values)
	for _, number := range []*report.Column{&c.estimate, &c.stdErr, &c.lower, &c.upper} {
		*number = inUnits(number.Name, number.Values)
	}
	t := c.table()
	if _, ok := fit.(interface{ PosteriorMean() []float64 }); ok { // a posterior tests nothing
		c.estimate.Name, c.stdErr.Name = "mode", format.StdDev
		t = tables.Rows("", c.term, c.estimate, c.stdErr, c.lower, c.upper)
	}
	t.Title, t.Notes, t.Method = summaryTitle(fit), linesBelow(fit), methodLines(fit)
	return t, nil
}

// summary is Summary at the level of Describe, which cannot fail.
func summary(fit interface {
	Table(level float64) (report.Rows[CoefRow], error)
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
	if f, ok := fit.(interface{ Kind() string }); ok {
		title = f.Kind()
	}
	if f, ok := fit.(interface{ Response() string }); ok {
		title = tables.Of(title, f.Response())
	}
	if f, ok := fit.(interface{ Classes() []string }); ok && len(f.Classes()) == 2 {
		title += fmt.Sprintf(": log odds of %s against %s", f.Classes()[1], f.Classes()[0])
	}
	return title
}

// methodLines returns the lines under the coefficients on the algorithm and on what certifies the fit.
func methodLines(fit any) []string {
	lines := joined(below(fit, certificateFacts))
	if _, robust := fit.(interface{ robustTo() string }); !robust { // which the line says, too
		lines = append(lines, joined(below(fit, methodFacts))...)
	}
	return lines
}

// linesBelow returns the lines under the coefficients.
func linesBelow(fit any) []string {
	var lines []string
	for _, facts := range fitFacts {
		lines = append(lines, joined(below(fit, facts))...)
	}
	if f, ok := fit.(interface{ Scaling() *Scaling }); ok {
		lines = tables.InScaledUnits(lines, f.Scaling() != nil)
	}
	if f, ok := fit.(interface{ Aliased() []string }); ok && len(f.Aliased()) > 0 {
		lines = append(lines, "aliased, given by the other terms: "+strings.Join(f.Aliased(), ", "))
	}
	return lines
}
