package mlreg

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/regbook/regbook/internal/format"
)

// Every result describes itself: Describe makes its table, String writes it as text.

// scaledNote stands under coefficients of a scaled design.
const scaledNote = "coefficients are in units of the scaled predictors"

// inScaledUnits adds scaledNote to the notes of a fit whose design was scaled.
func inScaledUnits(notes []string, s *Scaling) []string {
	if s != nil {
		notes = append(notes, scaledNote)
	}
	return notes
}

// of adds the response to a title, if it has a name.
func of(title, response string) string {
	if response == "" {
		return title
	}
	return title + " of " + response
}

// rowsTable is a table of rows, which says so if there are none.
func rowsTable(title string, columns ...Column) *Table {
	t := &Table{Title: title, Columns: columns}
	if len(columns[0].Cells) == 0 {
		t.Notes = []string{"no rows"}
	}
	return t
}

// notesOf returns the notes of rows, each once.
func notesOf[R any](rows []R, f func(R) string) []string {
	var notes []string
	for _, r := range rows {
		if note := f(r); note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// textOf, numberOf and the others are columns of a field of every row.

func textOf[R any](name string, rows []R, f func(R) string) Column {
	return TextColumn(name, cellsOf(rows, f)...)
}

func intOf[R any](name string, rows []R, f func(R) int) Column {
	return IntColumn(name, cellsOf(rows, f)...)
}

func numberOf[R any](name string, rows []R, digits int, f func(R) float64) Column {
	return NumberColumn(name, cellsOf(rows, f), digits)
}

func decimalOf[R any](name string, rows []R, decimals int, f func(R) float64) Column {
	return DecimalColumn(name, cellsOf(rows, f), decimals)
}

func pOf[R any](name string, rows []R, f func(R) float64) Column {
	return PColumn(name, cellsOf(rows, f))
}

// blankNA returns the column with nothing in the cells that do not apply.
func blankNA(c Column) Column {
	for i, s := range c.Cells {
		if s == "NA" {
			c.Cells[i] = ""
		}
	}
	return c
}

// estimates is a column of coefficients in which what is zero has no decimals, as
// something small may have.
func estimates(coef []float64) Column {
	c := NumberColumn("estimate", coef, 0)
	for i, b := range coef {
		if b == 0 {
			c.Cells[i] = "0"
		}
	}
	return c
}

// unitColumns returns what makes columns in the units of a coefficient, with a
// number of decimals that suits estimates and standard errors, if there is one.
func unitColumns(estimates, errors []float64) func(name string, values []float64) Column {
	decimals, common := format.CommonDecimals(slices.Concat(estimates, errors), format.Digits)
	return func(name string, values []float64) Column {
		if !common {
			return NumberColumn(name, values, 0)
		}
		return DecimalColumn(name, values, decimals)
	}
}

// percent writes a level: 95%.
func percent(level float64) string { return format.Number(100*level, 6) + "%" }

// pEquals writes "p = 0.0123" or "p < 0.0001".
func pEquals(p float64) string {
	if s := format.PValue(p); s[0] == '<' {
		return "p < " + s[1:]
	}
	return "p = " + format.PValue(p)
}

// powerAbove returns the power of ten at or above x: a bound on what is only
// rounding, whose digits mean nothing.
func powerAbove(x float64) string {
	if !(x > 0) || math.IsInf(x, 1) {
		return format.Number(x, 1)
	}
	return fmt.Sprintf("1e%d", int(math.Ceil(math.Log10(x))))
}

// atLeastRounding is powerAbove, but not less than 1e-10: what is below differs
// from processor to processor.
func atLeastRounding(x float64) string { return powerAbove(math.Max(x, 1e-10)) }

// coarseBound returns one of 1e-12, 1e-9, ... that is not below x: rounding
// errors differ between processors.
func coarseBound(x float64) string {
	if !(x < 1) {
		return format.Number(x, 1)
	}
	return fmt.Sprintf("1e%d", 3*int(math.Ceil(math.Log10(math.Max(x, 1e-12))/3)))
}

// largestOf returns the numbers of the k largest of the values, the largest
// first; NaN is smaller than anything.
func largestOf(k int, values []float64) []int {
	order := numbersTo(len(values))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return order[:k]
}

// numbersTo returns 0 ... n-1.
func numbersTo(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// rowNames returns the names given, or the numbers of n rows from 1.
func rowNames(names []string, n int) ([]string, error) {
	if names == nil {
		names = cellsOf(numbersTo(n), func(i int) string { return strconv.Itoa(i + 1) })
	}
	if len(names) != n {
		return nil, fmt.Errorf("%w: %d names for %d rows", ErrShape, len(names), n)
	}
	return names, nil
}

// headTable returns the first of n rows as a table of columns with a value a row:
// 0 means ten rows, or all of up to 25, and a negative number all.
func headTable(title string, rows int, names []string, columns ...Column) (*Table, error) {
	n := len(columns[0].Cells)
	names, err := rowNames(names, n)
	if err != nil {
		return nil, err
	}
	show := format.HeadLength(rows, n)
	t := &Table{Title: title, Columns: []Column{{Name: "row", Cells: names[:show], Align: AlignRight}}}
	for _, c := range columns {
		t.Columns = append(t.Columns, NumberColumn(c.Name, c.Values[:show], 0))
	}
	if show < n {
		t.Notes = []string{"... " + format.Plural(n-show, "more row")}
	}
	return t, nil
}

// unnamed returns a table that cannot fail: its rows have their own numbers.
func unnamed(t *Table, err error) *Table {
	if err != nil {
		return &Table{Line: err.Error(), Columns: []Column{TextColumn("error", err.Error())}}
	}
	return t
}

// inBrackets writes some numbers in brackets.
func inBrackets(v []float64) string {
	return "[" + strings.Join(format.Numbers(v, format.Digits), ", ") + "]"
}

// joined writes the parts of a line, of none no line.
func joined(parts []string) []string {
	if len(parts) == 0 {
		return nil
	}
	return []string{strings.Join(parts, ", ")}
}
