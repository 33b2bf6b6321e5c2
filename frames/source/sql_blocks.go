package source

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"github.com/regbook/regbook/frames"
)

// blockSize is how many rows a block should have, blockValues how many sums all blocks together, and blockGroups how many
// blocks, which a processor's cache holds with what an engine keeps of a group.
const (
	blockSize   = 256
	blockValues = 1 << 16
	blockGroups = 1 << 12
)

// grouping deals the rows of a cell to folds, and those to blocks.
type grouping struct {
	folds, blocks int
	fold          string // the number of the fold; "" if there is one
	levels        int    // combinations of levels that the sums may find, 1 if they find none
}

// grouping writes how n rows are dealt.
func (w *sqlPlan) grouping(ctx context.Context, s *session, n int, f *folding) (by grouping, err error) {
	if by.folds = 1; f != nil {
		by.folds = f.k
		if by.fold, err = w.fold(f); err != nil {
			return by, err
		}
	}
	by.levels, err = w.expectedLevels(ctx, s)
	by.blocks = w.blocksOf(n, by.levels, by.folds)
	return by, err
}

// blocksOf is how many blocks n rows are dealt to in a cell, where levels that sums find have so many combinations.
func (w *sqlPlan) blocksOf(n, levels, folds int) int {
	if w.e.d.RowHash == nil {
		return 1
	}
	m := len(w.columns)
	sums := m*(m+1)/2 + m
	cells := max(1, min(n/blockSize, levels*w.knownCells()))
	return min(1024, n/(cells*blockSize)+1, max(1, 16/cells, min(blockGroups/cells, blockValues/(sums*folds*cells))))
}

// dealt writes the rows' fold and hash, and of these the number of their block. The hash is 0 if there is one block and it is
// not needed otherwise.
func (w *sqlPlan) dealt(by grouping, hashed bool) (rows []binding, key string) {
	h := "0"
	if hash := w.e.d.stampHash(w.used); hash != "" && (hashed || by.blocks > 1) {
		h = "coalesce(" + hash + ", 0)"
	}
	name := w.prefix + "b"
	rows, key = []binding{{name, h}}, fmt.Sprintf("%s %% %d", name, by.blocks)
	if by.folds > 1 {
		name = w.prefix + "g"
		rows, key = append(rows, binding{name, by.fold}), fmt.Sprintf("%s * %d + %s", name, by.blocks, key)
	}
	return rows, "(" + key + ")"
}

// fold writes the number of the fold of a row.
func (w *sqlPlan) fold(f *folding) (string, error) {
	columns := w.used
	if f.key != "" {
		columns = sqlColumns{w.e.columns.named(f.key)}
	}
	h := w.e.d.hash(columns, f.seed^0xf01d)
	if h == "" {
		return "", refuse("%v has no hash function for folds", w.e.d)
	}
	return fmt.Sprintf("(coalesce(%s, 0) %% %d)", h, f.k), nil
}

// sumTarget is a sum, and what takes its value in a block.
type sumTarget struct {
	sql  string
	into func(f *cellSums, x float64)
}

// extraSums are sums of items of rows.
type extraSums struct {
	items []binding
	sums  []sumTarget
}

// sumTargets writes the sums of weights, and of m deviations and their products.
func (w *sqlPlan) sumTargets(m int) (targets []sumTarget) {
	names := make([]string, m)
	for j := range names {
		names[j] = fmt.Sprintf("%sd%d", w.prefix, j)
	}
	times := ""
	if w.weight != "" {
		weight := w.prefix + "w"
		times = weight + " * "
		targets = append(targets,
			sumTarget{"sum(" + weight + ")", func(f *cellSums, x float64) { f.w.add(x) }},
			sumTarget{countIf(weight + " > 0"), func(f *cellSums, x float64) { f.n += int(x) }})
	}
	if w.extra != nil {
		targets = append(targets, w.extra.sums...)
	} else if w.weight != "" {
		weight := w.prefix + "w"
		targets = append(targets, sumTarget{"sum(" + w.e.d.Ln + "(CASE WHEN " + weight + " > 0 THEN " + weight + " ELSE " + w.e.d.number(1) + " END))", func(f *cellSums, x float64) { f.logW.add(x) }})
	}
	for j := range names {
		targets = append(targets, sumTarget{"sum(" + times + names[j] + ")", func(f *cellSums, x float64) { f.d[j].add(x) }})
	}
	for j, off := range w.off {
		if off != "" {
			o := fmt.Sprintf("%so%d", w.prefix, j)
			targets = append(targets, sumTarget{"sum(" + times + o + " * " + o + ")", func(f *cellSums, x float64) { f.noise[j] += x }})
		}
	}
	at := 0
	for j := range names {
		for k := j; k < len(names); k++ {
			place := at
			targets = append(targets, sumTarget{"sum(" + times + names[j] + " * " + names[k] + ")", func(f *cellSums, x float64) { f.p[place].add(x) }})
			at++
		}
	}
	return targets
}

// keyItems writes the keys of the factors.
func (w *sqlPlan) keyItems() (items []binding, keys []string) {
	for k, key := range w.keys {
		name := fmt.Sprintf("%sc%d", w.prefix, k)
		items, keys = append(items, binding{name, key.sql}), append(keys, name)
	}
	return items, keys
}

// deviations writes the keys of the factors, and what sums are of.
func (w *sqlPlan) deviations(passes []columnPass) (items []binding, keys []string) {
	items, keys = w.keyItems()
	for j, x := range w.columns {
		items = append(items, binding{fmt.Sprintf("%sd%d", w.prefix, j), "(" + x + " - " + w.e.d.number(passes[j].shift) + ")"})
		if w.off[j] != "" {
			items = append(items, binding{fmt.Sprintf("%so%d", w.prefix, j), w.off[j]})
		}
	}
	if w.weight != "" {
		items = append(items, binding{w.prefix + "w", w.weight})
	}
	if w.extra != nil {
		items = append(items, w.extra.items...)
	}
	return items, keys
}

// products computes sums of deviations and of their products: of the complete rows, or of all rows, which c counts.
func (w *sqlPlan) products(ctx context.Context, s *session, passes []columnPass, by grouping, c *counting) (*groupSums, error) {
	g := &groupSums{by: by, folds: make([]map[int]*cellSums, by.folds)}
	for k := range g.folds {
		g.folds[k] = make(map[int]*cellSums)
	}
	plan := *w
	items, keys := w.deviations(passes)
	rows, key := w.dealt(by, c != nil)
	var checks []checkTarget
	if c != nil {
		plan.complete = ""
		checks, rows, items, key = c.write(passes, rows, items, key)
	}
	plan.bindings = slices.Concat(w.bindings, rows)
	items = append(items, binding{w.prefix + "k", key})
	keys = append([]string{w.prefix + "k"}, keys...)
	list := append(slices.Clone(keys), "count(*)")
	for _, t := range checks {
		list = append(list, t.sql)
	}
	if c != nil && len(list) > w.e.d.MaxTargets/2 {
		return nil, errUndecided
	}
	for part := range slices.Chunk(w.sumTargets(len(w.columns)), max(1, w.e.d.MaxTargets-len(list))) {
		asked := slices.Clone(list)
		for _, t := range part {
			asked = append(asked, t.sql)
		}
		if w.e.d.BeforeSums != nil {
			if err := s.commands(ctx, "read", w.e.d.BeforeSums(len(asked))); err != nil {
				return nil, err
			}
		}
		b := &block{g: g, checks: checks, sums: part, c: c, first: 1 + len(w.keys), counting: g.asked == 0}
		if err := s.each(ctx, plan.from(items, asked, strings.Join(keys, ", ")), len(asked), func(row []driver.Value) error { return w.addBlock(b, row) }); err != nil {
			return nil, err
		}
		g.asked++
		switch {
		case b.counting:
			g.rows = b.rows
		case b.rows != g.rows:
			return nil, w.e.otherRows()
		}
		list, checks = list[:len(keys)+1], nil
	}
	return g, nil
}

// block is how a row that a database returns is read: the number of the block, values of keys, a count of rows, checks
// and sums.
type block struct {
	g        *groupSums
	c        *counting
	checks   []checkTarget
	sums     []sumTarget
	first    int  // where the count of rows stands
	counting bool // whether the rows are counted
	rows     int  // of all blocks, those that are not complete apart
}

// addBlock adds the sums of a block.
func (w *sqlPlan) addBlock(b *block, row []driver.Value) error {
	number, _ := numberOf(row[0])
	count, _ := numberOf(row[b.first])
	rows, g := int(count), b.g
	if rows == 0 { // the group of no rows at all
		return nil
	}
	some := b.c != nil && int(number) >= g.by.folds*g.by.blocks // are not complete
	if b.c != nil && b.counting {
		if err := b.c.take(int(number), rows, some, b.checks, row[b.first+1:]); err != nil {
			return err
		}
	}
	if some {
		return nil
	}
	fold := int(number) / g.by.blocks
	if fold < 0 || fold >= g.by.folds {
		return errorf(ErrSource, "%v: a group is %v", w.e, row[0])
	}
	b.rows += rows
	g.most = max(g.most, rows)
	cell, err := w.cellOf(row[1:b.first])
	if err != nil {
		return err
	}
	f := g.folds[fold][cell]
	if f == nil {
		f = newCellSums(len(w.columns))
		g.folds[fold][cell] = f
	}
	if b.counting && w.weight == "" {
		f.n += rows
		f.w.add(count)
	}
	for i, t := range b.sums {
		v := row[b.first+1+len(b.checks)+i]
		x, ok := numberOf(v)
		switch {
		case ok && x-x == 0:
			t.into(f, x)
		case b.c != nil:
			return errUndecided
		default:
			return errorf(frames.ErrNotFinite, "a sum of squares or products of the columns of %v is %v; rescale them", w.e, v)
		}
	}
	return nil
}
