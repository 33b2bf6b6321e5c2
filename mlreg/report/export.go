package report

import (
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/regbook/regbook/internal/format"
)

// CSV returns the rows of the table as comma-separated values (RFC 4180) under a
// line of the columns' names. Numbers have all of their digits, 17 at most, so that
// they read back as they were; missing ones are NA, and cells that do not apply
// are empty. The title and the notes are left out.
func (t *Table) CSV() string {
	if err := t.Check(); err != nil {
		return err.Error()
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	records := [][]string{format.Each(t.Columns, func(c Column) string { return c.Name })}
	for i := range t.Columns[0].Cells {
		records = append(records, format.Each(t.Columns, func(c Column) string { return c.full(i) }))
	}
	if err := w.WriteAll(records); err != nil {
		return err.Error() // a strings.Builder takes everything
	}
	return b.String()
}

// full is a cell with all of its digits.
func (c Column) full(i int) string {
	if c.Values == nil || c.Cells[i] == "" {
		return c.Cells[i]
	}
	v := c.Values[i]
	if math.IsNaN(v) { // a cell without a number may have a text
		return c.Cells[i]
	}
	if math.IsInf(v, 0) {
		return format.Number(v, 1)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Markdown returns the table as GitHub, JupyterLab and pandoc read one: the title in
// bold, the rows between bars, and the notes below.
func (t *Table) Markdown() string {
	if err := t.Check(); err != nil {
		return markdownText(err.Error())
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString("**" + markdownText(t.Title) + "**\n\n")
	}
	row := func(cell func(c Column) string) {
		b.WriteString("| " + strings.Join(format.Each(t.Columns, cell), " | ") + " |\n")
	}
	row(func(c Column) string { return markdownText(c.Name) })
	row(func(c Column) string {
		if c.Align == AlignLeft {
			return ":--"
		}
		return "--:"
	})
	for i := range t.Columns[0].Cells {
		row(func(c Column) string { return markdownText(c.Cells[i]) })
	}
	if len(t.Notes) > 0 {
		lines := format.Each(t.Notes, func(s string) string { return escapeListMark(markdownText(s)) })
		b.WriteString("\n" + strings.Join(lines, "  \n") + "\n")
	}
	return b.String()
}

// escapeListMark escapes what would make a list or a heading of a line that begins
// with it: a sign after blanks and digits.
func escapeListMark(line string) string {
	k := len(line) - len(strings.TrimLeft(strings.TrimLeft(line, " \t"), "0123456789"))
	if k < len(line) && strings.IndexByte("-+=.)", line[k]) >= 0 {
		return line[:k] + `\` + line[k:]
	}
	return line
}

var markdownMarks = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`,
	"[", `\[`, "]", `\]`, "#", `\#`, "|", `\|`, "$", `\$`, "~", `\~`, "!", `\!`)

// markdownText makes Markdown show the characters of a text as they are.
func markdownText(s string) string { return markdownMarks.Replace(format.Line(s)) }

// LaTeX returns the table for a document with \usepackage{booktabs,siunitx}: a table with
// the title as its caption and the notes below the rows, but for those on the algorithm (Method). Numbers stand as they are, in columns
// that siunitx aligns at the decimal point. The Greek letters and the
// signs that tables of this package contain are written as formulas; other characters
// beyond ASCII stand as they are, in UTF-8.
func (t *Table) LaTeX() string {
	if err := t.Check(); err != nil {
		return latexText(err.Error())
	}
	var b strings.Builder
	b.WriteString("\\begin{table}\n\\centering\n")
	if t.Title != "" {
		fmt.Fprintf(&b, "\\caption{%s}\n", latexText(t.Title))
	}
	align := format.Each(t.Columns, Column.latexColumn)
	fmt.Fprintf(&b, "\\begin{tabular}{%s}\n\\toprule\n", strings.Join(align, ""))
	row := func(cells []string) { b.WriteString(strings.Join(cells, " & ") + " \\\\\n") }
	if t.headed() {
		row(format.Each(t.Columns, Column.latexHead))
		b.WriteString("\\midrule\n")
	}
	columns := format.Each(t.Columns, Column.latex)
	for i := range t.Columns[0].Cells {
		row(format.Each(columns, func(cells []string) string { return cells[i] }))
	}
	b.WriteString("\\bottomrule\n")
	for _, note := range t.Notes {
		if slices.Contains(t.Method, note) {
			continue
		}
		fmt.Fprintf(&b, "\\multicolumn{%d}{l}{\\footnotesize %s} \\\\\n", len(t.Columns), latexText(note))
	}
	b.WriteString("\\end{tabular}\n\\end{table}\n")
	return b.String()
}

// latex returns the cells. A number of a decimal column stands as it is, for siunitx to align; other
// cells of it are in braces.
func (c Column) latex() []string {
	return format.Each(c.Cells, func(s string) string {
		switch {
		case c.Align != AlignDecimal:
			return latexText(s)
		case plainNumber.MatchString(s):
			return s
		}
		return "{" + latexText(s) + "}"
	})
}

// latexHead returns the name, in braces above numbers that siunitx aligns.
func (c Column) latexHead() string {
	if c.Align == AlignDecimal {
		return "{" + latexText(c.Name) + "}"
	}
	return latexText(c.Name)
}

// plainNumber is a number that siunitx reads: its sign, digits, decimals and exponent.
var plainNumber = regexp.MustCompile(`^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]+))?$`)

// latexColumn is how a column is declared: l, r, or the S of siunitx with the digits of its numbers.
func (c Column) latexColumn() string {
	if c.Align != AlignDecimal {
		return c.Align.css()[:1]
	}
	var whole, decimals, exponent int
	sign, exponentSign := "", ""
	for _, s := range c.Cells {
		m := plainNumber.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		if m[1] != "" {
			sign = "-"
		}
		if strings.HasPrefix(m[4], "-") {
			exponentSign = "-"
		}
		whole, decimals = max(whole, len(m[2])), max(decimals, len(m[3]))
		exponent = max(exponent, len(strings.Trim(m[4], "+-")))
	}
	if whole == 0 { // no numbers
		return "r"
	}
	digits := fmt.Sprintf("%s%d.%d", sign, whole, decimals)
	if exponent > 0 {
		digits += fmt.Sprintf("e%s%d", exponentSign, exponent)
	}
	return "S[table-format=" + digits + "]"
}

var latexMarks = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`,
	"`", `\textasciigrave{}`, "[", "{[}", "]", "{]}", "*", "{*}", "--", "-{}-", "•", `\textbullet{}`, "...", `\dots{}`,
	"α", `$\alpha$`, "β", `$\beta$`, "γ", `$\gamma$`, "θ", `$\theta$`, "λ", `$\lambda$`, "μ", `$\mu$`, "ν", `$\nu$`, "σ", `$\sigma$`,
	"τ", `$\tau$`, "χ", `$\chi$`, "ε", `$\varepsilon$`, "Σ", `$\Sigma$`, "²", "$^2$", "₀", "$_0$", "₁", "$_1$", "₂", "$_2$", "ⱼ", "$_j$",
	"‖", `$\Vert$`, "≤", `$\le$`, "≥", `$\ge$`, "−", "$-$", "×", `$\times$`, "√", `$\surd$`)

// latexText makes LaTeX show the characters of a text as they are.
func latexText(s string) string { return latexMarks.Replace(format.Line(s)) }
