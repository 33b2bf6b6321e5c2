package source

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// PostgreSQL is the dialect from version 12 on. Passes are made in one read-only transaction,
// repeatable read, with just-in-time compilation of a few sums of many rows only.
var PostgreSQL = &Dialect{
	Name:      "PostgreSQL",
	QuoteName: standardName,
	QuoteText: func(text string) string {
		if strings.Contains(text, `\`) { // whatever standard_conforming_strings is
			return "E" + standardText(strings.ReplaceAll(text, `\`, `\\`))
		}
		return standardText(text)
	},
	NameBytes: 63,
	Decimals:  true,
	Double:    between("CAST(", " AS double precision)"),
	CastText:  between("CAST(", " AS text)"),
	AsText:    between("(CAST(", ` AS text) COLLATE "C")`),

	Ln:    "ln",
	Power: "power",
	NotNumber: func(x string) string { // NaN equals itself
		return "(CAST(" + x + " AS double precision) = CAST('NaN' AS double precision))"
	},
	Inexact:    postgresInexact,
	MaxTargets: 1600,                                                                   // of 1,664
	Overflow:   func(err error) bool { return strings.HasPrefix(sqlState(err), "22") }, // data exceptions

	Adjust: func(c *TypedColumn, word string) {
		switch word {
		case "NUMERIC":
			c.Decimal = false // it may be NaN
		case "INT8":
			c.Wide = true
		case "BPCHAR": // whose values are padded with blanks that do not count
			c.Cast = true
		}
	},
	Days: func(col *TypedColumn) string {
		if col.Kind == DateKind {
			return "CAST((" + col.Ref + " - DATE '1970-01-01') AS double precision)"
		}
		return "(CAST(EXTRACT(EPOCH FROM " + col.Ref + ") AS double precision) / 86400)"
	},
	DatePart: postgresDatePart,

	RowHash: postgresHash,
	HashSum: between("CAST(sum(", ") AS text)"),
	Quantiles: func(x, levels string) string {
		return "(percentile_disc(ARRAY[" + levels + "]) WITHIN GROUP (ORDER BY " + x + "))"
	},
	Quartiles: "(percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY %s))[%d]",

	FenceItem: "CASE WHEN 1=0 THEN clock_timestamp() END", // a volatile function, if never called: OFFSET 0 would keep workers away

	BeforeSums: func(values int) string { // expressions behind a fence have no statistics: two of them are taken for 40,000 groups
		return fmt.Sprintf("SELECT set_config('enable_sort', 'off', true), set_config('jit', '%t', true), set_config('jit_above_cost', '400000', true), "+
			"set_config('jit_inline_above_cost', '400000', true), set_config('jit_optimize_above_cost', '400000', true)", values <= mostCompiled)
	},

	Version:     "SELECT version()",
	Recognized:  func(version string) bool { return strings.HasPrefix(version, "PostgreSQL ") },
	Transaction: &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
	Prepare:     []string{"SET LOCAL jit = off"},
	Parts:       postgresParts,
	Share:       "SELECT pg_export_snapshot()",
	Join:        func(shared string) string { return "SET TRANSACTION SNAPSHOT " + standardText(shared) },
	Savepoints:  true,
	Stale:       func(err error) bool { return sqlState(err) == "0A000" }, // cached plan must not change result type
	Create: func(c *Creation) []string {
		if !c.Replace {
			return []string{"CREATE TABLE " + c.Name() + " AS " + c.Select}
		}
		return []string{"CREATE TABLE " + c.Made + " AS " + c.Select, "DROP TABLE IF EXISTS " + c.Name(),
			"ALTER TABLE " + c.Made + " RENAME TO " + c.Target[len(c.Target)-1]}
	},

	Storage:   typesOf("double precision", "bigint", "boolean", "text", "date", "timestamp"),
	Parameter: func(k int) string { return "$" + strconv.Itoa(k) },

	Numbers: func(n int) string { return "SELECT n FROM generate_series(1, " + strconv.Itoa(n) + ") AS n" },
	Costs: func(n, m, k float64) (pushed, rows float64) {
		pairs := m * (m + 1) / 2
		return 0.015 + 0.0001*pairs + compiledTime(n, m)*n*(0.27+0.06*m+0.009*pairs), 0.005 + n*(0.3+0.09*k)
	},
	Step: func(n, m, operations float64) float64 {
		pairs := m * (m + 1) / 2
		return 0.01 + 0.0002*pairs + compiledTime(n, m)*n*(0.5+0.09*m+0.014*pairs+0.01*operations)
	},
	Rows: postgresRows,
}

// mostCompiled is how many values of a SELECT are compiled, from a cost of 400,000 on: that of sums of five numbers in some four million
// rows. Compiling 30 of them takes every process 0.2 s; the rows of many more are read, unless the route is set.
const mostCompiled = 120

// compiledTime is the share of the time that sums of n million rows of m columns take if they are compiled, and 1 if they are not.
func compiledTime(n, m float64) float64 {
	if n < 4 || 1+m+m*(m+1)/2 > mostCompiled {
		return 1
	}
	return 0.65
}

// sqlState is the code of an error of PostgreSQL, "" if it has none.
func sqlState(err error) string {
	var state interface{ SQLState() string }
	if errors.As(err, &state) {
		return state.SQLState()
	}
	return ""
}

// postgresInexact casts no float beyond the largest bigint back.
func postgresInexact(c *TypedColumn) string {
	x, is := c.Ref, ""
	if c.Kind == FloatKind {
		is = x + " NOT IN ('NaN', 'Infinity', '-Infinity') AND " + x + " = trunc(" + x + ") AND "
	}
	return "(" + is + "abs(CAST(" + x + " AS numeric)) > " + most53 + " AND (abs(CAST(" + x + " AS numeric)) > 9223372036854774784 OR CAST(CAST(CASE WHEN abs(CAST(" + x +
		" AS numeric)) <= 9223372036854774784 THEN " + x + " END AS double precision) AS bigint) <> " + x + "))"
}

func postgresDatePart(part string, col *TypedColumn) string {
	x := inUTC(col)
	if part != "hour" {
		field := map[string]string{"year": "YEAR", "month": "MONTH", "day": "DAY", "yday": "DOY", "weekday": "ISODOW"}[part]
		return "EXTRACT(" + field + " FROM " + x + ")"
	}
	return "(EXTRACT(HOUR FROM " + x + ") + EXTRACT(MINUTE FROM " + x + ") / 60.0 + EXTRACT(SECOND FROM " + x + ") / 3600.0)"
}

// inUTC is a time whose parts do not depend on the zone of the session.
func inUTC(col *TypedColumn) string {
	if col.Zone {
		return "(" + col.Ref + " AT TIME ZONE 'UTC')"
	}
	return col.Ref
}

func postgresHash(columns []*TypedColumn, seed uint64) string {
	h := fmt.Sprint(int64(seed >> 1))
	for _, c := range columns {
		switch c.Kind {
		case FloatKind, WholeKind: // NULL would make the hash of the whole row NULL
			if c.Wide && !c.Huge {
				h = "hashint8extended(coalesce(" + c.Ref + ", -" + fmt.Sprint(math.MaxInt64) + "), " + h + ")"
				break
			}
			h = "hashfloat8extended(coalesce(CAST(" + c.Ref + " AS double precision), CAST('NaN' AS double precision)), " + h + ")"
		default:
			h = "hashtextextended(coalesce(CAST(" + c.Ref + " AS text), ''), " + h + ")"
		}
	}
	return "(" + h + " & 9223372036854775807)"
}

// postgresRows is what PostgreSQL last counted, or estimated, for its planner.
func postgresRows(ctx context.Context, query Query, name []string) (float64, error) {
	return query.number(ctx, "SELECT CAST(reltuples AS double precision) FROM pg_class WHERE oid = to_regclass("+standardText(quoted(standardName, name))+")")
}

// postgresParts deals a table of PostgreSQL to ranges of pages, which versions from 14 on read by themselves.
func postgresParts(ctx context.Context, query Query, name []string) (parts []string, err error) {
	const pages = 1024 // of 8 kB
	err = query(ctx, "SELECT CAST(pg_relation_size(oid) / CAST(current_setting('block_size') AS integer) AS double precision) FROM pg_class WHERE oid = CAST("+standardText(quoted(standardName, name))+
		" AS regclass) AND relkind = 'r' AND CAST(current_setting('server_version_num') AS integer) >= 140000", 1, func(row []driver.Value) error {
		size, _ := numberOf(row[0])
		for from := 0; from == 0 || float64(from) < size; from += pages {
			parts = append(parts, fmt.Sprintf("ctid >= '(%d,0)' AND ctid < '(%d,0)'", from, from+pages))
		}
		last := len(parts) - 1
		parts[last], _, _ = strings.Cut(parts[last], " AND ") // to the end
		return nil
	})
	return parts, err
}
