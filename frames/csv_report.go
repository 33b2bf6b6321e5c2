package frames

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/internal/format"
)

// CSVReport describes how ReadCSV read a file.
type CSVReport struct {
	Source    string // the path, if it was read from a file
	Rows      int    // rows of data
	Delimiter rune
	Columns   []ColumnReport
	Repairs   []string // changes other than to cells: names, lines, byte order mark
}

// ColumnReport describes how ReadCSV read one column.
type ColumnReport struct {
	Name    string
	Type    series.Type
	Missing int          // missing values
	Marks   []CellCount  // the cells that were taken as missing, by first appearance
	Changes []CellChange // other changes to cells, by first appearance
	Note    string       // why a column of mostly numbers or dates is text, "" if it is not
	Dates   string       // how its dates were written, such as day/month/year; "" if it has none
}

// CellCount counts equal cells of a column.
type CellCount struct {
	Cell  string
	Count int
	Row   int // the first of them, counted from 1
}

// CellChange counts the cells of a column that ReadCSV changed in one way.
type CellChange struct {
	What  string // for example, leading zeros dropped
	Count int
	Row   int    // the first of them, counted from 1
	Cell  string // as it is in the file
}

// String returns the report as text, one line per column.
func (r CSVReport) String() string {
	var b strings.Builder
	if r.Source != "" {
		fmt.Fprintf(&b, "%s: ", format.Line(r.Source))
	}
	delimiter := cmp.Or(map[rune]string{',': "comma", ';': "semicolon", '\t': "tab"}[r.Delimiter], fmt.Sprintf("%q", r.Delimiter))
	fmt.Fprintf(&b, "%d rows, %d columns, separated by %s\n", r.Rows, len(r.Columns), delimiter)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	var line strings.Builder
	line.WriteString("column\ttype\tmissing\n")
	for _, c := range r.Columns {
		fmt.Fprintf(&line, "%s\t%s\t%s\n", format.Line(c.Name), c.kind(), c.missing())
	}
	if _, err := w.Write([]byte(line.String())); err != nil {
		return err.Error() // a strings.Builder takes every write
	}
	if err := w.Flush(); err != nil {
		return err.Error()
	}
	for _, c := range r.Columns {
		if c.Note != "" {
			fmt.Fprintf(&b, "note: %s: %s\n", format.Line(c.Name), format.Line(c.Note))
		}
	}
	for _, c := range r.Columns {
		if c.Dates != "" {
			fmt.Fprintf(&b, "dates: %s: read as %s\n", format.Line(c.Name), c.Dates)
		}
		for _, change := range c.Changes {
			fmt.Fprintf(&b, "changed: %s: %s: %q in row %d%s\n", format.Line(c.Name), change.What, change.Cell, change.Row, others(change.Count-1))
		}
	}
	for _, s := range r.Repairs {
		fmt.Fprintf(&b, "repaired: %s\n", format.Line(s))
	}
	return b.String()
}

// kind returns the type, which is date for text in ISO form.
func (c *ColumnReport) kind() string {
	if c.Dates != "" {
		return "date"
	}
	return string(c.Type)
}

// missing returns the number of missing values and how they were written.
func (c *ColumnReport) missing() string {
	if c.Missing == 0 {
		return "0"
	}
	marks := make([]string, len(c.Marks))
	for i, m := range c.Marks {
		marks[i] = fmt.Sprintf("%q in row %d%s", m.Cell, m.Row, others(m.Count-1))
	}
	return fmt.Sprintf("%d (%s)", c.Missing, strings.Join(marks, ", "))
}

// others says how many more cells are like the one named.
func others(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// addMissing counts missing cells, the first of which is in the row given, from 0.
func (c *ColumnReport) addMissing(cells CellCount) {
	cells.Row++
	c.Missing += cells.Count
	c.Marks = counted(c.Marks, cells)
}

// counted adds cells to those counted so far.
func counted(all []CellCount, more CellCount) []CellCount {
	for k := range all {
		if same := &all[k]; same.Cell == more.Cell {
			same.Count += more.Count
			same.Row = min(same.Row, more.Row)
			return all
		}
	}
	more.Cell = strings.Clone(more.Cell) // of a piece, whose memory is used again
	return append(all, more)
}

func (c *ColumnReport) change(what string, row int, cell string) {
	for k := range c.Changes {
		if c.Changes[k].What == what {
			c.Changes[k].Count++
			return
		}
	}
	c.Changes = append(c.Changes, CellChange{what, 1, row + 1, cell})
}

// skipped reports lines that are not rows.
func (r *CSVReport) skipped(kind string, count, first int) {
	switch {
	case count == 1:
		r.repair("%s line %d skipped", kind, first)
	case count > 1:
		r.repair("%d %s lines skipped, the first is line %d", count, kind, first)
	}
}

func (r *CSVReport) repair(format string, args ...any) {
	r.Repairs = append(r.Repairs, fmt.Sprintf(format, args...))
}

// repairNames trims the names of columns that are not in quotes, names those
// that have none by their number, and numbers those that repeat an earlier one.
func (r *CSVReport) repairNames(header []string, how []mark) []string {
	names := make([]string, len(header))
	taken := make(map[string]bool, len(header))
	for j, s := range header {
		if names[j] = s; how[j]&quotedCell == 0 {
			names[j] = strings.TrimSpace(s)
		}
		if (len(names[j]) != len(s) || how[j]&spacedCell != 0) && names[j] != "" {
			r.repair("blanks around the name %q of column %d dropped", names[j], j+1)
		}
		taken[names[j]] = true
	}
	seen := make(map[string]bool, len(header))
	numbers := make(map[string]int) // the last that a name got
	for j, col := range names {
		base := cmp.Or(col, fmt.Sprintf("column%d", j+1))
		fixed, k := base, max(numbers[base], 1)
		for seen[fixed] || fixed != col && taken[fixed] {
			k++
			fixed = fmt.Sprintf("%s_%d", base, k)
		}
		if k > 1 {
			numbers[base] = k
		}
		if col == "" {
			r.repair("column %d had no name; it is %q", j+1, fixed)
		} else if fixed != col {
			r.repair("column %d was again named %q; it is %q", j+1, col, fixed)
		}
		seen[fixed] = true
		names[j] = fixed
	}
	return names
}
