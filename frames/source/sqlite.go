package source

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-gota/gota/series"
)

// SQLite is the dialect from version 3.35 on, with its mathematical functions.
var SQLite = &Dialect{
	name:      "SQLite",
	quoteName: standardName,
	quoteText: standardText,
	oneCase:   true,
	infinity:  "9e999",
	double:    between("CAST(", " AS REAL)"),
	castText:  between("CAST(", " AS TEXT)"),
	asText:    between("(CAST(", " AS TEXT) COLLATE BINARY)"),

	ln:         "ln",
	power:      "power",
	logarithm:  func(x, zero string) string { return "ln(CASE WHEN " + x + " > " + zero + " THEN " + x + " END)" },
	noNaN:      true,
	notNumber:  func(string) string { return "(1=0)" },
	inexact:    sqliteInexact,
	maxTargets: 1900, // of 2,000

	adjust:       sqliteAdjust,
	looseTypes:   true,
	truthIsWhole: true,
	textDates:    true,
	days: func(col *sqlColumn) string {
		at := func(format, of string) string { return "CAST(strftime('" + format + "', " + of + ") AS REAL)" }
		x := col.ref
		day := at("%s", "date("+x+")")
		return "(" + day + " / 86400.0 + (" + at("%s", x) + " - " + day + " - " + at("%S", x) + " + " + at("%f", x) + ") / 86400.0)"
	},
	daysOff: func(col *sqlColumn, days string) string { // which are rounded to milliseconds
		return fmt.Sprintf("CASE WHEN length(%[1]s) = 10 THEN 0.0 WHEN length(%[1]s) > 23 THEN %v ELSE abs(%s) END", col.ref, 6e-9/0x1p-53, days)
	},
	datePart: func(part string, col *sqlColumn) string {
		switch part {
		case "weekday":
			return "((CAST(strftime('%w', " + col.ref + ") AS INTEGER) + 6) % 7 + 1)"
		case "hour":
			return ""
		}
		format := map[string]string{"year": "%Y", "month": "%m", "day": "%d", "yday": "%j"}[part]
		return "strftime('" + format + "', " + col.ref + ")"
	},

	hashSum:  between("CAST(sum(", ") AS TEXT)"),
	checksum: sqliteChecksum,

	fence: " LIMIT -1",

	version: "SELECT sqlite_version()",
	recognized: func(e *sqlEngine, text string) bool {
		var major, minor int
		if _, err := fmt.Sscanf(text, "%d.%d", &major, &minor); err == nil {
			e.compensated = major > 3 || major == 3 && minor >= 43
		}
		return true
	},
	transaction: &sql.TxOptions{},
	create: func(c *creation) []string {
		commands := []string{"CREATE TABLE " + c.made + " " + c.declared, "INSERT INTO " + c.made + " " + c.text}
		if c.replace {
			commands = append(commands, "DROP TABLE IF EXISTS "+c.name())
		}
		return append(commands, "ALTER TABLE "+c.made+" RENAME TO "+c.target[len(c.target)-1])
	},

	storage:   typesOf("REAL", "INTEGER", "BOOLEAN", "TEXT", "DATE", "DATETIME"),
	parameter: questionMark,
	truth:     oneOrZero,
	moment:    func(c *loadedColumn, t time.Time, _ int) (any, error) { return dateText(t, c.kind), nil },

	countsRuns: true,
	costs: func(n, m, k float64, _ bool) (pushed, rows float64) {
		return 0.005 + n*(0.3+0.1*m*(m+1)/2), 0.003 + n*(0.2+0.15*k)
	},
}

func sqliteInexact(c *sqlColumn) string {
	x := c.ref
	return "(typeof(" + x + ") = 'integer' AND abs(max(" + x + ", -9223372036854775807)) > " + most53 + " AND CAST(CAST(" + x + " AS REAL) AS INTEGER) <> " + x + ")"
}

// sqliteAdjust takes a column for what its declared type says, where values may be of any
// other, and one of a type that has no name here by the rules of the manual ("Datatypes in
// SQLite", 3.1): whole numbers, floats, texts or anything, which its values tell.
func sqliteAdjust(c *sqlColumn, _, declared string) {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(declared, w) })
	}
	switch {
	case c.kind == floatColumn:
		c.huge, c.wide = false, true // decimals may be whole numbers
	case c.kind == wholeColumn:
		c.wide = true
	case !c.any:
	case has("INT"):
		c.kind, c.Type, c.wide, c.any = wholeColumn, series.Int, true, false
	case has("CHAR", "CLOB", "TEXT"):
	case has("REAL", "FLOA", "DOUB"):
		c.kind, c.Type, c.wide, c.any = floatColumn, series.Float, true, false
	default:
		c.loose = true
	}
}

// sqlitePrime is 2^31 - 1: checksums are less.
const sqlitePrime = "2147483647"

// sqliteChecksum mixes the values of a row, since SQLite has no hash: h becomes
// (48271 h + v) mod (2^31 - 1) for each part v of a value, and h (h + 1) in the end.
func sqliteChecksum(columns []*sqlColumn) string {
	h := "17"
	mix := func(v string) { h = "((" + h + " * 48271 + (" + v + ") % " + sqlitePrime + ") % " + sqlitePrime + ")" }
	for _, c := range columns {
		x := c.ref
		if c.kind != floatColumn && c.kind != wholeColumn && c.kind != truthColumn {
			mix(sqliteTextHash("CAST(" + x + " AS TEXT)"))
			continue
		}
		// 2^-10 <= |x| <= 10^15 is a whole number and a multiple of 2^-62, both of 64 bits
		near := "(" + x + " BETWEEN -1e15 AND 1e15 AND (" + x + " = 0 OR " + x + " NOT BETWEEN -0.0009765625 AND 0.0009765625))"
		part := func(v string) string { return "CASE WHEN " + near + " THEN " + v + " ELSE 0 END" }
		whole, rest := "CAST("+x+" AS INTEGER)", "CAST(("+x+" - CAST("+x+" AS INTEGER)) * 4611686018427387904.0 AS INTEGER)"
		mix(part(whole))
		mix(part(whole + " / " + sqlitePrime))
		mix(part(rest))
		mix(part(rest + " / " + sqlitePrime))
		mix("CASE WHEN " + near + " THEN 0 WHEN typeof(" + x + ") = 'real' THEN " + sqliteTextHash("printf('%!.17g', "+x+")") + " ELSE " + sqliteTextHash("CAST("+x+" AS TEXT)") + " END")
	}
	// sums of what is linear in the values would not notice values that are exchanged between rows
	return "(SELECT regbook_h * (regbook_h + 1) % " + sqlitePrime + " FROM (SELECT " + h + " AS regbook_h))"
}

// sqliteTextHash mixes the characters of a text, two at a time.
func sqliteTextHash(x string) string {
	at := func(k string) string { return "coalesce(unicode(substr(t, " + k + ", 1)), 0)" }
	v := "v"
	for k := range 4 {
		v = fmt.Sprintf("((%s * 48271 + %s * 2097152 + %s) %% %s)", v, at(fmt.Sprintf("i + %d", 2*k)), at(fmt.Sprintf("i + %d", 2*k+1)), sqlitePrime)
	}
	return "(WITH RECURSIVE regbook_text(t, i, v) AS (SELECT " + x + ", 1, 1 UNION ALL SELECT t, i + 8, " + v + " FROM regbook_text WHERE i <= length(t)) SELECT v FROM regbook_text ORDER BY i DESC LIMIT 1)"
}
