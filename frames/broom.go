package frames

import (
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/mlreg"
)

// The names of rows and columns in Tidy, Glance and Augment are those of R's
// package broom.

// CoefTable is a fit that has a table of coefficients.
type CoefTable interface {
	Table(level float64) (mlreg.CoefRows, error)
}

// Tidy returns the coefficients of a fit, a row each: term, estimate,
// std.error, statistic, p.value, and limits conf.low and conf.high at the
// given level. Errors are those of fit.Table.
func Tidy(fit CoefTable, level float64) (dataframe.DataFrame, error) {
	rows, err := fit.Table(level)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	terms := make([]string, len(rows))
	values := make([][]float64, 6)
	for i, r := range rows {
		terms[i] = r.Term
		for k, v := range []float64{r.Estimate, r.StdErr, r.Statistic, r.P, r.Lower, r.Upper} {
			values[k] = append(values[k], v)
		}
	}
	return termColumns(terms, []string{"estimate", "std.error", "statistic", "p.value", "conf.low", "conf.high"}, values)
}

// PosteriorTable is a posterior that has a table of coefficients, such as
// *mlreg.Bayes.
type PosteriorTable interface {
	Table(level float64) (mlreg.PosteriorRows, error)
}

// TidyPosterior returns the coefficients of a posterior, a row each, with the
// columns of R's package broom.mixed: term, estimate (the posterior mean),
// std.error (the posterior standard deviation), and the credible limits
// conf.low and conf.high at the given level. The column prob.positive is added:
// the posterior probability that the coefficient is above 0. Errors are those
// of fit.Table.
func TidyPosterior(fit PosteriorTable, level float64) (dataframe.DataFrame, error) {
	rows, err := fit.Table(level)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	terms := make([]string, len(rows))
	values := make([][]float64, 5)
	for i, r := range rows {
		terms[i] = r.Term
		for k, v := range []float64{r.Mean, r.StdDev, r.Lower, r.Upper, r.ProbPositive} {
			values[k] = append(values[k], v)
		}
	}
	return termColumns(terms, []string{"estimate", "std.error", "conf.low", "conf.high", "prob.positive"}, values)
}

// termColumns returns a frame of terms and columns of numbers.
func termColumns(terms, names []string, values [][]float64) (dataframe.DataFrame, error) {
	cols := []Column{Col("term", terms)}
	for k, name := range names {
		cols = append(cols, Col(name, values[k]))
	}
	return Frame(cols...)
}

// TidyInclusions returns the terms of a posterior over models, a row each: term,
// inclusion (the probability that it is in), estimate and std.error (mean and
// standard deviation of its coefficient over all models, missing without
// mlreg.EnumerateSettings.Average), and whether it is in the most probable
// model (map) and in the median model (median).
func TidyInclusions(e *mlreg.Enumeration) (dataframe.DataFrame, error) {
	rows := e.InclusionTable()
	n := len(rows)
	terms, inMAP, inMedian := make([]string, n), make([]bool, n), make([]bool, n)
	p, mean, sd := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, r := range rows {
		terms[i], p[i], mean[i], sd[i], inMAP[i], inMedian[i] = r.Term, r.PostProb, r.Mean, r.SD, r.InMAP, r.InMedian
	}
	return Frame(Col("term", terms), Col("inclusion", p), Col("estimate", mean), Col("std.error", sd),
		Col("map", inMAP), Col("median", inMedian))
}

// Observed is a fit that knows its number of observations.
type Observed interface{ NObs() int }

// Glance returns one row for the whole fit, with those of these columns that
// the fit can give:
//
//	r.squared, adj.r.squared           R2, AdjR2
//	sigma                              the square root of Sigma2
//	statistic, p.value, df             F: its value, its P, its numerator df
//	logLik, AIC, BIC                   LogLik, mlreg.AIC, mlreg.BIC
//	deviance, df.residual              RSS or Deviance, DoFResidual
//	null.deviance                      NullDeviance
//	nobs                               NObs
func Glance(fit Observed) (dataframe.DataFrame, error) {
	var cols []Column
	add := func(name string, v float64) { cols = append(cols, Col(name, []float64{v})) }
	if f, ok := fit.(interface{ R2() float64 }); ok {
		add("r.squared", f.R2())
	}
	if f, ok := fit.(interface{ AdjR2() float64 }); ok {
		add("adj.r.squared", f.AdjR2())
	}
	if f, ok := fit.(interface{ Sigma2() float64 }); ok {
		add("sigma", math.Sqrt(f.Sigma2()))
	}
	if f, ok := fit.(interface{ F() mlreg.FTest }); ok {
		test := f.F()
		add("statistic", test.Stat)
		add("p.value", test.P)
		add("df", test.DF1)
	}
	if f, ok := fit.(mlreg.Likelihood); ok {
		add("logLik", f.LogLik())
		add("AIC", mlreg.AIC(f))
		add("BIC", mlreg.BIC(f))
	}
	if f, ok := fit.(interface{ RSS() float64 }); ok {
		add("deviance", f.RSS())
	}
	if f, ok := fit.(interface{ Deviance() float64 }); ok {
		add("deviance", f.Deviance())
	}
	if f, ok := fit.(interface{ NullDeviance() float64 }); ok {
		add("null.deviance", f.NullDeviance())
	}
	if f, ok := fit.(interface{ DoFResidual() float64 }); ok {
		add("df.residual", f.DoFResidual())
	}
	return Frame(append(cols, Col("nobs", []int{fit.NObs()}))...)
}
