// Package report has tables: how a result describes itself, on paper, in a notebook and in
// a file. It knows nothing of fits. A [Table] is made of columns ([NewTable], [TextColumn],
// [NumberColumn], [DecimalColumn], [IntColumn], [PColumn]), writes itself as text, HTML, Markdown,
// LaTeX and CSV, and is saved by [Table.Save]. Results of other packages make one each: they
// are a [Describer], or [Rows], of which each is a [Row]. [Describe] is the table of any.
package report

import (
	"fmt"
	"strconv"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/fault"
)

// Table is a table of named columns, with an optional title above and notes
// below. It is how a result describes itself: fmt.Println writes it as aligned
// text, plotting.Show displays it, and it renders itself as HTML, Markdown,
// LaTeX and CSV, in which names appear as they are, whatever characters they have.
type Table struct {
	Title   string
	Columns []Column
	Notes   []string // one line each
	// Method are those of the notes that say by which algorithm numbers were found, and what
	// certifies them. LaTeX leaves them out; Method = nil has it write all notes.
	Method []string
	// Line, if not empty, says all of it in one line, as of a test: String writes it
	// in place of the columns.
	Line string
}

// Column is one column of a table: its heading and one cell a row.
type Column struct {
	Name  string
	Cells []string
	Align Align
	// Values are the numbers that the cells round, which Table.CSV writes in full;
	// nil where the cells say all.
	Values []float64
}

// Align is how the cells of a column stand below each other.
type Align int

// The alignments of a column.
const (
	AlignLeft    Align = iota // the default, for text
	AlignRight                // for counts
	AlignDecimal              // at the decimal point, for numbers
)

// Describer is a result that makes its own table, as every result of mlreg does.
type Describer interface{ Describe() *Table }

// NewTable returns a table of the columns given. The error is mlreg.ErrNoData if there
// are none, and mlreg.ErrShape names a column whose number of cells differs from that
// of the first.
func NewTable(title string, columns ...Column) (*Table, error) {
	t := &Table{Title: title, Columns: columns}
	if err := t.Check(); err != nil {
		return nil, err
	}
	return t, nil
}

// TextColumn returns a left-aligned column.
func TextColumn(name string, cells ...string) Column {
	return Column{Name: name, Cells: cells}
}

// NumberColumn returns a column of numbers aligned at the decimal point. The
// largest has the given number of significant digits (4 if digits is 0), and
// all have the same number of decimals where their magnitudes allow it. NaN is
// shown as NA.
func NumberColumn(name string, values []float64, digits int) Column {
	if digits <= 0 {
		digits = format.Digits
	}
	return Column{Name: name, Cells: format.Numbers(values, digits), Align: AlignDecimal, Values: values}
}

// DecimalColumn returns a column of numbers with so many decimals each.
func DecimalColumn(name string, values []float64, decimals int) Column {
	return written(name, values, func(v float64) string { return format.Decimal(v, decimals) })
}

// IntColumn returns a right-aligned column of whole numbers.
func IntColumn(name string, values ...int) Column {
	return Column{Name: name, Cells: format.Each(values, strconv.Itoa), Align: AlignRight}
}

// PColumn returns a column of probabilities to four decimals, those below 0.0001
// as "<0.0001".
func PColumn(name string, values []float64) Column {
	return written(name, values, format.PValue)
}

// written is a column of numbers in a form of its own.
func written(name string, values []float64, write func(float64) string) Column {
	return Column{Name: name, Cells: format.Each(values, write), Align: AlignDecimal, Values: values}
}

// Check returns an error if the table has no columns, or if they have unequal
// numbers of cells: mlreg.ErrNoData, and mlreg.ErrShape with the name of the column.
func (t *Table) Check() error {
	if len(t.Columns) == 0 {
		return fmt.Errorf("table %q: %w: it has no columns", t.Title, fault.ErrNoData)
	}
	first := t.Columns[0]
	for _, c := range t.Columns {
		if len(c.Cells) != len(first.Cells) {
			return fmt.Errorf("table %q: %w: column %q has %d cells, column %q has %d",
				t.Title, fault.ErrShape, c.Name, len(c.Cells), first.Name, len(first.Cells))
		}
		if c.Values != nil && len(c.Values) != len(c.Cells) {
			return fmt.Errorf("table %q: %w: column %q has %d values for %d cells", t.Title, fault.ErrShape, c.Name, len(c.Values), len(c.Cells))
		}
	}
	return nil
}

// Column returns the first column of the name, nil if there is none.
func (t *Table) Column(name string) *Column {
	for j := range t.Columns {
		if t.Columns[j].Name == name {
			return &t.Columns[j]
		}
	}
	return nil
}

// Describe returns the table itself.
func (t *Table) Describe() *Table { return t }
