package source

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/regbook/regbook/frames/source/internal/vectors"
	"github.com/regbook/regbook/mlreg"
)

// ends fails the test if f does not end; on a busy machine it takes seconds at most.
func ends(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(3 * time.Minute):
		t.Fatalf("%s: it waits for ever", what)
	}
}

// losses are the ways in which a driver fails.
var losses = map[string]answer{
	"a query on a connection that is gone": {err: driver.ErrBadConn},
	"rows of a connection that is gone":    {next: func() error { return fmt.Errorf("reading: %w", driver.ErrBadConn) }},
	"a driver that panics":                 {next: func() error { panic("index out of range") }},
	"too few columns":                      {columns: []string{}, rows: [][]driver.Value{{}}},
}

// versions are what databases answer that are not PostgreSQL.
var versions = map[*Dialect][]answer{
	SQLite:  {{contains: "sqlite_version", rows: [][]driver.Value{{"3.45.0"}}}},
	MariaDB: {{contains: "version()", rows: [][]driver.Value{{"10.11.6-MariaDB"}}}},
}

// reads are all that a source asks a database for.
var reads = map[string]func(s *Source) error{
	"NRow":      func(s *Source) error { _, err := s.NRow(ctx); return err },
	"Head":      func(s *Source) error { _, err := s.Head(ctx, 3); return err },
	"Sample":    func(s *Source) error { _, err := s.Sample(ctx, 3, 1); return err },
	"Describe":  func(s *Source) error { _, err := s.Describe(ctx); return err },
	"Histogram": func(s *Source) error { _, err := s.Histogram(ctx, "y", 5); return err },
	"levels":    func(s *Source) error { _, err := s.Design(ctx, "y ~ g", nil); return err },
	"constants": func(s *Source) error {
		_, err := s.Design(ctx, "y ~ poly(x, 2)", &DesignSettings{Route: Pushed})
		return err
	},
	"EachBlock": func(s *Source) error {
		d, err := s.Design(ctx, "y ~ x", nil)
		if err != nil {
			return err
		}
		return d.EachBlock(func(*mlreg.Design) error { return nil })
	},
	"Moments": func(s *Source) error {
		d, err := s.Design(ctx, "y ~ x", &DesignSettings{Route: Pushed})
		if err != nil {
			return err
		}
		_, err = d.Moments()
		return err
	},
}

// A connection that is lost while rows are read is an error of every method, by which the
// transaction has ended and the connection is in use no more.
func TestLostConnection(t *testing.T) {
	for _, d := range dialects {
		for loss, a := range losses {
			for name, read := range reads {
				what := fmt.Sprintf("%v, %s of %s", d, name, loss)
				if d == ClickHouse {
					continue // it asks for known rows, and has no transaction
				}
				r := &replay{answers: append([]answer{described}, versions[d]...)}
				db := sql.OpenDB(r)
				s, err := Open(ctx, db, d, "t")
				if err != nil {
					t.Fatal(err)
				}
				r.answers, r.ended = []answer{a}, 0
				ends(t, what, func() { err = read(s) })
				if !errors.Is(err, ErrSource) || strings.Contains(fmt.Sprint(err), "no answer") {
					t.Errorf("%s: %v", what, err)
				}
				if n := db.Stats().InUse; n != 0 || r.ended == 0 {
					t.Errorf("%s: %d connections are in use, %d transactions have ended", what, n, r.ended)
				}
				if idle := db.Stats().Idle; loss != "too few columns" && idle != 0 {
					t.Errorf("%s: the pool has %d connections", what, idle)
				}
				db.Close()
			}
		}
	}
}

// What a database answers to Open may be lost, too.
func TestOpenOfLostConnection(t *testing.T) {
	version, typed := answer{contains: "sqlite_version", rows: [][]driver.Value{{"3.45.0"}}}, answer{contains: "LIMIT 0", columns: []string{"x"}, types: []string{""}}
	for loss, a := range losses {
		for what, c := range map[string]struct {
			d       *Dialect
			answers []answer
		}{
			"columns of PostgreSQL": {PostgreSQL, nil},
			"columns of DuckDB":     {DuckDB, nil},
			"columns of SQLite":     {SQLite, []answer{version}},
			"version of SQLite":     {SQLite, nil},
			"version of PostgreSQL": {PostgreSQL, nil},
			"types of SQLite":       {SQLite, []answer{version, typed}},
		} {
			if loss == "too few columns" && strings.HasPrefix(what, "columns") {
				continue // a table of none
			}
			if a.contains = ""; strings.HasPrefix(what, "version") {
				a.contains = "version()"
			}
			db := sql.OpenDB(&replay{answers: append(c.answers, a)})
			var err error
			ends(t, what+": "+loss, func() { _, err = Open(ctx, db, c.d, "t") })
			if n := db.Stats().InUse; !errors.Is(err, ErrSource) || n != 0 {
				t.Errorf("%s: %s: %v; %d connections are in use", what, loss, err, n)
			}
			db.Close()
		}
	}
}

// A reader of columns fails as one of rows does.
func TestLostVectors(t *testing.T) {
	defer func(before vectors.Reader) { vectors.DuckDB = before }(vectors.DuckDB)
	type rows = func(int, []vectors.Column) error
	for what, read := range map[string]func(f rows) error{
		"gone":            func(rows) error { return driver.ErrBadConn },
		"a panic":         func(rows) error { panic("in the engine") },
		"too few columns": func(f rows) error { return f(1, []vectors.Column{{Num: []float64{1}}}) },
	} {
		vectors.DuckDB = func(_ context.Context, _ any, _ string, f func(int, []vectors.Column) error) error { return read(f) }
		db := sql.OpenDB(&replay{answers: []answer{described}})
		s, err := Open(ctx, db, DuckDB, "t")
		if err != nil {
			t.Fatal(err)
		}
		ends(t, what, func() { _, err = s.Head(ctx, 2) })
		if n := db.Stats().InUse; !errors.Is(err, ErrSource) || n != 0 {
			t.Errorf("%s: %v; %d connections are in use", what, err, n)
		}
		db.Close()
	}
}

// A transaction that began when its context was cancelled does not stay on the connection, which others get from the pool.
func TestCancelledBegin(t *testing.T) {
	s, r, err := opened(t, PostgreSQL)
	if err != nil {
		t.Fatal(err)
	}
	c, cancel := context.WithCancel(ctx)
	defer cancel()
	r.begin = func() error { cancel(); return context.Canceled }
	if _, err := s.Head(c, 2); !errors.Is(err, context.Canceled) || !slices.Contains(r.asked, "ROLLBACK") {
		t.Errorf("asked %q, error %v", r.asked, err)
	}
}

// A panic of the caller's function is the caller's, and neither the connection nor the
// transaction stays.
func TestPanicOfEachBlock(t *testing.T) {
	rows := make([][]driver.Value, 5*blockRows) // the reader has more when the first block is handed on
	for i := range rows {
		rows[i] = []driver.Value{float64(i % 7), float64(i % 11)}
	}
	r := &replay{answers: []answer{described, {rows: rows}}}
	db := sql.OpenDB(r)
	defer db.Close()
	s, err := Open(ctx, db, PostgreSQL, "t")
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Design(ctx, "y ~ x", &DesignSettings{Route: Streamed})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var got any
		before := r.ended
		ends(t, "a panic", func() {
			defer func() { got = recover() }()
			err = d.EachBlock(func(*mlreg.Design) error { panic("mine") })
		})
		if got != "mine" {
			t.Errorf("recovered %v, error %v", got, err)
		}
		if n := db.Stats().InUse; n != 0 || r.ended == before {
			t.Errorf("%d connections are in use, %d transactions have ended", n, r.ended-before)
		}
	}
	n := 0
	if err := d.EachBlock(func(b *mlreg.Design) error { n += len(b.Y); return nil }); err != nil || n != len(rows) {
		t.Errorf("%d rows: %v", n, err)
	}
}

// Control characters that a driver's error has are shown escaped: a terminal does not do what a
// database says.
func TestErrorsOfDriversAreEscaped(t *testing.T) {
	hostile := errors.New("no \x1b[2J\x00\r\n\u202e such table")
	for _, d := range dialects {
		for name, read := range reads {
			r := &replay{answers: append([]answer{described}, versions[d]...)}
			db := sql.OpenDB(r)
			s, err := Open(ctx, db, d, "t")
			if d == ClickHouse && err != nil {
				db.Close()
				continue // it asks for more
			}
			if err != nil {
				t.Fatal(err)
			}
			r.answers = []answer{{err: hostile}}
			err = read(s)
			if err == nil || strings.ContainsAny(err.Error(), "\x1b\x00\r\n\u202e") {
				t.Errorf("%v, %s: %q", d, name, fmt.Sprint(err))
			}
			db.Close()
		}
		r := &replay{answers: []answer{{err: hostile}}}
		db := sql.OpenDB(r)
		if _, err := Open(ctx, db, d, "t"); err == nil || strings.ContainsAny(err.Error(), "\x1b\x00\r\n\u202e") {
			t.Errorf("%v, Open: %q", d, fmt.Sprint(err))
		}
		db.Close()
	}
}
