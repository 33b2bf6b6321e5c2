package frames

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/wholefile"
)

// WriteCSVSettings are the options of WriteCSV and FormatCSV.
type WriteCSVSettings struct {
	// Delimiter separates cells, a comma by default.
	Delimiter rune
	// NA stands for a missing value, "NA" by default.
	NA string
	// Spreadsheet puts an apostrophe before texts that a spreadsheet would take for a
	// formula: those that begin with =, +, -, @, a tab or a carriage return. A file of
	// names that strangers typed is safe to open then. Numbers stay as they are.
	Spreadsheet bool
}

// WriteCSV writes a frame to a file such that ReadCSV reads it back to the bit:
// numbers with as many digits as they have (gota writes six decimals), whole numbers
// of a float column as 2.0, missing values as NA, cells in quotes where they need
// them. Nil settings are the defaults. A file that exists is replaced only when
// everything was written.
//
// CSV does not tell text from what looks like it. A text equal to NA is ErrSetting,
// with its column and row. To read texts like "007", "null" or "" back as text, set
// CSVSettings.Types for the column, and CSVSettings.NA to the mark written.
func WriteCSV(path string, df dataframe.DataFrame, settings *WriteCSVSettings) error {
	return wholefile.Write(path, func(w io.Writer) error { return FormatCSV(w, df, settings) })
}

// FormatCSV is WriteCSV to a writer.
func FormatCSV(w io.Writer, df dataframe.DataFrame, settings *WriteCSVSettings) error {
	if w == nil {
		return errorf(ErrSetting, "the writer is nil")
	}
	s, err := settings.orDefaults()
	if err != nil {
		return err
	}
	if df.Err != nil || df.Ncol() == 0 {
		return checkFrame(df)
	}
	names := df.Names()
	columns := make([]func(row int) (string, error), len(names))
	first, values := make(map[string]int, len(names)), columnsByReference(df)
	for j, name := range names {
		if k, again := first[name]; again {
			return errorf(ErrSetting, "two columns have the name %q: %d and %d", name, k+1, j+1)
		}
		first[name] = j
		columns[j] = s.cells(name, values[name])
	}
	out := bufio.NewWriterSize(w, 1<<16)
	s.header(out, names)
	for i := range df.Nrow() {
		if err := s.line(out, len(names), func(j int) (string, error) { return columns[j](i) }); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("frames: %w", err)
	}
	return nil
}

// orDefaults returns the settings with their defaults.
func (settings *WriteCSVSettings) orDefaults() (WriteCSVSettings, error) {
	s := WriteCSVSettings{}
	if settings != nil {
		s = *settings
	}
	s.Delimiter, s.NA = cmp.Or(s.Delimiter, ','), cmp.Or(s.NA, "NA")
	if s.Delimiter == '"' || s.Delimiter == '\n' || s.Delimiter == '\r' || strings.ContainsRune(s.NA, s.Delimiter) {
		return s, errorf(ErrSetting, "Delimiter is %q", s.Delimiter)
	}
	return s, nil
}

// header writes the names of the columns.
func (s *WriteCSVSettings) header(out *bufio.Writer, names []string) {
	_ = s.line(out, len(names), func(j int) (string, error) { return s.text(names[j]), nil }) // names have no errors
}

// line writes cells with delimiters between them. Errors are those of cells; those of writing
// come with Flush.
func (s *WriteCSVSettings) line(out *bufio.Writer, n int, cell func(j int) (string, error)) error {
	for j := range n {
		if j > 0 {
			out.WriteRune(s.Delimiter)
		}
		c, err := cell(j)
		if err != nil {
			return err
		}
		if c == "" && n == 1 {
			c = `""` // not a blank line
		}
		out.WriteString(c)
	}
	out.WriteByte('\n')
	return nil
}

// cells returns what writes the cells of a column.
func (s *WriteCSVSettings) cells(name string, col series.Series) func(row int) (string, error) {
	missing := col.IsNaN()
	write := func(row int) (string, error) { return col.Elem(row).String(), nil }
	switch col.Type() {
	case series.Float:
		values := col.Float()
		whole := !slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) && !math.IsNaN(v) })
		write = func(row int) (string, error) {
			return floatCell(values[row], whole), nil
		}
	case series.String:
		write = func(row int) (string, error) {
			return s.textCell(name, col.Elem(row).String(), row)
		}
	}
	return func(row int) (string, error) {
		if missing[row] {
			return s.NA, nil
		}
		return write(row)
	}
}

// floatCell is a number as a cell; point has whole ones be told from those of an int column.
func floatCell(v float64, point bool) string {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	switch {
	case math.IsInf(v, 0):
		return strings.TrimPrefix(text, "+")
	case point && !strings.ContainsAny(text, "e."):
		return text + ".0"
	}
	return text
}

// textCell is a text of a column and row as a cell.
func (s *WriteCSVSettings) textCell(column, text string, row int) (string, error) {
	if text == s.NA {
		return "", errorf(ErrSetting, "column %q has the text %q in row %d, which marks missing values: set WriteCSVSettings.NA to another mark", column, text, row+1)
	}
	return s.text(text), nil
}

// writeBlocks writes a header and returns what writes the rows of a block as WriteCSV does.
func writeBlocks(w io.Writer, fields []table.Field, point []bool, settings *WriteCSVSettings) (func(*table.Block) error, error) {
	s, err := settings.orDefaults()
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	names := make([]string, len(fields))
	for j, f := range fields {
		names[j] = f.Name
	}
	s.header(out, names)
	return func(b *table.Block) error {
		columns := make([]*table.Column, len(fields))
		for j, f := range fields {
			if columns[j] = b.Column(f.Name); columns[j] == nil {
				return errorf(ErrNoColumn, "no column %q", f.Name)
			}
		}
		for i := range b.N {
			err := s.line(out, len(columns), func(j int) (string, error) {
				return s.blockCell(columns[j], fields[j].Type, i, b.Number(i), point[j])
			})
			if err != nil {
				return err
			}
		}
		if err := out.Flush(); err != nil {
			return fmt.Errorf("frames: %w", err)
		}
		return nil
	}, out.Flush()
}

// blockCell is row i of a block, row of its table, as a cell of the type given.
func (s *WriteCSVSettings) blockCell(c *table.Column, typ series.Type, i, row int, point bool) (string, error) {
	switch {
	case c.Missing[i]:
		return s.NA, nil
	case c.Type == series.String:
		return s.textCell(c.Name, c.Text[i], row)
	case c.Type == series.Bool:
		return strconv.FormatBool(c.Num[i] != 0), nil
	case typ == series.Int:
		if v, ok := table.Int(c.Num[i], c.LowAt(i)); ok {
			return strconv.Itoa(v), nil
		}
	}
	if low := c.LowAt(i); low != 0 {
		return table.WholeText(c.Num[i], low), nil
	}
	return floatCell(c.Num[i], point && typ == series.Float), nil
}

// text is a text as a cell.
func (s *WriteCSVSettings) text(t string) string {
	if s.Spreadsheet && t != "" && strings.ContainsRune("=+-@\t\r", rune(t[0])) {
		t = "'" + t
	}
	quoted := strings.ContainsRune(t, s.Delimiter) || strings.ContainsAny(t, "\"\n\r") ||
		strings.TrimFunc(t, unicode.IsSpace) != t || strings.HasPrefix(t, "\ufeff")
	if !quoted {
		return t
	}
	return `"` + strings.ReplaceAll(t, `"`, `""`) + `"`
}
