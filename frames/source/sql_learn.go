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

// learn finds the levels of factors by SELECT DISTINCT.
func (e *sqlEngine) learn(ctx context.Context, q query, l table.Learner) (stamp string, err error) {
	if !l.Exact() {
		return "", nil
	}
	where, rest, err := e.where(q.where)
	if err != nil || len(rest) > 0 {
		return "", err
	}
	err = e.within(ctx, func(s *session) error {
		stamp, err = e.learnIn(ctx, s, where, l)
		return err
	})
	return stamp, err
}

func (e *sqlEngine) learnIn(ctx context.Context, s *session, where string, l table.Learner) (string, error) {
	w := &sqlPlan{e: e, prefix: e.prefix(), where: where}
	if err := w.uses(&table.Plan{Used: l.Columns()}); err != nil {
		return "", err
	}
	counts, stamp, err := w.count(ctx, s)
	if err != nil || counts.Omitted == counts.N {
		return "", err // learning from rows tells which column is missing
	}
	c := &compiler{d: e.d, columns: e.columns}
	for _, need := range l.Needs() {
		if !need.Factor {
			continue
		}
		x, err := c.compile(need.Expr)
		if err != nil || x.kind == dateValue {
			continue // rows tell
		}
		levels, err := e.levels(ctx, s, w, x, l.MaxLevels())
		if err != nil {
			return "", err
		}
		if err := l.SetLevels(need.Variable, levels, counts.N-counts.Omitted); err != nil {
			return "", err
		}
	}
	l.SetCounts(counts)
	return stamp, nil
}

// levels returns the distinct values of an expression in complete rows, at most one more
// than asked for.
func (e *sqlEngine) levels(ctx context.Context, s *session, w *sqlPlan, x value, most int) ([]string, error) {
	as := x.sql
	if x.kind == truthValue {
		as = "CASE WHEN " + x.sql + " THEN 1 WHEN NOT (" + x.sql + ") THEN 0 END"
	}
	var levels []string
	err := s.each(ctx, fmt.Sprintf("SELECT DISTINCT %s AS level FROM %s%s LIMIT %d", as, e.relation, whereClause(w.where, w.complete), most+1), func(row []driver.Value) error {
		switch x.kind {
		case textValue:
			text, ok := textOf(row[0])
			if !ok {
				return errorf(ErrSource, "%v: a level is %v (%T)", e, row[0], row[0])
			}
			levels = append(levels, strings.Clone(text))
		default:
			v, ok := numberOf(row[0])
			if !ok {
				return nil // NULL: not defined, which the sums will tell
			}
			if x.kind == truthValue {
				levels = append(levels, map[bool]string{true: "TRUE", false: "FALSE"}[v != 0])
			} else {
				levels = append(levels, strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
		return nil
	})
	slices.Sort(levels)
	return levels, err
}

// prefers estimates which route is faster, by what was measured (internal/engines/bench):
// sums take a time for every row that grows with the square of the columns of the
// design, reading one that grows with the columns of the table.
func (e *sqlEngine) prefers(_ context.Context, p *table.Plan) (Route, string) {
	pushed, streamed := e.d.costs(float64(len(p.Products)+1), float64(len(p.Used)))
	if streamed < pushed {
		return Streamed, fmt.Sprintf("estimated to take %.2g of the time of sums by %v", streamed/pushed, e.d)
	}
	return Pushed, fmt.Sprintf("estimated to take %.2g of the time of reading the rows", pushed/streamed)
}

// costs are seconds for 10^6 rows of m columns of the design, made of k of the table, on
// two processors and without a network between. Only their ratio is used.
func (d Dialect) costs(m, k float64) (pushed, streamed float64) {
	pairs := m * (m + 1) / 2
	kernel := 1e-4*pairs + 0.01*m
	switch d {
	case PostgreSQL:
		return 0.5 + 0.02*pairs, 0.05 + 0.045*k + kernel
	case DuckDB:
		return 0.05 + 0.004*pairs + 1e-6*pairs*pairs, 0.05 + 0.035*k + kernel
	case ClickHouse:
		return 0.5 + 0.1*pairs, 0.05 + 0.05*k + kernel
	}
	return 0.3 + 0.1*pairs, 0.2 + 0.15*k + kernel
}
