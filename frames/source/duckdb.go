package source

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/regbook/regbook/frames/source/internal/vectors"
)

// DuckDB is the dialect from version 1.0 on. Passes are made in one transaction. Package
// frames/source/duckdb opens its files.
var DuckDB = &Dialect{
	Name:      "DuckDB",
	QuoteName: standardName,
	QuoteText: standardText,
	OneCase:   true,
	Decimals:  true,
	Double:    between("CAST(", " AS DOUBLE)"),
	CastText:  between("CAST(", " AS VARCHAR)"),
	AsText:    between("(CAST(", ` AS VARCHAR) COLLATE "binary")`),

	Ln:        "ln",
	Power:     "power",
	NotNumber: between("isnan(", ")"),
	Inexact: func(c *TypedColumn) string {
		x := c.Ref
		return "(" + wholeFloat(c) + "abs(CAST(" + x + " AS HUGEINT)) > " + most53 + " AND CAST(CAST(" + x + " AS DOUBLE) AS HUGEINT) <> CAST(" + x + " AS HUGEINT))"
	},
	MaxTargets: 4000, // where groups of more than 256 kB end the program, a division by zero in DuckDB 1.4
	Overflow:   func(err error) bool { return strings.Contains(err.Error(), "Out of Range Error") },

	Days: func(col *TypedColumn) string {
		x, days := col.Ref, ""
		if col.Kind == DateKind {
			days = "CAST((" + x + " - DATE '1970-01-01') AS DOUBLE)"
		} else {
			days = "CAST(epoch_us(" + x + ") AS DOUBLE) / CAST('8.64e+10' AS DOUBLE)"
		}
		return "CASE WHEN isfinite(" + x + ") THEN " + days + " ELSE CAST('NaN' AS DOUBLE) END"
	},
	DatePart: func(part string, col *TypedColumn) string {
		if part == "hour" {
			return "((epoch_us(" + inUTC(col) + ") % 86400000000) / 3600e6)"
		}
		fn := map[string]string{"year": "year", "month": "month", "day": "day", "yday": "dayofyear", "weekday": "isodow"}[part]
		return fn + "(" + inUTC(col) + ")"
	},

	RowHash: func(columns []*TypedColumn, seed uint64) string {
		return "CAST(hash(" + strings.Join(refs(columns), ", ") + ", " + strconv.FormatUint(seed>>1, 10) + ") >> 1 AS BIGINT)" // whose sums are fast
	},
	HashSum:   between("CAST(sum(", ") AS VARCHAR)"),
	Quantiles: func(x, levels string) string { return "quantile_disc(" + x + ", [" + levels + "])" },
	Quartiles: "quantile_cont(%s, [0.25, 0.5, 0.75])[%d]",

	Version:     "SELECT library_version FROM pragma_version()",
	Recognized:  func(string) bool { return true },
	Transaction: &sql.TxOptions{},
	Rewritten:   duckdbRewritten,
	byVectors:   true,
	Create: func(c *Creation) []string {
		if c.Replace {
			return []string{"CREATE OR REPLACE TABLE " + c.Name() + " AS " + c.Select}
		}
		return []string{"CREATE TABLE " + c.Name() + " AS " + c.Select}
	},

	Storage: typesOf("DOUBLE", "BIGINT", "BOOLEAN", "VARCHAR", "DATE", "TIMESTAMP"),

	Describes: true,
	Learns:    true,
	Costs: func(n, m, k float64) (pushed, rows float64) {
		pairs := m * (m + 1) / 2
		pushed = 0.04 + 0.0005*pairs + n*(0.04+0.01*m+0.0019*pairs)
		if vectors.DuckDB != nil {
			return pushed, 0.0015 + n*(0.24+0.05*k)
		}
		return pushed, 0.0015 + n*(0.05+0.18*k)
	},
	Step: func(n, m, operations float64) float64 {
		pairs := m * (m + 1) / 2
		return 0.01 + 0.0006*pairs + n*(0.06+0.01*m+0.003*pairs+0.004*operations)
	},
	Rows: duckdbRows,
}

// duckdbRows counts the rows of a table, not those of a view, which would compute them.
func duckdbRows(ctx context.Context, query Query, name []string) (n float64, err error) {
	last := standardText(name[len(name)-1])
	if views, err := query.number(ctx, "SELECT count(*) FROM duckdb_views() WHERE lower(view_name) = lower("+last+")"); err != nil || views > 0 {
		return 0, err
	}
	return query.number(ctx, "SELECT count(*) FROM (SELECT rowid FROM "+quoted(standardName, name)+") AS regbook_rows")
}

// DuckDB reads a file as a view of the columns that it had when it was opened. These are its
// messages about a file that has others now.
var (
	otherColumns = regexp.MustCompile(`(?s)Contents of view were altered: (types|names) don't match! Expected \[(.*)\], but found \[(.*)\] instead`)
	fewerColumns = regexp.MustCompile(`has (\d+) columns available but (\d+) columns specified`)
)

// duckdbRewritten names the column if a file was written with other columns since it was opened;
// "" if that is not what a message says.
func duckdbRewritten(message string, columns []string) string {
	if !strings.Contains(message, "Binder Error") {
		return ""
	}
	if m := fewerColumns.FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("it had %s columns and has %s", m[2], m[1])
	}
	m := otherColumns.FindStringSubmatch(message)
	if m == nil {
		return ""
	}
	before, now := listed(m[2]), listed(m[3])
	switch {
	case len(before) != len(now) && m[1] == "names": // one has a comma
		return "its columns are " + m[3] + " now"
	case len(before) != len(now):
		return fmt.Sprintf("it had %d columns and has %d", len(before), len(now))
	}
	for j := range before {
		switch {
		case before[j] == now[j]:
		case m[1] == "names":
			return fmt.Sprintf("column %q is %q now", before[j], now[j])
		case len(columns) == len(now):
			return fmt.Sprintf("column %q was %s and is %s", columns[j], before[j], now[j])
		}
	}
	return "it has other columns"
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
