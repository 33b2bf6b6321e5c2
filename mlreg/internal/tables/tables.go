// Package tables makes the tables of results from their rows and their numbers: what the
// Describe methods of mlreg have in common.
package tables

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/report"
)

// Of adds the response to a title, if it has a name.
func Of(title, response string) string {
	if response == "" {
		return title
	}
	return title + " of " + response
}

// Rows is a table of rows, which says so if there are none.
func Rows(title string, columns ...report.Column) *report.Table {
	t := &report.Table{Title: title, Columns: columns}
	if len(columns[0].Cells) == 0 {
		t.Notes = []string{"no rows"}
	}
	return t
}

// Notes returns the notes of rows, each once.
func Notes[R any](rows []R, f func(R) string) []string {
	var notes []string
	for _, r := range rows {
		if note := f(r); note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// Limits returns the headings of the lower and upper limits of rows: "lower 95%" and "upper 95%",
// without the level if it is 0, or if the rows differ in it.
func Limits[R any](rows []R, level func(R) float64) (lower, upper string) {
	if len(rows) == 0 || slices.ContainsFunc(rows, func(r R) bool { return level(r) != level(rows[0]) }) {
		return format.Limits(0, "")
	}
	return format.Limits(level(rows[0]), "")
}

// Text, Int, Number, Decimal, P and Written are columns of a field of every row.

func Text[R any](name string, rows []R, f func(R) string) report.Column {
	return report.TextColumn(name, format.Each(rows, f)...)
}

func Int[R any](name string, rows []R, f func(R) int) report.Column {
	return report.IntColumn(name, format.Each(rows, f)...)
}

func Number[R any](name string, rows []R, digits int, f func(R) float64) report.Column {
	return report.NumberColumn(name, format.Each(rows, f), digits)
}

func Decimal[R any](name string, rows []R, decimals int, f func(R) float64) report.Column {
	return report.DecimalColumn(name, format.Each(rows, f), decimals)
}

func P[R any](name string, rows []R, f func(R) float64) report.Column {
	return report.PColumn(name, format.Each(rows, f))
}

// Written is a column of numbers in a form of its own.
func Written(name string, values []float64, write func(float64) string) report.Column {
	return report.Column{Name: name, Cells: format.Each(values, write), Align: report.AlignDecimal, Values: values}
}

// Blank returns the column with nothing in the cells that do not apply.
func Blank(c report.Column) report.Column {
	for i, s := range c.Cells {
		if s == "NA" {
			c.Cells[i] = ""
		}
	}
	return c
}

// Estimates is a column of coefficients in which what is zero has no decimals, as
// something small may have.
func Estimates(coef []float64) report.Column {
	c := report.NumberColumn("estimate", coef, 0)
	for i, b := range coef {
		if b == 0 {
			c.Cells[i] = "0"
		}
	}
	return c
}

// Coefficients is the table of the coefficients of a penalized fit, those that are zero
// left out if there are many, but for the intercept; out tells how many.
func Coefficients(title string, names []string, coef []float64, intercept string) (t *report.Table, out int) {
	const many = 20
	if all := len(coef); all > many {
		var keptNames []string
		var kept []float64
		for i, b := range coef {
			if b != 0 || names[i] == intercept {
				keptNames, kept = append(keptNames, names[i]), append(kept, b)
			}
		}
		names, coef, out = keptNames, kept, all-len(kept)
	}
	return &report.Table{Title: title, Columns: []report.Column{report.TextColumn("term", names...), Estimates(coef)}}, out
}

// InScaledUnits adds to the notes of a fit whether its design was scaled.
func InScaledUnits(notes []string, scaled bool) []string {
	if scaled {
		notes = append(notes, "coefficients are in units of the scaled predictors")
	}
	return notes
}

// Unit returns what makes columns in the units of a coefficient, with a number of
// decimals that suits estimates and standard errors, if there is one.
func Unit(estimates, errors []float64) func(name string, values []float64) report.Column {
	decimals, common := format.CommonDecimals(slices.Concat(estimates, errors), format.Digits)
	return func(name string, values []float64) report.Column {
		if !common {
			return report.NumberColumn(name, values, 0)
		}
		return report.DecimalColumn(name, values, decimals)
	}
}

// RowNames returns the names given, or the numbers of n rows from 1.
func RowNames(names []string, n int) ([]string, error) {
	if names == nil {
		names = make([]string, n)
		for i := range names {
			names[i] = strconv.Itoa(i + 1)
		}
	}
	if len(names) != n {
		return nil, fmt.Errorf("%w: %d names for %d rows", fault.ErrShape, len(names), n)
	}
	return names, nil
}

// Head returns the first of n rows as a table of columns with a value a row: 0 means
// ten rows, or all of up to 25, and a negative number all.
func Head(title string, rows int, names []string, columns ...report.Column) (*report.Table, error) {
	n := len(columns[0].Cells)
	names, err := RowNames(names, n)
	if err != nil {
		return nil, err
	}
	show := format.HeadLength(rows, n)
	t := &report.Table{Title: title, Columns: []report.Column{{Name: "row", Cells: names[:show], Align: report.AlignRight}}}
	for _, c := range columns {
		t.Columns = append(t.Columns, report.NumberColumn(c.Name, c.Values[:show], 0))
	}
	if show < n {
		t.Notes = []string{"... " + format.Plural(n-show, "more row")}
	}
	return t, nil
}

// OrError returns the table, or one that says why there is none.
func OrError(t *report.Table, err error) *report.Table {
	if err != nil {
		return &report.Table{Line: err.Error(), Columns: []report.Column{report.TextColumn("error", err.Error())}}
	}
	return t
}

// Line is a table of one row of numbers that is written in a line.
func Line(line string, columns ...report.Column) *report.Table {
	return &report.Table{Line: line, Columns: columns}
}

// One is a column of one number.
func One(name string, v float64) report.Column { return report.NumberColumn(name, []float64{v}, 6) }

// List is a table of named numbers, a line each.
func List(title string, names []string, values []float64, cells ...string) *report.Table {
	return &report.Table{Title: title, Columns: []report.Column{report.TextColumn("", names...), {Cells: cells, Values: values}}}
}

// Shortened returns the first ten rows of a table of more than 25, a row for a column of
// data, and says how many are left out.
func Shortened(t *report.Table) *report.Table {
	n := len(t.Columns[0].Cells)
	show := format.HeadLength(0, n)
	if show == n {
		return t
	}
	for j := range t.Columns {
		c := &t.Columns[j]
		c.Cells = c.Cells[:show]
		if c.Values != nil {
			c.Values = c.Values[:show]
		}
	}
	t.Notes = append(t.Notes, "... "+format.Plural(n-show, "more column"))
	return t
}
