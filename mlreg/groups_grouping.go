package mlreg

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/nesting"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Grouping says which group every row belongs to: pupils in schools, purchases of
// people. Groups may nest, classes in schools (NestGroups). A Grouping does not change.
type Grouping struct {
	levels []nesting.Level // outermost first
}

func init() {
	door.GroupsOf = func(grouping any) []nesting.Level { return grouping.(*Grouping).levels }
}

// NewGrouping returns the grouping of rows by their labels, one for each row. Groups
// are in ascending order of their labels. The error names a grouping without name
// (ErrSetting) or without labels (ErrNoData).
func NewGrouping[T cmp.Ordered](name string, labels []T) (*Grouping, error) {
	return nestLabels(nil, name, labels)
}

// NestGroups divides the groups of outer by further labels of the same rows: a class 2
// of school 7 is the group "7/2", another one than class 2 of school 8. The level is
// named "school/class", of the names of both. Errors are those of NewGrouping, and
// ErrShape if there is not one label for each row.
func NestGroups[T cmp.Ordered](outer *Grouping, name string, labels []T) (*Grouping, error) {
	if err := args.Given("the outer grouping", outer); err != nil {
		return nil, err
	}
	if outer.rows() != len(labels) {
		return nil, fmt.Errorf("%w: %d labels of %q, and %d rows in the groups of %q", ErrShape, len(labels), name, outer.rows(), outer.last().Name)
	}
	return nestLabels(outer, name, labels)
}

func nestLabels[T cmp.Ordered](outer *Grouping, name string, labels []T) (*Grouping, error) {
	if name == "" || strings.Contains(name, "/") {
		return nil, fmt.Errorf("%w: %q is no name of a grouping; give it that of its column, without a slash", ErrSetting, name)
	}
	if len(labels) == 0 {
		return nil, fmt.Errorf("%w: grouping %q has no labels", ErrNoData, name)
	}
	type key struct {
		parent int
		label  T
	}
	parent := func(int) int { return 0 }
	if outer != nil {
		parent = func(row int) int { return outer.last().Of[row] }
	}
	number := make(map[key]int)
	var keys []key
	for i, label := range labels {
		if label != label {
			return nil, fmt.Errorf("%w: the label of row %d in grouping %q is NaN; leave the row out", ErrNotFinite, i, name)
		}
		k := key{parent(i), label}
		if _, seen := number[k]; !seen {
			number[k] = 0
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.parent, b.parent), cmp.Compare(a.label, b.label))
	})
	level := nesting.Level{Name: name, Of: make([]int, len(labels))}
	out := &Grouping{}
	if outer != nil {
		out.levels = slices.Clone(outer.levels)
		level.Name = outer.last().Name + "/" + name
		level.Parent = make([]int, len(keys))
	}
	for g, k := range keys {
		number[k] = g
		text := fmt.Sprint(k.label)
		if v, ok := any(k.label).(float64); ok {
			text = strconv.FormatFloat(v, 'f', -1, 64) // 1000000, not 1e+06
		}
		if outer != nil {
			level.Parent[g] = k.parent
			text = outer.last().Labels[k.parent] + "/" + text
		}
		level.Labels = append(level.Labels, text)
	}
	for i, label := range labels {
		level.Of[i] = number[key{parent(i), label}]
	}
	out.levels = append(out.levels, level)
	return out, nil
}

// Rows returns the grouping of some rows, counted from 0, in that order: the groups are
// those of all rows, of which some may be empty now. It panics if a row is out of range.
func (g *Grouping) Rows(rows ...int) *Grouping {
	out := &Grouping{levels: slices.Clone(g.levels)}
	for l := range out.levels {
		of := make([]int, len(rows))
		for k, i := range rows {
			of[k] = g.levels[l].Of[i]
		}
		out.levels[l].Of = of
	}
	return out
}

func (g *Grouping) last() *nesting.Level { return &g.levels[len(g.levels)-1] }

func (g *Grouping) rows() int { return len(g.last().Of) }

// NObs returns the number of rows.
func (g *Grouping) NObs() int { return g.rows() }

// Levels returns the names of the levels, the outermost first.
func (g *Grouping) Levels() []string {
	return format.Each(g.levels, func(l nesting.Level) string { return l.Name })
}

// Labels returns the labels of the groups of a level, in order. An unknown level is
// ErrSetting.
func (g *Grouping) Labels(level string) ([]string, error) {
	l, err := nesting.Find(g.Levels(), level)
	if err != nil {
		return nil, err
	}
	return slices.Clone(g.levels[l].Labels), nil
}

// RowsOf returns the rows of every group of a level, counted from 0; "" is the innermost
// level. An unknown level is ErrSetting.
func (g *Grouping) RowsOf(level string) ([][]int, error) {
	l, err := nesting.Find(g.Levels(), level)
	if err != nil {
		return nil, err
	}
	out := make([][]int, len(g.levels[l].Labels))
	for i, of := range g.levels[l].Of {
		out[of] = append(out[of], i)
	}
	return out, nil
}

// GobEncode implements gob.GobEncoder.
func (g *Grouping) GobEncode() ([]byte, error) { return stream.Encode(g, g.levels) }

// GobDecode implements gob.GobDecoder.
func (g *Grouping) GobDecode(b []byte) error { return gobDecode(b, g, &g.levels) }

// restored looks at the numbers of groups, which rows and levels are found by.
func (g *Grouping) restored() error {
	if len(g.levels) == 0 {
		return fmt.Errorf("%w: no level of groups", ErrNoData)
	}
	outside := func(groups []int, labels []string) bool {
		return slices.ContainsFunc(groups, func(k int) bool { return k < 0 || k >= len(labels) })
	}
	for i := range g.levels {
		l := &g.levels[i]
		if outside(l.Of, l.Labels) || len(l.Of) != len(g.levels[0].Of) ||
			i > 0 && (len(l.Parent) != len(l.Labels) || outside(l.Parent, g.levels[i-1].Labels)) {
			return fmt.Errorf("%w: the rows of level %q do not fit its groups", ErrShape, l.Name)
		}
	}
	return nil
}

// Describe returns the levels as a table.
func (g *Grouping) Describe() *report.Table {
	if g == nil || len(g.levels) == 0 {
		return tables.Rows("Groups")
	}
	least, most := make([]int, len(g.levels)), make([]int, len(g.levels))
	for l, level := range g.levels {
		count := make([]int, len(level.Labels))
		for _, of := range level.Of {
			count[of]++
		}
		least[l], most[l] = slices.Min(count), slices.Max(count)
	}
	return tables.Rows("Groups",
		tables.Text("level", g.levels, func(l nesting.Level) string { return l.Name }),
		tables.Int("groups", g.levels, func(l nesting.Level) int { return len(l.Labels) }),
		report.IntColumn("least rows", least...), report.IntColumn("most rows", most...))
}

// String writes the levels as text.
func (g *Grouping) String() string { return g.Describe().String() }
