//go:build unix

package engines

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
)

var ctx = context.Background()

// database is one that the tests run on.
type database struct {
	name    string
	dialect *source.Dialect
	open    func(t *testing.T) *sql.DB
}

var databases = []database{
	{"DuckDB", source.DuckDB, func(t *testing.T) *sql.DB { return opened(t, "duckdb", "") }},
	{"SQLite", source.SQLite, func(t *testing.T) *sql.DB { return opened(t, "sqlite", t.TempDir()+"/data.db") }},
	{"PostgreSQL", source.PostgreSQL, func(t *testing.T) *sql.DB { return opened(t, "pgx", postgres.on(t).DSN) }},
	{"ClickHouse", source.ClickHouse, func(t *testing.T) *sql.DB { return opened(t, "clickhouse", clickhouse.on(t).DSN) }},
	{"MariaDB", source.MariaDB, func(t *testing.T) *sql.DB { return opened(t, "mysql", mariadb.on(t).DSN) }},
}

func opened(t *testing.T, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// onEach runs a test on every database.
func onEach(t *testing.T, f func(t *testing.T, d database, db *sql.DB)) {
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) { f(t, d, d.open(t)) })
	}
}

var tables int

// quoted writes a name as a test would, apart from the code that is tested.
func (d database) quoted(name string) string {
	if d.dialect == source.ClickHouse {
		return "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name) + "`"
	}
	if d.dialect == source.MariaDB {
		return "`" + strings.ReplaceAll(name, "`", "``") + "`"
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// types are those of float, int, bool, text and date columns.
var types = map[*source.Dialect][5]string{
	source.DuckDB:     {"DOUBLE", "INTEGER", "BOOLEAN", "VARCHAR COLLATE NOCASE", "DATE"},
	source.PostgreSQL: {"double precision", "integer", "boolean", "text", "date"},
	source.ClickHouse: {"Nullable(Float64)", "Nullable(Int32)", "Nullable(UInt8)", "Nullable(String)", "Nullable(Date)"},
	source.MariaDB:    {"DOUBLE", "INT", "BOOLEAN", "LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci", "DATE"},
	source.SQLite:     {"REAL", "INTEGER", "BOOLEAN", "TEXT COLLATE NOCASE", "DATE"},
}

// load stores a frame as a table, in rows of two shards for ClickHouse, and returns its
// name. Columns named in other have the types given.
func (d database) load(t *testing.T, db *sql.DB, df dataframe.DataFrame, other map[string]string) string {
	t.Helper()
	tables++
	name := fmt.Sprintf("table %d", tables)
	d.store(t, db, name, df, other)
	return name
}

func (d database) store(t *testing.T, db *sql.DB, name string, df dataframe.DataFrame, other map[string]string) {
	t.Helper()
	var columns []string
	kinds := make([]int, df.Ncol())
	for j, c := range df.Names() {
		kinds[j] = map[series.Type]int{series.Float: 0, series.Int: 1, series.Bool: 2, series.String: 3}[df.Col(c).Type()]
		if kinds[j] == 3 && frames.IsDates(df, c) {
			kinds[j] = 4
		}
		typ := types[d.dialect][kinds[j]]
		if o, ok := other[c]; ok {
			typ = o
		}
		columns = append(columns, d.quoted(c)+" "+typ)
	}
	if d.dialect == source.ClickHouse {
		d.shards(t, db, name, columns, kinds, df)
		return
	}
	run(t, db, "CREATE TABLE "+d.quoted(name)+" ("+strings.Join(columns, ", ")+")")
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	const batch = 500
	for from := 0; from < df.Nrow(); from += batch {
		var rows []string
		for i := from; i < min(df.Nrow(), from+batch); i++ {
			var values []string
			for j := range kinds {
				values = append(values, literal(df.Elem(i, j), kinds[j], d.dialect))
			}
			rows = append(rows, "("+strings.Join(values, ", ")+")")
		}
		if _, err := tx.Exec("INSERT INTO " + d.quoted(name) + " VALUES " + strings.Join(rows, ", ")); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// finite is a frame as a database may have it: what is infinite is missing where there are no such
// numbers.
func finite(t *testing.T, d database, df dataframe.DataFrame) dataframe.DataFrame {
	t.Helper()
	for j, name := range df.Names() {
		if !d.dialect.Finite || df.Types()[j] != series.Float {
			continue
		}
		x := df.Col(name).Float()
		for i, v := range x {
			if math.IsInf(v, 0) {
				x[i] = math.NaN()
			}
		}
		df = df.Mutate(series.New(x, series.Float, name))
	}
	return df
}

func literal(v series.Element, kind int, dialect *source.Dialect) string {
	if v.IsNA() {
		return "NULL"
	}
	switch kind {
	case 0:
		x := v.Float()
		if math.IsInf(x, 0) && dialect == source.SQLite {
			return strings.TrimSuffix(fmt.Sprint(x), "Inf") + "9e999"
		}
		if math.IsInf(x, 0) {
			return "'" + strings.Replace(strings.TrimPrefix(fmt.Sprint(x), "+"), "Inf", "Infinity", 1) + "'"
		}
		s := strconv.FormatFloat(x, 'g', -1, 64)
		switch dialect {
		case source.SQLite:
		case source.MariaDB:
			s = "CAST('" + s + "' AS DOUBLE)"
		default:
			s = "CAST('" + s + "' AS double precision)"
		}
		return s
	case 1:
		return v.String()
	case 2:
		return strings.ToUpper(v.String())
	}
	text := strings.ReplaceAll(v.String(), "'", "''")
	if dialect == source.MariaDB {
		text = strings.ReplaceAll(text, `\`, `\\`)
	}
	return "'" + text + "'"
}

func run(t *testing.T, db *sql.DB, q string) {
	t.Helper()
	if _, err := db.Exec(q); err != nil {
		t.Fatalf("%.200s: %v", q, err)
	}
}

// shards stores every second row on each shard, behind a Distributed table.
func (d database) shards(t *testing.T, db *sql.DB, name string, columns []string, kinds []int, df dataframe.DataFrame) {
	t.Helper()
	for k, dsn := range clickhouse.on(t).Shards {
		shard := opened(t, "clickhouse", dsn)
		run(t, shard, "CREATE TABLE "+d.quoted(name+" part")+" ("+strings.Join(columns, ", ")+") ENGINE = MergeTree ORDER BY tuple()")
		body := []byte("INSERT INTO " + d.quoted(name+" part") + " FORMAT RowBinary\n") // text loses the last bits
		for i := k; i < df.Nrow(); i += 2 {
			for j, kind := range kinds {
				v := df.Elem(i, j)
				if v.IsNA() {
					body = append(body, 1)
					continue
				}
				body = append(body, 0)
				switch kind {
				case 0:
					body = binary.LittleEndian.AppendUint64(body, math.Float64bits(v.Float()))
				case 1:
					whole, err := v.Int()
					if err != nil {
						t.Fatal(err)
					}
					if strings.Contains(columns[j], "Int64") {
						body = binary.LittleEndian.AppendUint64(body, uint64(whole))
					} else {
						body = binary.LittleEndian.AppendUint32(body, uint32(int32(whole)))
					}
				case 2:
					body = append(body, byte(v.Float()))
				case 4:
					day, err := time.Parse("2006-01-02", v.String())
					if err != nil {
						t.Fatal(err)
					}
					body = binary.LittleEndian.AppendUint16(body, uint16(day.Unix()/86400))
				default:
					body = binary.AppendUvarint(body, uint64(len(v.String())))
					body = append(body, v.String()...)
				}
			}
		}
		answer, err := http.Post(clickhouse.s.HTTP[k], "text/plain", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatal(err, string(text))
		}
	}
	run(t, db, "CREATE TABLE "+d.quoted(name)+" ("+strings.Join(columns, ", ")+") ENGINE = Distributed(two, default, "+d.quoted(name+" part")+")")
}

// nasty is a frame of what goes wrong elsewhere: a large mean, wide scales, missing
// values, levels that differ in case, accents and blanks, dates, names that are no words.
func nasty(t testing.TB, n int) dataframe.DataFrame {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	y, a, b, wide, w := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	count, flag, g, day, class := make([]int, n), make([]bool, n), make([]string, n), make([]string, n), make([]string, n)
	levels := []string{"a", "A", "a ", "á", "it's; \"x\" \\", "ж"}
	for i := range n {
		a[i] = 1e9 + rnd.NormFloat64()
		b[i] = rnd.Float64() * 10
		wide[i] = math.Exp(10 * rnd.NormFloat64())
		w[i] = float64(rnd.IntN(3))
		count[i] = rnd.IntN(7)
		flag[i] = rnd.IntN(2) == 0
		g[i] = levels[rnd.IntN(len(levels))]
		class[i] = []string{"no", "yes"}[rnd.IntN(2)]
		day[i] = fmt.Sprintf("2024-%02d-%02d", 1+rnd.IntN(12), 1+rnd.IntN(28))
		y[i] = (a[i] - 1e9) + b[i] + rnd.NormFloat64()
		if i%97 == 5 {
			b[i] = math.NaN()
		}
		if i%89 == 7 {
			g[i] = "NaN"
		}
	}
	df, err := frames.Frame(frames.Col("y", y), frames.Col("a", a), frames.Col("b", b), frames.Col("wide", wide), frames.Col("w", w),
		frames.Col("count", count), frames.Col("flag", flag), frames.Col("the \"group`; --", g), frames.Col("day", day), frames.Col("class", class))
	if err != nil {
		t.Fatal(err)
	}
	return df
}
