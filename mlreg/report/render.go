package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/regbook/regbook/internal/format"
)

// String returns the table as aligned text, or its Line.
func (t *Table) String() string {
	if t.Line != "" {
		return format.Line(t.Line)
	}
	if err := t.Check(); err != nil {
		return err.Error()
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(format.Line(t.Title) + "\n")
	}
	columns := make([][]string, len(t.Columns))
	widths := make([]int, len(t.Columns))
	for j, c := range t.Columns {
		columns[j] = append([]string{c.Name}, c.padded(" ", " ")...)
		for i, s := range columns[j] {
			columns[j][i] = format.Line(s)
			widths[j] = max(widths[j], textWidth(columns[j][i]))
		}
	}
	for i := range columns[0] {
		if i > 0 || t.headed() {
			b.WriteString(t.line(columns, widths, i))
		}
	}
	for _, note := range t.Notes {
		b.WriteString(format.Line(note) + "\n")
	}
	return b.String()
}

// line is a row of the text, the heading if i = 0.
func (t *Table) line(columns [][]string, widths []int, i int) string {
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
	return strings.TrimRight(line.String(), " ") + "\n"
}

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
		most = max(most, afterPoint(s))
	}
	for i, s := range c.Cells {
		fill := most - afterPoint(s)
		if fill > 0 && afterPoint(s) == 0 {
			s += point
			fill--
		}
		cells[i] = s + strings.Repeat(digit, fill)
	}
	return cells
}

// afterPoint returns the number of characters from the decimal point to the end.
func afterPoint(s string) int {
	if i := strings.IndexByte(s, '.'); i >= 0 {
		return utf8.RuneCountInString(s[i:])
	}
	return 0
}

// HTML returns the table as an HTML table, which shows every character of names
// and cells: neither a browser nor the typesetter of formulas takes one for its own.
func (t *Table) HTML() string {
	if err := t.Check(); err != nil {
		return "<p>" + format.HTML(err.Error()) + "</p>"
	}
	var b strings.Builder
	b.WriteString("<table>\n")
	if t.Title != "" {
		fmt.Fprintf(&b, "<caption style=\"text-align:left\"><b>%s</b></caption>\n", format.HTML(t.Title))
	}
	if t.headed() {
		b.WriteString("<thead><tr>")
		for _, c := range t.Columns {
			fmt.Fprintf(&b, "<th style=\"text-align:%s\">%s</th>", c.Align.css(), format.HTML(c.Name))
		}
		b.WriteString("</tr></thead>\n")
	}
	b.WriteString("<tbody>\n")
	columns := format.Each(t.Columns, func(c Column) []string { return c.padded(figureSpace, punctuationSpace) })
	for i := range columns[0] {
		b.WriteString("<tr>")
		for j, c := range t.Columns {
			fmt.Fprintf(&b, "<td style=\"text-align:%s\">%s</td>", c.Align.css(), format.HTML(columns[j][i]))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n")
	if len(t.Notes) > 0 {
		b.WriteString("<tfoot>\n")
		for _, note := range t.Notes {
			fmt.Fprintf(&b, "<tr><td colspan=\"%d\" style=\"text-align:left\">%s</td></tr>\n", len(t.Columns), format.HTML(note))
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
