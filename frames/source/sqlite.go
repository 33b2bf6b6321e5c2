package source

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// SQLite is the dialect from version 3.35 on, with its mathematical functions.
var SQLite = &Dialect{
	Name:      "SQLite",
	QuoteName: standardName,
	QuoteText: standardText,
	OneCase:   true,
	Infinity:  "9e999",
	Double:    between("CAST(", " AS REAL)"),
	CastText:  between("CAST(", " AS TEXT)"),
	AsText:    between("(CAST(", " AS TEXT) COLLATE BINARY)"),

	Ln:         "ln",
	Power:      "power",
	Logarithm:  func(x, zero string) string { return "ln(CASE WHEN " + x + " > " + zero + " THEN " + x + " END)" },
	NoNaN:      true,
	Inexact:    sqliteInexact,
	MaxTargets: 1900, // of 2,000

	Adjust:       sqliteAdjust,
	ValueType:    between("typeof(", ")"),
	TruthIsWhole: true,
	TextDates:    true,
	Days: func(col *TypedColumn) string {
		at := func(format, of string) string { return "CAST(strftime('" + format + "', " + of + ") AS REAL)" }
		x := col.Ref
		day := at("%s", "date("+x+")")
		return "(" + day + " / 86400.0 + (" + at("%s", x) + " - " + day + " - " + at("%S", x) + " + " + at("%f", x) + ") / 86400.0)"
	},
	DaysOff: func(col *TypedColumn, days string) string { // which are rounded to milliseconds
		return fmt.Sprintf("CASE WHEN length(%[1]s) = 10 THEN 0.0 WHEN length(%[1]s) > 23 THEN %v ELSE abs(%s) END", col.Ref, 6e-9/0x1p-53, days)
	},
	DatePart: func(part string, col *TypedColumn) string {
		switch part {
		case "weekday":
			return "((CAST(strftime('%w', " + col.Ref + ") AS INTEGER) + 6) % 7 + 1)"
		case "hour":
			return ""
		}
		format := map[string]string{"year": "%Y", "month": "%m", "day": "%d", "yday": "%j"}[part]
		return "strftime('" + format + "', " + col.Ref + ")"
	},

	HashSum:  between("CAST(sum(", ") AS TEXT)"),
	Checksum: sqliteChecksum,

	Fence: " LIMIT -1",

	Version:    "SELECT sqlite_version()",
	Recognized: func(string) bool { return true },
	Compensated: func(version string) bool {
		var major, minor int
		_, err := fmt.Sscanf(version, "%d.%d", &major, &minor)
		return err == nil && (major > 3 || major == 3 && minor >= 43)
	},
	Transaction: &sql.TxOptions{},
	Create: func(c *Creation) []string {
		commands := []string{"CREATE TABLE " + c.Made + " " + c.Declared, "INSERT INTO " + c.Made + " " + c.Select}
		if c.Replace {
			commands = append(commands, "DROP TABLE IF EXISTS "+c.Name())
		}
		return append(commands, "ALTER TABLE "+c.Made+" RENAME TO "+c.Target[len(c.Target)-1])
	},

	Storage: typesOf("REAL", "INTEGER", "BOOLEAN", "TEXT", "DATE", "DATETIME"),
	Moment:  textMoment,

	CountsRuns: true,
	Costs: func(n, m, k float64) (pushed, rows float64) {
		return 0.005 + n*(0.3+0.1*m*(m+1)/2), 0.003 + n*(0.2+0.15*k)
	},
}

func sqliteInexact(c *TypedColumn) string {
	x := c.Ref
	return "(typeof(" + x + ") = 'integer' AND abs(max(" + x + ", -9223372036854775807)) > " + most53 + " AND CAST(CAST(" + x + " AS REAL) AS INTEGER) <> " + x + ")"
}

// sqliteAdjust takes a column for what its declared type says, where values may be of any
// other, and one of a type that has no name here by the rules of the manual ("Datatypes in
// SQLite", 3.1): whole numbers, floats, texts or anything, which its values tell.
func sqliteAdjust(c *TypedColumn, _ string) {
	declared := strings.ToUpper(c.Declared)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(declared, w) })
	}
	switch {
	case c.Kind == FloatKind:
		c.Huge, c.Wide = false, true // decimals may be whole numbers
	case c.Kind == WholeKind:
		c.Wide = true
	case !c.Cast:
	case has("INT"):
		c.Kind, c.Wide, c.Cast = WholeKind, true, false
	case has("CHAR", "CLOB", "TEXT"):
	case has("REAL", "FLOA", "DOUB"):
		c.Kind, c.Wide, c.Cast = FloatKind, true, false
	default:
		c.Untyped = true
	}
}

// sqlitePrime is 2^31 - 1: checksums are less.
const sqlitePrime = "2147483647"

// sqliteChecksum mixes the values of a row, since SQLite has no hash: h becomes
// (48271 h + v) mod (2^31 - 1) for each part v of a value, and h (h + 1) in the end.
func sqliteChecksum(columns []*TypedColumn) string {
	h := "17"
	mix := func(v string) { h = "((" + h + " * 48271 + (" + v + ") % " + sqlitePrime + ") % " + sqlitePrime + ")" }
	for _, c := range columns {
		x := c.Ref
		if c.Kind != FloatKind && c.Kind != WholeKind && c.Kind != TruthKind {
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
