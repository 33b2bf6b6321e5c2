package source

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ClickHouse is the dialect from version 18 on, native protocol. It has no transactions: passes compare
// counts and a checksum of the rows. A shard that is down is an error.
var ClickHouse = &Dialect{
	Name:      "ClickHouse",
	QuoteName: clickhouseName,
	QuoteText: clickhouseText,
	Infinity:  "inf",
	Rounds:    true,
	Double:    between("toFloat64(", ")"),
	CastText:  between("toString(", ")"),
	AsText:    between("toString(", ")"),

	Ln:        "log",
	Power:     "pow",
	NotNumber: between("isNaN(", ")"),
	Inexact: func(c *TypedColumn) string { // a float is compared with a whole number exactly or by float: compare whole numbers
		x := c.Ref
		return "((" + x + " > " + most53 + " OR " + x + " < -" + most53 + ") AND (toFloat64(" + x + ") > 9.2233720368547748e18 OR toFloat64(" + x + ") < -9.2233720368547748e18 OR toInt64(toFloat64(" + x + ")) <> toInt64(" + x + ")))"
	},
	MaxTargets: 500, // the time of a query on a Distributed table grows faster than they do

	Adjust: func(c *TypedColumn, word string) {
		if word == "FIXEDSTRING" { // whose values are padded with zero bytes
			c.Cast = true
		}
	},
	TruthIsWhole: true,
	Reserved: func(name string) string { // 18.16 sends a name to shards without quotes, which read a constant
		if slices.ContainsFunc([]string{"inf", "nan", "null"}, func(word string) bool { return strings.EqualFold(name, word) }) {
			return "is taken for the constant by shards"
		}
		return ""
	},
	Days: func(col *TypedColumn) string {
		if col.Kind == DateKind {
			return "toFloat64(toUInt16(" + col.Ref + "))"
		}
		return "(toFloat64(toUInt32(" + col.Ref + ")) / 86400)"
	},
	DatePart: clickhouseDatePart,

	RowHash: func(columns []*TypedColumn, seed uint64) string {
		var all []string
		for _, c := range columns {
			number := (c.Kind == FloatKind || c.Kind == WholeKind || c.Kind == TruthKind) && !c.Decimal && !c.Cast
			switch x := c.Ref; {
			case (number || c.Kind == TextKind) && !c.Cast && !strings.Contains(c.Declared, "Nullable"):
				all = append(all, x)
			case number: // whose text would take most of the time
				all = append(all, "ifNull("+x+", 0)", "isNull("+x+")")
			default:
				all = append(all, "ifNull(toString("+x+"), '\\\\N')")
			}
		}
		return "cityHash64(" + strings.Join(all, ", ") + ", " + strconv.FormatUint(seed>>1, 10) + ")"
	},
	HashSum:   between("toString(sum(", "))"),
	Quantiles: func(x, levels string) string { return "quantilesExact(" + levels + ")(assumeNotNull(" + x + "))" },
	SkipNull:  true,

	OneLevel: true,
	Settings: " SETTINGS skip_unavailable_shards = 0", // whatever the settings of the connection are

	Version:    "SELECT toString(version())",
	Recognized: func(string) bool { return true },
	Prepare: []string{"SET max_query_size = 16777216", "SET max_ast_elements = 4000000", "SET max_expanded_ast_elements = 4000000",
		"SET max_ast_depth = 10000", "SET skip_unavailable_shards = 0"},
	Inspect: clickhouseInspect,
	Create: func(c *Creation) []string {
		return append([]string{"CREATE TABLE " + c.Made + " ENGINE = MergeTree ORDER BY tuple() AS " + c.Select + " SETTINGS skip_unavailable_shards = 0"}, c.renames()...)
	},

	Shards:  clickhouseShards,
	InOrder: ", max_threads = 1",
	Spread: func(parts []string) string {
		return "SELECT count(*) FROM system.tables WHERE engine = 'Distributed' AND " + clickhouseNamed("name", parts)
	},

	Storage:  typesOf("Nullable(Float64)", "Nullable(Int64)", "Nullable(UInt8)", "Nullable(String)", "Nullable(Date)", "Nullable(DateTime('UTC'))"),
	TableEnd: " ENGINE = MergeTree ORDER BY tuple()",
	Batches:  true,
	Truth: func(v bool) any {
		if v {
			return uint8(1)
		}
		return uint8(0)
	},
	Moment: func(_ Kind, t time.Time) (any, error) {
		if t.Year() < 1970 || t.Year() > 2105 || t.Nanosecond() != 0 {
			return nil, errors.New("ClickHouse has dates from 1970 to 2105 and whole seconds")
		}
		return t, nil
	},

	Describes: true,
	NoMoments: true, // 18.16 does not send states of variances
	Numbers:   func(n int) string { return "SELECT number AS n FROM system.numbers LIMIT " + strconv.Itoa(n) },
	Costs: func(n, m, k float64) (pushed, rows float64) {
		pairs := m * (m + 1) / 2
		return 0.03 + 0.001*pairs + n*(0.14+0.01*m+0.0065*pairs), 0.01 + n*(0.3+0.07*k)
	},
	Step: func(n, m, operations float64) float64 {
		pairs := m * (m + 1) / 2
		return 0.03 + 0.007*pairs + 0.02*operations + n*(0.14+0.01*m+0.008*pairs+0.02*operations)
	},
	Rows: clickhouseRows,
}

// clickhouseEscapes is for names and texts, where a backslash escapes.
var clickhouseEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", `'`, `\'`)

func clickhouseDatePart(part string, col *TypedColumn) string {
	if part == "hour" {
		return "((toUInt32(" + col.Ref + ") % 86400) / 3600)"
	}
	fn := map[string]string{"year": "toYear", "month": "toMonth", "day": "toDayOfMonth", "yday": "toDayOfYear", "weekday": "toDayOfWeek"}[part]
	if col.Kind == DateKind {
		return fn + "(" + col.Ref + ")"
	}
	return fn + "(" + col.Ref + ", 'UTC')"
}

// clickhouseInspect asks for rows that are known: a driver that does not fit the server can
// return others without an error.
func clickhouseInspect(ctx context.Context, query Query) error {
	version := ""
	err := query(ctx, "SELECT version()", 1, func(row []driver.Value) error {
		version, _ = row[0].(string)
		return nil
	})
	if err != nil {
		return err
	}
	major, err := strconv.Atoi(strings.SplitN(version, ".", 2)[0])
	if err != nil || major < 18 {
		return errorf(ErrSource, "ClickHouse %q is older than 18", version)
	}
	const most = 3000
	next := 0
	err = query(ctx, fmt.Sprintf("SELECT number, number / 7, toString(number), nullIf(number, 3) FROM (SELECT number FROM system.numbers LIMIT %d) ORDER BY number", most), 4, func(row []driver.Value) error {
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

// distributed is the engine of a Distributed table.
var distributed = regexp.MustCompile(`^Distributed\('?([\w.-]+)'?, '?([\w.-]+)'?, '?([\w.-]+)'?[,)]`)

// clickhouseShards writes the shards of a Distributed table by a function that 18.16 has but no manual: a shard is that number of the
// cluster which is the hash of a text modulo the number of shards, with the user and password of the cluster. remote would
// need the password, and _shard_num is of later versions.
func clickhouseShards(ctx context.Context, query Query, name []string) ([]string, error) {
	of, err := clickhouseDistributed(ctx, query, name)
	if err != nil || of == nil {
		return nil, err
	}
	if known, err := query.number(ctx, "SELECT count(*) FROM system.table_functions WHERE name = 'shardByHash'"); err != nil || known == 0 {
		return nil, err
	}
	shards := 0
	if err := query(ctx, "SELECT max(shard_num) FROM system.clusters WHERE cluster = "+clickhouseText(of[1]), 1, func(row []driver.Value) error {
		n, _ := numberOf(row[0])
		shards = int(n)
		return nil
	}); err != nil || shards < 2 {
		return nil, err
	}
	all := make([]string, shards)
	left := shards
	err = query(ctx, fmt.Sprintf("SELECT toString(number), sipHash64(toString(number)) %% %d FROM system.numbers LIMIT %d", shards, 64*shards), 2, func(row []driver.Value) error {
		key, _ := textOf(row[0])
		if k, ok := numberOf(row[1]); ok && all[int(k)] == "" {
			all[int(k)] = "shardByHash(" + clickhouseText(of[1]) + ", " + clickhouseText(key) + ", " + clickhouseText(of[2]) + ", " + clickhouseText(of[3]) + ")"
			left--
		}
		return nil
	})
	if left > 0 { // nearly never
		all = nil
	}
	return all, err
}

// clickhouseRows is how many rows the parts of a table have, on all shards of a Distributed one.
func clickhouseRows(ctx context.Context, query Query, name []string) (float64, error) {
	of, err := clickhouseDistributed(ctx, query, name)
	switch {
	case err != nil:
		return 0, err
	case of != nil:
		return query.number(ctx, "SELECT sum(rows) FROM cluster("+clickhouseText(of[1])+", system.parts) WHERE active AND database = "+clickhouseText(of[2])+" AND table = "+clickhouseText(of[3]))
	}
	return query.number(ctx, "SELECT sum(rows) FROM system.parts WHERE active AND "+clickhouseNamed("table", name))
}

// clickhouseDistributed finds the cluster, the database and the table of the shards of a Distributed table, after its
// engine; nil if it is none.
func clickhouseDistributed(ctx context.Context, query Query, name []string) (of []string, err error) {
	err = query(ctx, "SELECT engine_full FROM system.tables WHERE "+clickhouseNamed("name", name), 1, func(row []driver.Value) error {
		text, _ := textOf(row[0])
		of = distributed.FindStringSubmatch(text)
		return nil
	})
	return of, err
}

// clickhouseNamed is the condition that finds a table by the parts of its name, in a table of the system that has names in
// such a column.
func clickhouseNamed(column string, parts []string) string {
	database := "currentDatabase()"
	if len(parts) > 1 {
		database = clickhouseText(parts[0])
	}
	return column + " = " + clickhouseText(parts[len(parts)-1]) + " AND database = " + database
}

func clickhouseName(name string) string { return "`" + clickhouseEscapes.Replace(name) + "`" }

func clickhouseText(text string) string { return "'" + clickhouseEscapes.Replace(text) + "'" }
