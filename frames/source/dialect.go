package source

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
	"time"

	"github.com/regbook/regbook/frames"
)

// Dialect is what one database writes or does otherwise than others. PostgreSQL, DuckDB, ClickHouse,
// SQLite and MariaDB are such values, each in a file of its own, and no other code of this package knows a
// database by its name. A Dialect for another database is a value in the caller's own package:
//
//	var Other = &source.Dialect{
//		Name:      "Other",
//		QuoteName: source.PostgreSQL.QuoteName,
//		Double:    func(x string) string { return "CAST(" + x + " AS DOUBLE)" },
//		...
//	}
//
//	func TestOther(t *testing.T) { sourcetest.Run(t, Other, db) }
//
// Functions write SQL: x is an expression in parentheses or a name, and what they return is one that needs no
// parentheses around it. The functions of the five dialects may be used in others: SQLite.QuoteName and QuoteText are
// those of the SQL standard, and SQLite.Moment writes dates as texts. Package sourcetest holds a dialect to a database
// that runs. A Dialect does not change once it is used.
//
// Open and Load name the first field that is required and not set. Others may be left out:
//
//	Field         if it is not set
//	Name          required
//	QuoteName     required
//	QuoteText     required
//	NameBytes     names of any length are kept
//	OneCase       names of columns may differ in case only
//	Reserved      any name may be used
//	Infinity      the text 'Infinity', converted by Double
//	Finite        there are infinite numbers
//	Decimals      0.1 is a float64
//	Rounds        literals are read to the last digit
//	Double        required
//	CastText      required
//	AsText        required
//	Ln            required
//	Power         required
//	Logarithm     Ln of nullif(greatest(x, zero), zero)
//	NoNaN         NaN is stored
//	NotNumber     required without NoNaN
//	Inexact       required
//	MaxTargets    required, 64 at least
//	Overflow      no error of the driver says that
//	Adjust        the words that databases have in common say all
//	ValueType     values have the type of their column
//	TruthIsWhole  true is no number
//	TextDates     dates have a type of their own
//	Days          required
//	DaysOff       days of a time are rounded once, those of a date are exact
//	DatePart      required
//	Read          the column, which the driver returns as a time.Time in UTC
//	RowHash       no folds or samples in SQL, and sums of all rows at once, which have fewer digits
//	HashSum       required with RowHash or Checksum
//	Checksum      passes are compared by RowHash, or by counts of rows
//	Quantiles     quantiles are of sorted rows, or of counts in bins
//	SkipNull      Quantiles takes NULL
//	Quartiles     quartiles are as Quantiles
//	OneLevel      names of expressions stand in SELECTs within SELECTs
//	Fence         nothing is written
//	FenceItem     nothing is written
//	Settings      nothing is written
//	BeforeSums    nothing is asked
//	Version       required
//	Recognized    required
//	Compensated   sums of float64 have the digits of a float64
//	Transaction   there is none: counts and checksums of passes are compared
//	Prepare       nothing is asked
//	Parts         a table is read at once
//	Shards        a table is read at once
//	InOrder       nothing is written
//	Share         transactions do not see the same rows: a table is read at once
//	Join          required with Share
//	Savepoints    a transaction goes on after a statement that failed
//	Inspect       nothing is checked
//	Stale         no error of the driver says that
//	Rewritten     no error of the database says that
//	CreatesAlone  a transaction can undo CREATE TABLE, if there are transactions
//	Create        required
//	Spread        a table lies on one server
//	Storage       required
//	TableEnd      nothing is written
//	Parameter     a question mark
//	Batches       an INSERT has VALUES of many rows
//	Truth         a bool; 1 or 0 of type int64 with TruthIsWhole
//	Moment        a time.Time
//	Describes     descriptions of few rows are of rows read
//	Learns        constants of bases are computed there for more rows than are held
//	NoMoments     sd and var by group are sums about means
//	CountsRuns    distinct values are counted by count(DISTINCT)
//	Costs         rows are read
//	Step          rows are read
//	Rows          a million rows are assumed
//	Numbers       the database is in this process: no rows are timed
//
// All SQL beside these fields is common: SELECT with WHERE, GROUP BY, ORDER BY, LIMIT and OFFSET, SELECTs
// in FROM, CASE, IN, IS NULL, AND, OR, NOT, + - * / % of numbers, = <> < <= > >=, and the functions abs,
// floor, ceil, sqrt, exp, sin, cos, coalesce, nullif, count, sum, avg, min, max.
type Dialect struct {
	Name string // the name of the database, in texts and errors

	// Names, texts and numbers.

	QuoteName func(name string) string // a name, which has no NUL, in quotes
	QuoteText func(text string) string // a text, which has no NUL, in quotes, whatever the session has set
	// NameBytes is how many bytes of a name the database keeps where it cuts it without an error.
	NameBytes int
	OneCase   bool // a table cannot have two columns whose names differ in case only
	// Reserved says why a name of a column cannot be used, to follow "the name"; "" if it can.
	Reserved func(name string) string
	// Infinity is a literal of +Inf, which a minus may precede.
	Infinity string
	// Finite says that the database has no infinite numbers: what needs one is computed from rows.
	Finite bool
	// Decimals says that 0.1 is a decimal number: floats are texts that Double converts.
	Decimals bool
	// Rounds says that the database does not read the last digits of a literal as it should: the error of a
	// unit in the last place is counted among those that sums state.
	Rounds   bool
	Double   func(x string) string // x as a float64
	CastText func(x string) string // x as a text
	AsText   func(x string) string // x as a text that compares by bytes, blanks at the end included

	// Functions of numbers.

	Ln        string                      // the name of the natural logarithm
	Power     string                      // the name of x to a power
	Logarithm func(x, zero string) string // ln(x), NULL and no error where x is not larger than zero
	NoNaN     bool                        // the database stores NULL for NaN
	NotNumber func(x string) string       // true where a float is NaN
	// Inexact is true where a whole number, or a decimal without a fraction, is beyond 2^53 and not that
	// of its float64. It may be true of exact ones beyond 64 bits.
	Inexact    func(c *TypedColumn) string
	MaxTargets int // how many values a SELECT may have
	// Overflow tells whether an error of the driver says that a value left the range of its type, so that
	// its rows are read instead.
	Overflow func(err error) bool

	// Columns and their types.

	// Adjust corrects what the type of a column told by the words that databases have in common; see
	// TypedColumn. word is the first word of Declared in capitals, without what is in parentheses.
	Adjust func(c *TypedColumn, word string)
	// ValueType writes "integer", "real", "text" or "blob", as the type of a single value, in a database whose
	// columns may have values of any.
	ValueType    func(x string) string
	TruthIsWhole bool                                     // true is 1
	TextDates    bool                                     // dates are stored as texts, as frames write them
	Days         func(c *TypedColumn) string              // a date or time as a float64 of days since 1970-01-01, in UTC
	DaysOff      func(c *TypedColumn, days string) string // what days may be off by, in units of 2^-53; "" is nothing
	DatePart     func(part string, c *TypedColumn) string // year, month, day, yday, weekday (Monday is 1) or hour (with fractions; of dates of a type of their own it is not asked), in UTC; "" if there is none
	Read         func(c *TypedColumn) string              // a date or time as it is read, a text in ISO form

	// Hashes and quantiles.

	// RowHash is a whole number from 0 by the values of a row, missing ones included, and a seed.
	RowHash  func(columns []*TypedColumn, seed uint64) string
	HashSum  func(hash string) string            // the sum of hashes, exact or modulo 2^64, as a text
	Checksum func(columns []*TypedColumn) string // a hash for comparing passes only, where RowHash is nil
	// Quantiles is a list of the order statistics of x at levels, which are joined by commas.
	Quantiles func(x, levels string) string
	SkipNull  bool   // Quantiles takes no NULL: x has none, but a number that is not asked for
	Quartiles string // format of the three quartiles of x, %s, by number, %d from 1

	// How queries are put together.

	// OneLevel has names of expressions stand in WITH before one SELECT, which shards can compute.
	// Otherwise they stand in SELECTs within SELECTs.
	OneLevel bool
	Fence    string // ends a SELECT in a SELECT so that its expressions are computed once
	// FenceItem is an item of a SELECT in a SELECT that has the same effect as Fence, where that would keep
	// several processors from sharing the work.
	FenceItem string
	Settings  string // ends every SELECT
	// BeforeSums is a statement, for the rest of a transaction, before a SELECT of so many values of groups: that a GROUP BY finds
	// the groups by hashes, where the database might sort all rows, since it takes the groups for many, and whether expressions
	// are compiled.
	BeforeSums func(values int) string

	// Which database answers.

	Version    string                    // a SELECT of one text that tells
	Recognized func(version string) bool // whether it is this database
	// Compensated tells by the version whether sums of float64 are added up to twice the digits.
	Compensated func(version string) bool

	// Sessions and what is done in them.

	// Transaction holds rows still for all passes of one computation. With ReadOnly, tables are written in one that is not.
	Transaction *sql.TxOptions
	Prepare     []string // statements at the start of a session
	// Parts are conditions of which every row of a table, by the parts of its name, satisfies one, the same as
	// long as the table does not change; see Source.Connections. Fewer than two are a table that is read at once.
	Parts func(ctx context.Context, query Query, name []string) ([]string, error)
	// Shards are what stands after FROM for the rows of each server on which those of a table lie, by the parts of its
	// name, always in the same order; see Source.Connections. Fewer than two are a table that is read at once.
	Shards func(ctx context.Context, query Query, name []string) ([]string, error)
	// InOrder is added to Settings of a SELECT from a shard, whose rows have to come in the same order every time.
	InOrder    string
	Share      string                     // a SELECT of one text, by which other transactions see the rows that this one does
	Join       func(shared string) string // the first statement of such a transaction
	Savepoints bool                       // a failed statement ends the transaction but for what SAVEPOINT keeps
	// Inspect checks the server and the driver before a table is opened.
	Inspect func(ctx context.Context, query Query) error
	// Stale tells whether a driver's error says that it had prepared a query for other types of columns,
	// so that it has to be asked again.
	Stale func(err error) bool
	// Rewritten says how the columns of a table have changed since it was opened, by what the database says when
	// it reads it, to follow "has changed since it was opened"; "" if that is not what it says.
	Rewritten func(message string, columns []string) string
	// CreatesAlone says that no transaction can undo CREATE TABLE: tables are made under another name, and
	// renamed when they are complete. A database without transactions does so in any case.
	CreatesAlone bool
	Create       func(c *Creation) []string // the commands that make a table of a SELECT
	// Spread is a SELECT of more than 0 if the rows of a table, by the parts of its name, lie on several
	// servers, of which Create writes to one.
	Spread func(parts []string) string

	// How rows are loaded.

	Storage   func(kind Kind) string // the type of a column that is loaded
	TableEnd  string                 // ends CREATE TABLE
	Parameter func(k int) string     // parameter k of a statement, from 1
	Batches   bool                   // the driver sends the rows of a prepared INSERT without VALUES together, when the transaction ends
	Truth     func(v bool) any       // a truth value as the driver takes it
	// Moment is a date or time as the driver takes it. The error says what the database has instead.
	Moment func(kind Kind, t time.Time) (any, error)

	// Which route is taken where none is set.

	Describes  bool // descriptions are computed there always, not from rows
	Learns     bool // constants of bases are computed there always
	NoMoments  bool // a GROUP BY has no sums about means: sd and var are of rows
	CountsRuns bool // distinct values are counted as runs of sorted ones
	// Costs are seconds of a processor for n million rows of m columns of the design, the response among
	// them, made of k of the table: those of sums there, and those of reading the rows. Only their ratio is
	// used.
	Costs func(n, m, k float64) (pushed, rows float64)

	// Step are seconds, as those of Costs, of a statement that sums a step of Newton's method for the likelihood of n million
	// rows, of m columns with the response, which so many operations of arithmetic make of the columns of the table; eight such
	// statements are taken for a fit.
	Step func(n, m, operations float64) float64

	// Rows is how many rows a table has, or about so many, by the parts of its name, where that takes next to no time: 0
	// if not, such as of a view.
	Rows func(ctx context.Context, query Query, name []string) (float64, error)

	// Numbers is a SELECT of n whole numbers, named n, by which rows are timed: those that come several times slower
	// than Costs says have sums computed there.
	Numbers func(n int) string

	// byVectors says that package vectors may read columns, whose engine counts the rows of a table at no
	// cost.
	byVectors bool
}

// Query calls row with every row of a SELECT that has as many columns as said.
type Query func(ctx context.Context, text string, columns int, row func([]driver.Value) error) error

// Kind is what a column of a database has.
type Kind int

// The kinds of columns.
const (
	FloatKind Kind = iota // floats and decimals
	WholeKind             // whole numbers
	TruthKind             // true and false
	TextKind              // texts, and what is read as text
	DateKind              // dates
	TimeKind              // dates with a time
	OtherKind             // what sources leave out: arrays and binary values
)

// TypedColumn is a column of a table as a Dialect sees it. Kind and the fields behind it follow from Declared
// by words that databases have in common:
//
//	FloatKind  float, float4, float8, float32, float64, double, real; decimal, numeric: Decimal, and Huge beyond 15 digits before the point
//	WholeKind  int, int2, int4, int8, int16, int32, integer, smallint, tinyint, uint8, uint16, uint32; bigint, int64, uint64: Wide; hugeint, int128: Wide and Huge
//	TruthKind  bool, boolean
//	TextKind   text, char, varchar, string; any other word: Cast
//	DateKind   date
//	TimeKind   timestamp, datetime; timestamptz, timestamp with time zone: Zone
//	OtherKind  blob, bytea, bit, array, tuple, map, struct, list, interval
//
// What a word means elsewhere, such as int8 of PostgreSQL, which has 64 bits, is for Dialect.Adjust to say.
type TypedColumn struct {
	Ref      string // its name, in quotes, or an expression
	Declared string // its type as the driver says (ColumnTypeDatabaseTypeName)
	Kind     Kind
	Wide     bool // whole numbers that may lie beyond 2^53
	Huge     bool // decimals whose whole part may, and whole numbers that may lie beyond 64 bits
	Decimal  bool // decimals, which are never NaN
	Zone     bool // times whose parts depend on the zone of the session
	Cast     bool // of another type, which CastText reads
	Untyped  bool // the first value tells what it has; see Dialect.ValueType
}

// Creation is a table to be made of a SELECT: under the name Made first, where it takes the place of
// another or nothing undoes it.
type Creation struct {
	Select   string   // what the table has
	Declared string   // names and types of its columns, in parentheses, as the table read has them
	Target   []string // parts of its name, in quotes
	Made     string   // a name of no table, in quotes, with that of the schema
	Old      string   // another
	Replace  bool     // a table of the name is dropped
	Exists   bool     // there is one; known only where no transaction can undo CREATE TABLE
}

// Name is the name of the table, in quotes.
func (c *Creation) Name() string { return strings.Join(c.Target, ".") }

// renames has the table that was made take the place of one that exists, by a single command.
func (c *Creation) renames() []string {
	rename := c.Made + " TO " + c.Name()
	if !c.Exists {
		return []string{"RENAME TABLE " + rename}
	}
	return []string{"RENAME TABLE " + c.Name() + " TO " + c.Old + ", " + rename, "DROP TABLE " + c.Old}
}

// check returns an error that names a field which has to be set.
func (d *Dialect) check() error {
	hashes := d.RowHash != nil || d.Checksum != nil
	fields := []struct {
		name string
		set  bool
	}{
		{"QuoteName", d.QuoteName != nil}, {"QuoteText", d.QuoteText != nil},
		{"Double", d.Double != nil}, {"CastText", d.CastText != nil}, {"AsText", d.AsText != nil},
		{"Ln", d.Ln != ""}, {"Power", d.Power != ""},
		{"NotNumber", d.NotNumber != nil || d.NoNaN}, {"Inexact", d.Inexact != nil}, {"MaxTargets", d.MaxTargets >= leastTargets},
		{"Days", d.Days != nil}, {"DatePart", d.DatePart != nil},
		{"HashSum", d.HashSum != nil || !hashes},
		{"Version", d.Version != ""}, {"Recognized", d.Recognized != nil},
		{"Join", d.Join != nil || d.Share == ""},
		{"Create", d.Create != nil}, {"Storage", d.Storage != nil},
	}
	for _, f := range fields {
		if !f.set {
			return errorf(frames.ErrSetting, "the dialect %s needs the field %s", d.Name, f.name)
		}
	}
	return nil
}

// leastTargets is how many values a SELECT has to take, at least.
const leastTargets = 64

// String returns the name of the database.
func (d *Dialect) String() string {
	if d == nil || d.Name == "" {
		return "no dialect"
	}
	return d.Name
}
