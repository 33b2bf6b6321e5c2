package plotting

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/regbook/regbook/mlreg"
)

// Table is a table of named columns, with an optional title above and notes
// below. Show renders it as HTML in a notebook and as aligned text elsewhere.
type Table struct {
	Title   string
	Columns []Column
	Notes   []string // one line each
}

// Column is one column of a table: its heading and one cell a row.
type Column struct {
	Name  string
	Cells []string
	Align Align
}

// Align is how the cells of a column stand below each other.
type Align int

const (
	AlignLeft    Align = iota // the default, for text
	AlignRight                // for counts
	AlignDecimal              // at the decimal point, for numbers
)

// NewTable returns a table of the columns given. The error is mlreg.ErrNoData if
// there are none, and mlreg.ErrShape names a column whose number of cells differs
// from that of the first.
//
//	plotting.NewTable("Norms", plotting.TextColumn("vector", names...), plotting.NumberColumn("norm", norms, 4))
func NewTable(title string, columns ...Column) (*Table, error) {
	t := &Table{Title: title, Columns: columns}
	if err := t.check(); err != nil {
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
		digits = defaultDigits
	}
	return Column{Name: name, Cells: numbers(values, digits), Align: AlignDecimal}
}

// IntColumn returns a right-aligned column of whole numbers.
func IntColumn(name string, values ...int) Column {
	cells := make([]string, len(values))
	for i, v := range values {
		cells[i] = strconv.Itoa(v)
	}
	return Column{Name: name, Cells: cells, Align: AlignRight}
}

// PColumn returns a column of probabilities, formatted by PValue.
func PColumn(name string, values []float64) Column {
	cells := make([]string, len(values))
	for i, v := range values {
		cells[i] = PValue(v)
	}
	return Column{Name: name, Cells: cells, Align: AlignDecimal}
}

func (t *Table) check() error {
	if len(t.Columns) == 0 {
		return fmt.Errorf("plotting: table %q: %w: it has no columns", t.Title, mlreg.ErrNoData)
	}
	rows := len(t.Columns[0].Cells)
	for _, c := range t.Columns {
		if len(c.Cells) != rows {
			return fmt.Errorf("plotting: table %q: %w: column %q has %d cells, column %q has %d",
				t.Title, mlreg.ErrShape, c.Name, len(c.Cells), t.Columns[0].Name, rows)
		}
	}
	return nil
}

// Bundle implements Bundler.
func (t *Table) Bundle() (Bundle, error) {
	if err := t.check(); err != nil {
		return Bundle{}, err
	}
	return Bundle{Text: t.text(), HTML: t.html()}, nil
}

// String returns the table as aligned text.
func (t *Table) String() string {
	if err := t.check(); err != nil {
		return err.Error()
	}
	return t.text()
}

// Spaces as wide as a digit and as a decimal point: the padding that aligns
// decimals in a proportional font with tabular figures.
const (
	figureSpace      = "\u2007"
	punctuationSpace = "\u2008"
)

// padded returns the cells of the column, those of a decimal column filled up
// on the right so that right-aligning them aligns their points.
func (c Column) padded(digit, point string) []string {
	if c.Align != AlignDecimal {
		return c.Cells
	}
	cells := make([]string, len(c.Cells))
	most := 0
	for _, s := range c.Cells {
		most = max(most, tail(s))
	}
	for i, s := range c.Cells {
		fill := most - tail(s)
		if fill > 0 && tail(s) == 0 {
			s += point
			fill--
		}
		cells[i] = s + strings.Repeat(digit, fill)
	}
	return cells
}

// tail returns the number of characters from the decimal point to the end.
func tail(s string) int {
	if i := strings.IndexByte(s, '.'); i >= 0 {
		return utf8.RuneCountInString(s[i:])
	}
	return 0
}

func (t *Table) text() string {
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(t.Title + "\n")
	}
	columns := make([][]string, len(t.Columns))
	widths := make([]int, len(t.Columns))
	for j, c := range t.Columns {
		columns[j] = append([]string{c.Name}, c.padded(" ", " ")...)
		for i, s := range columns[j] {
			columns[j][i] = oneLine.Replace(s)
			widths[j] = max(widths[j], textWidth(columns[j][i]))
		}
	}
	for i := range columns[0] {
		if i == 0 && !t.headed() {
			continue
		}
		var line strings.Builder
		for j, c := range t.Columns {
			if j > 0 {
				line.WriteString("  ")
			}
			cell := columns[j][i]
			fill := strings.Repeat(" ", widths[j]-textWidth(cell))
			if c.Align == AlignLeft {
				line.WriteString(cell + fill)
			} else {
				line.WriteString(fill + cell)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	for _, note := range t.Notes {
		b.WriteString(note + "\n")
	}
	return b.String()
}

// oneLine sets the lines of a cell side by side, as HTML does.
var oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")

// headed reports whether any column has a name.
func (t *Table) headed() bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Name != "" })
}

// textWidth counts the characters of s, combining accents left out.
func textWidth(s string) int {
	n := 0
	for _, r := range s {
		if r < 0x0300 || r > 0x036F {
			n++
		}
	}
	return n
}

func (t *Table) html() string {
	var b strings.Builder
	b.WriteString("<table>\n")
	if t.Title != "" {
		fmt.Fprintf(&b, "<caption style=\"text-align:left\"><b>%s</b></caption>\n", escapeHTML(t.Title))
	}
	if t.headed() {
		b.WriteString("<thead><tr>")
		for _, c := range t.Columns {
			fmt.Fprintf(&b, "<th style=\"text-align:%s\">%s</th>", c.Align.css(), escapeHTML(c.Name))
		}
		b.WriteString("</tr></thead>\n")
	}
	b.WriteString("<tbody>\n")
	columns := make([][]string, len(t.Columns))
	for j, c := range t.Columns {
		columns[j] = c.padded(figureSpace, punctuationSpace)
	}
	for i := range columns[0] {
		b.WriteString("<tr>")
		for j, c := range t.Columns {
			fmt.Fprintf(&b, "<td style=\"text-align:%s\">%s</td>", c.Align.css(), escapeHTML(columns[j][i]))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n")
	if len(t.Notes) > 0 {
		b.WriteString("<tfoot>\n")
		for _, note := range t.Notes {
			fmt.Fprintf(&b, "<tr><td colspan=\"%d\" style=\"text-align:left\">%s</td></tr>\n", len(t.Columns), escapeHTML(note))
		}
		b.WriteString("</tfoot>\n")
	}
	b.WriteString("</table>")
	return b.String()
}

func (a Align) css() string {
	if a == AlignLeft {
		return "left"
	}
	return "right"
}

// mathDelimiters are set off in elements of their own, where the TeX
// typesetters of notebooks, which look for pairs within one text, do not find
// them.
var mathDelimiters = strings.NewReplacer("$", "<span>$</span>", `\`, `<span>\</span>`)

// escapeHTML makes a cell show its characters as they are.
func escapeHTML(s string) string {
	return mathDelimiters.Replace(html.EscapeString(s))
}
