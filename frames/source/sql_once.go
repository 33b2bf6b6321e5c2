package source

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/regbook/regbook/frames/internal/table"
)

// This file has one statement compute all that sums need. Deviations are from shifts that a few rows tell. Whether these
// rows lie, all rows say: the bound of rounding (cellSums.check) is of their sums, and columns that seem to be of whole
// numbers are looked at in every row. Another statement follows if the shifts lie too far from the means.

// errUndecided says that passes have to tell what is wrong with a row, or how often.
var errUndecided = errors.New("passes have to decide")

// sampled is how many rows of a table tell the shifts.
const sampled = 1 << 12

// atOnce computes the sums by one statement, or by a second one about better shifts; nil leaves them to passes.
func (w *sqlPlan) atOnce(ctx context.Context, s *session, f *folding) (found *foundSums, err error) {
	err = s.undoing(ctx, func() error {
		passes, n, err := w.guess(ctx, s)
		if err != nil {
			return err
		}
		if w.rows > 0 {
			n = w.rows
		}
		by, err := w.grouping(ctx, s, n, f)
		if err != nil {
			return err
		}
		for range mostShifts {
			c := w.counting(by)
			if err := w.agree(ctx, s, passes); err != nil {
				return err
			}
			g, err := w.products(ctx, s, passes, by, c)
			if err != nil {
				return err
			}
			if g.rows == 0 {
				return errUndecided
			}
			for j, broken := range c.broken {
				passes[j].whole = passes[j].whole && !broken
			}
			if more := w.blocksOf(g.rows, w.combinations(), by.folds); more > 2*by.blocks { // many more rows, or fewer levels, than were expected
				by.blocks = more
				g.total(len(passes), g.folds...).correct(passes)
				continue
			}
			cells, again, err := g.finish(w, passes)
			switch {
			case err != nil:
				return err
			case !again:
				found, err = w.counted(ctx, s, c, g)
				if err == nil {
					found.cells = cells
				}
				return err
			}
		}
		return errUndecided
	})
	if errors.Is(err, errUndecided) || w.e.d.outOfRange(err) {
		return nil, nil
	}
	return found, err
}

// guess finds what some rows tell of the columns, and how many rows there may be.
func (w *sqlPlan) guess(ctx context.Context, s *session) ([]columnPass, int, error) {
	some := w.some(sampled)
	n, passes := 0, make([]columnPass, len(w.columns))
	err := some.eachFirst(ctx, s, func(from, to int, row []driver.Value) error {
		count, _ := numberOf(row[0])
		n = int(count)
		for j := from; j < to; j++ {
			if passes[j].whole = true; n == 0 {
				continue
			}
			var err error
			if passes[j], err = w.firstOf(j, n, row[1+firstEach*(j-from):]); err != nil {
				return errUndecided
			}
		}
		return nil
	})
	const most, many = 32, 1 << 30 // times as many rows as were complete
	if n *= most; n >= most*sampled {
		n = many
	}
	return passes, n, err
}

// some is the plan on so many rows of the table.
func (w *sqlPlan) some(rows int) *sqlPlan {
	texts := w.where + w.complete
	for _, b := range w.bindings {
		texts += b.sql
	}
	var refs []string
	for _, c := range w.e.columns {
		if strings.Contains(texts, c.Ref) {
			refs = append(refs, c.Ref)
		}
	}
	some := *w
	some.e = w.e.as(func(e *sqlEngine) {
		e.relation = fmt.Sprintf("(SELECT %s FROM %s LIMIT %d) AS regbook_some", strings.Join(refs, ", "), w.e.relation, rows)
	})
	return &some
}

// counting is what a statement counts of all rows besides their sums.
type counting struct {
	w     *sqlPlan
	rest  int  // numbers are below it in complete rows, and that many times the pattern in others
	tells bool // whether they tell the columns

	broken  []bool               // columns with a number that is not whole
	ranges  [][eachRange]float64 // of the inputs of bases, and how many are beyond
	omitted int
	missing []int // by the columns used
	sum     uint64
}

// mostPatterns bounds the groups of rows that are not complete.
const mostPatterns = 1 << 12

func (w *sqlPlan) counting(by grouping) *counting {
	c := &counting{w: w, rest: by.folds * by.blocks, broken: make([]bool, len(w.columns)), ranges: make([][eachRange]float64, len(w.ranged)), missing: make([]int, len(w.used))}
	for k := range c.ranges {
		c.ranges[k] = [eachRange]float64{math.Inf(1), math.Inf(-1)}
	}
	c.tells = math.Ldexp(float64(by.levels*w.knownCells()), len(w.used)) <= mostPatterns
	return c
}

// checkTarget is a value of a group of rows, and what takes it; false leaves the sums to passes. Of groups that are not
// complete only those for all are taken.
type checkTarget struct {
	sql  string
	all  bool
	take func(v driver.Value, rows int) bool
}

// write writes the checks of all rows, and what they need of the rows and of the columns.
func (c *counting) write(passes []columnPass, rows, items []binding, key string) ([]checkTarget, []binding, []binding, string) {
	w := c.w
	m := w.prefix + "m"
	rows = append(rows, binding{m, c.pattern()})
	key = fmt.Sprintf("%s + %d * %s", w.e.d.choose("("+m+" = 0)", key), c.rest, m)
	var checks []checkTarget
	if w.e.d.stampHash(w.used) != "" {
		items = append(items, binding{w.prefix + "h", w.prefix + "b"})
		checks = append(checks, checkTarget{sql: w.e.d.HashSum(w.prefix + "h"), take: c.addHash})
	}
	if doubts := w.suspects(); len(doubts) > 0 {
		q := w.prefix + "q"
		rows = append(rows, binding{q, "CASE WHEN " + strings.Join(doubts, " OR ") + " THEN 1 ELSE 0 END"})
		items = append(items, binding{q + "s", q})
		checks = append(checks, checkTarget{sql: "sum(" + q + "s)", all: true, take: isZero})
	}
	if w.weight != "" {
		checks = append(checks, checkTarget{sql: "min(" + w.prefix + "w)", take: func(v driver.Value, _ int) bool { return numberOrNaN(v) >= 0 }})
	}
	all, more := c.columns(passes)
	return append(checks, all...), rows, append(items, more...), key
}

// pattern writes a number that is 0 in complete rows: of others it tells which columns are missing, if they all can be told.
func (c *counting) pattern() string {
	d := c.w.e.d
	parts, missing := []string{"0"}, []string(nil)
	for j, col := range c.w.used {
		parts, missing = append(parts, d.choose(d.missing(col), fmt.Sprint(1<<j))), append(missing, d.missing(col))
	}
	if !c.tells {
		return d.choose("("+strings.Join(missing, " OR ")+")", "1")
	}
	return "(" + strings.Join(parts, " + ") + ")"
}

// columns writes the checks of columns: that they are defined, that numbers are whole, and ranges.
func (c *counting) columns(passes []columnPass) (checks []checkTarget, items []binding) {
	w := c.w
	var undefined []string
	for j := range w.columns {
		if !w.isPlain(j) {
			undefined = append(undefined, fmt.Sprintf("%sd%d IS NULL", w.prefix, j))
		}
		if passes[j].whole {
			x := fmt.Sprintf("%sx%d", w.prefix, j)
			items = append(items, binding{x, w.columns[j]})
			checks = append(checks, checkTarget{sql: "sum(CASE WHEN " + x + " = floor(" + x + ") THEN 0 ELSE 1 END)", take: func(v driver.Value, _ int) bool {
				c.broken[j] = c.broken[j] || !isZero(v, 0)
				return true
			}})
		}
	}
	for k, f := range w.factors {
		x := fmt.Sprintf("%sf%d", w.prefix, k)
		items, undefined = append(items, binding{x, f.code}), append(undefined, x+" IS NULL")
	}
	if len(undefined) > 0 {
		checks = append(checks, checkTarget{sql: countIf(strings.Join(undefined, " OR ")), take: isZero})
	}
	inputs, targets := w.rangeTargets()
	for i, target := range targets {
		of, join := &c.ranges[i/eachRange][i%eachRange], []func(a, b float64) float64{math.Min, math.Max, func(a, b float64) float64 { return a + b }}[i%eachRange]
		checks = append(checks, checkTarget{sql: target, take: func(v driver.Value, _ int) bool { *of = join(*of, numberOrNaN(v)); return true }})
	}
	return checks, append(items, inputs...)
}

// isPlain tells whether a column of the design is one of the table, which is defined in complete rows.
func (w *sqlPlan) isPlain(j int) bool {
	for _, b := range w.bindings {
		if b.name != w.columns[j] {
			continue
		}
		for _, c := range w.used {
			if (c.Kind == FloatKind || c.Kind == WholeKind) && b.sql == w.e.d.Double(c.Ref) {
				return true
			}
		}
	}
	return false
}

// suspects are conditions of which none may be true in a row, or passes tell what is wrong with it.
func (w *sqlPlan) suspects() []string {
	d := w.e.d
	all := append([]string(nil), w.doubts...)
	for _, c := range w.alone {
		all = append(all, d.Inexact(&c.TypedColumn))
	}
	for _, c := range w.used {
		if c.Huge {
			all = append(all, d.Inexact(&c.TypedColumn))
		}
		if d.ValueType != nil && (c.Kind == FloatKind || c.Kind == WholeKind || c.Kind == TruthKind) {
			all = append(all, d.ValueType(c.Ref)+" IN ('text', 'blob')")
		}
	}
	return all
}

func isZero(v driver.Value, _ int) bool {
	x, ok := numberOf(v)
	return ok && x == 0
}

func (c *counting) addHash(v driver.Value, _ int) bool {
	low, ok := lowBits(v)
	c.sum += low
	return ok
}

// take counts the rows of a group and reads its checks; some is a group of rows that are not complete.
func (c *counting) take(number, rows int, some bool, checks []checkTarget, values []driver.Value) error {
	if some {
		c.omitted += rows
		for j := range c.missing {
			if c.tells && number/c.rest>>j&1 == 1 {
				c.missing[j] += rows
			}
		}
	}
	for k, t := range checks {
		if (t.all || !some) && !t.take(values[k], rows) {
			return errUndecided
		}
	}
	return nil
}

// counted is what a statement counted, by another where it does not tell which values were missing.
func (w *sqlPlan) counted(ctx context.Context, s *session, c *counting, g *groupSums) (*foundSums, error) {
	counts := table.Counts{N: g.rows + c.omitted, Omitted: c.omitted, Missing: make(map[string]int)}
	sum := ""
	if w.e.d.stampHash(w.used) != "" {
		sum = fmt.Sprint(c.sum)
	}
	out := &foundSums{counts: counts, stamp: stampOf(counts, sum)}
	for j, col := range w.used {
		if c.missing[j] > 0 {
			counts.Missing[col.Name] = c.missing[j]
		}
	}
	again := g.asked > 1
	if c.omitted > 0 && !c.tells {
		var stamp string
		var err error
		if out.counts, stamp, err = w.count(ctx, s); err != nil {
			return nil, err
		}
		if stamp != out.stamp {
			return nil, w.e.otherRows()
		}
		again = false
	}
	out.counts.AddBeyond(w.beyond(c.ranges)...)
	if again {
		return out, w.unchanged(ctx, s, out.stamp)
	}
	return out, nil
}
