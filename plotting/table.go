package plotting

import (
	"fmt"

	"github.com/regbook/regbook/mlreg/report"
)

// Table is a table of named columns, with an optional title above and notes
// below. Show renders it as HTML in a notebook and as aligned text elsewhere; its
// methods Markdown, LaTeX and CSV are for documents and for other programs.
type Table = report.Table

// Column is one column of a table: its heading and one cell for each row.
type Column = report.Column

// Align is the alignment of the cells of a column.
type Align = report.Align

// The alignments of a column: text at the left, which is the default, counts at
// the right, and numbers at the decimal point.
const (
	AlignLeft    = report.AlignLeft
	AlignRight   = report.AlignRight
	AlignDecimal = report.AlignDecimal
)

// NewTable returns a table of the columns given. The error is mlreg.ErrNoData if
// there are none, and mlreg.ErrShape names a column whose number of cells differs
// from that of the first.
//
//	plotting.NewTable("Norms", plotting.TextColumn("vector", names...), plotting.NumberColumn("norm", norms, 4))
func NewTable(title string, columns ...Column) (*Table, error) {
	return report.NewTable(title, columns...)
}

// TextColumn returns a left-aligned column.
func TextColumn(name string, cells ...string) Column { return report.TextColumn(name, cells...) }

// NumberColumn returns a column of numbers aligned at the decimal point. The
// largest has the given number of significant digits (4 if digits is 0), and
// all have the same number of decimals where their magnitudes allow it. NaN is
// shown as NA.
func NumberColumn(name string, values []float64, digits int) Column {
	return report.NumberColumn(name, values, digits)
}

// IntColumn returns a right-aligned column of whole numbers.
func IntColumn(name string, values ...int) Column { return report.IntColumn(name, values...) }

// PColumn returns a column of probabilities, formatted by PValue.
func PColumn(name string, values []float64) Column { return report.PColumn(name, values) }

// tableBundle is how a table is displayed.
func tableBundle(t *Table) (Bundle, error) {
	if t.Line != "" {
		return plain(t.Line), nil
	}
	if err := t.Check(); err != nil {
		return Bundle{}, fmt.Errorf("plotting: %w", err)
	}
	return Bundle{Text: t.String(), HTML: t.HTML()}, nil
}
