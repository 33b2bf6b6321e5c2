package source

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
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
	columns         []loadedColumn
}

// loadedColumn is a column of the new table.
type loadedColumn struct {
	table.Field
	Ref  string
	Kind Kind
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
		c := loadedColumn{Field: f}
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
		for j := range l.columns {
			if c := &l.columns[j]; c.Kind == DateKind {
				for i, text := range b.Column(c.Name).Text {
					if t, ok := timeOf(text); ok && !t.Equal(t.Truncate(24*time.Hour)) && !b.Column(c.Name).Missing[i] {
						c.Kind = TimeKind
						break
					}
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

// create makes the table and fills it, whole or not at all.
func (l *loading) create(ctx context.Context) (err error) {
	s, end, err := l.e.connect(ctx, true)
	if err != nil {
		return err
	}
	defer func() {
		if closing := end(); err == nil {
			err = closing
		}
	}()
	if s.tx == nil {
		return l.staged(ctx, s)
	}
	name := strings.Join(l.target, ".")
	if l.exists {
		if err := l.command(ctx, s, "DROP TABLE "+name); err != nil {
			return err
		}
	}
	refs := make([]string, len(l.columns))
	for j, c := range l.columns {
		refs[j] = c.Ref
	}
	if err := l.fill(ctx, s, name, refs); err != nil {
		return err
	}
	return l.e.failure(ctx, "load a table", s.tx.Commit())
}

// staged fills a table of plain names, which a driver may have to read, and makes the table of that.
func (l *loading) staged(ctx context.Context, s *session) (err error) {
	d := l.e.d
	other := func(word string) string {
		quoted, _ := d.ident("regbook_" + word + "_" + strings.ToLower(rand.Text()[:12])) // has no error for such a name
		return strings.Join(append(append([]string(nil), l.target[:len(l.target)-1]...), quoted), ".")
	}
	stage := other("stage")
	c := &Creation{Target: l.target, Made: other("made"), Old: other("old"), Replace: l.replace, Exists: l.exists}
	defer func() {
		drop, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropWait)
		defer cancel()
		err = errors.Join(err, l.e.within(drop, func(s *session) error {
			return errors.Join(s.exec(drop, "DROP TABLE IF EXISTS "+stage), s.exec(drop, "DROP TABLE IF EXISTS "+c.Made))
		}))
	}()
	plain, named := make([]string, len(l.columns)), make([]string, len(l.columns))
	for j, col := range l.columns {
		plain[j] = fmt.Sprint("c", j)
		named[j] = plain[j] + " AS " + col.Ref
	}
	if err := l.fill(ctx, s, stage, plain); err != nil {
		return err
	}
	c.Select = "SELECT " + strings.Join(named, ", ") + " FROM " + stage
	for _, command := range d.Create(c) {
		if err := l.command(ctx, s, command); err != nil {
			return err
		}
	}
	return nil
}

func (l *loading) command(ctx context.Context, s *session, text string) error {
	if err := s.exec(ctx, text); err != nil {
		return l.e.failure(ctx, "load a table", &queryError{err})
	}
	return nil
}

// fill makes a table of columns of the names given, and inserts the rows.
func (l *loading) fill(ctx context.Context, s *session, made string, names []string) error {
	declared := make([]string, len(names))
	for j, c := range l.columns {
		declared[j] = names[j] + " " + l.e.d.Storage(c.Kind)
	}
	if err := l.command(ctx, s, "CREATE TABLE "+made+" ("+strings.Join(declared, ", ")+")"+l.e.d.TableEnd); err != nil {
		return err
	}
	insert, done, abort, err := l.inserter(ctx, s, "INSERT INTO "+made+" ("+strings.Join(names, ", ")+")")
	if err != nil {
		return err
	}
	ended := false
	defer func() {
		if !ended { // or the connection is never free
			abort()
		}
	}()
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
				return l.e.failure(ctx, "load a table", &queryError{err})
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
	ended = true
	if err := done(); err != nil {
		return l.e.failure(ctx, "load a table", &queryError{err})
	}
	return nil
}

// loadBatch is how many values a statement inserts.
const loadBatch = 2048

// inserter returns what inserts a row, many in a statement, what ends it, and what ends it after an error.
func (l *loading) inserter(ctx context.Context, s *session, start string) (insert func(row []any) error, done func() error, abort func(), err error) {
	tx, abort := s.tx, func() {}
	commit := func() error { return nil }
	if tx == nil { // of the rows alone
		if tx, err = s.conn.BeginTx(ctx, nil); err != nil {
			return nil, nil, nil, l.e.failure(ctx, "load a table", &queryError{err})
		}
		abort = func() { s.lost = tx.Rollback() != nil || s.lost }
		commit = tx.Commit
	}
	if l.e.d.Batches { // the driver sends the rows of a transaction together
		statement, err := tx.PrepareContext(ctx, start)
		if err != nil {
			abort()
			return nil, nil, nil, l.e.failure(ctx, "load a table", &queryError{err})
		}
		insert = func(row []any) error { _, err := statement.ExecContext(ctx, row...); return err }
		return insert, commit, abort, nil
	}
	insert, flush := l.statements(ctx, tx, start)
	return insert, func() error {
		if err := flush(); err != nil {
			abort()
			return err
		}
		return commit()
	}, abort, nil
}

// statements returns what collects rows for statements of many, and what inserts those that are left.
func (l *loading) statements(ctx context.Context, tx *sql.Tx, start string) (insert func(row []any) error, flush func() error) {
	most := max(1, loadBatch/len(l.columns))
	var values []any
	text := func(rows int) string {
		var b strings.Builder
		b.WriteString(start + " VALUES ")
		for i := range rows {
			if i > 0 {
				b.WriteString(", ")
			}
			for j := range l.columns {
				b.WriteString(map[bool]string{true: "(", false: ", "}[j == 0] + l.e.d.parameter(i*len(l.columns)+j+1))
			}
			b.WriteString(")")
		}
		return b.String()
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
	return func(row []any) error {
		if values = append(values, row...); len(values) < most*len(l.columns) {
			return nil
		}
		return flush()
	}, flush
}

// value is row i of a column of a block, row of its table, as a driver takes it.
func (l *loading) value(c loadedColumn, from *table.Column, i, row int) (any, error) {
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
