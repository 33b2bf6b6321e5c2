package source

import (
	"database/sql"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// DuckDB is the dialect from version 1.0 on. Passes are made in one transaction. Package
// frames/source/duckdb opens its files.
var DuckDB = &Dialect{
	name:      "DuckDB",
	quoteName: standardName,
	quoteText: standardText,
	oneCase:   true,
	decimals:  true,
	double:    between("CAST(", " AS DOUBLE)"),
	castText:  between("CAST(", " AS VARCHAR)"),
	asText:    between("(CAST(", ` AS VARCHAR) COLLATE "binary")`),

	ln:        "ln",
	power:     "power",
	logarithm: standardLogarithm("ln", "greatest"),
	notNumber: between("isnan(", ")"),
	inexact: func(c *sqlColumn) string {
		x := c.ref
		return "(" + wholeFloat(c) + "abs(CAST(" + x + " AS HUGEINT)) > " + most53 + " AND CAST(CAST(" + x + " AS DOUBLE) AS HUGEINT) <> CAST(" + x + " AS HUGEINT))"
	},
	maxTargets: 4000, // where groups of more than 256 kB end the program, a division by zero in DuckDB 1.4

	days: func(col *sqlColumn) string {
		x, days := col.ref, ""
		if col.kind == dayColumn {
			days = "CAST((" + x + " - DATE '1970-01-01') AS DOUBLE)"
		} else {
			days = "CAST(epoch_us(" + x + ") AS DOUBLE) / CAST('8.64e+10' AS DOUBLE)"
		}
		return "CASE WHEN isfinite(" + x + ") THEN " + days + " ELSE CAST('NaN' AS DOUBLE) END"
	},
	daysOff: timeOff,
	datePart: func(part string, col *sqlColumn) string {
		switch {
		case part != "hour":
			fn := map[string]string{"year": "year", "month": "month", "day": "day", "yday": "dayofyear", "weekday": "isodow"}[part]
			return fn + "(" + inUTC(col) + ")"
		case col.kind == dayColumn:
			return "0"
		}
		return "((epoch_us(" + inUTC(col) + ") % 86400000000) / 3600e6)"
	},

	rowHash: func(columns []*sqlColumn, seed uint64) string {
		return "hash(" + strings.Join(refs(columns), ", ") + ", " + strconv.FormatUint(seed>>1, 10) + ")"
	},
	hashSum:   between("CAST(sum(CAST(", " AS HUGEINT)) AS VARCHAR)"),
	quantiles: func(x, levels string) string { return "quantile_disc(" + x + ", [" + levels + "])" },
	quartiles: "quantile_cont(%s, [0.25, 0.5, 0.75])[%d]",

	version:     "SELECT library_version FROM pragma_version()",
	recognized:  func(*sqlEngine, string) bool { return true },
	transaction: &sql.TxOptions{},
	rewritten:   duckdbRewritten,
	byVectors:   true,
	create: func(c *creation) []string {
		if c.replace {
			return []string{"CREATE OR REPLACE TABLE " + c.name() + " AS " + c.text}
		}
		return []string{"CREATE TABLE " + c.name() + " AS " + c.text}
	},

	storage:   typesOf("DOUBLE", "BIGINT", "BOOLEAN", "VARCHAR", "DATE", "TIMESTAMP"),
	parameter: questionMark,
	truth:     plainTruth,
	moment:    plainMoment,

	describes: true,
	learns:    true,
	costs: func(n, m, k float64, byVectors bool) (pushed, rows float64) {
		pushed = 0.005 + 0.0018*m + n*(0.02+0.085*m+0.0085*m*(m+1)/2)
		if byVectors {
			return pushed, 0.0015 + n*(0.24+0.033*k)
		}
		return pushed, 0.0015 + n*(0.05+0.18*k)
	},
}

// DuckDB reads a file as a view of the columns that it had when it was opened. These are its
// messages about a file that has others now.
var (
	otherColumns = regexp.MustCompile(`(?s)Contents of view were altered: (types|names) don't match! Expected \[(.*)\], but found \[(.*)\] instead`)
	fewerColumns = regexp.MustCompile(`has (\d+) columns available but (\d+) columns specified`)
)

// duckdbRewritten returns an ErrChanged that names the column if a file was written with other
// columns since it was opened, nil if that is not what a message says.
func duckdbRewritten(e *sqlEngine, text string) error {
	if !strings.Contains(text, "Binder Error") {
		return nil
	}
	changed := func(what string) error {
		return errorf(ErrChanged, "%v has changed since it was opened: %s; open it again", e, what)
	}
	if m := fewerColumns.FindStringSubmatch(text); m != nil {
		return changed(fmt.Sprintf("it had %s columns and has %s", m[2], m[1]))
	}
	m := otherColumns.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	before, now := listed(m[2]), listed(m[3])
	switch {
	case len(before) != len(now) && m[1] == "names": // one has a comma
		return changed("its columns are " + m[3] + " now")
	case len(before) != len(now):
		return changed(fmt.Sprintf("it had %d columns and has %d", len(before), len(now)))
	}
	for j := range before {
		switch {
		case before[j] == now[j]:
		case m[1] == "names":
			return changed(fmt.Sprintf("column %q is %q now", before[j], now[j]))
		case len(e.names) == len(now):
			return changed(fmt.Sprintf("column %q was %s and is %s", e.names[j], before[j], now[j]))
		}
	}
	return changed("it has other columns")
}

// listed splits a list at the commas that no parentheses or quotes enclose.
func listed(s string) []string {
	var all []string
	depth, from, quoted := 0, 0, false
	for i, r := range s {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '(':
			depth++
		case r == ')':
			depth--
		case depth == 0 && strings.HasPrefix(s[i:], ", "):
			all, from = append(all, s[from:i]), i+2
		}
	}
	return append(all, s[from:])
}
