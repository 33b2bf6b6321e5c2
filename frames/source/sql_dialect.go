package source

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/regbook/regbook/frames"
)

// Dialect is the SQL of a database. There are PostgreSQL, DuckDB, ClickHouse and SQLite; each
// has a file of its own, and nothing else in this package knows them by name.
type Dialect struct {
	name string

	// Names, texts and numbers as SQL writes them.
	quoteName func(name string) string // a name without NUL
	quoteText func(text string) string // a text without NUL
	nameBytes int                      // that the database keeps of a name; 0 is all
	oneCase   bool                     // names that differ in case only are the same
	infinity  string                   // a literal of +Inf; "" is a text that is converted
	decimals  bool                     // 0.1 is a decimal: numbers are texts that are converted
	rounds    bool                     // the last digits of a literal are not read
	double    func(x string) string    // x as a float64
	castText  func(x string) string    // x as a text
	asText    func(x string) string    // x as a text that compares by bytes

	// Functions of numbers.
	ln         string                      // natural logarithm
	power      string                      // x to a power
	logarithm  func(x, zero string) string // ln(x), NULL where x is not positive
	noNaN      bool                        // the database stores NULL for NaN
	notNumber  func(x string) string       // true where a float is NaN
	inexact    func(c *sqlColumn) string   // true where a whole number is not that of its float64
	maxTargets int                         // how many values a SELECT may have

	// Columns and their types.
	adjust       func(c *sqlColumn, word, declared string) // what columnOf found, by the first word of a type and the type
	looseTypes   bool                                      // columns of numbers may have texts
	truthIsWhole bool                                      // true is 1
	textDates    bool                                      // dates are stored as texts
	reserved     func(name string) bool                    // names that the database takes for something else; nil is none
	days         func(col *sqlColumn) string               // a date as a number of days since 1970-01-01
	daysOff      func(col *sqlColumn, days string) string  // what days may be off by; see sql_rounding.go
	datePart     func(part string, col *sqlColumn) string  // year, month, day, yday, weekday or hour; "" if it has none

	// Hashes and quantiles; nil if there is none.
	rowHash     func(columns []*sqlColumn, seed uint64) string // whole, from 0, by the values of a row
	hashSum     func(hash string) string                       // sum of hashes, as a text
	checksum    func(columns []*sqlColumn) string              // rowHash for comparing passes alone, where rowHash is nil
	blockHashes int                                            // columns by which rows are dealt to blocks; 0 is all
	quantiles   func(x, levels string) string                  // list of order statistics at levels
	skipNull    bool                                           // quantiles take no NULL
	quartiles   string                                         // format of the three quartiles of x, number i; "" is by bins

	// How queries are put together.
	oneLevel bool   // bindings are WITH, in one SELECT that shards can compute, and names of names get lost
	fence    string // keeps an expression from being computed for every use
	settings string // end of every SELECT

	// Which database answers.
	version    string                                  // a SELECT that tells it
	recognized func(e *sqlEngine, version string) bool // whether it is this one, if it answers at all

	// Sessions and what is done in them.
	transaction *sql.TxOptions                                            // of reading; nil if there are no transactions: passes compare counts and a checksum
	prepare     []string                                                  // statements at the start of a session
	savepoints  bool                                                      // a failed statement ends the transaction
	inspect     func(ctx context.Context, e *sqlEngine, s *session) error // server and driver, before the columns
	rewritten   func(e *sqlEngine, message string) error                  // an ErrChanged for what the database says of changed columns
	byVectors   bool                                                      // package vectors may read columns; tables count their rows at no cost
	create      func(c *creation) []string                                // the commands that make a table
	spread      func(e *sqlEngine) (string, error)                        // a SELECT of 1 if the rows lie on several servers, of which create writes to one; nil is never

	// How rows are loaded.
	storage   func(kind columnKind) string                             // the type of a column that is loaded
	tableEnd  string                                                   // of CREATE TABLE
	parameter func(k int) string                                       // of a statement, from 1
	batches   bool                                                     // the driver sends the rows of a transaction together
	truth     func(v bool) any                                         // as a driver takes it
	moment    func(c *loadedColumn, t time.Time, row int) (any, error) // a date or time as a driver takes it

	// Which route is taken, and what it costs.
	describes  bool // descriptions are computed there always
	learns     bool // constants of bases are computed there always
	noMoments  bool // a GROUP BY has no sums about means
	countsRuns bool // distinct values are counted as runs of sorted ones
	// costs are seconds of processors for n million rows of m columns of the design, the response
	// among them, made of k of the table: those of sums, and those of rows before they are summed
	// here. They were measured by internal/engines/bench on two processors that had other work
	// to do, those of SQLite apart, which are older; there is no network between. Only their
	// ratio is used.
	costs func(n, m, k float64, byVectors bool) (pushed, rows float64)
}

// creation is a table to be made of a SELECT: under a name of its own first, where it takes
// the place of another.
type creation struct {
	text            string   // the SELECT
	declared        string   // the columns and their types, in parentheses
	target          []string // quoted parts of the name
	made, old       string   // quoted names for a while
	replace, exists bool     // exists is asked of databases without transactions
}

func (c *creation) name() string { return strings.Join(c.target, ".") }

// String returns the name of the database.
func (d *Dialect) String() string {
	if d == nil || d.name == "" {
		return "no dialect"
	}
	return d.name
}

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
	return d.quoteName(name), nil
}

// text quotes a text.
func (d *Dialect) text(s string) (string, error) {
	if err := checkText("text", s); err != nil {
		return "", err
	}
	return d.quoteText(s), nil
}

// number writes a float64. Infinite ones are written, NaN is NULL.
func (d *Dialect) number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NULL"
	case math.IsInf(v, 0):
		sign := ""
		if v < 0 {
			sign = "-"
		}
		if d.infinity != "" {
			return "(" + sign + d.infinity + ")"
		}
		return d.double("'" + sign + "Infinity'")
	}
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if d.decimals {
		return d.double("'" + s + "'")
	}
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	if v < 0 || math.Signbit(v) {
		return "(" + s + ")"
	}
	return s
}

// isReserved tells whether the database takes a name for something else.
func (d *Dialect) isReserved(name string) bool { return d.reserved != nil && d.reserved(name) }

// sameName tells whether a table cannot have columns of both names.
func (d *Dialect) sameName(a, b string) bool { return a == b || d.oneCase && strings.EqualFold(a, b) }

// missing is true where a column has no value.
func (d *Dialect) missing(col *sqlColumn) string {
	if col.kind == floatColumn && !col.dec && !d.noNaN {
		return "(" + col.ref + " IS NULL OR " + d.notNumber(col.ref) + ")"
	}
	return "(" + col.ref + " IS NULL)"
}

// hash is a hash of the values of rows, "" if there is none.
func (d *Dialect) hash(columns []*sqlColumn, seed uint64) string {
	if len(columns) == 0 || d.rowHash == nil {
		return ""
	}
	return d.rowHash(columns, seed)
}

// stampHash is a hash by which passes are compared, "" if there is none.
func (d *Dialect) stampHash(columns []*sqlColumn) string {
	if len(columns) > 0 && d.rowHash == nil && d.checksum != nil {
		return d.checksum(columns)
	}
	return d.hash(columns, 1)
}

// identify returns an error if another database answers, before that is asked what it may not
// know.
func (e *sqlEngine) identify(ctx context.Context) error {
	for try := 0; ; try++ {
		err := e.identifyOnce(ctx)
		if try < 10 && errors.Is(err, driver.ErrBadConn) && ctx.Err() == nil {
			continue // a connection that was left in the pool
		}
		return err
	}
}

func (e *sqlEngine) identifyOnce(ctx context.Context) error {
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return e.failure(ctx, "connect", err)
	}
	s := &session{conn: conn, e: e}
	return ending(func() error { return s.end(ctx) }, func() error {
		row, err := s.one(ctx, e.d.version, 1)
		var q *queryError
		switch {
		case errors.As(err, &q) && ctx.Err() == nil && !s.lost:
			return errorf(errors.Join(frames.ErrSetting, ErrSource), "the database is not %v: %q is an error: %v", e.d, e.d.version, q)
		case err != nil:
			return err
		}
		if text, ok := textOf(row[0]); !ok || !e.d.recognized(e, text) {
			return errorf(frames.ErrSetting, "the database is not %v: its version is %q; open it with its own dialect", e.d, text)
		}
		return nil
	})
}

// What dialects have in common.

// standardName quotes a name as the SQL standard says.
func standardName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// standardText quotes a text as the SQL standard says.
func standardText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// between returns what writes a text before and after x.
func between(before, after string) func(x string) string {
	return func(x string) string { return before + x + after }
}

// standardLogarithm is ln of what is larger than zero: greatest is the name of a function.
func standardLogarithm(ln, greatest string) func(x, zero string) string {
	return func(x, zero string) string {
		return "(" + ln + "(nullif(" + greatest + "(" + x + ", " + zero + "), " + zero + ")))"
	}
}

// timeOff is what days of a time may be off by, of a date none.
func timeOff(col *sqlColumn, days string) string {
	if col.kind == timeColumn {
		return "abs(" + days + ")"
	}
	return ""
}

// typesOf are the types of loaded columns, by their kinds.
func typesOf(float, whole, truth, text, day, moment string) func(kind columnKind) string {
	all := map[columnKind]string{floatColumn: float, wholeColumn: whole, truthColumn: truth, textColumn: text, dayColumn: day, timeColumn: moment}
	return func(kind columnKind) string { return all[kind] }
}

func questionMark(int) string { return "?" }

func plainTruth(v bool) any { return v }

// oneOrZero is true where a database has no truth values.
func oneOrZero(v bool) any {
	if v {
		return int64(1)
	}
	return int64(0)
}

func plainMoment(_ *loadedColumn, t time.Time, _ int) (any, error) { return t, nil }

// refs are the names of columns.
func refs(columns []*sqlColumn) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.ref
	}
	return out
}

// wholeFloat is what comes before a condition on the whole number that a float is.
func wholeFloat(c *sqlColumn) string {
	if c.kind == floatColumn {
		return c.ref + " = floor(" + c.ref + ") AND "
	}
	return ""
}

// most53 is 2^53.
const most53 = "9007199254740992"
