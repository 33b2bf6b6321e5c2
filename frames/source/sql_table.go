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
func (s *session) exists(ctx context.Context, quoted string) (bool, error) {
	err := s.header(ctx, "SELECT 1 FROM "+quoted+" LIMIT 0", func(driver.Rows) {})
	return err == nil, ctx.Err()
}

// exists tells whether a table can be read.
func (e *sqlEngine) exists(ctx context.Context, quoted string) (there bool, err error) {
	err = e.within(ctx, func(s *session) error {
		there, err = s.exists(ctx, quoted)
		return err
	})
	return there, err
}

// create writes a table under another name, and gives it its own.
func (e *sqlEngine) create(ctx context.Context, text string, parts []string, replace bool) error {
	const doing = "create a table"
	c := e.d.creation(parts, replace)
	c.Select, c.Declared = text, e.declared()
	return e.making(ctx, doing, c, nil, func(s *session) (err error) {
		for _, check := range e.checks {
			switch err := check(ctx, s); {
			case refused(err):
				return errorf(frames.ErrSetting, "the predictions are not written: %v", err)
			case err != nil:
				return err
			}
		}
		if s.tx == nil && replace {
			if c.Exists, err = s.exists(ctx, c.Name()); err != nil {
				return err
			}
		}
		return s.commands(ctx, doing, e.d.Create(c)...)
	})
}

// creation is that of a table, under another name first.
func (d *Dialect) creation(target []string, replace bool) *Creation {
	return &Creation{Target: target, Made: d.otherName(target, "made"), Old: d.otherName(target, "old"), Replace: replace}
}

// otherName is the name of no table, in the schema of another.
func (d *Dialect) otherName(target []string, word string) string {
	quoted, _ := d.ident("regbook_" + word + "_" + strings.ToLower(rand.Text()[:12])) // has no error for such a name
	return strings.Join(append(slices.Clone(target[:len(target)-1]), quoted), ".")
}

// making has f make a table in a session that writes. After an error nothing is left of it, nor are the tables beside it in any
// case: they are dropped where no transaction undoes them, when the session has ended.
func (e *sqlEngine) making(ctx context.Context, doing string, c *Creation, beside []string, f func(s *session) error) error {
	s, end, err := e.connect(ctx, true)
	if err != nil {
		return err
	}
	err = ending(end, func() error {
		if err := f(s); err != nil || s.tx == nil {
			return err
		}
		return e.failure(ctx, doing, s.tx.Commit())
	})
	if s.tx != nil {
		return err
	}
	if err != nil {
		beside = append(beside, c.Made)
	}
	return errors.Join(err, e.drop(ctx, beside...))
}

// drop drops tables, if there are such, also after a context has ended.
func (e *sqlEngine) drop(ctx context.Context, names ...string) error {
	if len(names) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropWait)
	defer cancel()
	any := e.as(func(to *sqlEngine) { to.opened = nil }) // whatever the columns of its own table are now
	return any.within(ctx, func(s *session) error {
		var failed error
		for _, name := range names {
			failed = errors.Join(failed, s.exec(ctx, "DROP TABLE IF EXISTS "+name))
		}
		return failed
	})
}

// commands runs commands, one after the other.
func (s *session) commands(ctx context.Context, doing string, all ...string) error {
	for _, text := range all {
		if err := s.exec(ctx, text); err != nil {
			return s.e.failure(ctx, doing, &queryError{err})
		}
	}
	return nil
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
