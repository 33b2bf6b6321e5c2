package source

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/format"
)

// Open returns a table or view of a database as a source. The driver is the caller's,
// and so is db, which Open does not close.
//
//	db, err := sql.Open("pgx", "postgres://...")
//	flights, err := source.Open(ctx, db, source.PostgreSQL, "public.flights")
//
// Relation is a name as the database stores it, with case; the names of a schema and a
// table are joined by a dot. A name with a dot in it is written in double quotes, in
// which a double quote is doubled: public."flights.2024". Names are always quoted in SQL,
// and so are all texts of formulas and conditions.
//
// Columns of whole numbers keep all digits up to 64 bits, as in frames: comparisons, groups
// and levels are exact, and rows are streamed where SQL would round. Others, decimals
// included, are float64: a whole number among them that float64 does not hold, beyond 2^53
// (or 64 bits), is an error that names its column when it is used. NULL and NaN are missing values. Columns of dates and times are dates, in UTC;
// those of other types, such as enumerations and UUIDs, are text; arrays and binary
// columns are left out. Texts compare by bytes, whatever the collation of the database.
//
// A database has no order of rows: Head returns some of them, folds and samples go by
// the values of the row, and equal rows are in one fold.
//
// Errors: ErrSource if the relation cannot be read, frames.ErrSetting for a dialect or a
// name that is none.
func Open(ctx context.Context, db *sql.DB, dialect *Dialect, relation string) (*Source, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	if err := checkDatabase(db, dialect); err != nil {
		return nil, err
	}
	parts, err := dialect.nameParts(relation)
	if err != nil {
		return nil, err
	}
	e := &sqlEngine{db: db, d: dialect, name: relation, relation: strings.Join(parts, "."), link: &link{}}
	if err := e.describe(ctx); err != nil {
		return newSource(e), err
	}
	names, _ := splitName(relation)
	e.opened = &openedTable{e.relation, names, slices.Concat(e.columns, e.others)}
	return newSource(e), nil
}

func checkDatabase(db *sql.DB, dialect *Dialect) error {
	switch {
	case db == nil:
		return errorf(frames.ErrSetting, "the database is nil")
	case dialect == nil || dialect.Name == "":
		return errorf(frames.ErrSetting, "the dialect is none; there are PostgreSQL, DuckDB, ClickHouse, SQLite and MariaDB, and those that others write")
	}
	return dialect.check()
}

// openedTable is a table as it was when it was opened.
type openedTable struct {
	relation string
	parts    []string // of its name
	columns  sqlColumns
}

// nameParts quotes the parts of the name of a table, which may have that of a schema before it.
func (d *Dialect) nameParts(name string) ([]string, error) {
	parts, err := splitName(name)
	for k := 0; err == nil && k < len(parts); k++ {
		if parts[k], err = d.ident(parts[k]); err != nil {
			err = errorf(frames.ErrSetting, "the relation %q: %s", name, strings.TrimPrefix(err.Error(), "source: "))
		}
	}
	return parts, err
}

// quotedPart is a part in quotes at the start of a name.
var quotedPart = regexp.MustCompile(`^"((?:[^"]|"")*)"`)

// splitName returns the parts of such a name as they are.
func splitName(name string) (parts []string, err error) {
	for rest, more := name, true; more; {
		var part string
		if strings.HasPrefix(rest, `"`) {
			quoted := quotedPart.FindStringSubmatch(rest)
			if quoted == nil {
				return nil, errorf(frames.ErrSetting, "the relation %q has a double quote that is not closed", name)
			}
			part, rest = strings.ReplaceAll(quoted[1], `""`, `"`), rest[len(quoted[0]):]
			if rest != "" && rest[0] != '.' {
				return nil, errorf(frames.ErrSetting, "the relation %q has text after a closing quote", name)
			}
			_, rest, more = strings.Cut(rest, ".")
		} else {
			part, rest, more = strings.Cut(rest, ".")
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// sqlEngine reads a relation of a database.
type sqlEngine struct {
	db       *sql.DB
	d        *Dialect
	name     string
	relation string

	columns sqlColumns
	others  sqlColumns // that are left out
	names   []string   // of all, in the order of the relation
	opened  *openedTable
	held    *session // of a snapshot, nil if there is none
	depth   int      // of SELECTs in the relation
	// checks find what predictions of the relation cannot have; see sql_predict.go.
	checks []func(context.Context, *session) error
	// compensated says that sums are added up to twice the digits, as SQLite does from
	// version 3.43.
	compensated bool
	connections int    // that read parts of the table at a time; 0 reads it at once
	share       string // the snapshot that sessions join; "" is each its own
	link        *link  // to the database
}

func (e *sqlEngine) String() string { return fmt.Sprintf("%v table %s", e.d, e.name) }

// failure wraps an error of the driver. What it says never has a password: that is known
// to the driver alone.
func (e *sqlEngine) failure(ctx context.Context, doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("source: %s: %w", format.Line(e.String()), ctx.Err())
	}
	var late interface{ Timeout() bool }
	if _, has := ctx.Deadline(); has && errors.As(err, &late) && late.Timeout() { // a little before the context
		return fmt.Errorf("source: %s: %w", format.Line(e.String()), context.DeadlineExceeded)
	}
	if e.d.Rewritten != nil {
		text := err.Error()
		if q := (*queryError)(nil); errors.As(err, &q) {
			text = q.err.Error() // all of it
		}
		if what := e.d.Rewritten(text, e.names); what != "" {
			return errorf(ErrChanged, "%v has changed since it was opened: %s; open it again", e, what)
		}
	}
	return &databaseError{fmt.Sprintf("source: %v: %s: %v", e, doing, err), err}
}

// databaseError is an ErrSource that keeps what the driver said.
type databaseError struct {
	msg   string
	cause error
}

func (e *databaseError) Error() string { return format.Line(e.msg) }

func (e *databaseError) Unwrap() []error { return []error{ErrSource, e.cause} }

// snapshot holds the rows still by a transaction, if the database has them.
func (e *sqlEngine) snapshot(ctx context.Context, f func(e engine) error) error {
	return e.within(ctx, func(s *session) error { return f(e.as(func(held *sqlEngine) { held.held = s })) })
}

// as returns a copy with something changed.
func (e *sqlEngine) as(change func(*sqlEngine)) *sqlEngine {
	out := *e
	change(&out)
	return &out
}

var _ snapshotter = (*sqlEngine)(nil)
