package source

import (
	"context"
	"database/sql/driver"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/regbook/regbook/frames"
)

// checkText returns an error for a text that SQL cannot hold.
func checkText(what, s string) error {
	switch {
	case strings.ContainsRune(s, 0):
		return errorf(frames.ErrSetting, "the %s %q has a NUL byte, which SQL does not take", what, s)
	case !utf8.ValidString(s):
		return errorf(frames.ErrSetting, "the %s %q is not UTF-8", what, s)
	}
	return nil
}

// ident quotes a name.
func (d *Dialect) ident(name string) (string, error) {
	if name == "" {
		return "", errorf(frames.ErrSetting, "a name is empty")
	}
	if err := checkText("name", name); err != nil {
		return "", err
	}
	return d.QuoteName(name), nil
}

// text quotes a text.
func (d *Dialect) text(s string) (string, error) {
	if err := checkText("text", s); err != nil {
		return "", err
	}
	return d.QuoteText(s), nil
}

// number writes a float64. NaN is NULL, and so are infinite ones of a database that has none.
func (d *Dialect) number(v float64) string {
	switch {
	case math.IsNaN(v), math.IsInf(v, 0) && d.Finite:
		return "NULL"
	case math.IsInf(v, 0):
		sign := ""
		if v < 0 {
			sign = "-"
		}
		if d.Infinity != "" {
			return "(" + sign + d.Infinity + ")"
		}
		return d.Double("'" + sign + "Infinity'")
	}
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if d.Decimals {
		return d.Double("'" + s + "'")
	}
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	if v < 0 || math.Signbit(v) {
		return "(" + s + ")"
	}
	return s
}

// checkName returns an error for a name that a column cannot have.
func (d *Dialect) checkName(name string) error {
	if d.Reserved != nil {
		if why := d.Reserved(name); why != "" {
			return errorf(frames.ErrSetting, "the name %q %s", name, why)
		}
	}
	if d.NameBytes > 0 && len(name) > d.NameBytes {
		return errorf(frames.ErrSetting, "the name %q has %d bytes; %v cuts names to %d", name, len(name), d, d.NameBytes)
	}
	return nil
}

// sameName tells whether a table cannot have columns of both names.
func (d *Dialect) sameName(a, b string) bool { return a == b || d.OneCase && strings.EqualFold(a, b) }

// missing is true where a column has no value.
func (d *Dialect) missing(col *sqlColumn) string {
	if col.Kind == FloatKind && !col.Decimal && !d.NoNaN {
		return "(" + col.Ref + " IS NULL OR " + d.NotNumber(col.Ref) + ")"
	}
	return "(" + col.Ref + " IS NULL)"
}

// choose is n where a condition is true and 0 where it is false, which is never NULL; where truth is a whole number, that takes no branch.
func (d *Dialect) choose(condition, n string) string {
	if d.TruthIsWhole {
		return n + " * " + condition
	}
	return "CASE WHEN " + condition + " THEN " + n + " ELSE 0 END"
}

// hash is a hash of the values of rows, "" if there is none.
func (d *Dialect) hash(columns sqlColumns, seed uint64) string {
	if len(columns) == 0 || d.RowHash == nil {
		return ""
	}
	return d.RowHash(columns.typed(), seed)
}

// countIf counts the rows in which a condition is true.
func countIf(condition string) string { return "sum(CASE WHEN " + condition + " THEN 1 ELSE 0 END)" }

// quoted joins the parts of a name.
func quoted(quote func(string) string, name []string) string {
	parts := make([]string, len(name))
	for k, part := range name {
		parts[k] = quote(part)
	}
	return strings.Join(parts, ".")
}

// number is that of a SELECT of at most one; 0 is of none.
func (query Query) number(ctx context.Context, text string) (n float64, err error) {
	err = query(ctx, text, 1, func(row []driver.Value) error {
		n, _ = numberOf(row[0])
		return nil
	})
	return n, err
}

// stampHash is a hash by which passes are compared, "" if there is none.
func (d *Dialect) stampHash(columns sqlColumns) string {
	if len(columns) > 0 && d.RowHash == nil && d.Checksum != nil {
		return d.Checksum(columns.typed())
	}
	return d.hash(columns, 1)
}

// identify returns an error if another database answers, before that is asked what it may not
// know, and keeps what the version tells.
func (e *sqlEngine) identify(ctx context.Context) error {
	s, err := e.onConnection(ctx, func(s *session) error {
		row, err := s.one(ctx, e.d.Version, 1)
		var q *queryError
		switch {
		case errors.As(err, &q) && ctx.Err() == nil && !s.lost:
			return errorf(errors.Join(frames.ErrSetting, ErrSource), "the database is not %v: %q is an error: %v", e.d, e.d.Version, q)
		case err != nil:
			return err
		}
		text, ok := textOf(row[0])
		if !ok || !e.d.Recognized(text) {
			return errorf(frames.ErrSetting, "the database is not %v: its version is %q; open it with its own dialect", e.d, text)
		}
		e.compensated = e.d.Compensated != nil && e.d.Compensated(text)
		return nil
	})
	if err != nil {
		return err
	}
	return s.end(ctx)
}

// What dialects have that do not say otherwise.

// notNumber is true where a float is NaN.
func (d *Dialect) notNumber(x string) string {
	if d.NoNaN {
		return "(1=0)"
	}
	return d.NotNumber(x)
}

// logarithm is ln(x), NULL where x is not larger than zero.
func (d *Dialect) logarithm(x, zero string) string {
	if d.Logarithm != nil {
		return d.Logarithm(x, zero)
	}
	return "(" + d.Ln + "(nullif(greatest(" + x + ", " + zero + "), " + zero + ")))"
}

// daysOff is what days may be off by, in units of 2^-53.
func (d *Dialect) daysOff(col *TypedColumn, days string) string {
	switch {
	case d.DaysOff != nil:
		return d.DaysOff(col, days)
	case col.Kind == TimeKind:
		return "abs(" + days + ")"
	}
	return ""
}

// parameter is parameter k of a statement, from 1.
func (d *Dialect) parameter(k int) string {
	if d.Parameter != nil {
		return d.Parameter(k)
	}
	return "?"
}

// truth is a truth value as the driver takes it.
func (d *Dialect) truth(v bool) any {
	switch {
	case d.Truth != nil:
		return d.Truth(v)
	case !d.TruthIsWhole:
		return v
	case v:
		return int64(1)
	}
	return int64(0)
}

// moment is a date or time as the driver takes it.
func (d *Dialect) moment(kind Kind, t time.Time) (any, error) {
	if d.Moment != nil {
		return d.Moment(kind, t)
	}
	return t, nil
}

// What several dialects write.

// standardName quotes a name as the SQL standard says.
func standardName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// standardText quotes a text as the SQL standard says.
func standardText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// between returns what writes a text before and after x.
func between(before, after string) func(x string) string {
	return func(x string) string { return before + x + after }
}

// typesOf are the types of loaded columns, by their kinds.
func typesOf(float, whole, truth, text, day, moment string) func(kind Kind) string {
	all := map[Kind]string{FloatKind: float, WholeKind: whole, TruthKind: truth, TextKind: text, DateKind: day, TimeKind: moment}
	return func(kind Kind) string { return all[kind] }
}

// textMoment is a date or time as frames write it.
func textMoment(kind Kind, t time.Time) (any, error) { return dateText(t, kind), nil }

// stale tells whether a driver had prepared a query for other types.
func (d *Dialect) stale(err error) bool { return d.Stale != nil && d.Stale(err) }

// refs are the names of columns.
func refs(columns []*TypedColumn) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.Ref
	}
	return out
}

// wholeFloat is what comes before a condition on the whole number that a float is.
func wholeFloat(c *TypedColumn) string {
	if c.Kind == FloatKind {
		return c.Ref + " = floor(" + c.Ref + ") AND "
	}
	return ""
}

// most53 is 2^53.
const most53 = "9007199254740992"
