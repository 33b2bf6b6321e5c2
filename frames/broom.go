package frames

import (
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
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

// Fitter is a fit that gives fitted values.
type Fitter interface {
	Fitted(d *mlreg.Design) ([]float64, error)
}

// Augment returns the rows of df that are in the design and adds those of these
// columns that the fit can give:
//
//	.fitted     Fitted(d)
//	.resid      Residuals(d), if d has a response
//	.hat        Leverage(d)
//	.cooksd     CooksDistance(d), if d has a response
//	.std.resid  Influence(d).Standardized, if d has a response
//
// The design d was made from df. If d has only some of its rows, as after
// Design.Split, Augment takes those. The error matches ErrSetting if it cannot
// find the rows of d in df.
func Augment(fit Fitter, d *mlreg.Design, df dataframe.DataFrame) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	if err := checkFrame(df); err != nil {
		return none, err
	}
	rows := allRows(df.Nrow())
	if t := TermsOf(d); t != nil && t.N == df.Nrow() && d.RowNumbers != nil {
		rows = nil
		for _, number := range d.RowNumbers {
			rows = append(rows, number-1)
		}
	}
	if len(rows) != d.NObs() {
		return none, errorf(ErrSetting, "the design has %d rows and the frame %d; split the frame, and make a design of each part with DesignLike", d.NObs(), df.Nrow())
	}
	type column struct {
		name          string
		compute       func(*mlreg.Design) ([]float64, error)
		needsResponse bool
	}
	columns := []column{{".fitted", fit.Fitted, false}}
	if f, ok := fit.(interface {
		Residuals(*mlreg.Design) ([]float64, error)
	}); ok {
		columns = append(columns, column{".resid", f.Residuals, true})
	}
	if f, ok := fit.(interface {
		Leverage(*mlreg.Design) ([]float64, error)
	}); ok {
		columns = append(columns, column{".hat", f.Leverage, false})
	}
	if f, ok := fit.(interface {
		CooksDistance(*mlreg.Design) ([]float64, error)
	}); ok {
		columns = append(columns, column{".cooksd", f.CooksDistance, true})
	}
	if f, ok := fit.(interface {
		Influence(*mlreg.Design) (*mlreg.Influence, error)
	}); ok {
		standardized := func(d *mlreg.Design) ([]float64, error) {
			inf, err := f.Influence(d)
			if err != nil {
				return nil, err
			}
			return inf.Standardized, nil
		}
		columns = append(columns, column{".std.resid", standardized, true})
	}
	out := df.Subset(rows)
	for _, c := range columns {
		if c.needsResponse && d.Y == nil {
			continue
		}
		values, err := c.compute(d)
		if err != nil {
			return none, fmt.Errorf("frames: %s: %w", c.name, err)
		}
		out = out.Mutate(series.New(values, series.Float, c.name))
	}
	return out, out.Err
}
