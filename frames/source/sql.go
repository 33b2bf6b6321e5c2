package source

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/frames/source/internal/vectors"
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
	columns  []sqlColumn
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

// splitName returns the parts of such a name as they are.
func splitName(name string) ([]string, error) {
	var parts []string
	for rest := name; ; {
		var part string
		if strings.HasPrefix(rest, `"`) {
			end := 1
			for ; end < len(rest); end++ {
				if rest[end] != '"' {
					continue
				}
				if end+1 < len(rest) && rest[end+1] == '"' {
					end++
					continue
				}
				break
			}
			if end >= len(rest) {
				return nil, errorf(frames.ErrSetting, "the relation %q has a double quote that is not closed", name)
			}
			part, rest = strings.ReplaceAll(rest[1:end], `""`, `"`), rest[end+1:]
			if rest != "" && rest[0] != '.' {
				return nil, errorf(frames.ErrSetting, "the relation %q has text after a closing quote", name)
			}
		} else if dot := strings.IndexByte(rest, '.'); dot >= 0 {
			part, rest = rest[:dot], rest[dot:]
		} else {
			part, rest = rest, ""
		}
		if parts = append(parts, part); rest == "" {
			return parts, nil
		}
		rest = rest[1:]
	}
}

// sqlColumn is a column of a relation.
type sqlColumn struct {
	table.Field
	TypedColumn
	whole int // digits before the point of a decimal, 0 if the driver does not tell
}

// typed are the columns as a dialect sees them.
func typed(columns []*sqlColumn) []*TypedColumn {
	out := make([]*TypedColumn, len(columns))
	for i, c := range columns {
		out[i] = &c.TypedColumn
	}
	return out
}

// sqlEngine reads a relation of a database.
type sqlEngine struct {
	db       *sql.DB
	d        *Dialect
	name     string
	relation string

	columns []sqlColumn
	others  []sqlColumn // that are left out
	names   []string    // of all, in the order of the relation
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

// session is a connection with a transaction, if the database has them.
type session struct {
	conn *sql.Conn
	tx   *sql.Tx
	e    *sqlEngine
	lost bool // the connection; the pool does not get it back

	settings string // that end every SELECT, behind those of the dialect
}

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

func (e *databaseError) Error() string   { return format.Line(e.msg) }
func (e *databaseError) Unwrap() []error { return []error{ErrSource, e.cause} }

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
func (e *sqlEngine) connect(ctx context.Context, write bool) (*session, func() error, error) {
	for try := 0; ; try++ {
		s, end, err := e.connectOnce(ctx, write)
		switch {
		case try < 10 && errors.Is(err, driver.ErrBadConn) && ctx.Err() == nil:
			continue // one that was left in the pool
		case err != nil:
			return nil, nil, err
		}
		if err := e.sameTypes(ctx, s); err != nil {
			closing := end()
			if try < 10 && errors.Is(err, driver.ErrBadConn) && ctx.Err() == nil {
				continue
			}
			return nil, nil, errors.Join(err, closing)
		}
		return s, end, nil
	}
}

// sameTypes returns an error if a column has another type than when the table was opened.
func (e *sqlEngine) sameTypes(ctx context.Context, s *session) error {
	if e.opened == nil {
		return nil
	}
	refs := make([]string, len(e.opened.columns))
	for j, c := range e.opened.columns {
		refs[j] = c.Ref
	}
	var changed error
	err := s.header(ctx, "SELECT "+strings.Join(refs, ", ")+" FROM "+e.opened.relation+" LIMIT 0", func(rows driver.Rows) {
		typed, ok := rows.(driver.RowsColumnTypeDatabaseTypeName)
		for j, c := range e.opened.columns {
			if !ok || j >= len(rows.Columns()) {
				return
			}
			if now := typed.ColumnTypeDatabaseTypeName(j); now != c.Declared {
				changed = errorf(ErrChanged, "%v has changed since it was opened: column %q was %s and is %s; open it again", e, c.Name, c.Declared, now)
				return
			}
		}
	})
	if e.d.stale(err) {
		return errorf(ErrChanged, "%v has changed since it was opened: a column has another type; open it again", e)
	}
	return errors.Join(err, changed)
}

// connectOnce opens a session on a connection of the pool.
func (e *sqlEngine) connectOnce(ctx context.Context, write bool) (*session, func() error, error) {
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return nil, nil, e.failure(ctx, "connect", err)
	}
	s := &session{conn: conn, e: e}
	if err := s.prepare(ctx, write); err != nil {
		return nil, nil, errors.Join(e.failure(ctx, "begin", err), s.end(ctx))
	}
	return s, func() error { return s.end(ctx) }, nil
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
	if err := s.join(ctx); err != nil {
		return err
	}
	for _, statement := range d.Prepare {
		var err error
		if s.tx != nil {
			_, err = s.tx.ExecContext(ctx, statement)
		} else {
			_, err = s.conn.ExecContext(ctx, statement)
		}
		if err != nil {
			return err
		}
	}
	if s.tx != nil {
		return nil
	}
	rows, err := s.conn.QueryContext(ctx, "SELECT 1") // which tells a connection that is gone
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	return errors.Join(rows.Err(), rows.Close())
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

// snapshot holds the rows still by a transaction, if the database has them.
func (e *sqlEngine) snapshot(ctx context.Context) (engine, func() error, error) {
	s, end, err := e.begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	return e.as(func(held *sqlEngine) { held.held = s }), end, nil
}

// as returns a copy with something changed.
func (e *sqlEngine) as(change func(*sqlEngine)) *sqlEngine {
	out := *e
	change(&out)
	return &out
}

// describe reads the columns and their types.
func (e *sqlEngine) describe(ctx context.Context) error {
	if err := e.identify(ctx); err != nil {
		return err
	}
	for try := 0; ; try++ {
		err := e.within(ctx, func(s *session) error { return e.readColumns(ctx, s) })
		if try < 10 && e.d.stale(err) {
			e.columns, e.others, e.names = nil, nil, nil
			continue // the driver had prepared the query for a table of other columns that was replaced
		}
		return err
	}
}

func (e *sqlEngine) readColumns(ctx context.Context, s *session) error {
	if e.d.Inspect != nil {
		if err := e.d.Inspect(ctx, s.each); err != nil {
			return err
		}
	}
	var columns []sqlColumn
	err := s.header(ctx, "SELECT * FROM "+e.relation+" LIMIT 0", func(rows driver.Rows) {
		typed, _ := rows.(driver.RowsColumnTypeDatabaseTypeName)
		sized, _ := rows.(driver.RowsColumnTypePrecisionScale)
		for j, name := range rows.Columns() {
			c := sqlColumn{Field: table.Field{Name: strings.Clone(name)}}
			if typed != nil {
				c.Declared = typed.ColumnTypeDatabaseTypeName(j)
			}
			if sized != nil {
				if precision, scale, known := sized.ColumnTypePrecisionScale(j); known && precision <= 1000 {
					c.whole = int(max(1, precision-scale))
				}
			}
			columns = append(columns, c)
		}
	})
	if err != nil {
		return err
	}
	for _, found := range columns {
		c, ok := e.d.columnOf(found.Name, found.Declared)
		c.Huge = c.Huge && !(c.Kind == FloatKind && found.whole > 0 && found.whole <= exactDigits)
		if c.Ref, err = e.d.ident(c.Name); err != nil {
			return err
		}
		e.names = append(e.names, c.Name)
		if !ok {
			e.others = append(e.others, c)
			continue
		}
		if e.d.Reserved != nil && e.d.Reserved(c.Name) != "" {
			return errorf(frames.ErrSetting, "%v has a column whose name %q %s; rename it in a view", e, c.Name, e.d.Reserved(c.Name))
		}
		if slices.ContainsFunc(e.columns, func(o sqlColumn) bool { return o.Name == c.Name }) {
			return errorf(frames.ErrSetting, "%v has two columns %q", e, c.Name)
		}
		e.columns = append(e.columns, c)
	}
	if err := e.settle(ctx, s); err != nil {
		return err
	}
	if len(e.columns) == 0 {
		return errorf(frames.ErrNoRows, "%v has no columns of numbers, texts or dates", e)
	}
	return nil
}

// exactDigits is how many digits every whole number may have that a float64 holds.
const exactDigits = 15

// columnOf finds out what a column of a database type has; it is false for binary
// columns and arrays.
func (d *Dialect) columnOf(name, declared string) (sqlColumn, bool) {
	c := sqlColumn{Field: table.Field{Name: name}}
	c.Declared = declared
	word := c.common()
	if c.Kind != OtherKind && d.Adjust != nil {
		d.Adjust(&c.TypedColumn, word)
	}
	c.take()
	return c, c.Kind != OtherKind
}

// take gives a column the type in frames of what it has.
func (c *sqlColumn) take() {
	c.Type = map[Kind]series.Type{FloatKind: series.Float, WholeKind: series.Int, TruthKind: series.Bool}[c.Kind]
	if c.Type == "" {
		c.Type = series.String
	}
	c.Dates = c.Kind == DateKind || c.Kind == TimeKind
}

// common fills in what the words tell that databases have in common, and returns the first.
func (c *TypedColumn) common() (word string) {
	t := strings.ToUpper(strings.TrimSpace(c.Declared))
	for _, wrap := range []string{"LOWCARDINALITY(", "NULLABLE("} {
		if strings.HasPrefix(t, wrap) {
			t = strings.TrimSuffix(strings.TrimPrefix(t, wrap), ")")
		}
	}
	if strings.HasSuffix(t, "[]") || strings.HasPrefix(t, "_") {
		c.Kind = OtherKind
		return t
	}
	word = t
	if i := strings.IndexAny(t, "( "); i >= 0 && !strings.HasPrefix(t, "DOUBLE") && !strings.HasPrefix(t, "TIMESTAMP") {
		word = t[:i]
	}
	switch word {
	case "FLOAT8", "FLOAT4", "FLOAT", "DOUBLE", "DOUBLE PRECISION", "REAL", "NUMERIC", "DECIMAL", "FLOAT32", "FLOAT64", "DECIMAL32", "DECIMAL64", "DECIMAL128", "DECIMAL256":
		c.Kind = FloatKind
		c.Decimal = strings.HasPrefix(word, "DECIMAL") || word == "NUMERIC"
		c.Huge = c.Decimal
		var precision, scale int
		if n, err := fmt.Sscanf(t[len(word):], "(%d,%d)", &precision, &scale); err == nil && n == 2 {
			c.Huge = c.Huge && precision-scale > exactDigits
		}
	case "INT2", "INT4", "SMALLINT", "TINYINT", "INTEGER", "INT", "UTINYINT", "USMALLINT", "UINTEGER", "INT8", "INT16", "INT32", "UINT8", "UINT16", "UINT32":
		c.Kind = WholeKind
	case "BIGINT", "INT64", "UINT64", "UBIGINT":
		c.Kind, c.Wide = WholeKind, true
	case "HUGEINT", "UHUGEINT", "INT128", "INT256", "UINT128", "UINT256", "BIGNUM", "VARINT":
		c.Kind, c.Wide, c.Huge = WholeKind, true, true
	case "BOOL", "BOOLEAN":
		c.Kind = TruthKind
	case "DATE", "DATE32":
		c.Kind = DateKind
	case "TIMESTAMP", "TIMESTAMPTZ", "DATETIME", "DATETIME64", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP WITHOUT TIME ZONE", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP_US":
		c.Kind = TimeKind
		c.Zone = strings.HasSuffix(word, "TZ") || strings.HasSuffix(word, "WITH TIME ZONE")
	case "BLOB", "BYTEA", "ARRAY", "TUPLE", "MAP", "STRUCT", "LIST", "UNION", "NESTED", "INTERVAL", "BIT", "AGGREGATEFUNCTION", "VARBIT", "POINT", "POLYGON", "TSVECTOR", "RECORD":
		c.Kind = OtherKind
	default:
		c.Kind = TextKind
		c.Cast = !slices.Contains([]string{"TEXT", "VARCHAR", "STRING", "CHAR", "CHARACTER", "NVARCHAR", "BPCHAR", "FIXEDSTRING"}, word)
		if strings.HasPrefix(word, "STRUCT") || strings.HasPrefix(word, "MAP") || strings.HasPrefix(word, "INTERVAL") {
			c.Kind = OtherKind
		}
	}
	return word
}

// settle gives columns without a type, such as those that a view of SQLite computes, that of
// their first value: numbers, text, or none, of binary values.
func (e *sqlEngine) settle(ctx context.Context, s *session) error {
	for j := 0; j < len(e.columns); j++ {
		c := &e.columns[j]
		if !c.Untyped {
			continue
		}
		row, err := s.one(ctx, "SELECT (SELECT "+e.d.ValueType(c.Ref)+" FROM "+e.relation+" WHERE "+c.Ref+" IS NOT NULL LIMIT 1)", 1)
		if err != nil {
			return err
		}
		switch text, _ := textOf(row[0]); text {
		case "integer", "real":
			c.Kind, c.Wide, c.Cast = FloatKind, true, false
			c.take()
		case "blob":
			e.others = append(e.others, *c)
			e.columns = slices.Delete(e.columns, j, j+1)
			j--
		}
	}
	return nil
}

func (e *sqlEngine) fields(context.Context) ([]table.Field, error) {
	all := make([]table.Field, len(e.columns))
	for j, c := range e.columns {
		all[j] = c.Field
	}
	return all, nil
}

// where writes the conditions that SQL can decide, joined by AND, and returns the
// others; "" if there is none.
func (e *sqlEngine) where(ctx context.Context, all []table.Condition) (text string, rest []table.Condition, err error) {
	var parts []string
	for _, w := range all {
		s, doubts, err := e.condition(w)
		if err == nil && len(doubts) > 0 {
			err = e.within(ctx, func(s *session) error { return e.certain(ctx, s, doubts, "") })
		}
		var not *notPushed
		switch {
		case errors.As(err, &not):
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
	row, err := s.one(ctx, "SELECT sum(CASE WHEN "+strings.Join(doubts, " OR ")+" THEN 1 ELSE 0 END) FROM "+e.relation+whereClause(where), 1)
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

// readAs writes a column as a type that every driver returns.
func (e *sqlEngine) readAs(c *sqlColumn) string {
	switch {
	case c.Wide && !c.Huge:
		return c.Ref // a float64 would round it
	case c.Kind == FloatKind || c.Kind == WholeKind:
		return e.d.Double(c.Ref)
	case c.Cast:
		return e.d.CastText(c.Ref)
	case c.Dates && e.d.Read != nil:
		return e.d.Read(&c.TypedColumn)
	}
	return c.Ref
}

// scan reads rows. They have no order; their numbers are those of their arrival.
func (e *sqlEngine) scan(ctx context.Context, q query, work func(*table.Block) (any, error), collect func(any) error) (stamp string, err error) {
	err = e.within(ctx, func(s *session) error {
		stamp, err = e.scanIn(ctx, s, q, work, collect)
		return err
	})
	return stamp, err
}

func (e *sqlEngine) scanIn(ctx context.Context, s *session, q query, work func(*table.Block) (any, error), collect func(any) error) (string, error) {
	where, rest, err := e.where(ctx, q.where)
	if err != nil {
		return "", err
	}
	columns, selected, err := e.read(q.columns)
	if err != nil {
		return "", err
	}
	if err := e.checkNumbers(ctx, s, columns, where); err != nil {
		return "", err
	}
	text := "SELECT " + strings.Join(selected, ", ") + " FROM " + e.relation + whereClause(where)
	var parts *partScan
	if q.limit > 0 {
		text += fmt.Sprintf(" LIMIT %d", q.limit)
	} else if parts, err = e.parts(ctx, s, columns, strings.Join(selected, ", "), where); err != nil {
		return "", err
	}
	stamped := q.stamped
	if stamped == nil {
		stamped = q.columns
	}
	n, total := 0, uint64(0)
	err = table.InOrder(ctx, func(ctx context.Context, emit func(*table.Block) error) (err error) {
		if parts != nil {
			n, err = parts.read(ctx, emit)
			return err
		}
		r := &blockReader{columns: columns, emit: emit, b: blockFor(columns)}
		err = r.all(ctx, s, text)
		n = r.n
		return err
	}, func(b *table.Block) (summed, error) {
		part := checksum(b, stamped)
		b, err := filtered(b, rest)
		if err != nil {
			return summed{}, err
		}
		result, err := work(b)
		return summed{result, part}, err
	}, func(r summed) error {
		total += r.part
		return collect(r.result)
	})
	if err != nil {
		return "", err
	}
	if q.limit > 0 {
		return "", nil
	}
	return fmt.Sprintf("rows %d %x", n, total), nil
}

// read returns the columns named, and what a SELECT of them selects, at least a number.
func (e *sqlEngine) read(names []string) (columns []*sqlColumn, selected []string, err error) {
	for _, name := range names {
		k := slices.IndexFunc(e.columns, func(c sqlColumn) bool { return c.Name == name })
		if k < 0 {
			return nil, nil, errorf(frames.ErrNoColumn, "%v has no column %q", e, name)
		}
		columns = append(columns, &e.columns[k])
		selected = append(selected, e.readAs(&e.columns[k]))
	}
	if len(selected) == 0 {
		selected = []string{"1"}
	}
	return columns, selected, nil
}

// blockReader makes blocks of what a database returns.
type blockReader struct {
	columns []*sqlColumn
	emit    func(*table.Block) error
	b       *table.Block // that is filled
	n       int          // rows before it
}

// next hands on the block.
func (r *blockReader) next() error {
	if r.b.N == 0 {
		return nil
	}
	r.b.First = r.n
	r.n += r.b.N
	full := r.b
	r.b = blockFor(r.columns)
	return r.emit(full)
}

// all reads the rows of a SELECT.
func (r *blockReader) all(ctx context.Context, s *session, text string) error {
	width := max(1, len(r.columns))
	err := s.eachVector(ctx, text, width, r.vectors)
	if errors.Is(err, vectors.ErrNot) {
		err = s.each(ctx, text, width, func(row []driver.Value) error { return r.row(s.e, row) })
	}
	if err != nil {
		return err
	}
	return r.next()
}

// vectors takes rows by columns.
func (r *blockReader) vectors(rows int, parts []vectors.Column) error {
	for from := 0; from < rows; {
		to := min(rows, from+blockRows-r.b.N)
		for j, c := range r.b.Columns {
			appendVector(c, r.columns[j], &parts[j], from, to)
		}
		r.b.N += to - from
		if from = to; r.b.N < blockRows {
			continue
		}
		if err := r.next(); err != nil {
			return err
		}
	}
	return nil
}

// row takes a row.
func (r *blockReader) row(e *sqlEngine, row []driver.Value) error {
	for j, c := range r.b.Columns {
		if err := appendValue(c, r.columns[j], row[j]); err != nil {
			return errorf(ErrSource, "%v: column %q in row %d: %v", e, c.Name, r.n+r.b.N+1, err)
		}
	}
	if r.b.N++; r.b.N < blockRows {
		return nil
	}
	return r.next()
}

type summed struct {
	result any
	part   uint64
}

// checksum adds up a hash of every row, so that the order does not matter.
func checksum(b *table.Block, names []string) uint64 {
	var total uint64
	for _, h := range rowHashes(b, names) {
		total += h
	}
	return total
}

// rowHashes returns a hash of the values of each row in the columns given.
func rowHashes(b *table.Block, names []string) []uint64 {
	rows := make([]uint64, b.N)
	for _, c := range b.Columns {
		if !slices.Contains(names, c.Name) {
			continue
		}
		for i, h := range rows {
			switch {
			case c.Missing[i]:
				rows[i] = hash(h, 0)
			case c.Text != nil:
				rows[i] = hashText(h, c.Text[i])
			default:
				if rows[i] = hash(h, math.Float64bits(c.Num[i])); c.LowAt(i) != 0 {
					rows[i] = hash(rows[i], math.Float64bits(c.Low[i]))
				}
			}
		}
	}
	return rows
}

// blockFor returns an empty block.
func blockFor(columns []*sqlColumn) *table.Block {
	b := &table.Block{}
	for _, c := range columns {
		to := &table.Column{Field: c.Field, Missing: make([]bool, 0, blockRows)}
		if c.Type == series.String {
			to.Text = make([]string, 0, blockRows)
		} else {
			to.Num = make([]float64, 0, blockRows)
		}
		b.Columns = append(b.Columns, to)
	}
	return b
}

// appendValue appends a value that the driver returned.
func appendValue(to *table.Column, c *sqlColumn, v any) error {
	missing := v == nil
	switch c.Kind {
	case FloatKind, WholeKind:
		x, low := math.NaN(), 0.0
		if !missing {
			var ok bool
			if x, low, ok = pairOf(v); !ok {
				return fmt.Errorf("%v (%T) is no number", v, v)
			}
			missing = math.IsNaN(x)
		}
		to.AppendNumber(x, low)
	case TruthKind:
		x, err := truthOf(v)
		if err != nil {
			return err
		}
		to.Num = append(to.Num, x)
	default:
		text, err := "", error(nil)
		if !missing {
			text, err = c.textOf(v)
		}
		if err != nil {
			return err
		}
		to.Text = append(to.Text, text)
	}
	to.Missing = append(to.Missing, missing)
	if missing {
		to.Count++
	}
	return nil
}

// truthOf is 1 of what is true, 0 of what is not, and NaN of NULL.
func truthOf(v any) (float64, error) {
	if v == nil {
		return math.NaN(), nil
	}
	x, ok := numberOf(v)
	switch {
	case !ok:
		return 0, fmt.Errorf("%v (%T) is not true or false", v, v)
	case x != 0:
		return 1, nil
	}
	return 0, nil
}

// textOf is the text of a column of texts or dates.
func (c *sqlColumn) textOf(v any) (string, error) {
	t, date := v.(time.Time)
	if date && c.Kind != TextKind {
		return dateText(t.UTC(), c.Kind), nil
	}
	text, ok := textOf(v)
	switch {
	case ok:
		return text, nil
	case c.Kind == TextKind:
		return "", fmt.Errorf("%v (%T) is no text", v, v)
	}
	return "", fmt.Errorf("%v (%T) is no date", v, v)
}

// appendVector appends rows of a column that an engine returned.
func appendVector(to *table.Column, c *sqlColumn, part *vectors.Column, from, end int) {
	at := len(to.Missing)
	to.Missing = to.Missing[:at+end-from]
	missing := to.Missing[at:]
	if part.Missing == nil {
		clear(missing)
	} else {
		copy(missing, part.Missing[from:end])
	}
	switch {
	case part.Num != nil:
		to.Num = append(to.Num, part.Num[from:end]...)
	case part.Int != nil:
		for _, v := range part.Int[from:end] {
			to.AppendNumber(table.SplitInt(v))
		}
	case part.Uint != nil:
		for _, v := range part.Uint[from:end] {
			to.AppendNumber(table.SplitUint(v))
		}
	case part.Bool != nil:
		for _, v := range part.Bool[from:end] {
			x := 0.0
			if v {
				x = 1
			}
			to.Num = append(to.Num, x)
		}
	case part.Text != nil:
		to.Text = append(to.Text, part.Text[from:end]...)
	default:
		for i, v := range part.Time[from:end] {
			text := ""
			if !missing[i] {
				text = dateText(v, c.Kind)
			}
			to.Text = append(to.Text, text)
		}
	}
	for i, none := range missing {
		switch {
		case to.Num == nil:
		case none:
			to.Set(at+i, math.NaN(), 0)
		case math.IsNaN(to.Num[at+i]):
			missing[i], none = true, true
		}
		if none {
			to.Count++
		}
	}
}

// dateText writes a date as package frames reads it.
func dateText(t time.Time, kind Kind) string {
	if kind == DateKind {
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01-02 15:04:05.999999")
}

// numberOrNaN is numberOf for what is NULL where there is none.
func numberOrNaN(v any) float64 {
	if x, ok := numberOf(v); ok {
		return x
	}
	return math.NaN()
}

// numberOf returns a number that a driver returned.
func numberOf(v any) (float64, bool) {
	x, _, ok := pairOf(v)
	return x, ok
}

// pairOf returns a number that a driver returned, a whole one beyond 2^53 with what rounding
// took from it.
func pairOf(v any) (num, low float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, 0, true
	case int64:
		num, low = table.SplitInt(v)
		return num, low, true
	case float32:
		return float64(v), 0, true
	case int32:
		return float64(v), 0, true
	case uint64:
		num, low = table.SplitUint(v)
		return num, low, true
	case uint32:
		return float64(v), 0, true
	case uint16:
		return float64(v), 0, true
	case uint8:
		return float64(v), 0, true
	case int8:
		return float64(v), 0, true
	case int16:
		return float64(v), 0, true
	case int:
		num, low = table.SplitInt(int64(v))
		return num, low, true
	case bool:
		if v {
			return 1, 0, true
		}
		return 0, 0, true
	case []byte:
		return pairOf(string(v))
	case string:
		if num, low, ok = table.SplitText(v); ok {
			return num, low, true
		}
		x, err := strconv.ParseFloat(v, 64)
		return x, 0, err == nil
	case fmt.Stringer: // *big.Int
		return pairOf(v.String())
	}
	return 0, 0, false
}

// textOf returns a text that a driver returned.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []byte:
		return string(v), true
	case fmt.Stringer:
		return v.String(), true
	}
	return "", false
}

// checkNumbers refuses numbers that cannot be read exactly, and texts where a database has
// them among its numbers and conditions.
func (e *sqlEngine) checkNumbers(ctx context.Context, s *session, columns []*sqlColumn, where string) error {
	var counts []string
	var huge []*sqlColumn
	var texts []*sqlColumn // where a column of numbers may have texts
	for _, c := range columns {
		if c.Huge {
			huge = append(huge, c)
			counts = append(counts, "sum(CASE WHEN "+e.d.Inexact(&c.TypedColumn)+" THEN 1 ELSE 0 END)")
		}
	}
	for _, c := range columns {
		if e.d.ValueType != nil && (c.Kind == FloatKind || c.Kind == WholeKind || c.Kind == TruthKind) {
			texts = append(texts, c)
			counts = append(counts, "sum(CASE WHEN "+e.d.ValueType(c.Ref)+" IN ('text', 'blob') THEN 1 ELSE 0 END)")
		}
	}
	if len(counts) == 0 {
		return nil
	}
	row, err := s.one(ctx, "SELECT "+strings.Join(counts, ", ")+" FROM "+e.relation+whereClause(where), len(counts))
	if err != nil {
		return err
	}
	for j, c := range huge {
		if n, ok := numberOf(row[j]); ok && n > 0 {
			return errorf(frames.ErrNotNumeric, "column %q is of type %s and has %.0f whole numbers beyond 2^53 that a float64 does not hold; in a view, convert them to 64-bit integers or texts, which keep them, or to floats", c.Name, c.Declared, n)
		}
	}
	for j, c := range texts {
		if n, ok := numberOf(row[len(huge)+j]); ok && n > 0 {
			what := "numbers"
			if c.Kind == TruthKind {
				what = "true and false, 1 and 0"
			}
			return errorf(frames.ErrNotNumeric, "column %q is of %s, but %.0f of its values are text", c.Name, what, n)
		}
	}
	return nil
}

var (
	_ snapshotter = (*sqlEngine)(nil)
	_ pusher      = (*sqlEngine)(nil)
)
