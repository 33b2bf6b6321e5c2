package frames

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/go-gota/gota/series"
)

// CSVReport says what ReadCSV made of a file.
type CSVReport struct {
	Source    string // the path, if it was read from a file
	Rows      int    // rows of data
	Delimiter rune
	Columns   []ColumnReport
	Repairs   []string // what was changed: names, blank lines, byte order mark
}

// ColumnReport says what ReadCSV made of one column.
type ColumnReport struct {
	Name    string
	Type    series.Type
	Missing int      // missing values
	Marks   []string // the cells that were taken as missing, by first appearance
	Note    string   // a cell that made a column of mostly numbers text, if any
}

// String returns the report as text, a line a column.
func (r CSVReport) String() string {
	var b strings.Builder
	if r.Source != "" {
		fmt.Fprintf(&b, "%s: ", r.Source)
	}
	delimiter := map[rune]string{',': "comma", ';': "semicolon", '\t': "tab"}[r.Delimiter]
	if delimiter == "" {
		delimiter = fmt.Sprintf("%q", r.Delimiter)
	}
	fmt.Fprintf(&b, "%d rows, %d columns, separated by %s\n", r.Rows, len(r.Columns), delimiter)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	var line strings.Builder
	line.WriteString("column\ttype\tmissing\n")
	for _, c := range r.Columns {
		fmt.Fprintf(&line, "%s\t%s\t%s\n", c.Name, c.Type, c.missing())
	}
	if _, err := w.Write([]byte(line.String())); err != nil {
		return err.Error() // a strings.Builder takes every write
	}
	if err := w.Flush(); err != nil {
		return err.Error()
	}
	for _, c := range r.Columns {
		if c.Note != "" {
			fmt.Fprintf(&b, "note: %s: %s\n", c.Name, c.Note)
		}
	}
	for _, s := range r.Repairs {
		fmt.Fprintf(&b, "repaired: %s\n", s)
	}
	return b.String()
}

// missing returns the number of missing values and how they were written.
func (c *ColumnReport) missing() string {
	if c.Missing == 0 {
		return "0"
	}
	marks := make([]string, len(c.Marks))
	for i, m := range c.Marks {
		marks[i] = fmt.Sprintf("%q", m)
	}
	return fmt.Sprintf("%d (%s)", c.Missing, strings.Join(marks, ", "))
}

func (c *ColumnReport) addMissing(cell string) {
	c.Missing++
	if !slices.Contains(c.Marks, cell) {
		c.Marks = append(c.Marks, cell)
	}
}

func (r *CSVReport) repair(format string, args ...any) {
	r.Repairs = append(r.Repairs, fmt.Sprintf(format, args...))
}

// repairNames trims the names of columns, names those that have none by their
// number, and numbers those that repeat an earlier one.
func (r *CSVReport) repairNames(header []string) []string {
	names := make([]string, len(header))
	taken := make(map[string]bool, len(header))
	for j, s := range header {
		names[j] = strings.TrimSpace(s)
		taken[names[j]] = true
	}
	seen := make(map[string]bool, len(header))
	for j, col := range names {
		base, k := col, 2
		if base == "" {
			base = fmt.Sprintf("column%d", j+1)
		}
		fixed := base
		for seen[fixed] || fixed != col && taken[fixed] {
			fixed = fmt.Sprintf("%s_%d", base, k)
			k++
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
