package source

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// This file reads the columns of a table and what their types tell.

// sqlColumn is a column of a relation.
type sqlColumn struct {
	table.Field
	TypedColumn
}

// sqlColumns are columns of a relation.
type sqlColumns []*sqlColumn

// named is the column of a name, nil if there is none.
func (all sqlColumns) named(name string) *sqlColumn {
	for _, c := range all {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// typed are the columns as a dialect sees them.
func (all sqlColumns) typed() []*TypedColumn {
	out := make([]*TypedColumn, len(all))
	for i, c := range all {
		out[i] = &c.TypedColumn
	}
	return out
}

// columnsOf returns the columns of names.
func (e *sqlEngine) columnsOf(names []string) (sqlColumns, error) {
	var columns sqlColumns
	for _, name := range names {
		c := e.columns.named(name)
		if c == nil {
			return nil, errorf(frames.ErrNoColumn, "%v has no column %q", e, name)
		}
		columns = append(columns, c)
	}
	return columns, nil
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
	var columns sqlColumns
	err := s.header(ctx, "SELECT * FROM "+e.relation+" LIMIT 0", func(rows driver.Rows) {
		typed, _ := rows.(driver.RowsColumnTypeDatabaseTypeName)
		sized, _ := rows.(driver.RowsColumnTypePrecisionScale)
		for j, name := range rows.Columns() {
			declared := ""
			if typed != nil {
				declared = typed.ColumnTypeDatabaseTypeName(j)
			}
			c := e.d.columnOf(strings.Clone(name), declared)
			if sized != nil && c.Kind == FloatKind {
				precision, scale, known := sized.ColumnTypePrecisionScale(j)
				c.Huge = c.Huge && !(known && precision <= 1000 && precision-scale <= exactDigits)
			}
			columns = append(columns, c)
		}
	})
	if err != nil {
		return err
	}
	for _, c := range columns {
		if c.Ref, err = e.d.ident(c.Name); err != nil {
			return err
		}
		e.names = append(e.names, c.Name)
		if c.Kind == OtherKind {
			e.others = append(e.others, c)
			continue
		}
		if e.d.Reserved != nil && e.d.Reserved(c.Name) != "" {
			return errorf(frames.ErrSetting, "%v has a column whose name %q %s; rename it in a view", e, c.Name, e.d.Reserved(c.Name))
		}
		if e.columns.named(c.Name) != nil {
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

// columnOf finds out what a column of a database type has.
func (d *Dialect) columnOf(name, declared string) *sqlColumn {
	c := &sqlColumn{Field: table.Field{Name: name}}
	c.Declared = declared
	word := c.common()
	if c.Kind != OtherKind && d.Adjust != nil {
		d.Adjust(&c.TypedColumn, word)
	}
	c.take()
	return c
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
	for _, c := range slices.Clone(e.columns) {
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
			e.others = append(e.others, c)
			e.columns = slices.DeleteFunc(e.columns, func(of *sqlColumn) bool { return of == c })
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

// checkNumbers refuses numbers that cannot be read exactly, and texts where a database has
// them among its numbers and conditions.
func (e *sqlEngine) checkNumbers(ctx context.Context, s *session, columns sqlColumns, where string) error {
	var counts []string
	var huge sqlColumns
	var texts sqlColumns // where a column of numbers may have texts
	for _, c := range columns {
		if c.Huge {
			huge = append(huge, c)
			counts = append(counts, countIf(e.d.Inexact(&c.TypedColumn)))
		}
	}
	for _, c := range columns {
		if e.d.ValueType != nil && (c.Kind == FloatKind || c.Kind == WholeKind || c.Kind == TruthKind) {
			texts = append(texts, c)
			counts = append(counts, countIf(e.d.ValueType(c.Ref)+" IN ('text', 'blob')"))
		}
	}
	if len(counts) == 0 {
		return nil
	}
	row, err := e.totals(ctx, s, where, counts...)
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
