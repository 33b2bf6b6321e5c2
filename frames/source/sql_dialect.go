package source

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/regbook/regbook/frames"
)

// Dialect is the SQL of a database.
type Dialect int

const (
	// PostgreSQL from version 12. Passes are made in one read-only transaction, repeatable
	// read, without just-in-time compilation.
	PostgreSQL Dialect = iota + 1
	// DuckDB from version 1.0. Passes are made in one transaction. Package
	// frames/source/duckdb opens its files.
	DuckDB
	// ClickHouse from version 18, native protocol. It has no transactions: passes compare
	// counts and a checksum of the rows. A shard that is down is an error.
	ClickHouse
	// SQLite from version 3.35, with its mathematical functions.
	SQLite
)

var dialectNames = []string{PostgreSQL: "PostgreSQL", DuckDB: "DuckDB", ClickHouse: "ClickHouse", SQLite: "SQLite"}

// String returns the name of the database.
func (d Dialect) String() string {
	if d < PostgreSQL || d > SQLite {
		return fmt.Sprintf("Dialect(%d)", int(d))
	}
	return dialectNames[d]
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
func (d Dialect) ident(name string) (string, error) {
	if name == "" {
		return "", errorf(frames.ErrSetting, "a name is empty")
	}
	if err := checkText("name", name); err != nil {
		return "", err
	}
	if d == ClickHouse {
		return "`" + escaped.Replace(name) + "`", nil
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`, nil
}

// escaped is for ClickHouse, where a backslash escapes.
var escaped = strings.NewReplacer(`\`, `\\`, "`", "\\`", `'`, `\'`)

// text quotes a text.
func (d Dialect) text(s string) (string, error) {
	if err := checkText("text", s); err != nil {
		return "", err
	}
	switch {
	case d == ClickHouse:
		return "'" + escaped.Replace(s) + "'", nil
	case d == PostgreSQL && strings.Contains(s, `\`): // whatever standard_conforming_strings is
		return "E'" + strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), "'", "''") + "'", nil
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'", nil
}

// number writes a float64. Infinite ones are written, NaN is NULL.
func (d Dialect) number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NULL"
	case math.IsInf(v, 0):
		sign := ""
		if v < 0 {
			sign = "-"
		}
		switch d {
		case ClickHouse:
			return "(" + sign + "inf)"
		case SQLite:
			return "(" + sign + "9e999)"
		}
		return d.double("'" + sign + "Infinity'")
	}
	s := strconv.FormatFloat(v, 'g', -1, 64)
	switch d {
	case PostgreSQL, DuckDB: // where 0.1 is a decimal
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

// double converts a number to a float64.
func (d Dialect) double(x string) string {
	switch d {
	case PostgreSQL:
		return "CAST(" + x + " AS double precision)"
	case DuckDB:
		return "CAST(" + x + " AS DOUBLE)"
	case ClickHouse:
		return "toFloat64(" + x + ")"
	}
	return "CAST(" + x + " AS REAL)"
}

// asText converts a value to text that compares by bytes.
func (d Dialect) asText(x string) string {
	switch d {
	case PostgreSQL:
		return "(CAST(" + x + ` AS text) COLLATE "C")`
	case DuckDB:
		return "(CAST(" + x + ` AS VARCHAR) COLLATE "binary")`
	case ClickHouse:
		return "toString(" + x + ")"
	}
	return "(CAST(" + x + " AS TEXT) COLLATE BINARY)"
}

// notNumber is true where a float is NaN.
func (d Dialect) notNumber(x string) string {
	switch d {
	case PostgreSQL:
		return "(" + d.double(x) + " = " + d.double("'NaN'") + ")" // there NaN equals itself
	case DuckDB:
		return "isnan(" + x + ")"
	case ClickHouse:
		return "isNaN(" + x + ")"
	}
	return "(1=0)" // SQLite stores NULL for NaN
}

// ln is the natural logarithm of a positive number.
func (d Dialect) ln(x string) string {
	if d == ClickHouse {
		return "log(" + x + ")"
	}
	return "ln(" + x + ")"
}

// largest is the larger of two numbers.
func (d Dialect) largest(x, y string) string {
	if d == SQLite {
		return "max(" + x + ", " + y + ")"
	}
	return "greatest(" + x + ", " + y + ")"
}

// hash is a whole number from 0 that depends on the values of columns and on a seed; ""
// if the database has none.
func (d Dialect) hash(columns []string, seed uint64) string {
	switch d {
	case PostgreSQL:
		h := strconv.FormatInt(int64(seed>>1), 10)
		for _, c := range columns {
			h = "hashtextextended(CAST(" + c + " AS text), " + h + ")"
		}
		return "(" + h + " & 9223372036854775807)"
	case DuckDB:
		return "hash(" + strings.Join(columns, ", ") + ", " + strconv.FormatUint(seed>>1, 10) + ")"
	case ClickHouse:
		all := make([]string, len(columns))
		for i, c := range columns {
			all[i] = "ifNull(toString(" + c + "), '\\\\N')"
		}
		return "cityHash64(" + strings.Join(all, ", ") + ", " + strconv.FormatUint(seed>>1, 10) + ")"
	}
	return "" // SQLite has none
}

// maxTargets is how many values a SELECT may have.
func (d Dialect) maxTargets() int {
	switch d {
	case PostgreSQL:
		return 1600 // of 1,664
	case ClickHouse:
		return 500 // the time of a query on a Distributed table grows faster than they do
	case SQLite:
		return 1900 // of 2,000
	}
	return 4000 // where groups of more than 256 kB end the program, a division by zero in DuckDB 1.4
}
