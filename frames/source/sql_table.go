package source

import (
	"context"
	"crypto/rand"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// dropWait is how long the end of a table that failed may take.
const dropWait = 10 * time.Second

// TableSettings are the options of Source.CreateTable.
type TableSettings struct {
	// Replace drops the table that has the name, once the new one is complete.
	Replace bool
	// OneServer has the rows of a cluster, those of a Distributed table of ClickHouse, written to
	// the server that is connected alone. Without it that is an error.
	OneServer bool
}

// SQL returns the SELECT of the rows of a source that a database computes, with its
// conditions and predictions: R's show_query. It reads nothing. The error is
// frames.ErrSetting for other sources, and for what is computed from rows.
func (s *Source) SQL() (string, error) {
	if s == nil || s.e == nil {
		return "", nilSource
	}
	e, ok := s.e.(*sqlEngine)
	if !ok {
		if p, predicted := s.e.(*addedSampler); predicted {
			return "", errorf(frames.ErrSetting, "the column %q is not written as SQL: %s; WriteCSV writes the rows to a file", p.column, p.why)
		}
		return "", errorf(frames.ErrSetting, "%s is no table of a database; WriteCSV writes its rows to a file", s.e)
	}
	return e.selected(s.where)
}

// selected writes the SELECT of the rows.
func (e *sqlEngine) selected(conditions []table.Condition) (string, error) {
	var parts []string
	for _, w := range conditions {
		text, _, err := e.condition(w)
		if err != nil {
			return "", errorf(frames.ErrSetting, "%v; WriteCSV writes the rows to a file", e.undecided(w))
		}
		parts = append(parts, text)
	}
	return "SELECT " + strings.Join(e.refs(), ", ") + " FROM " + e.relation + whereClause(parts...), nil
}

// refs are the names of all columns, quoted.
func (e *sqlEngine) refs() []string {
	var refs []string
	for _, c := range slices.Concat(e.columns, e.others) {
		refs = append(refs, c.Ref)
	}
	return refs
}

// declared are the columns with their types, which SQLite does not take from a SELECT.
func (e *sqlEngine) declared() string {
	var all []string
	for _, c := range slices.Concat(e.columns, e.others) {
		all = append(all, c.Ref+" "+c.Declared)
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// CreateTable has a database write the rows, those of Where with the columns of
// WithPredictions, as a new table, and returns it: R's compute. The values do not leave the
// database, and columns that sources leave out, such as arrays, are copied, too.
//
//	scored, err := flights.WithPredictions(ctx, fit, "expected")
//	table, err := scored.CreateTable(ctx, "analysis.scored", nil)
//
// The name is as for Open. It is one transaction: after an error there is nothing of the
// table, and a table that is replaced, which may be the one read, is as it was. ClickHouse
// has no transactions; there the table is complete when it gets its name, and is a MergeTree
// of the server that is connected; the rows of a cluster are written there only if
// TableSettings.OneServer says so. Predictions are checked again, see
// WithPredictions. Nil settings are the defaults.
//
// Errors: frames.ErrSetting if the table exists and is not to be replaced, if one server would
// get the rows of a cluster, and for what SQL does not compute; those of WithPredictions; ErrSource for what the database refuses.
func (s *Source) CreateTable(ctx context.Context, name string, settings *TableSettings) (*Source, error) {
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	text, err := s.SQL()
	if err != nil {
		return nil, err
	}
	e := s.e.(*sqlEngine) // SQL is an error for others
	if _, err := e.whereAll(ctx, s.where); err != nil {
		return nil, errorf(frames.ErrSetting, "%v; WriteCSV writes the rows to a file", err)
	}
	parts, err := e.d.nameParts(name)
	if err != nil {
		return nil, err
	}
	replace := settings != nil && settings.Replace
	if !replace {
		if exists, err := e.exists(ctx, strings.Join(parts, ".")); err != nil {
			return nil, err
		} else if exists {
			return nil, errorf(frames.ErrSetting, "there is a table %s already; TableSettings.Replace replaces it", name)
		}
	}
	if settings == nil || !settings.OneServer {
		if err := e.onOneServer(ctx); err != nil {
			return nil, err
		}
	}
	if err := e.create(ctx, text, parts, replace); err != nil {
		return nil, err
	}
	return Open(ctx, e.db, e.d, name)
}

// onOneServer returns an error if the rows lie on the servers of a cluster.
func (e *sqlEngine) onOneServer(ctx context.Context) error {
	if e.d.Spread == nil {
		return nil
	}
	return e.within(ctx, func(s *session) error {
		row, err := s.one(ctx, e.d.Spread(e.opened.parts), 1)
		if err != nil {
			return err
		}
		if n, _ := numberOf(row[0]); n > 0 {
			return errorf(frames.ErrSetting, "%v lies on a cluster, and the table would be on the server alone that is connected; TableSettings.OneServer allows that", e)
		}
		return nil
	})
}

// exists tells whether a table can be read.
func (e *sqlEngine) exists(ctx context.Context, quoted string) (bool, error) {
	there := false
	err := e.within(ctx, func(s *session) error {
		there = s.header(ctx, "SELECT 1 FROM "+quoted+" LIMIT 0", func(driver.Rows) {}) == nil
		return nil
	})
	return there, errors.Join(err, ctx.Err())
}

// create writes a table under another name, and gives it its own.
func (e *sqlEngine) create(ctx context.Context, text string, parts []string, replace bool) (err error) {
	s, end, err := e.connect(ctx, true)
	if err != nil {
		return err
	}
	defer func() {
		if closing := end(); err == nil {
			err = closing
		}
	}()
	for _, check := range e.checks {
		if err := check(ctx, s); err != nil {
			if refused(err) {
				return errorf(frames.ErrSetting, "the predictions are not written: %v", err)
			}
			return err
		}
	}
	last := len(parts) - 1
	other := func(word string) string {
		quoted, _ := e.d.ident("regbook_" + word + "_" + strings.ToLower(rand.Text()[:12])) // has no error for such a name
		return strings.Join(append(slices.Clone(parts[:last]), quoted), ".")
	}
	c := &Creation{Select: text, Target: parts, Made: other("made"), Old: other("old"), Replace: replace, Declared: e.declared()}
	if s.tx == nil && replace {
		if c.Exists, err = e.exists(ctx, c.Name()); err != nil {
			return err
		}
	}
	for _, command := range e.d.Create(c) {
		if err := s.exec(ctx, command); err != nil {
			err = e.failure(ctx, "create a table", &queryError{err})
			if s.tx == nil {
				drop, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropWait)
				defer cancel()
				err = errors.Join(err, s.exec(drop, "DROP TABLE IF EXISTS "+c.Made))
			}
			return err
		}
	}
	if s.tx == nil {
		return nil
	}
	return e.failure(ctx, "create a table", s.tx.Commit())
}

// exec runs a command.
func (s *session) exec(ctx context.Context, command string) error {
	return s.raw(func(conn any) error {
		execer, ok := conn.(driver.ExecerContext)
		if !ok {
			return fmt.Errorf("the driver (%T) has no ExecContext", conn)
		}
		_, err := execer.ExecContext(ctx, command, nil)
		return err
	})
}
