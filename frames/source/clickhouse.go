package source

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/regbook/regbook/frames"
)

// ClickHouse is the dialect from version 18 on, native protocol. It has no transactions: passes compare
// counts and a checksum of the rows. A shard that is down is an error.
var ClickHouse = &Dialect{
	name:      "ClickHouse",
	quoteName: func(name string) string { return "`" + clickhouseEscapes.Replace(name) + "`" },
	quoteText: func(text string) string { return "'" + clickhouseEscapes.Replace(text) + "'" },
	infinity:  "inf",
	rounds:    true,
	double:    between("toFloat64(", ")"),
	castText:  between("toString(", ")"),
	asText:    between("toString(", ")"),

	ln:        "log",
	power:     "pow",
	logarithm: standardLogarithm("log", "greatest"),
	notNumber: between("isNaN(", ")"),
	inexact: func(c *sqlColumn) string { // a float is compared with a whole number exactly or by float: compare whole numbers
		x := c.ref
		return "((" + x + " > " + most53 + " OR " + x + " < -" + most53 + ") AND (toFloat64(" + x + ") > 9.2233720368547748e18 OR toFloat64(" + x + ") < -9.2233720368547748e18 OR toInt64(toFloat64(" + x + ")) <> toInt64(" + x + ")))"
	},
	maxTargets: 500, // the time of a query on a Distributed table grows faster than they do

	adjust: func(c *sqlColumn, word, _ string) {
		if word == "FIXEDSTRING" { // whose values are padded with zero bytes
			c.any = true
		}
	},
	truthIsWhole: true,
	reserved: func(name string) bool { // 18.16 sends a name to shards without quotes, which read a number
		return strings.EqualFold(name, "inf") || strings.EqualFold(name, "nan")
	},
	days: func(col *sqlColumn) string {
		if col.kind == dayColumn {
			return "toFloat64(toUInt16(" + col.ref + "))"
		}
		return "(toFloat64(toUInt32(" + col.ref + ")) / 86400)"
	},
	daysOff:  timeOff,
	datePart: clickhouseDatePart,

	rowHash: func(columns []*sqlColumn, seed uint64) string {
		all := make([]string, len(columns))
		for i, c := range columns {
			all[i] = "ifNull(toString(" + c.ref + "), '\\\\N')"
		}
		return "cityHash64(" + strings.Join(all, ", ") + ", " + strconv.FormatUint(seed>>1, 10) + ")"
	},
	hashSum:   between("toString(sum(", "))"),
	quantiles: func(x, levels string) string { return "quantilesExact(" + levels + ")(assumeNotNull(" + x + "))" },
	skipNull:  true,

	oneLevel: true,
	settings: " SETTINGS skip_unavailable_shards = 0", // whatever the settings of the connection are

	version:    "SELECT toString(version())",
	recognized: func(*sqlEngine, string) bool { return true },
	prepare: []string{"SET max_query_size = 16777216", "SET max_ast_elements = 4000000", "SET max_expanded_ast_elements = 4000000",
		"SET max_ast_depth = 10000", "SET skip_unavailable_shards = 0"},
	inspect: clickhouseInspect,
	create: func(c *creation) []string {
		make := "CREATE TABLE " + c.made + " ENGINE = MergeTree ORDER BY tuple() AS " + c.text + " SETTINGS skip_unavailable_shards = 0"
		rename := c.made + " TO " + c.name()
		if c.exists {
			return []string{make, "RENAME TABLE " + c.name() + " TO " + c.old + ", " + rename, "DROP TABLE " + c.old}
		}
		return []string{make, "RENAME TABLE " + rename}
	},

	spread: func(e *sqlEngine) (string, error) {
		last := e.opened.parts[len(e.opened.parts)-1]
		name, err := e.d.text(last)
		if err != nil {
			return "", err
		}
		database := "currentDatabase()"
		if len(e.opened.parts) > 1 {
			if database, err = e.d.text(e.opened.parts[0]); err != nil {
				return "", err
			}
		}
		return "SELECT count(*) FROM system.tables WHERE engine = 'Distributed' AND name = " + name + " AND database = " + database, nil
	},

	storage:  typesOf("Nullable(Float64)", "Nullable(Int64)", "Nullable(UInt8)", "Nullable(String)", "Nullable(Date)", "Nullable(DateTime('UTC'))"),
	tableEnd: " ENGINE = MergeTree ORDER BY tuple()",
	batches:  true,
	truth: func(v bool) any {
		if v {
			return uint8(1)
		}
		return uint8(0)
	},
	moment: func(c *loadedColumn, t time.Time, row int) (any, error) {
		if t.Year() < 1970 || t.Year() > 2105 || t.Nanosecond() != 0 {
			return nil, errorf(frames.ErrSetting, "column %q has %s in row %d; ClickHouse has dates from 1970 to 2105 and whole seconds; make it text", c.Name, t.Format("2006-01-02 15:04:05.999999"), row+1)
		}
		return t, nil
	},

	describes: true,
	noMoments: true, // 18.16 does not send states of variances
	costs: func(n, m, k float64, _ bool) (pushed, rows float64) {
		pairs := m * (m + 1) / 2
		return 0.03 + 0.003*pairs + n*(1.1+0.6*m+0.1*pairs), 0.01 + n*(0.4+0.2*k)
	},
}

// clickhouseEscapes is for names and texts, where a backslash escapes.
var clickhouseEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", `'`, `\'`)

func clickhouseDatePart(part string, col *sqlColumn) string {
	if part == "hour" {
		if col.kind == dayColumn {
			return "0"
		}
		return "((toUInt32(" + col.ref + ") % 86400) / 3600)"
	}
	fn := map[string]string{"year": "toYear", "month": "toMonth", "day": "toDayOfMonth", "yday": "toDayOfYear", "weekday": "toDayOfWeek"}[part]
	if col.kind == dayColumn {
		return fn + "(" + col.ref + ")"
	}
	return fn + "(" + col.ref + ", 'UTC')"
}

// clickhouseInspect asks for rows that are known: a driver that does not fit the server can
// return others without an error.
func clickhouseInspect(ctx context.Context, _ *sqlEngine, s *session) error {
	row, err := s.one(ctx, "SELECT version()", 1)
	if err != nil {
		return err
	}
	version, _ := row[0].(string)
	major, err := strconv.Atoi(strings.SplitN(version, ".", 2)[0])
	if err != nil || major < 18 {
		return errorf(ErrSource, "ClickHouse %q is older than 18", version)
	}
	const most = 3000
	next := 0
	err = s.each(ctx, fmt.Sprintf("SELECT number, number / 7, toString(number), nullIf(number, 3) FROM (SELECT number FROM system.numbers LIMIT %d) ORDER BY number", most), 4, func(row []driver.Value) error {
		k, ok := numberOf(row[0])
		v, also := numberOf(row[1])
		text, too := textOf(row[2])
		if !ok || !also || !too || k != float64(next) || v != k/7 || text != strconv.Itoa(next) || (row[3] == nil) != (next == 3) {
			return errorf(ErrSource, "ClickHouse %s and the driver do not fit: row %d of a query for known rows is %v", version, next+1, row)
		}
		next++
		return nil
	})
	if err == nil && next != most {
		err = errorf(ErrSource, "ClickHouse %s and the driver do not fit: a query for %d known rows returned %d", version, most, next)
	}
	return err
}
