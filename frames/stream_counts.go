package frames

import (
	"slices"

	"github.com/regbook/regbook/frames/internal/table"
)

func countsOf(t *Terms) table.Counts {
	c := table.Counts{N: t.N, Omitted: t.Omitted, Missing: make(map[string]int)}
	for _, m := range t.Missing {
		c.Missing[m.Column] += m.Count
	}
	c.Round(t.Rounded...)
	return c
}

// checkCounts returns an error if no row is left, or if a column has no values.
func checkCounts(c table.Counts, used []string) error {
	if c.N == 0 {
		return errorf(ErrNoRows, "there are no rows")
	}
	for _, col := range used {
		if c.Missing[col] == c.N {
			return errorf(ErrMissing, "column %q has no values: all %d are missing", col, c.N)
		}
	}
	if c.Omitted == c.N {
		return noCompleteRow(c.N, missingCounts(c, used))
	}
	return nil
}

// missingCounts returns the counts of missing values in the order in which the formula
// uses the columns, and after them those of expressions.
func missingCounts(c table.Counts, used []string) []MissingCount {
	var counts []MissingCount
	seen := make(map[string]bool)
	for _, col := range used {
		if n := c.Missing[col]; n > 0 {
			counts = append(counts, MissingCount{col, n})
			seen[col] = true
		}
	}
	var rest []string
	for name := range c.Missing {
		if !seen[name] && c.Missing[name] > 0 {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	for _, name := range rest {
		counts = append(counts, MissingCount{name, c.Missing[name]})
	}
	return counts
}
