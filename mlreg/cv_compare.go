package mlreg

import (
	"fmt"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// ErrorRow is how well a fit predicts rows.
type ErrorRow struct {
	Name string
	// MSE is the mean squared error over the rows and StdErr its standard error.
	MSE, StdErr float64
	// Difference is MSE less that of the first fit, and DifferenceErr the standard error
	// of the mean of the differences row by row; both are 0 for the first.
	Difference, DifferenceErr float64
}

// CompareErrors predicts the rows of d by several fits, which did not see them, and
// compares the squared errors e with those of the first fit, row by row:
//
//	MSE           mean of e_i               StdErr         sd(e)/sqrt(n)
//	Difference    mean of e_i - e_i(first)  DifferenceErr  sd(e - e(first))/sqrt(n)
//
// with n rows and sd with the divisor n - 1. A row that is hard to predict is hard for
// every fit, so that a difference is often known better than either error. For weights
// w_i, mean is sum w_i e_i / sum w_i and sd/sqrt(n) is
// sqrt(n/(n-1) sum w_i^2 (e_i - mean)^2) / sum w_i. The standard errors are those of
// new rows, given the fits: they do not know that other training rows would have given
// other fits.
//
// Rows in blocks (RowBlocks) take one pass.
//
// A fit without a name is called (1), (2), ... by its place. Errors: ErrNoData without
// fits, without a response or with fewer than two rows of positive weight; ErrSetting for
// a fit that does not predict; those of Predict.
func CompareErrors(rows RowBlocks, fits []NamedFit) (report.Rows[ErrorRow], error) {
	d, ok := rows.(*Design)
	if !ok && rows != nil && len(fits) > 0 {
		return compareBlocks(rows, fits)
	}
	return compareRows(d, fits)
}

// compareRows is CompareErrors for rows in memory.
func compareRows(d *Design, fits []NamedFit) (report.Rows[ErrorRow], error) {
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	if len(fits) == 0 {
		return nil, fmt.Errorf("%w: there are no fits", ErrNoData)
	}
	if d.Y == nil {
		return nil, fmt.Errorf("%w: the rows to predict have no response", ErrNoData)
	}
	var rows report.Rows[ErrorRow]
	var first []float64
	for k, f := range fits {
		r, e, err := squaredErrors(d, f, k)
		if err != nil {
			return nil, err
		}
		if r.MSE, r.StdErr, err = d.meanOf(e); err != nil {
			return nil, err
		}
		if first == nil {
			first = e
		} else {
			if r.Difference, r.DifferenceErr, err = d.meanOf(differences(e, first)); err != nil {
				return nil, err
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// meanOf returns the weighted mean of a value of every row and its standard error.
func (d *Design) meanOf(x []float64) (mean, stderr float64, err error) {
	mean, stderr, n := d.meanLoss(x)
	if n < 2 {
		return 0, 0, fmt.Errorf("%w: %d rows of positive weight; a standard error needs two", ErrNoData, n)
	}
	return mean, stderr, nil
}

// Tabulate returns a row for each fit, with the difference from the first if there are
// several.
func (ErrorRow) Tabulate(r []ErrorRow) *report.Table {
	columns := []report.Column{
		tables.Text("fit", r, func(r ErrorRow) string { return r.Name }),
		tables.Number("squared error", r, 0, func(r ErrorRow) float64 { return r.MSE }),
		tables.Number(format.StdErr, r, 0, func(r ErrorRow) float64 { return r.StdErr }),
	}
	if len(r) > 1 {
		columns = append(columns,
			tables.Number("minus "+r[0].Name, r, 0, func(r ErrorRow) float64 { return r.Difference }),
			tables.Number(format.StdErr, r, 0, func(r ErrorRow) float64 { return r.DifferenceErr }))
	}
	return tables.Rows("Squared errors on the same rows", columns...)
}

// String writes the line as text.
func (r ErrorRow) String() string { return report.Rows[ErrorRow]{r}.String() }
