package mlreg

import (
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// CoefRow is a line of a table of coefficients. Statistic is Estimate/StdErr,
// P the probability of a larger absolute value if the coefficient is zero, and
// Lower and Upper are confidence limits; all but Term are NaN for an aliased
// term. Level is that of the limits, 0.95 for 95%; 0 is a level that is not known.
type CoefRow struct {
	Term                                                string
	Estimate, StdErr, Statistic, P, Lower, Upper, Level float64
}

// Interval is a pair of limits, confidence or credible, of a coefficient or
// another quantity that Term names, "" if it has no name. Level is 0.95 for limits of 95%, and
// 0 for limits that hold without a level, as those of quantreg.Quantile.Range.
type Interval struct {
	Term                string
	Lower, Upper, Level float64
}

// coefColumns are the columns of a table of coefficients.
type coefColumns struct{ term, estimate, stdErr, statistic, p, lower, upper report.Column }

// coefColumnsOf are the columns of these rows.
func coefColumnsOf(r []CoefRow) coefColumns {
	lower, upper := tables.Limits(r, func(r CoefRow) float64 { return r.Level })
	return coefColumns{
		term:      tables.Text("term", r, func(r CoefRow) string { return r.Term }),
		estimate:  tables.Number("estimate", r, 0, func(r CoefRow) float64 { return r.Estimate }),
		stdErr:    tables.Number(format.StdErr, r, 0, func(r CoefRow) float64 { return r.StdErr }),
		statistic: tables.Number("statistic", r, 3, func(r CoefRow) float64 { return r.Statistic }),
		p:         tables.P(format.P, r, func(r CoefRow) float64 { return r.P }),
		lower:     tables.Number(lower, r, 0, func(r CoefRow) float64 { return r.Lower }),
		upper:     tables.Number(upper, r, 0, func(r CoefRow) float64 { return r.Upper }),
	}
}

func (c coefColumns) table() *report.Table {
	return tables.Rows("", c.term, c.estimate, c.stdErr, c.statistic, c.p, c.lower, c.upper)
}

// Tabulate returns the rows as a table.
func (CoefRow) Tabulate(rows []CoefRow) *report.Table { return coefColumnsOf(rows).table() }

// String writes the row as text.
func (r CoefRow) String() string { return report.Rows[CoefRow]{r}.String() }

// Tabulate returns the limits as a table.
func (Interval) Tabulate(l []Interval) *report.Table {
	lower, upper := tables.Limits(l, func(l Interval) float64 { return l.Level })
	return tables.Rows("Confidence limits",
		tables.Text("term", l, func(l Interval) string { return l.Term }),
		tables.Number(lower, l, format.Digits+1, func(l Interval) float64 { return l.Lower }),
		tables.Number(upper, l, format.Digits+1, func(l Interval) float64 { return l.Upper }))
}

// String writes the limits as text.
func (l Interval) String() string { return report.Rows[Interval]{l}.String() }
