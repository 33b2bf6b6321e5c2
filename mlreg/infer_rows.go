package mlreg

import (
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// CoefRow is a line of a table of coefficients. Statistic is Estimate/StdErr,
// P the probability of a larger absolute value if the coefficient is zero, and
// Lower and Upper are confidence limits; all but Term are NaN for an aliased
// term.
type CoefRow struct {
	Term                                         string
	Estimate, StdErr, Statistic, P, Lower, Upper float64
}

// Interval is a pair of limits, confidence or credible, of a coefficient or
// another quantity that Term names, "" if it has no name.
type Interval struct {
	Term         string
	Lower, Upper float64
}

// coefColumns are the columns of a table of coefficients.
type coefColumns struct{ term, estimate, stdErr, statistic, p, lower, upper report.Column }

// coefColumnsOf are the columns of these rows.
func coefColumnsOf(r []CoefRow) coefColumns {
	return coefColumns{
		term:      tables.Text("term", r, func(r CoefRow) string { return r.Term }),
		estimate:  tables.Number("estimate", r, 0, func(r CoefRow) float64 { return r.Estimate }),
		stdErr:    tables.Number("std. error", r, 0, func(r CoefRow) float64 { return r.StdErr }),
		statistic: tables.Number("statistic", r, 3, func(r CoefRow) float64 { return r.Statistic }),
		p:         tables.P("p", r, func(r CoefRow) float64 { return r.P }),
		lower:     tables.Number("lower", r, 0, func(r CoefRow) float64 { return r.Lower }),
		upper:     tables.Number("upper", r, 0, func(r CoefRow) float64 { return r.Upper }),
	}
}

func (c coefColumns) table() *report.Table {
	return tables.Rows("", c.term, c.estimate, c.stdErr, c.statistic, c.p, c.lower, c.upper)
}

// Tabulate returns the rows as a table; its At names the level of the limits.
func (CoefRow) Tabulate(rows []CoefRow) *report.Table { return coefColumnsOf(rows).table() }

// String writes the row as text.
func (r CoefRow) String() string { return report.Rows[CoefRow]{r}.String() }

// Tabulate returns the limits as a table.
func (Interval) Tabulate(l []Interval) *report.Table {
	return tables.Rows("Confidence limits",
		tables.Text("term", l, func(l Interval) string { return l.Term }),
		tables.Number("lower", l, format.Digits+1, func(l Interval) float64 { return l.Lower }),
		tables.Number("upper", l, format.Digits+1, func(l Interval) float64 { return l.Upper }))
}

// String writes the limits as text.
func (l Interval) String() string { return report.Rows[Interval]{l}.String() }
