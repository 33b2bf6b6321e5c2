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

// Fact is a number that a fit knows of itself.
type Fact struct {
	Name  string // as a column of glance in R's package broom
	Label string // in tables
	Value float64
}

// FactsOf returns the numbers that a fit knows of itself as a whole, in this order, by
// the methods that it has:
//
//	r.squared, adj.r.squared     R2, AdjR2
//	within.r.squared             R2Within
//	sigma                        the square root of Sigma2
//	dispersion                   Dispersion
//	statistic, p.value, df       F: its value, its P, its numerator df
//	lambda                       Lambda
//	logLik, AIC, BIC             LogLik, AIC, BIC
//	log.evidence                 LogEvidence
//	deviance                     RSS or Deviance
//	null.deviance                NullDeviance
//	df.residual                  DoFResidual
//	nobs                         NObs
//
// Of other methods, and of a fit that is nil, it has none.
func FactsOf(fit any) report.Rows[Fact] {
	return factsOf(fit, "r.squared", "adj.r.squared", "within.r.squared", "sigma", "dispersion", "statistic", "p.value", "df", "lambda",
		"logLik", "AIC", "BIC", "log.evidence", "deviance", "null.deviance", "df.residual", "nobs")
}

// factsOf returns the facts of these names that the fit knows, in the order of the names.
func factsOf(fit any, names ...string) report.Rows[Fact] {
	if v := reflect.ValueOf(fit); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	var facts report.Rows[Fact]
	for _, name := range names {
		for _, f := range slices.Concat(fitFacts...) {
			if f.name != name {
				continue
			}
			if v, ok := f.value(fit); ok {
				facts = append(facts, Fact{f.name, f.label, v})
				break // of deviance there are two
			}
		}
	}
	return facts
}

// A fitFact is what a fit may know of itself. FactsOf, the lines below a table of
// coefficients (Summary) and the rows of FitTable are made of these.
type fitFact struct {
	name, label string                          // of its Fact; without a name it is none
	value       func(fit any) (float64, bool)   // its number, if the fit has one
	below       func(fit any, v float64) string // how it stands below a table; nil or "" if it does not
	cell        func(v float64) string          // how FitTable writes it, which asks for some by name
}

// fitFacts are all, in the order and in the lines in which they stand below a table.
var fitFacts = [][]fitFact{sizeFacts, explainedFacts, devianceFacts, likelihoodFacts, methodFacts, certificateFacts}

var sizeFacts = []fitFact{
	{"nobs", "n", method(func(f interface{ NObs() int }) float64 { return float64(f.NObs()) }), belowN, wholeNumber},
	{"df.residual", "residual df", method(func(f interface{ DoFResidual() float64 }) float64 { return f.DoFResidual() }),
		after("residual df = ", func(v float64) string { return format.Number(v, 6) }), nil},
	{"sigma", "σ", method(func(f interface{ Sigma2() float64 }) float64 { return math.Sqrt(f.Sigma2()) }), belowSigma, shortNumber},
}

var explainedFacts = []fitFact{
	{"r.squared", "R²", method(func(f interface{ R2() float64 }) float64 { return f.R2() }), after("R² = ", fourDecimals), fourDecimals},
	{"adj.r.squared", "adjusted R²", method(func(f interface{ AdjR2() float64 }) float64 { return f.AdjR2() }),
		after("adjusted R² = ", fourDecimals), fourDecimals},
	{"within.r.squared", "within R²", method(func(f interface{ R2Within() float64 }) float64 { return f.R2Within() }),
		after("within R² = ", fourDecimals), fourDecimals},
	{"statistic", "F", method(func(f hasF) float64 { return f.F().Stat }), says(func(f hasF) string { return unlessNaN(f.F().Stat, "", f.F()) }), nil},
	{"p.value", "p of F", method(func(f hasF) float64 { return f.F().P }), nil, nil},
	{"df", "df of F", method(func(f hasF) float64 { return f.F().DF1 }), nil, nil},
	{"lambda", "λ", method(func(f interface{ Lambda() float64 }) float64 { return f.Lambda() }), nil, shortNumber},
}

// devianceFacts are those of fits by likelihood or by a posterior.
var devianceFacts = []fitFact{
	{"deviance", "deviance", method(func(f interface{ RSS() float64 }) float64 { return f.RSS() }), nil, nil},
	{"deviance", "deviance", method(func(f interface{ Deviance() float64 }) float64 { return f.Deviance() }), after("deviance ", twoDecimals), nil},
	{"null.deviance", "null deviance", method(func(f interface{ NullDeviance() float64 }) float64 { return f.NullDeviance() }),
		after("null deviance ", twoDecimals), nil},
	{below: says(func(f interface{ Pearson() float64 }) string { return "Pearson " + twoDecimals(f.Pearson()) })},
	{"dispersion", "dispersion", method(func(f interface{ Dispersion() float64 }) float64 { return f.Dispersion() }), belowDispersion, nil},
	{below: says(func(f interface{ errorsAre() string }) string { return unlessEmpty("standard errors: ", f.errorsAre()) })},
	{below: says(func(f interface{ LR() Chi2Test }) string { return unlessNaN(f.LR().P, "likelihood ratio: ", f.LR()) })},
	{below: says(belowL2)},
	{"log.evidence", "log evidence", method(func(f interface{ LogEvidence() float64 }) float64 { return f.LogEvidence() }),
		func(_ any, v float64) string { return "log evidence = " + twoDecimals(v) + " (Laplace)" }, nil},
}

var likelihoodFacts = []fitFact{
	{"logLik", "log L", method(func(f Likelihood) float64 { return f.LogLik() }), ofLikelihood("log L = "), twoDecimals},
	{"AIC", "AIC", method(func(f Likelihood) float64 { return AIC(f) }), ofLikelihood("AIC = "), twoDecimals},
	{"BIC", "BIC", method(func(f Likelihood) float64 { return BIC(f) }), ofLikelihood("BIC = "), twoDecimals},
}

var methodFacts = []fitFact{
	{below: says(func(f interface{ robustTo() string }) string { return "standard errors robust to " + f.robustTo() })},
	{below: says(func(f interface{ Method() string }) string { return f.Method() })},
	{below: says(func(f interface{ Cond() float64 }) string { return "condition number " + format.Number(f.Cond(), 3) })},
}

// certificateFacts say what the fit stands behind.
var certificateFacts = []fitFact{
	{below: says(belowDigits)},
	{below: says(belowInputDigits)},
	{below: says(func(f interface{ Orthogonality() float64 }) string {
		return "|xⱼ'r| ≤ " + format.PowerAbove(math.Max(f.Orthogonality(), 1e-16)) + " ‖xⱼ‖ ‖y‖ for all columns"
	})},
	{below: says(func(f interface{ GradNorm() float64 }) string {
		return "gradient norm ≤ " + format.AtLeastRounding(f.GradNorm())
	})},
	{below: says(func(f interface{ Decrement() float64 }) string {
		return "estimates within " + format.AtLeastRounding(f.Decrement()) + " standard errors of the optimum"
	})},
}

// below returns the facts as they stand below a table.
func below(fit any, facts []fitFact) (texts []string) {
	for _, f := range facts {
		if f.below == nil {
			continue
		}
		v, ok := math.NaN(), true
		if f.value != nil {
			v, ok = f.value(fit)
		}
		if !ok {
			continue
		}
		if s := f.below(fit, v); s != "" {
			texts = append(texts, s)
		}
	}
	return texts
}

// method returns what asks a fit for a number, if it has the methods of T.
func method[T any](of func(T) float64) func(any) (float64, bool) {
	return func(fit any) (float64, bool) {
		f, ok := fit.(T)
		if !ok {
			return 0, false
		}
		return of(f), true
	}
}

// says returns what writes a fact of a fit, if it has the methods of T.
func says[T any](of func(T) string) func(any, float64) string {
	return func(fit any, _ float64) string {
		f, ok := fit.(T)
		if !ok {
			return ""
		}
		return of(f)
	}
}

// after returns what writes a number after its label.
func after(label string, write func(v float64) string) func(any, float64) string {
	return func(_ any, v float64) string { return label + write(v) }
}

// ofLikelihood returns what writes a number after its label, if there is a likelihood.
func ofLikelihood(label string) func(any, float64) string {
	return func(fit any, v float64) string {
		if math.IsNaN(fit.(Likelihood).LogLik()) {
			return ""
		}
		return label + twoDecimals(v)
	}
}

type hasF interface{ F() FTest }

func unlessNaN(v float64, label string, test fmt.Stringer) string {
	if math.IsNaN(v) {
		return ""
	}
	return label + test.String()
}

func unlessEmpty(label, text string) string {
	if text == "" {
		return ""
	}
	return label + text
}

func belowN(fit any, n float64) string {
	text := fmt.Sprintf("n = %d", int(n))
	if f, ok := fit.(interface{ Omitted() int }); ok && f.Omitted() > 0 {
		text += fmt.Sprintf(" (%d omitted for missing values)", f.Omitted())
	}
	return text
}

func belowSigma(fit any, sigma float64) string {
	text := "σ = " + shortNumber(sigma)
	if f, ok := fit.(interface{ SigmaKnown() bool }); ok {
		text += map[bool]string{true: " (known)", false: " (estimated)"}[f.SigmaKnown()]
	}
	return text
}

func belowDispersion(fit any, v float64) string {
	if f, ok := fit.(interface{ dispersionEstimated() bool }); ok && f.dispersionEstimated() {
		return "dispersion " + shortNumber(v) + " (estimated)"
	}
	return ""
}

func belowL2(f interface{ L2() float64 }) string {
	if f.L2() > 0 {
		return "penalized, L2 = " + shortNumber(f.L2())
	}
	return ""
}

func belowDigits(f interface{ Digits() (coef, stderr int) }) string {
	coef, stderr := f.Digits()
	if stderr < 0 {
		return fmt.Sprintf("correct digits: %d (estimates)", coef)
	}
	return fmt.Sprintf("correct digits: %d (estimates), %d (standard errors)", coef, stderr)
}

// fewDigits is the number of digits from which on the rounding of the data is not
// mentioned: a table has four, and numbers are compared to some more.
const fewDigits = 6

func belowInputDigits(f interface{ InputDigits() (coef, stderr int) }) string {
	if coef, stderr := f.InputDigits(); min(coef, stderr) < fewDigits {
		return fmt.Sprintf("%d and %d if the data were rounded to float64", coef, stderr)
	}
	return ""
}

func wholeNumber(v float64) string  { return format.Number(v, 15) }
func shortNumber(v float64) string  { return format.Number(v, format.Digits) }
func twoDecimals(v float64) string  { return format.Decimal(v, 2) }
func fourDecimals(v float64) string { return format.Decimal(v, 4) }

// joined writes the parts of a line, of none no line.
func joined(parts []string) []string {
	if len(parts) == 0 {
		return nil
	}
	return []string{strings.Join(parts, ", ")}
}

// Tabulate returns the facts as a table.
func (Fact) Tabulate(f []Fact) *report.Table {
	return tables.Rows("Facts of a fit",
		tables.Text("fact", f, func(f Fact) string { return f.Label }),
		tables.Number("value", f, 0, func(f Fact) float64 { return f.Value }))
}

// String writes the fact as text.
func (f Fact) String() string { return report.Rows[Fact]{f}.String() }
