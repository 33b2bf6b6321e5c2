package source

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/regbook/regbook/frames/source/internal/vectors"
)

// This file is a session with a database: its connection and transaction, and the rows of a SELECT.

// session is a connection with a transaction, if the database has them.
type session struct {
	conn *sql.Conn
	tx   *sql.Tx
	e    *sqlEngine
	lost bool     // the connection; the pool does not get it back
	rows struct { // of the table, or about so many; 0 if that is not known
		counted bool
		n       float64
	}

	settings string // that end every SELECT, behind those of the dialect
}

// begin opens a session, or returns that of the snapshot.
func (e *sqlEngine) begin(ctx context.Context) (*session, func() error, error) {
	if e.held != nil {
		return e.held, func() error { return nil }, nil
	}
	return e.connect(ctx, false)
}

// within runs f in a session.
func (e *sqlEngine) within(ctx context.Context, f func(s *session) error) error {
	s, end, err := e.begin(ctx)
	if err != nil {
		return err
	}
	return ending(end, func() error { return f(s) })
}

// ending runs f, and then end, also if f panics.
func ending(end, f func() error) (err error) {
	defer func() {
		if closing := end(); err == nil {
			err = closing
		}
	}()
	return f()
}

// computed is within for what can be streamed instead: a value that the database cannot
// represent is a *notPushed.
func (e *sqlEngine) computed(ctx context.Context, f func(s *session) error) error {
	err := e.within(ctx, f)
	if e.d.outOfRange(err) {
		err = refuse("the database cannot represent a value: %v", err)
	}
	return err
}

// connect opens a session, to read or to write, of a table whose columns have the types that
// they had when it was opened.
func (e *sqlEngine) connect(ctx context.Context, write bool) (s *session, end func() error, err error) {
	s, err = e.onConnection(ctx, func(s *session) error {
		if err := s.prepare(ctx, write); err != nil {
			return e.failure(ctx, "begin", err)
		}
		return e.sameTypes(ctx, s)
	})
	return s, func() error { return s.end(ctx) }, err
}

// onConnection returns a session on a connection of the pool by which f is no error. It calls f again if that
// has been lost while it was in the pool.
func (e *sqlEngine) onConnection(ctx context.Context, f func(s *session) error) (*session, error) {
	for try := 0; ; try++ {
		conn, err := e.db.Conn(ctx)
		if err != nil {
			return nil, e.failure(ctx, "connect", err)
		}
		s := &session{conn: conn, e: e}
		if err = f(s); err == nil {
			return s, nil
		}
		closing := s.end(ctx)
		if try == 10 || !errors.Is(err, driver.ErrBadConn) || ctx.Err() != nil {
			return nil, errors.Join(err, closing)
		}
	}
}

// end ends the transaction and returns the connection to the pool, or closes it if it is
// lost, which is no error: nothing was written.
func (s *session) end(ctx context.Context) error {
	if s.tx != nil {
		if err := s.tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
			s.lost = true
		}
	}
	if s.lost { // no transaction holds the connection now
		_ = s.conn.Raw(func(any) error { return driver.ErrBadConn }) // which closes it
	}
	if err := s.conn.Close(); err != nil && !errors.Is(err, sql.ErrConnDone) {
		return s.e.failure(ctx, "close", err)
	}
	return nil
}

// prepare starts the transaction and sets what the passes need.
func (s *session) prepare(ctx context.Context, write bool) error {
	d := s.e.d
	if d.Transaction != nil && !(write && d.CreatesAlone) {
		options := *d.Transaction
		options.ReadOnly = options.ReadOnly && !write
		var err error
		if s.tx, err = s.conn.BeginTx(ctx, &options); err != nil {
			if ctx.Err() != nil { // DuckDB may have begun nevertheless, and the connection is for others
				_, _ = s.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
			}
			return err
		}
	}
	statements := d.Prepare
	if s.e.share != "" {
		statements = slices.Concat([]string{d.Join(s.e.share)}, statements)
	}
	for _, statement := range statements {
		if err := s.exec(ctx, statement); err != nil {
			return err
		}
	}
	if s.tx != nil {
		return nil
	}
	_, err := s.one(ctx, "SELECT 1", 1) // which tells a connection that is gone
	return err
}

// each calls f with every row of a SELECT of as many columns as said. The rows come from the
// driver itself: the conversions of database/sql would take most of the time.
func (s *session) each(ctx context.Context, q string, columns int, f func(row []driver.Value) error) error {
	return s.open(ctx, q, func(rows driver.Rows, stopped *error) error {
		row := make([]driver.Value, len(rows.Columns()))
		if *stopped = s.e.checkWidth(len(row), columns); *stopped != nil {
			return nil
		}
		for n := 0; ; n++ {
			if n%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			switch err := rows.Next(row); {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			}
			if *stopped = f(row); *stopped != nil {
				return nil
			}
		}
	})
}

// checkWidth returns an error if a SELECT has not the columns that it asked for.
func (e *sqlEngine) checkWidth(got, want int) error {
	if got == want {
		return nil
	}
	return errorf(ErrSource, "%v: a query for %d columns returned %d", e, want, got)
}

// header calls f with the columns of a SELECT of no rows.
func (s *session) header(ctx context.Context, q string, f func(driver.Rows)) error {
	return s.open(ctx, q, func(rows driver.Rows, _ *error) error {
		f(rows)
		if err := rows.Next(make([]driver.Value, len(rows.Columns()))); !errors.Is(err, io.EOF) {
			return err
		}
		return nil
	})
}

// open calls f with the rows of a SELECT; see read.
func (s *session) open(ctx context.Context, q string, f func(rows driver.Rows, stopped *error) error) error {
	q += s.e.d.Settings + s.settings
	return s.read(ctx, func(conn any, stopped *error) (err error) {
		queryer, ok := conn.(driver.QueryerContext)
		if !ok {
			return fmt.Errorf("the driver (%T) has no QueryContext", conn)
		}
		rows, err := queryer.QueryContext(ctx, q, nil)
		if err != nil {
			return err
		}
		defer func() {
			if closing := rows.Close(); err == nil && *stopped == nil {
				err = closing
			}
		}()
		return f(rows, stopped)
	})
}

// eachVector is each by columns; vectors.ErrNot if that is not possible.
func (s *session) eachVector(ctx context.Context, q string, columns int, f func(rows int, columns []vectors.Column) error) error {
	if !s.e.d.byVectors || vectors.DuckDB == nil {
		return vectors.ErrNot
	}
	return s.read(ctx, func(conn any, stopped *error) error {
		err := vectors.DuckDB(ctx, conn, q, func(rows int, found []vectors.Column) error {
			if *stopped = s.e.checkWidth(len(found), columns); *stopped == nil {
				*stopped = f(rows, found)
			}
			return *stopped
		})
		if errors.Is(err, vectors.ErrNot) {
			*stopped = err
		}
		return err
	})
}

// read has f read rows from the connection of the driver. What the caller of f stops it by
// is an error of its own; others are the database's.
func (s *session) read(ctx context.Context, f func(conn any, stopped *error) error) error {
	var stopped error
	err := s.raw(func(conn any) error { return f(conn, &stopped) })
	switch {
	case stopped != nil:
		return stopped
	case err != nil:
		return s.e.failure(ctx, "read", &queryError{err})
	}
	return nil
}

// raw calls f with the connection of the driver, and takes a panic for an error. Raw itself
// gets neither: on driver.ErrBadConn and on a panic it closes the connection, for which it
// waits until the transaction ends, which waits for Raw.
func (s *session) raw(f func(conn any) error) error {
	var failed error
	err := s.conn.Raw(func(conn any) error {
		defer func() {
			if v := recover(); v != nil {
				s.lost, failed = true, fmt.Errorf("a panic of the driver: %v", v)
			}
		}()
		failed = f(conn)
		s.lost = s.lost || errors.Is(failed, driver.ErrBadConn)
		return nil
	})
	if failed != nil {
		return failed
	}
	return err
}

// one returns the only row of a SELECT of as many columns as said.
func (s *session) one(ctx context.Context, q string, columns int) ([]driver.Value, error) {
	var out []driver.Value
	err := s.each(ctx, q, columns, func(row []driver.Value) error {
		out = slices.Clone(row)
		for i, v := range out {
			if text, ok := v.([]byte); ok { // the driver's until the next row
				out[i] = slices.Clone(text)
			}
		}
		return nil
	})
	if err == nil && out == nil {
		err = errorf(ErrSource, "%v: a query for one row returned none", s.e)
	}
	return out, err
}

// queryError is an error of the database itself.
type queryError struct{ err error }

func (e *queryError) Error() string {
	text := e.err.Error()
	if most := 600; len(text) > most { // some repeat the query
		text = strings.ToValidUTF8(text[:most], "") + " ..."
	}
	return text
}

func (e *queryError) Unwrap() error { return e.err }
