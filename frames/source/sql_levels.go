package source

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/compressed"
)

// This file numbers the cells of factors whose levels the sums find: those of an absorbed factor, which are no columns, and
// those of factors that a design has to learn. The GROUP BY of the sums names them, so that no statement has to list
// the levels before, or to count the rows that they are of.

// levelsMet are the combinations of levels of open keys, numbered as they were met.
type levelsMet struct {
	levels [][]int // by combination and open key
	number map[string]int
	text   []byte
}

// numberOf returns the number of a combination.
func (m *levelsMet) numberOf(levels []int) int {
	m.text = m.text[:0]
	for _, level := range levels {
		m.text = binary.AppendUvarint(m.text, uint64(level))
	}
	i, known := m.number[string(m.text)]
	if !known {
		if m.number == nil {
			m.number = make(map[string]int)
		}
		i = len(m.levels)
		m.number[string(m.text)], m.levels = i, append(m.levels, slices.Clone(levels))
	}
	return i
}

// combinations is how many of them the sums have met, 1 if there are none.
func (w *sqlPlan) combinations() int {
	return max(1, len(w.met.levels))
}

// isOpen tells whether the sums find levels.
func (w *sqlPlan) isOpen() bool {
	return slices.ContainsFunc(w.keys, func(k cellKey) bool { return k.open })
}

// knownCells is how many combinations the levels that are known may have.
func (w *sqlPlan) knownCells() int {
	n := 1
	for _, k := range w.keys {
		if !k.open {
			n *= len(k.levels)
		}
	}
	return n
}

// cellOf returns the number of the cell of values of the keys, beyond which, by multiples of the number of cells, are
// those of other combinations of levels that the sums find.
func (w *sqlPlan) cellOf(values []driver.Value) (int, error) {
	levels, open := make([]int, len(w.keys)), make([]int, 0, len(w.keys))
	for k := range w.keys {
		level, err := w.keys[k].level(values[k])
		if err != nil {
			return 0, err
		}
		if w.keys[k].open {
			open = append(open, level)
		} else {
			levels[k] = level
		}
	}
	cell := w.cells.Cell(levels[len(levels)-len(w.cells.Factors):])
	if len(open) > 0 {
		number := w.met.numberOf(open)
		if !w.absorbs && number >= mostCells {
			return 0, errUndecided
		}
		cell += number * int(w.cells.Most())
	}
	return cell, nil
}

// compareCells orders cells by the texts of the levels that the sums found, and then by those that are known.
func (w *sqlPlan) compareCells(a, b int) int {
	if most := int(w.cells.Most()); a/most != b/most {
		at := 0
		for k := range w.keys {
			key := &w.keys[k]
			if !key.open {
				continue
			}
			if c := strings.Compare(key.levels[w.met.levels[a/most][at]], key.levels[w.met.levels[b/most][at]]); c != 0 {
				return c
			}
			at++
		}
	}
	return cmp.Compare(a, b)
}

// cellsOf has the columns of cells, and their levels of an absorbed factor.
func (w *sqlPlan) cellsOf(found []numberedCell) []compressed.Cell {
	most := int(w.cells.Most())
	var out []compressed.Cell
	for _, c := range found {
		cell := compressed.Cell{Sums: c.sums, Columns: w.cells.Columns(c.number % most)}
		if w.absorbs {
			cell.Level = w.keys[0].levels[w.met.levels[c.number/most][0]]
		}
		out = append(out, cell)
	}
	return out
}

// fewLevels is how many combinations of levels are expected where the first rows do not tell: they are taken for sorted if
// an eighth of them has at most half the levels.
const fewLevels = 256

// expectedLevels is how many combinations of levels the sums may find, by the first rows, and 1 if they find none. The error is
// errUndecided if these rows alone have more levels of a factor than it may have: sums of all would be in vain.
func (w *sqlPlan) expectedLevels(ctx context.Context, s *session) (int, error) {
	if !w.isOpen() {
		return 1, nil
	}
	all, err := w.some(sampled).countLevels(ctx, s)
	if err != nil || w.e.d.RowHash == nil { // without which there are no blocks
		return 1, err
	}
	part, err := w.some(sampled/8).countLevels(ctx, s)
	if all < fewLevels && (all < 2 || 2*part <= all) {
		all = fewLevels
	}
	return all, err
}

// countLevels counts the combinations of levels that the sums find, or bounds their number; errUndecided if a factor has too many.
func (w *sqlPlan) countLevels(ctx context.Context, s *session) (int, error) {
	var items []binding
	var targets []string
	var most []int
	for k, key := range w.keys {
		if key.open {
			most = append(most, key.most)
			name := fmt.Sprintf("%sc%d", w.prefix, k)
			items, targets = append(items, binding{name, key.sql}), append(targets, "count(DISTINCT "+name+")")
		}
	}
	row, err := s.one(ctx, w.from(items, targets, ""), len(targets))
	if err != nil {
		return 0, err
	}
	n := 1.0
	for k, v := range row {
		levels := max(1, numberOrNaN(v))
		if most[k] > 0 && levels > float64(most[k]) {
			return 0, errUndecided
		}
		n *= levels
	}
	return int(min(n, sampled)), nil
}

// levelSums are sums that found the levels of their factors.
type levelSums struct {
	*foundSums
	w *sqlPlan
}

// trialPlan is the plan of a formula that is not learned yet, where its factors have two levels each; nil if there is more
// to learn, levels are absorbed, or they have to be those of the rows.
func trialPlan(l table.Learner) *table.Plan {
	const rows = 1000 // of the two levels, that nothing looks amiss
	for _, need := range l.Needs() {
		if !need.Factor || need.Variable < 0 || l.SetLevels(need.Variable, []string{"0", "1"}, rows) != nil && l.SetLevels(need.Variable, []string{"a", "b"}, rows) != nil {
			return nil
		}
	}
	c, err := l.Coder()
	if err != nil {
		return nil
	}
	p, err := c.Plan()
	if err != nil || len(p.Cells().Factors) == 0 || p.Absorb != "" {
		return nil
	}
	return p
}

// learnBySums finds the levels of all factors of a formula by its sums, which are of a plan that has other levels in
// their place; nil leaves them to statements of their own.
func (e *sqlEngine) learnBySums(ctx context.Context, q query, p *table.Plan, l table.Learner, forced bool) (*levelSums, error) {
	if p == nil {
		return nil, nil
	}
	if !forced {
		if route, _ := e.prefers(ctx, p, true); route != Pushed {
			return nil, nil
		}
	}
	w, err := e.write(ctx, q, p)
	if err != nil {
		return nil, unlessRefused(err)
	}
	if n, known := e.tableRows(ctx); known {
		w.rows = int(n)
	}
	keys := w.keys // of the factors, since none is absorbed
	for k := range keys {
		key := &keys[k]
		key.open, key.most, key.levels = true, l.MaxLevels(), nil
		clear(key.number)
	}
	out := &levelSums{w: w}
	err = e.computed(ctx, func(s *session) error {
		out.foundSums, err = w.atOnce(ctx, s, nil)
		return err
	})
	if err != nil || out.foundSums == nil {
		return nil, unlessRefused(err)
	}
	for k, v := range w.cells.Factors {
		levels := slices.Sorted(slices.Values(keys[k].levels))
		if err := l.SetLevels(v, levels, out.counts.N-out.counts.Omitted); err != nil {
			return nil, err
		}
	}
	l.SetCounts(out.counts)
	return out, nil
}

// cellsOf returns the cells of a plan that has the levels which were found; false if it has other numbers, and is to be summed again.
func (l *levelSums) cellsOf(w *sqlPlan) ([]compressed.Cell, bool) {
	if !slices.Equal(w.columns, l.w.columns) || len(w.keys) != len(l.w.keys) {
		return nil, false
	}
	var out []numberedCell
	most := int(l.w.cells.Most())
	for _, c := range l.cells[0] {
		values := make([]driver.Value, len(w.keys))
		for k := range values {
			values[k] = l.w.keys[k].met[l.w.met.levels[c.number/most][k]]
		}
		number, err := w.cellOf(values)
		if err != nil {
			return nil, false
		}
		out = append(out, numberedCell{number, c.sums})
	}
	return w.cellsOf(out), true
}
