package frames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"
)

// grouping numbers the groups of the rows of a frame.
type grouping struct {
	numbering
	first  []int   // the first row of every group that has rows
	order  []int32 // the rows by group, in each as in the frame
	starts []int   // where a group starts in order; one more than groups
	places []int   // the number of every row in its group, counted from 1; nil until it is asked for
	cache  map[*call]*column
	data   map[string]*sample
	name   func(row int) string // of the group of a row
}

// newGrouping returns the groups of rows that are equal in all columns, sorted
// by the first column, then by the second, and so on; missing values are equal
// and last.
func (e *evaluator) newGrouping(keys []*column) *grouping {
	rows := e.height()
	all := numbering{ids: make([]int32, rows), n: min(rows, 1)}
	none := make([]bool, rows)
	for k, key := range keys {
		r := key.numbered(true).gapsLast()
		if k == 0 {
			all = r
			continue
		}
		all = ranked(numberCodes(all.within(r), none))
	}
	g := &grouping{numbering: all, cache: make(map[*call]*column), data: make(map[string]*sample)}
	g.name = func(row int) string {
		parts := make([]string, len(keys))
		for k, key := range keys {
			parts[k] = fmt.Sprintf("%s = %s", nameText(key.name), key.at(row))
		}
		return strings.Join(parts, ", ")
	}
	g.arrange()
	return g
}

// arrange lists the rows by group.
func (g *grouping) arrange() {
	g.starts = make([]int, g.n+1)
	for _, id := range g.ids {
		g.starts[id+1]++
	}
	for k := range g.n {
		g.starts[k+1] += g.starts[k]
	}
	next := slices.Clone(g.starts)
	g.order = make([]int32, len(g.ids))
	for i, id := range g.ids {
		g.order[next[id]] = int32(i)
		next[id]++
	}
	g.first = make([]int, g.n)
	for i := len(g.ids) - 1; i >= 0; i-- {
		g.first[g.ids[i]] = i
	}
}

// fresh returns the groups without what was computed of columns.
func (g *grouping) fresh() *grouping {
	if g == nil {
		return nil
	}
	other := *g
	other.cache, other.data = make(map[*call]*column), make(map[string]*sample)
	return &other
}

// rowsOf returns the rows of a group.
func (g *grouping) rowsOf(k int) []int32 { return g.order[g.starts[k]:g.starts[k+1]] }

func init() {
	registerValue("row", valueFunction{params: []string{"..."}, typ: series.Int, order: true, check: checker.rowNumbers, value: (*evaluator).rowNumbers})
}

// rowNumbers checks row().
func (c checker) rowNumbers(n *call) error {
	if len(n.args) > 0 {
		return c.fail(n, "row() is the number of the row and has no arguments")
	}
	return nil
}

// rowNumbers returns the number of every row, in its group if there are groups.
func (e *evaluator) rowNumbers(n *call) (*column, error) {
	if e.groups == nil {
		return e.same(series.Int, func(c *column, i int) { c.num[i] = float64(e.number1(e.row(i))) }), nil
	}
	g := e.groups
	if g.places == nil {
		g.places = make([]int, len(g.order))
		for k := range g.n {
			for place, row := range g.rowsOf(k) {
				g.places[row] = place + 1
			}
		}
	}
	return e.same(series.Int, func(c *column, i int) { c.num[i] = float64(g.places[e.row(i)]) }), nil
}

// oneForEveryRow is the error of a function such as row() or cumsum(x) in Summarise.
func oneForEveryRow(src string, n *call) error {
	if n.fn == "row" {
		return formulaErrorf(ErrSetting, src, n, "row() has a value for every row, not one for every group; n() counts the rows of a group, and Grouped.With numbers them")
	}
	return formulaErrorf(ErrSetting, src, n, "%s has a value for every row, not one for every group; Grouped.With computes it within groups", label(n))
}

// inGroups returns the groups of the evaluator's rows.
func (e *evaluator) inGroups() *grouping {
	if e.groups == nil {
		g := &grouping{numbering: numbering{make([]int32, e.height()), 1}, cache: make(map[*call]*column), data: make(map[string]*sample)}
		g.name = func(int) string { return "" }
		g.arrange()
		e.groups = g
	}
	return e.groups
}

// groupName names the group of a row, after a comma.
func (e *evaluator) groupName(row int) string {
	if name := e.inGroups().name(row); name != "" {
		return ", where " + name
	}
	return ""
}

// isKey returns an error for a column in Summarise that is not the same in all
// rows of a group.
func (e *evaluator) isKey(n *name) error {
	if e.keys == nil || e.keys[n.name] {
		return nil
	}
	return formulaErrorf(ErrSetting, e.src, n, "%s has a value for every row, not one for every group; summarise it, for example mean(%s) or first(%s)",
		label(n), label(n), label(n))
}
