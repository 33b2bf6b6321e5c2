package source

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/regbook/regbook/frames/internal/table"
)

// learn finds the levels of factors, by the sums or by SELECT DISTINCT, and the constants of bases. Rows that change after they were counted,
// where no transaction holds them still, have another stamp in the pass that uses what was learned.
func (e *sqlEngine) learn(ctx context.Context, q query, l table.Learner, trial *table.Plan, forced bool) (found learned, err error) {
	if !l.Exact() {
		return found, nil
	}
	where, rest, err := e.where(ctx, q.where)
	if err != nil || len(rest) > 0 {
		return found, err
	}
	if found.sums, err = e.learnBySums(ctx, q, trial, l, forced); err != nil {
		return found, err
	}
	if found.sums != nil {
		found.stamp = found.sums.stamp
		return found, nil
	}
	err = e.within(ctx, func(s *session) error {
		found.stamp, found.how, err = e.learnIn(ctx, s, where, l, forced)
		return err
	})
	return found, err
}

func (e *sqlEngine) learnIn(ctx context.Context, s *session, where string, l table.Learner, forced bool) (stamp, how string, err error) {
	w := &sqlPlan{e: e, prefix: e.prefix(), where: where}
	if err := w.uses(&table.Plan{Used: l.Columns()}); err != nil {
		return "", "", err
	}
	counts, stamp, err := w.count(ctx, s)
	if err != nil || counts.Omitted == counts.N {
		return "", "", err // learning from rows tells which column is missing
	}
	var since *float64
	for _, need := range l.Needs() {
		switch {
		case need.Variable == -2:
			since, err = e.since(ctx, s, where, need.Columns, l)
		case need.Factor:
			err = w.learnLevels(ctx, s, need, l, counts.N-counts.Omitted)
		}
		if err != nil {
			return "", "", err
		}
	}
	rows, complete := where, w.complete
	if counts.Omitted == 0 {
		complete = ""
	} else if l.LearnComplete() {
		rows, complete = whereClauseText(where, w.complete), ""
	}
	pushes := forced || e.d.Learns || counts.N > l.MaxValues()
	if how, err = e.constants(ctx, s, rows, complete, counts.N-counts.Omitted, since, l, pushes); err != nil {
		return "", "", err
	}
	if !l.Pass() { // or a pass over rows counts them
		l.SetCounts(counts)
	}
	return stamp, how, nil
}

// learnLevels sets the levels of a factor in complete rows, of which there are so many, unless rows tell them.
func (w *sqlPlan) learnLevels(ctx context.Context, s *session, need table.Need, l table.Learner, rows int) error {
	c := &compiler{d: w.e.d, columns: w.e.columns}
	x, err := c.factor(need.Text, need.Expr)
	if err != nil {
		return unlessRefused(err)
	}
	if err := w.e.certain(ctx, s, c.doubts, w.where); err != nil {
		return unlessRefused(err)
	}
	levels, err := w.e.levels(ctx, s, w, x, l.MaxLevels())
	if err != nil || len(levels) == 0 { // where it is not defined
		return err
	}
	return l.SetLevels(need.Variable, levels, rows)
}

// since finds the first of the dates that are used as numbers; nil if rows tell.
func (e *sqlEngine) since(ctx context.Context, s *session, where string, names []string, l table.Learner) (*float64, error) {
	var columns sqlColumns
	var targets []string
	for _, name := range names {
		c := e.columns.named(name)
		if c == nil || c.Kind != DateKind || e.d.TextDates {
			return nil, nil // a time is rounded
		}
		columns, targets = append(columns, c), append(targets, "min("+e.readAs(c)+")")
	}
	row, err := e.totals(ctx, s, where, targets...)
	if err != nil {
		return nil, err
	}
	first := ""
	for j, c := range columns {
		to := &table.Column{Field: c.Field}
		if err := appendValue(to, c, row[j]); err != nil {
			return nil, errorf(ErrSource, "%v: column %q: %v", e, c.Name, err)
		}
		if text := to.Text[0]; text != "" && (first == "" || text < first) {
			first = text
		}
	}
	days, err := l.SetSince(first)
	return &days, err
}

// levels returns the distinct values of an expression in complete rows, at most one more
// than asked for.
func (e *sqlEngine) levels(ctx context.Context, s *session, w *sqlPlan, x value, most int) ([]string, error) {
	var levels []string
	err := s.each(ctx, fmt.Sprintf("SELECT DISTINCT %s AS level FROM %s%s LIMIT %d", levelValue(x), e.relation, whereClause(w.where, w.complete), most+1), 1, func(row []driver.Value) error {
		text, ok := levelText(x.kind, row[0])
		switch {
		case ok:
			levels = append(levels, strings.Clone(text))
		case x.kind == textValue:
			return errorf(ErrSource, "%v: a level is %v (%T)", e, row[0], row[0])
		} // else NULL: not defined, which the sums will tell
		return nil
	})
	slices.Sort(levels)
	return levels, err
}

// levelValue writes what the levels of an expression are the texts of.
func levelValue(x value) string {
	switch {
	case x.whole != "":
		return x.whole
	case x.kind == truthValue:
		return "CASE WHEN " + x.sql + " THEN 1 WHEN NOT (" + x.sql + ") THEN 0 END"
	}
	return x.sql
}

// levelText returns the level of a value that a database returned; false if it is none.
func levelText(kind valueKind, of driver.Value) (string, bool) {
	if kind == textValue {
		if text, ok := textOf(of); ok {
			return text, true
		}
		return fmt.Sprint(of), false
	}
	v, low, ok := pairOf(of)
	switch {
	case !ok:
		return fmt.Sprint(of), false
	case kind == truthValue:
		return map[bool]string{true: "TRUE", false: "FALSE"}[v != 0], true
	}
	return numberText(v, low), true
}

// numberText writes a number as a level; a zero has no sign.
func numberText(num, low float64) string {
	if low != 0 {
		return table.WholeText(num, low)
	}
	return strconv.FormatFloat(num+0, 'g', -1, 64)
}
