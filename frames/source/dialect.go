package source

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"slices"
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
// Fields marked "required" have to be set, or Open and Load name the first that is not. Others may be zero;
// the comment says what that means, which is never the way of some database. Functions write SQL: x is an
// expression in parentheses or a name, and what they return is one that needs no parentheses around it.
// Package sourcetest holds a dialect to a database that runs. A Dialect does not change once it is used.
//
// All SQL beside these fields is common: SELECT with WHERE, GROUP BY, ORDER BY, LIMIT and OFFSET, SELECTs
// in FROM, CASE, IN, IS NULL, AND, OR, NOT, + - * / % of numbers, = <> < <= > >=, and the functions abs,
// floor, ceil, sqrt, exp, sin, cos, coalesce, nullif, count, sum, avg, min, max.
type Dialect struct {
	Name string // required: the name of the database, in texts and errors

	// Names, texts and numbers.

	QuoteName func(name string) string // required: a name, which has no NUL, in quotes
	QuoteText func(text string) string // required: a text, which has no NUL, in quotes, whatever the session has set
	// NameBytes is how many bytes of a name the database keeps where it cuts it without an error; 0 is all.
	NameBytes int
	OneCase   bool // a table cannot have two columns whose names differ in case only
	// Reserved says why a name of a column cannot be used, to follow "the name"; "" if it can. Nil is none.
	Reserved func(name string) string
	// Infinity is a literal of +Inf, which a minus may precede; "" is the text 'Infinity' converted by Double.
	Infinity string
	// Finite says that the database has no infinite numbers: what needs one is computed from rows.
	Finite bool
	// Decimals says that 0.1 is a decimal number: floats are texts that Double converts.
	Decimals bool
	// Rounds says that the database does not read the last digits of a literal as it should: the error of a
	// unit in the last place is counted among those that sums state.
	Rounds   bool
	Double   func(x string) string // required: x as a float64
	CastText func(x string) string // required: x as a text
	AsText   func(x string) string // required: x as a text that compares by bytes, blanks at the end included

	// Functions of numbers.

	Ln        string                      // required: the name of the natural logarithm
	Power     string                      // required: the name of x to a power
	Logarithm func(x, zero string) string // required: ln(x), NULL and no error where x is not larger than zero
	NoNaN     bool                        // the database stores NULL for NaN
	NotNumber func(x string) string       // required: true where a float is NaN
	// Inexact is true where a whole number, or a decimal without a fraction, is beyond 2^53 and not that
	// of its float64. It may be true of exact ones beyond 64 bits. Required.
	Inexact    func(c *TypedColumn) string
	MaxTargets int // required: how many values a SELECT may have
	// Overflow tells whether an error of the driver says that a value left the range of its type, so that
	// its rows are read instead. Nil is never.
	Overflow func(err error) bool

	// Columns and their types.

	// Adjust corrects what the type of a column told by the words that databases have in common; see
	// TypedColumn. word is the first word of Declared in capitals, without what is in parentheses. Nil
	// corrects nothing.
	Adjust func(c *TypedColumn, word string)
	// ValueType writes "integer", "real", "text" or "blob", as the type of a single value, in a database whose
	// columns may have values of any. Nil is one whose columns have values of their type.
	ValueType    func(x string) string
	TruthIsWhole bool                                     // true is 1
	TextDates    bool                                     // dates are stored as texts, as frames write them
	Days         func(c *TypedColumn) string              // required: a date or time as a float64 of days since 1970-01-01, in UTC
	DaysOff      func(c *TypedColumn, days string) string // required: what days may be off by, in units of 2^-53; "" is nothing
	DatePart     func(part string, c *TypedColumn) string // required: year, month, day, yday, weekday (Monday is 1) or hour (with fractions), in UTC; "" if there is none
	Read         func(c *TypedColumn) string              // a date or time as it is read, a text in ISO form; nil is the column itself, which the driver has to return as a time.Time in UTC

	// Hashes and quantiles.

	// RowHash is a whole number from 0 by the values of a row, missing ones included, and a seed. Nil is none:
	// no folds or samples in SQL, and sums of all rows at once, which have fewer digits.
	RowHash  func(columns []*TypedColumn, seed uint64) string
	HashSum  func(hash string) string            // required with RowHash or Checksum: the sum of hashes, exact or modulo 2^64, as a text
	Checksum func(columns []*TypedColumn) string // a hash for comparing passes only, where RowHash is nil; nil compares counts of rows
	// Quantiles is a list of the order statistics of x at levels, which are joined by commas. Nil is by
	// sorted rows, or by counts in bins.
	Quantiles func(x, levels string) string
	SkipNull  bool   // Quantiles takes no NULL: x has none, but a number that is not asked for
	Quartiles string // format of the three quartiles of x, %s, by number, %d from 1; "" is as Quantiles

	// How queries are put together.

	// OneLevel has names of expressions stand in WITH before one SELECT, which shards can compute.
	// Otherwise they stand in SELECTs within SELECTs.
	OneLevel bool
	Fence    string // ends a SELECT in a SELECT so that its expressions are computed once; "" is nothing
	// FenceItem is an item of a SELECT in a SELECT that has the same effect as Fence, where that would keep
	// several processors from sharing the work; "" is nothing.
	FenceItem string
	Settings  string // ends every SELECT
	// ByHash is a statement, for the rest of a transaction, after which a GROUP BY finds the groups of rows by hashes, where
	// the database might sort all rows, since it takes them for many. "" is none.
	ByHash string

	// Which database answers.

	Version    string                    // required: a SELECT of one text that tells
	Recognized func(version string) bool // required: whether it is this database
	// Compensated tells by the version whether sums of float64 are added up to twice the digits. Nil is no.
	Compensated func(version string) bool

	// Sessions and what is done in them.

	// Transaction holds rows still for all passes of one computation. Nil is a database without: counts and
	// checksums of passes are compared. With ReadOnly, tables are written in one that is not.
	Transaction *sql.TxOptions
	Prepare     []string // statements at the start of a session
	// Parts are conditions of which every row of a table, by the parts of its name, satisfies one, the same as
	// long as the table does not change; see Source.Connections. Fewer than two, or nil, is a table that is read
	// at once.
	Parts func(ctx context.Context, query Query, name []string) ([]string, error)
	// Shards are what stands after FROM for the rows of each server on which those of a table lie, by the parts of its
	// name, always in the same order; see Source.Connections. Fewer than two, or nil, is a table that is read at once.
	Shards func(ctx context.Context, query Query, name []string) ([]string, error)
	// InOrder is added to Settings of a SELECT from a shard, whose rows have to come in the same order every time.
	InOrder    string
	Share      string                     // a SELECT of one text, by which other transactions see the rows that this one does; "" is a database without
	Join       func(shared string) string // required with Share: the first statement of such a transaction
	Savepoints bool                       // a failed statement ends the transaction but for what SAVEPOINT keeps
	// Inspect checks the server and the driver before a table is opened. Nil does not.
	Inspect func(ctx context.Context, query Query) error
	// Stale tells whether a driver's error says that it had prepared a query for other types of columns,
	// so that it has to be asked again. Nil is never.
	Stale func(err error) bool
	// Rewritten says how the columns of a table have changed since it was opened, by what the database says when
	// it reads it, to follow "has changed since it was opened"; "" if that is not what it says. Nil is never.
	Rewritten func(message string, columns []string) string
	// CreatesAlone says that no transaction can undo CREATE TABLE: tables are made under another name, and
	// renamed when they are complete. A database without transactions does so in any case.
	CreatesAlone bool
	Create       func(c *Creation) []string // required: the commands that make a table of a SELECT
	// Spread is a SELECT of more than 0 if the rows of a table, by the parts of its name, lie on several
	// servers, of which Create writes to one. Nil is never.
	Spread func(parts []string) string

	// How rows are loaded.

	Storage  func(kind Kind) string // required: the type of a column that is loaded
	TableEnd string                 // ends CREATE TABLE
	// Parameter is parameter k of a statement, from 1. Required, but for Batches.
	Parameter func(k int) string
	Batches   bool             // the driver sends the rows of a prepared INSERT without VALUES together, when the transaction ends
	Truth     func(v bool) any // required: a truth value as the driver takes it
	// Moment is a date or time as the driver takes it. The error says what the database has instead.
	// Required.
	Moment func(kind Kind, t time.Time) (any, error)

	// Which route is taken where none is set.

	Describes  bool // descriptions are computed there always, not from rows
	Learns     bool // constants of bases are computed there always
	NoMoments  bool // a GROUP BY has no sums about means: sd and var are of rows
	CountsRuns bool // distinct values are counted as runs of sorted ones
	// Costs are seconds of a processor for n million rows of m columns of the design, the response among
	// them, made of k of the table: those of sums there, and those of reading the rows. Only their ratio is
	// used. Nil reads the rows.
	Costs func(n, m, k float64) (pushed, rows float64)

	// Step are seconds, as those of Costs, of a statement that sums a step of Newton's method for the likelihood of n million
	// rows, of m columns with the response, which so many operations of arithmetic make of the columns of the table; eight such
	// statements are taken for a fit. Nil reads the rows.
	Step func(n, m, operations float64) float64

	// Rows is how many rows a table has, or about so many, by the parts of its name, where that takes next to no time: 0
	// if not, such as of a view. Nil is never; a million is assumed then.
	Rows func(ctx context.Context, query Query, name []string) (float64, error)

	// Numbers is a SELECT of n whole numbers, named n, by which rows are timed: those that come several times slower
	// than Costs says have sums computed there. Nil is a database in this process.
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

// check returns an error that names a field which has to be set.
func (d *Dialect) check() error {
	hashes := d.RowHash != nil || d.Checksum != nil
	fields := []struct {
		name string
		set  bool
	}{
		{"QuoteName", d.QuoteName != nil}, {"QuoteText", d.QuoteText != nil},
		{"Double", d.Double != nil}, {"CastText", d.CastText != nil}, {"AsText", d.AsText != nil},
		{"Ln", d.Ln != ""}, {"Power", d.Power != ""}, {"Logarithm", d.Logarithm != nil},
		{"NotNumber", d.NotNumber != nil}, {"Inexact", d.Inexact != nil}, {"MaxTargets", d.MaxTargets >= leastTargets},
		{"Days", d.Days != nil}, {"DaysOff", d.DaysOff != nil}, {"DatePart", d.DatePart != nil},
		{"HashSum", d.HashSum != nil || !hashes},
		{"Version", d.Version != ""}, {"Recognized", d.Recognized != nil},
		{"Join", d.Join != nil || d.Share == ""},
		{"Create", d.Create != nil}, {"Storage", d.Storage != nil},
		{"Parameter", d.Parameter != nil || d.Batches}, {"Truth", d.Truth != nil}, {"Moment", d.Moment != nil},
	}
	if k := slices.IndexFunc(fields, func(f struct {
		name string
		set  bool
	}) bool {
		return !f.set
	}); k >= 0 {
		return errorf(frames.ErrSetting, "the dialect %s needs the field %s", d.Name, fields[k].name)
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
