package frames

import (
	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

// The names of rows and columns in Tidy, Glance and Augment are those of R's
// package broom.

// CoefTable is a fit that has a table of coefficients.
type CoefTable interface {
	Table(level float64) (report.Rows[mlreg.CoefRow], error)
}

// Tidy returns the coefficients of a fit, a row each: term, estimate,
// std.error, statistic, p.value, and limits conf.low and conf.high at the
// given level. Errors are those of fit.Table.
func Tidy(fit CoefTable, level float64) (dataframe.DataFrame, error) {
	if err := checkFit(fit); err != nil {
		return dataframe.DataFrame{}, err
	}
	rows, err := fit.Table(level)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	terms, values := make([]string, len(rows)), make([][]float64, 6)
	for i, r := range rows {
		terms[i] = r.Term
		for k, v := range []float64{r.Estimate, r.StdErr, r.Statistic, r.P, r.Lower, r.Upper} {
			values[k] = append(values[k], v)
		}
	}
	cols := []Column{Col("term", terms)}
	for k, name := range []string{"estimate", "std.error", "statistic", "p.value", "conf.low", "conf.high"} {
		cols = append(cols, Col(name, values[k]))
	}
	return Frame(cols...)
}

// Observed is a fit that knows its number of observations.
type Observed interface{ NObs() int }

// Glance returns one row for the whole fit: the numbers that it knows of itself, with
// the names and in the order of mlreg.FactsOf. The error is ErrNoRows for a fit that is
// nil.
func Glance(fit Observed) (dataframe.DataFrame, error) {
	if err := checkFit(fit); err != nil {
		return dataframe.DataFrame{}, err
	}
	var cols []Column
	for _, f := range mlreg.FactsOf(fit) {
		if f.Name == "nobs" {
			cols = append(cols, Col(f.Name, []int{fit.NObs()}))
		} else {
			cols = append(cols, Col(f.Name, []float64{f.Value}))
		}
	}
	return Frame(cols...)
}
