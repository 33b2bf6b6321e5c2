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

// CoefRows is a table of coefficients, or of contrasts of them.
type CoefRows []CoefRow

// Interval is a pair of limits, confidence or credible, of a coefficient or
// another quantity that Term names, "" if it has no name.
type Interval struct {
	Term         string
	Lower, Upper float64
}

// coefColumns are the columns of a table of coefficients.
type coefColumns struct{ term, estimate, stdErr, statistic, p, lower, upper report.Column }

// columns are those of the rows whose limits have the level, which is left out if 0.
func (r CoefRows) columns(level float64) coefColumns {
	suffix := ""
	if level > 0 {
		suffix = " " + format.Percent(level)
	}
	return coefColumns{
		term:      tables.Text("term", r, func(r CoefRow) string { return r.Term }),
		estimate:  tables.Number("estimate", r, 0, func(r CoefRow) float64 { return r.Estimate }),
		stdErr:    tables.Number("std. error", r, 0, func(r CoefRow) float64 { return r.StdErr }),
		statistic: tables.Number("statistic", r, 3, func(r CoefRow) float64 { return r.Statistic }),
		p:         tables.P("p", r, func(r CoefRow) float64 { return r.P }),
		lower:     tables.Number("lower"+suffix, r, 0, func(r CoefRow) float64 { return r.Lower }),
		upper:     tables.Number("upper"+suffix, r, 0, func(r CoefRow) float64 { return r.Upper }),
	}
}

func (c coefColumns) table() *report.Table {
	return tables.Rows("", c.term, c.estimate, c.stdErr, c.statistic, c.p, c.lower, c.upper)
}

// At returns the table of the rows with the level of their limits, which they were
// made for, in the headings. The error is ErrSetting for a level that is not between
// 0 and 1.
func (r CoefRows) At(level float64) (*report.Table, error) {
	if err := checkLevel(level); err != nil {
		return nil, err
	}
	return r.columns(level).table(), nil
}

// Describe returns the rows as a table.
func (r CoefRows) Describe() *report.Table { return r.columns(0).table() }

// Tabulate returns the table of rows; see CoefRows.
func (CoefRow) Tabulate(rows []CoefRow) *report.Table { return CoefRows(rows).Describe() }

// String writes the rows as text.
func (r CoefRows) String() string { return r.Describe().String() }

// Describe returns the row as a table.
func (r CoefRow) Describe() *report.Table { return CoefRows{r}.Describe() }

// String writes the row as text.
func (r CoefRow) String() string { return r.Describe().String() }

// Tabulate returns the limits as a table.
func (Interval) Tabulate(l []Interval) *report.Table {
	return tables.Rows("Confidence limits",
		tables.Text("term", l, func(l Interval) string { return l.Term }),
		tables.Number("lower", l, format.Digits+1, func(l Interval) float64 { return l.Lower }),
		tables.Number("upper", l, format.Digits+1, func(l Interval) float64 { return l.Upper }))
}

// Describe returns the limits as a table.
func (l Interval) Describe() *report.Table { return report.Rows[Interval]{l}.Describe() }

// String writes the limits as text.
func (l Interval) String() string { return l.Describe().String() }
