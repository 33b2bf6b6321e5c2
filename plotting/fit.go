package plotting

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Summary returns the table of a fit: for every term the estimate, its
// standard error, the statistic (t, or z when the noise variance is known),
// its two-sided p-value, and the limits at the given level, 0.95 for 95%.
// Below it stand, as far as the fit has them: n, residual degrees of freedom,
// sigma, R2, adjusted R2, F, log-likelihood, AIC, BIC, the method, the
// condition number, the digits that are certified, how orthogonal the residual
// is to the columns of X, and the terms left out as aliased.
//
// The methods looked for are those of *mlreg.OLS, and those of *mlreg.Logistic,
// *mlreg.Multinomial and *mlreg.BayesLogistic: deviances, likelihood ratio, log
// evidence, norm of the gradient, Newton decrement. A fit that lacks one goes
// without its number. A posterior has neither statistic nor p-value. The error is
// mlreg.ErrNoData without a fit, or that of its Table: a level that is not between
// 0 and 1, say.
func Summary(fit frames.CoefTable, level float64) (*Table, error) {
	if check.IsNil(fit) {
		return nil, check.Nothing("summary", "the fit is nil")
	}
	rows, err := fit.Table(level)
	if err != nil {
		return nil, err
	}
	n := len(rows)
	terms := make([]string, n)
	values := make([][]float64, 6)
	for k := range values {
		values[k] = make([]float64, n)
	}
	for i, r := range rows {
		terms[i] = r.Term
		for k, v := range []float64{r.Estimate, r.StdErr, r.Statistic, r.P, r.Lower, r.Upper} {
			values[k][i] = v
		}
	}
	statistic := "t"
	if f, ok := fit.(interface{ SigmaKnown() bool }); ok && f.SigmaKnown() {
		statistic = "z"
	}
	if f, ok := fit.(interface{ InferenceDoF() float64 }); ok && math.IsInf(f.InferenceDoF(), 1) {
		statistic = "z"
	}
	percent := Number(100*level, 6) + "%"
	inUnits := unitColumns(values[0], values[1])
	columns := []Column{
		TextColumn("term", terms...),
		inUnits("estimate", values[0]),
		inUnits("std. error", values[1]),
		NumberColumn(statistic, values[2], 3),
		PColumn("p", values[3]),
		inUnits("lower "+percent, values[4]),
		inUnits("upper "+percent, values[5]),
	}
	if _, ok := fit.(interface{ PosteriorMean() []float64 }); ok {
		columns[1].Name, columns[2].Name = "mode", "std. deviation"
		columns = slices.Delete(columns, 3, 5) // a posterior tests nothing
	}
	return &Table{
		Title:   summaryTitle(fit),
		Columns: columns,
		Notes:   facts(fit),
	}, nil
}

// unitColumns returns what makes columns in the units of a coefficient, with a
// number of decimals that suits estimates and standard errors, if there is one.
func unitColumns(estimates, errors []float64) func(name string, values []float64) Column {
	decimals, common := format.CommonDecimals(append(append([]float64(nil), estimates...), errors...), defaultDigits)
	return func(name string, values []float64) Column {
		if !common {
			return NumberColumn(name, values, defaultDigits)
		}
		c := Column{Name: name, Align: AlignDecimal}
		for _, v := range values {
			c.Cells = append(c.Cells, format.Decimal(v, decimals))
		}
		return c
	}
}

// summaryTitle names the kind of fit and the response: "OLS fit of lpsa".
func summaryTitle(fit any) string {
	t := reflect.TypeOf(fit)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	title := t.Name() + " fit"
	if _, ok := fit.(*mlreg.BayesLogistic); ok {
		title = "Logistic posterior"
	}
	if f, ok := fit.(interface{ Response() string }); ok && f.Response() != "" {
		title += " of " + f.Response()
	}
	if f, ok := fit.(interface{ Classes() []string }); ok && len(f.Classes()) == 2 {
		title += fmt.Sprintf(": log odds of %s against %s", f.Classes()[1], f.Classes()[0])
	}
	return title
}

// facts returns the lines under the coefficients.
func facts(fit any) []string {
	var lines []string
	for _, line := range [][]string{sizeFacts(fit), explainedFacts(fit), devianceFacts(fit), likelihoodFacts(fit), methodFacts(fit), certificate(fit)} {
		if len(line) > 0 {
			lines = append(lines, strings.Join(line, ", "))
		}
	}
	if f, ok := fit.(interface{ Scaling() *mlreg.Scaling }); ok && f.Scaling() != nil {
		lines = append(lines, "coefficients are in units of the scaled predictors")
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
		facts = append(facts, "residual df = "+Number(f.DoFResidual(), 6))
	}
	if f, ok := fit.(interface{ Sigma2() float64 }); ok {
		s := "σ = " + Number(math.Sqrt(f.Sigma2()), defaultDigits)
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
	if f, ok := fit.(interface{ F() mlreg.FTest }); ok {
		if test := f.F(); !math.IsNaN(test.Stat) {
			facts = append(facts, testText(test))
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
	if f, ok := fit.(interface{ LR() mlreg.Chi2Test }); ok {
		if test := f.LR(); !math.IsNaN(test.P) {
			facts = append(facts, "likelihood ratio: "+testText(test))
		}
	}
	if f, ok := fit.(interface{ L2() float64 }); ok && f.L2() > 0 {
		facts = append(facts, "penalised, L2 = "+Number(f.L2(), defaultDigits))
	}
	if f, ok := fit.(interface{ LogEvidence() float64 }); ok {
		facts = append(facts, "log evidence = "+format.Decimal(f.LogEvidence(), 2)+" (Laplace)")
	}
	return facts
}

// pEquals writes "p = 0.0123" or "p < 0.0001".
func pEquals(p float64) string {
	if s := PValue(p); s[0] == '<' {
		return "p < " + s[1:]
	}
	return "p = " + PValue(p)
}

func likelihoodFacts(fit any) (facts []string) {
	f, ok := fit.(mlreg.Likelihood)
	if !ok {
		return nil
	}
	return []string{
		"log L = " + format.Decimal(f.LogLik(), 2),
		"AIC = " + format.Decimal(mlreg.AIC(f), 2),
		"BIC = " + format.Decimal(mlreg.BIC(f), 2),
	}
}

func methodFacts(fit any) (facts []string) {
	if f, ok := fit.(interface{ HC() mlreg.HC }); ok {
		facts = append(facts, "standard errors robust to unequal variances ("+f.HC().String()+")")
	}
	if f, ok := fit.(interface{ Method() string }); ok && f.Method() != "" {
		facts = append(facts, f.Method())
	}
	if f, ok := fit.(interface{ Cond() float64 }); ok {
		facts = append(facts, "condition number "+Number(f.Cond(), 3))
	}
	return facts
}

// certificate says what the fit stands behind.
func certificate(fit any) (facts []string) {
	if f, ok := fit.(interface{ Digits() (coef, stderr int) }); ok {
		coef, stderr := f.Digits()
		facts = append(facts, fmt.Sprintf("correct digits: %d (estimates), %d (standard errors)", coef, stderr))
	}
	if f, ok := fit.(interface{ Orthogonality() float64 }); ok {
		facts = append(facts, "|xⱼ'r| ≤ "+powerAbove(math.Max(f.Orthogonality(), 1e-16))+" ‖xⱼ‖ ‖y‖ for all columns")
	}
	if f, ok := fit.(interface{ GradNorm() float64 }); ok {
		facts = append(facts, "gradient norm ≤ "+atLeastRounding(f.GradNorm()))
	}
	if f, ok := fit.(interface{ Decrement() float64 }); ok {
		facts = append(facts, "estimates within "+atLeastRounding(f.Decrement())+" standard errors of the optimum")
	}
	return facts
}

// atLeastRounding is powerAbove, but not less than 1e-10: what is below differs
// from processor to processor.
func atLeastRounding(x float64) string { return powerAbove(math.Max(x, 1e-10)) }

// powerAbove returns the power of ten at or above x: a bound on what is only
// rounding, whose digits mean nothing.
func powerAbove(x float64) string {
	if !(x > 0) || math.IsInf(x, 1) {
		return Number(x, 1)
	}
	return fmt.Sprintf("1e%d", int(math.Ceil(math.Log10(x))))
}
