// Package nesting has the levels of groups that an mlreg.Grouping consists of.
package nesting

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/fault"
)

// Level is one level of groups, in ascending order: by parent, then by label.
type Level struct {
	Name   string
	Labels []string // of the groups, with those of the groups around them: "7/2"
	Parent []int    // nil for the outermost level
	Of     []int    // group of every row
}

// Find returns the number of a level by its name; "" is the innermost.
func Find(names []string, level string) (int, error) {
	if level == "" {
		return len(names) - 1, nil
	}
	if l := slices.Index(names, level); l >= 0 {
		return l, nil
	}
	return 0, fmt.Errorf("%w: there is no level %q of groups, but %s", fault.ErrSetting, level, format.Quoted(names))
}

// RowsByGroup returns the rows of every group, and the groups in their order.
func RowsByGroup[T cmp.Ordered](groups []T) (rows map[T][]int, names []T) {
	rows = make(map[T][]int)
	for i, g := range groups {
		if rows[g] == nil {
			names = append(names, g)
		}
		rows[g] = append(rows[g], i)
	}
	slices.Sort(names)
	return rows, names
}
