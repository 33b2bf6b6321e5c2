package source

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// Load writes the rows of a source, such as a frame or a file, into a database as a new table, and
// returns it: R's copy_to. Numbers are bound to a statement and not written as text, so that no
// digit is lost; columns have the type that they have in a frame: floats, integers of 64 bits,
// truth values, texts, dates, and times if a date has one.
//
//	rows, err := source.CSV("flights.csv", nil)
//	flights, err := source.Load(ctx, db, source.PostgreSQL, "flights", rows, nil)
//
// The name is as for Open. It is one transaction: after an error there is nothing of the table,
// and a table that is replaced is as it was. ClickHouse has no transactions; there the table is
// complete when it gets its name. Two passes are made over the rows, and one more over those of a
// file whose types are not known. Nil settings are the defaults.
//
// Errors: frames.ErrSetting if the table exists and is not to be replaced, and for names and dates
// that the database cannot have; those of reading; ErrSource for what the database refuses.
func Load(ctx context.Context, db *sql.DB, dialect *Dialect, name string, from *Source, settings *TableSettings) (*Source, error) {
	if err := from.check(ctx); err != nil {
		return nil, err
	}
	if err := checkDatabase(db, dialect); err != nil {
		return nil, err
	}
	parts, err := dialect.nameParts(name)
	if err != nil {
		return nil, err
	}
	to := &loading{e: &sqlEngine{db: db, d: dialect, name: name}, from: from, target: parts, replace: settings != nil && settings.Replace}
	if err := to.e.identify(ctx); err != nil {
		return nil, err
	}
	exists, err := to.e.exists(ctx, strings.Join(parts, "."))
	switch {
	case err != nil:
		return nil, err
	case exists && !to.replace:
		return nil, errorf(frames.ErrSetting, "there is a table %s already; TableSettings.Replace replaces it", name)
	}
	to.exists = exists
	if err := from.again(func() error { return to.run(ctx) }); err != nil {
		return nil, err
	}
	return Open(ctx, db, dialect, name)
}

// loading writes rows into a table.
type loading struct {
	e               *sqlEngine
	from            *Source
	target          []string // quoted parts of the name
	replace, exists bool
	columns         sqlColumns // of the new table
}

// run finds the columns, makes the table and fills it.
func (l *loading) run(ctx context.Context) error {
	if err := l.from.unchanged(); err != nil {
		return err
	}
	if err := l.describe(ctx); err != nil {
		return err
	}
	return l.create(ctx)
}

// describe finds the names and types of the columns.
func (l *loading) describe(ctx context.Context) error {
	fields, _, err := l.from.cells(ctx)
	if err != nil {
		return err
	}
	d := l.e.d
	l.columns = nil
	for j, f := range fields {
		c := &sqlColumn{Field: f}
		if c.Ref, err = d.ident(f.Name); err != nil {
			return err
		}
		for _, other := range fields[:j] {
			if d.sameName(f.Name, other.Name) {
				return errorf(frames.ErrSetting, "%v takes the columns %q and %q for one", d, other.Name, f.Name)
			}
		}
		if err := d.checkName(f.Name); err != nil {
			return err
		}
		c.Kind = map[series.Type]Kind{series.Float: FloatKind, series.Int: WholeKind, series.Bool: TruthKind, series.String: TextKind}[f.Type]
		if f.Type == series.String && f.Dates {
			c.Kind = DateKind
		}
		l.columns = append(l.columns, c)
	}
	fields, err = l.from.e.fields(ctx)
	if err != nil {
		return err
	}
	_, err = each(ctx, l.from.e, l.from.query(fields, namesOf(fields)), func(b *table.Block) error {
		for _, c := range l.columns {
			if c.Kind != DateKind {
				continue
			}
			of := b.Column(c.Name)
			for i, text := range of.Text {
				if t, ok := timeOf(text); ok && !t.Equal(t.Truncate(24*time.Hour)) && !of.Missing[i] {
					c.Kind = TimeKind
				}
			}
		}
		return nil
	})
	return err
}

// timeOf reads a date as package frames writes it.
func timeOf(text string) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04"} {
		if t, err := time.ParseInLocation(layout, text, time.UTC); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// loads is what fails of a load.
const loads = "load a table"

// create makes the table and fills it, whole or not at all. Without transactions the rows go to a table of plain names, which
// a driver may have to read, of which the other is made.
func (l *loading) create(ctx context.Context) error {
	stage, c := l.e.d.otherName(l.target, "stage"), l.e.d.creation(l.target, l.replace)
	c.Exists = l.exists
	refs, plain, named := make([]string, len(l.columns)), make([]string, len(l.columns)), make([]string, len(l.columns))
	for j, col := range l.columns {
		refs[j], plain[j] = col.Ref, fmt.Sprint("c", j)
		named[j] = plain[j] + " AS " + col.Ref
	}
	c.Select = "SELECT " + strings.Join(named, ", ") + " FROM " + stage
	return l.e.making(ctx, loads, c, []string{stage}, func(s *session) error {
		if s.tx != nil {
			if l.exists {
				if err := s.commands(ctx, loads, "DROP TABLE "+c.Name()); err != nil {
					return err
				}
			}
			if err := l.declare(ctx, s, c.Name(), refs); err != nil {
				return err
			}
			return l.fill(ctx, s.tx, c.Name(), refs)
		}
		if err := l.declare(ctx, s, stage, plain); err != nil {
			return err
		}
		if err := l.fillAlone(ctx, s, stage, plain); err != nil {
			return err
		}
		return s.commands(ctx, loads, l.e.d.Create(c)...)
	})
}

// declare makes a table of columns of the names given.
func (l *loading) declare(ctx context.Context, s *session, made string, names []string) error {
	declared := make([]string, len(names))
	for j, c := range l.columns {
		declared[j] = names[j] + " " + l.e.d.Storage(c.Kind)
	}
	return s.commands(ctx, loads, "CREATE TABLE "+made+" ("+strings.Join(declared, ", ")+")"+l.e.d.TableEnd)
}

// fillAlone is fill in a transaction of the rows alone.
func (l *loading) fillAlone(ctx context.Context, s *session, made string, names []string) error {
	tx, err := s.conn.BeginTx(ctx, nil)
	if err != nil {
		return l.failure(ctx, err)
	}
	filled := false
	defer func() { // or the connection is never free
		s.lost = s.lost || !filled && tx.Rollback() != nil
	}()
	if err := l.fill(ctx, tx, made, names); err != nil {
		return err
	}
	filled = true
	return l.failure(ctx, tx.Commit())
}

// failure wraps an error of the driver.
func (l *loading) failure(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	return l.e.failure(ctx, loads, &queryError{err})
}

// fill inserts the rows.
func (l *loading) fill(ctx context.Context, tx *sql.Tx, made string, names []string) error {
	insert, flush, err := l.inserter(ctx, tx, "INSERT INTO "+made+" ("+strings.Join(names, ", ")+")")
	if err != nil {
		return l.failure(ctx, err)
	}
	fields, err := l.from.e.fields(ctx)
	if err != nil {
		return err
	}
	_, err = each(ctx, l.from.e, l.from.query(fields, namesOf(fields)), func(b *table.Block) error {
		row := make([]any, len(l.columns))
		for i := range b.N {
			for j, c := range l.columns {
				if row[j], err = l.value(c, b.Column(c.Name), i, b.Number(i)); err != nil {
					return err
				}
			}
			if err := insert(row); err != nil {
				return l.failure(ctx, err)
			}
		}
		return nil
	})
	if err == nil {
		err = l.from.unchanged()
	}
	if err != nil {
		return err
	}
	return l.failure(ctx, flush())
}

// loadBatch is how many values a statement inserts.
const loadBatch = 2048

// inserter returns what collects rows for statements of many, and what inserts those that are left.
func (l *loading) inserter(ctx context.Context, tx *sql.Tx, start string) (insert func(row []any) error, flush func() error, err error) {
	if l.e.d.Batches { // the driver sends the rows of a transaction together
		statement, err := tx.PrepareContext(ctx, start)
		insert = func(row []any) error { _, err := statement.ExecContext(ctx, row...); return err }
		return insert, func() error { return nil }, err
	}
	most := max(1, loadBatch/len(l.columns))
	var values []any
	text := func(rows int) string {
		all, parameters := make([]string, rows), make([]string, len(l.columns))
		for i := range all {
			for j := range parameters {
				parameters[j] = l.e.d.parameter(i*len(parameters) + j + 1)
			}
			all[i] = "(" + strings.Join(parameters, ", ") + ")"
		}
		return start + " VALUES " + strings.Join(all, ", ")
	}
	var full *sql.Stmt // of most rows; the end of the transaction closes it
	flush = func() (err error) {
		switch rows := len(values) / len(l.columns); {
		case rows == 0:
		case rows < most:
			_, err = tx.ExecContext(ctx, text(rows), values...)
		default:
			if full == nil {
				if full, err = tx.PrepareContext(ctx, text(most)); err != nil {
					return err
				}
			}
			_, err = full.ExecContext(ctx, values...)
		}
		values = values[:0]
		return err
	}
	insert = func(row []any) error {
		if values = append(values, row...); len(values) < most*len(l.columns) {
			return nil
		}
		return flush()
	}
	return insert, flush, nil
}

// value is row i of a column of a block, row of its table, as a driver takes it.
func (l *loading) value(c *sqlColumn, from *table.Column, i, row int) (any, error) {
	switch {
	case from.Missing[i]:
		return nil, nil
	case c.Kind == TextKind:
		return from.Text[i], nil
	case c.Kind == TruthKind:
		return l.e.d.truth(from.Num[i] != 0), nil
	case c.Kind == DateKind || c.Kind == TimeKind:
		t, ok := timeOf(from.Text[i])
		if !ok {
			return nil, errorf(frames.ErrSetting, "column %q has %q in row %d, which is no date", c.Name, from.Text[i], row+1)
		}
		v, err := l.e.d.moment(c.Kind, t)
		if err != nil {
			return nil, errorf(frames.ErrSetting, "column %q has %s in row %d; %v; make it text", c.Name, t.Format("2006-01-02 15:04:05.999999"), row+1, err)
		}
		return v, nil
	}
	if v, ok := table.Int(from.Num[i], from.LowAt(i)); ok && c.Kind == WholeKind {
		return int64(v), nil
	}
	if c.Kind == WholeKind || from.LowAt(i) != 0 && math.Abs(from.Num[i]) >= table.Exact {
		return nil, errorf(frames.ErrSetting, "column %q has %s in row %d, which neither a float64 nor an integer of 64 bits holds; make it text", c.Name, table.WholeText(from.Num[i], from.LowAt(i)), row+1)
	}
	if math.IsInf(from.Num[i], 0) && l.e.d.Finite {
		return nil, errorf(frames.ErrSetting, "column %q has %v in row %d, and %v has no infinite numbers", c.Name, from.Num[i], row+1, l.e.d)
	}
	return from.Num[i], nil
}
