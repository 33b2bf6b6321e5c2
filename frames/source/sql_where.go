package source

import (
	"context"
	"slices"
	"strings"

	"github.com/regbook/regbook/frames/internal/table"
)

// This file writes conditions on rows as SQL.

// where writes the conditions that SQL can decide, joined by AND, and returns the
// others; "" if there is none.
func (e *sqlEngine) where(ctx context.Context, all []table.Condition) (text string, rest []table.Condition, err error) {
	var parts []string
	for _, w := range all {
		s, doubts, err := e.condition(w)
		if err == nil && len(doubts) > 0 {
			err = e.within(ctx, func(s *session) error { return e.certain(ctx, s, doubts, "") })
		}
		switch {
		case refused(err):
			rest = append(rest, w)
			continue
		case err != nil:
			return "", nil, err
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " AND "), rest, nil
}

// condition writes a condition, and the doubts whether SQL decides it exactly.
func (e *sqlEngine) condition(w table.Condition) (text string, doubts []string, err error) {
	c := &compiler{d: e.d, columns: e.columns, ieee: true}
	text, err = c.truth(w.Node())
	return "(" + text + ")", c.doubts, err
}

// certain returns a *notPushed if one of the doubts is true in a row.
func (e *sqlEngine) certain(ctx context.Context, s *session, doubts []string, where string) error {
	if len(doubts) == 0 {
		return nil
	}
	row, err := e.totals(ctx, s, where, countIf(strings.Join(doubts, " OR ")))
	if err != nil {
		return err
	}
	if n, _ := numberOf(row[0]); n > 0 {
		return refuse("SQL would round whole numbers beyond 2^53 in %.0f rows", n)
	}
	return nil
}

// whereAll is where; a condition that SQL cannot decide is a *notPushed that says why.
func (e *sqlEngine) whereAll(ctx context.Context, all []table.Condition) (string, error) {
	text, rest, err := e.where(ctx, all)
	if err == nil && len(rest) > 0 {
		err = e.undecided(rest[0])
	}
	return text, err
}

// undecided says why SQL cannot decide a condition.
func (e *sqlEngine) undecided(w table.Condition) error {
	_, _, err := e.condition(w)
	if err == nil {
		err = refuse("SQL would round whole numbers beyond 2^53")
	}
	return refuse("the condition %v is not pushed down: %v", w, err)
}

// whereClause is " WHERE ...", or nothing.
func whereClause(conditions ...string) string {
	conditions = slices.DeleteFunc(conditions, func(c string) bool { return c == "" })
	if len(conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(conditions, " AND ")
}
