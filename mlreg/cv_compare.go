package mlreg

import (
	"fmt"

	"github.com/regbook/regbook/internal/format"
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
	if len(fits) == 0 {
		return nil, fmt.Errorf("%w: there are no fits", ErrNoData)
	}
	table := make(report.Rows[ErrorRow], len(fits))
	errors, paired := make([]lossSums, len(fits)), make([]lossSums, len(fits))
	err := eachLoss(rows, func(block *Design) error {
		var first []float64
		for k, f := range fits {
			e, err := squaredErrors(block, f, k)
			if err != nil {
				return err
			}
			errors[k].add(block, e)
			if k == 0 {
				first = e
				continue
			}
			paired[k].add(block, differences(e, first))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for k := range table {
		r, n := &table[k], 0
		r.Name = fits[k].heading(k)
		if r.MSE, r.StdErr, n = errors[k].mean(); n < 2 {
			return nil, fmt.Errorf("%w: %d rows of positive weight; a standard error needs two", ErrNoData, n)
		}
		if k > 0 {
			r.Difference, r.DifferenceErr, _ = paired[k].mean()
		}
	}
	return table, nil
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
