package source

import (
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// PostgreSQL is the dialect from version 12 on. Passes are made in one read-only transaction,
// repeatable read, without just-in-time compilation.
var PostgreSQL = &Dialect{
	name:      "PostgreSQL",
	quoteName: standardName,
	quoteText: func(text string) string {
		if strings.Contains(text, `\`) { // whatever standard_conforming_strings is
			return "E" + standardText(strings.ReplaceAll(text, `\`, `\\`))
		}
		return standardText(text)
	},
	nameBytes: 63,
	decimals:  true,
	double:    between("CAST(", " AS double precision)"),
	castText:  between("CAST(", " AS text)"),
	asText:    between("(CAST(", ` AS text) COLLATE "C")`),

	ln:        "ln",
	power:     "power",
	logarithm: standardLogarithm("ln", "greatest"),
	notNumber: func(x string) string { // NaN equals itself
		return "(CAST(" + x + " AS double precision) = CAST('NaN' AS double precision))"
	},
	inexact:    postgresInexact,
	maxTargets: 1600, // of 1,664

	adjust: func(c *sqlColumn, word, _ string) {
		switch word {
		case "NUMERIC":
			c.dec = false // it may be NaN
		case "INT8":
			c.wide = true
		case "BPCHAR": // whose values are padded with blanks that do not count
			c.any = true
		}
	},
	days: func(col *sqlColumn) string {
		if col.kind == dayColumn {
			return "CAST((" + col.ref + " - DATE '1970-01-01') AS double precision)"
		}
		return "(CAST(EXTRACT(EPOCH FROM " + col.ref + ") AS double precision) / 86400)"
	},
	daysOff:  timeOff,
	datePart: postgresDatePart,

	rowHash:     postgresHash,
	hashSum:     between("CAST(sum(", ") AS text)"),
	blockHashes: 2,
	quantiles: func(x, levels string) string {
		return "(percentile_disc(ARRAY[" + levels + "]) WITHIN GROUP (ORDER BY " + x + "))"
	},
	quartiles: "(percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY %s))[%d]",

	fence: " OFFSET 0",

	version:     "SELECT version()",
	recognized:  func(_ *sqlEngine, text string) bool { return strings.HasPrefix(text, "PostgreSQL ") },
	transaction: &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
	prepare:     []string{"SET LOCAL jit = off"},
	savepoints:  true,
	create: func(c *creation) []string {
		if !c.replace {
			return []string{"CREATE TABLE " + c.name() + " AS " + c.text}
		}
		return []string{"CREATE TABLE " + c.made + " AS " + c.text, "DROP TABLE IF EXISTS " + c.name(),
			"ALTER TABLE " + c.made + " RENAME TO " + c.target[len(c.target)-1]}
	},

	storage:   typesOf("double precision", "bigint", "boolean", "text", "date", "timestamp"),
	parameter: func(k int) string { return "$" + strconv.Itoa(k) },
	truth:     plainTruth,
	moment:    plainMoment,

	costs: func(n, m, k float64, _ bool) (pushed, rows float64) {
		return 0.01 + n*(0.6+0.22*m+0.03*m*(m+1)/2), 0.005 + n*(0.4+0.24*k)
	},
}

// postgresInexact casts no float beyond the largest bigint back.
func postgresInexact(c *sqlColumn) string {
	x, is := c.ref, ""
	if c.kind == floatColumn {
		is = x + " NOT IN ('NaN', 'Infinity', '-Infinity') AND " + x + " = trunc(" + x + ") AND "
	}
	return "(" + is + "abs(CAST(" + x + " AS numeric)) > " + most53 + " AND (abs(CAST(" + x + " AS numeric)) > 9223372036854774784 OR CAST(CAST(CASE WHEN abs(CAST(" + x +
		" AS numeric)) <= 9223372036854774784 THEN " + x + " END AS double precision) AS bigint) <> " + x + "))"
}

func postgresDatePart(part string, col *sqlColumn) string {
	x := inUTC(col)
	if part != "hour" {
		field := map[string]string{"year": "YEAR", "month": "MONTH", "day": "DAY", "yday": "DOY", "weekday": "ISODOW"}[part]
		return "EXTRACT(" + field + " FROM " + x + ")"
	}
	if col.kind == dayColumn {
		return "0"
	}
	return "(EXTRACT(HOUR FROM " + x + ") + EXTRACT(MINUTE FROM " + x + ") / 60.0 + EXTRACT(SECOND FROM " + x + ") / 3600.0)"
}

// inUTC is a time whose parts do not depend on the zone of the session.
func inUTC(col *sqlColumn) string {
	if col.zone {
		return "(" + col.ref + " AT TIME ZONE 'UTC')"
	}
	return col.ref
}

func postgresHash(columns []*sqlColumn, seed uint64) string {
	h := fmt.Sprint(int64(seed >> 1))
	for _, c := range columns {
		switch c.kind {
		case floatColumn, wholeColumn: // NULL would make the hash of the whole row NULL
			if c.wide && !c.huge {
				h = "hashint8extended(coalesce(" + c.ref + ", -" + fmt.Sprint(math.MaxInt64) + "), " + h + ")"
				break
			}
			h = "hashfloat8extended(coalesce(CAST(" + c.ref + " AS double precision), CAST('NaN' AS double precision)), " + h + ")"
		default:
			h = "hashtextextended(coalesce(CAST(" + c.ref + " AS text), ''), " + h + ")"
		}
	}
	return "(" + h + " & 9223372036854775807)"
}
