package mlreg

import (
	"math"
	"reflect"

	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Fact is a number that a fit knows of itself.
type Fact struct {
	Name  string // as a column of glance in R's package broom
	Label string // in tables
	Value float64
}

// Facts are the numbers that a fit knows of itself.
type Facts []Fact

// FactsOf returns the numbers that a fit knows of itself as a whole, in this order, by
// the methods that it has:
//
//	r.squared, adj.r.squared     R2, AdjR2
//	sigma                        the square root of Sigma2
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
func FactsOf(fit any) Facts {
	if v := reflect.ValueOf(fit); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	var facts Facts
	for _, f := range everyFact {
		if v, ok := f.of(fit); ok && !facts.has(f.name) {
			facts = append(facts, Fact{f.name, f.label, v})
		}
	}
	return facts
}

func (f Facts) has(name string) bool {
	_, ok := f.value(name)
	return ok
}

func (f Facts) value(name string) (float64, bool) {
	for _, fact := range f {
		if fact.Name == name {
			return fact.Value, true
		}
	}
	return math.NaN(), false
}

// everyFact is what FactsOf asks for, and how.
var everyFact = []struct {
	name, label string
	of          func(fit any) (float64, bool)
}{
	{"r.squared", "R²", method(func(f interface{ R2() float64 }) float64 { return f.R2() })},
	{"adj.r.squared", "adjusted R²", method(func(f interface{ AdjR2() float64 }) float64 { return f.AdjR2() })},
	{"sigma", "σ", method(func(f interface{ Sigma2() float64 }) float64 { return math.Sqrt(f.Sigma2()) })},
	{"dispersion", "dispersion", method(func(f interface{ Dispersion() float64 }) float64 { return f.Dispersion() })},
	{"statistic", "F", method(func(f interface{ F() FTest }) float64 { return f.F().Stat })},
	{"p.value", "p of F", method(func(f interface{ F() FTest }) float64 { return f.F().P })},
	{"df", "df of F", method(func(f interface{ F() FTest }) float64 { return f.F().DF1 })},
	{"lambda", "λ", func(fit any) (float64, bool) {
		if f, ok := fit.(*Quantile); ok && f.L1() == 0 {
			return 0, false
		}
		f, ok := fit.(interface{ Lambda() float64 })
		if !ok {
			return 0, false
		}
		return f.Lambda(), true
	}},
	{"logLik", "log L", method(func(f Likelihood) float64 { return f.LogLik() })},
	{"AIC", "AIC", method(func(f Likelihood) float64 { return AIC(f) })},
	{"BIC", "BIC", method(func(f Likelihood) float64 { return BIC(f) })},
	{"log.evidence", "log evidence", method(func(f interface{ LogEvidence() float64 }) float64 { return f.LogEvidence() })},
	{"deviance", "deviance", method(func(f interface{ RSS() float64 }) float64 { return f.RSS() })},
	{"deviance", "deviance", method(func(f interface{ Deviance() float64 }) float64 { return f.Deviance() })},
	{"null.deviance", "null deviance", method(func(f interface{ NullDeviance() float64 }) float64 { return f.NullDeviance() })},
	{"df.residual", "residual df", method(func(f interface{ DoFResidual() float64 }) float64 { return f.DoFResidual() })},
	{"nobs", "n", method(func(f interface{ NObs() int }) float64 { return float64(f.NObs()) })},
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

// Describe returns the facts as a table.
func (f Facts) Describe() *report.Table {
	return tables.Rows("Facts of a fit",
		tables.Text("fact", f, func(f Fact) string { return f.Label }),
		tables.Number("value", f, 0, func(f Fact) float64 { return f.Value }))
}

// String writes the facts as text.
func (f Facts) String() string { return f.Describe().String() }

// Describe returns the fact as a table.
func (f Fact) Describe() *report.Table { return Facts{f}.Describe() }

// String writes the fact as text.
func (f Fact) String() string { return f.Describe().String() }
