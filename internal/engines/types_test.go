//go:build unix

package engines

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
)

// sameByRoutes holds what is pushed down to rows: description, sums, groups.
func sameByRoutes(t *testing.T, s *source.Source, formulas ...string) {
	t.Helper()
	want := must(must(s.By(source.Streamed)).Describe(ctx)).String()
	for _, route := range []source.Route{source.Pushed, source.Automatic} {
		if got := must(must(s.By(route)).Describe(ctx)).String(); got != want {
			t.Errorf("%v describes\n%s\nrows are\n%s", route, got, want)
		}
	}
	for _, formula := range formulas {
		a, _, err := moments(s, formula, source.Pushed)
		b, _, wrong := moments(s, formula, source.Streamed)
		if err != nil || wrong != nil {
			t.Errorf("%s: %v, %v", formula, err, wrong)
			continue
		}
		compare(t, formula, a, b)
	}
}

// Columns of SQLite that have no type, or one of another database, are what their values and
// the rules of its manual say; texts among conditions are found. A text of numbers is a factor only if factor() says so.
func TestTypesOfSQLite(t *testing.T) {
	db := databases[1].open(t)
	for _, q := range []string{
		`CREATE TABLE t (y REAL, any, b UNSIGNED BIG INT, c MEDIUMINT, d MONEY, e NATIVE CHARACTER(9), i INTEGER, da DATE, at DATETIME, bo BOOLEAN, bl BLOB)`,
		`WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i < 40) INSERT INTO t SELECT i * 1.5 + i * i % 11, i % 4, i, i % 5, i * 1.25, i % 3, i / 2.0, date('1969-12-20', i || ' days'), strftime('%Y-%m-%d %H:%M:%S', '2024-05-06', '-' || (i * 791919 % 20000000) || ' seconds'), i % 2, x'00' FROM c`,
		`CREATE VIEW v AS SELECT y, any + 0.5 AS half, i + 1 AS next, e || 'x' AS word, NULL AS none, i % 2 = 0 AS even, da, at, b, c, d, i, bl || bl AS "more" FROM t`,
		`CREATE TABLE words (y REAL, bo BOOLEAN)`, `INSERT INTO words VALUES (1, 'true'), (2, 'false'), (3, 1), (5, 0)`,
		`CREATE TABLE wide (y REAL, x DECIMAL(38, 0))`, `INSERT INTO wide VALUES (1, 9007199254740993), (2, 5), (4, 6.5)`,
	} {
		run(t, db, q)
	}
	s := must(source.Open(ctx, db, source.SQLite, "t"))
	about := must(s.Describe(ctx))
	for name, want := range map[string]string{"any": "int", "b": "int", "c": "int", "d": "float", "e": "string", "i": "int"} {
		if c := must(about.Column(name)); string(c.Type) != want && name != "i" {
			t.Errorf("%s is %v", name, c.Type)
		}
	}
	sameByRoutes(t, s, "y ~ any + b + c + d + factor(e) + i", "y ~ da", "y ~ at", "y ~ factor(any) + bo", "y ~ factor(i)")
	for _, route := range routes {
		got := must(must(s.By(route)).GroupBy("i").Summarise(ctx, "n = n()", "least = min(i)"))
		if got.Nrow() != 40 || got.Col("i").Float()[0] != 0.5 || got.Col("least").Float()[2] != 1.5 {
			t.Errorf("%v: %v", route, got)
		}
	}
	s = must(source.Open(ctx, db, source.SQLite, "v"))
	if names := strings.Join(must(s.Names(ctx)), " "); !strings.HasPrefix(names, "y half next word none even da at b c d i") {
		t.Error(names)
	}
	sameByRoutes(t, s, "y ~ half + next + word + even", "y ~ log(next) + da")
	if head := must(s.Head(ctx, 2)); head.Col("i").Float()[0] != 0.5 {
		t.Error(head)
	}
	for _, route := range routes {
		if _, _, err := moments(must(source.Open(ctx, db, source.SQLite, "words")), "y ~ bo", route); !errors.Is(err, frames.ErrNotNumeric) || !strings.Contains(err.Error(), `"bo" is of true and false`) {
			t.Errorf("%v: %v", route, err)
		}
		// a number beyond 2^53 is itself in groups, beside which there are no decimals, or the error of a pushed route
		wide := must(must(source.Open(ctx, db, source.SQLite, "wide")).By(route))
		switch got, err := must(wide.Where(ctx, "x != 6.5")).GroupBy("x").Count(ctx); {
		case route == source.Pushed && errors.Is(err, frames.ErrSetting) && strings.Contains(err.Error(), "2^53"):
		case err != nil || got.Col("x").Records()[1] != "9007199254740993":
			t.Errorf("%v: %v, %v", route, got, err)
		}
		if m, _, err := moments(wide, "y ~ x", route); err != nil || m.NObs() != 3 {
			t.Errorf("%v: %v", route, err)
		}
	}
	if _, err := must(must(source.Open(ctx, db, source.SQLite, "words")).By(source.Pushed)).Describe(ctx); !errors.Is(err, frames.ErrNotNumeric) {
		t.Error(err)
	}
}

// The times of SQLite are exact to what it keeps, and the rest is stated.
func TestTimesOfSQLite(t *testing.T) {
	n := 300
	at, y := make([]string, n), make([]float64, n)
	for i := range n {
		at[i], y[i] = fmt.Sprintf("20%02d-%02d-%02d %02d:%02d:%02d", i%40, 1+i%12, 1+i%28, i%24, (7*i)%60, (13*i)%60), float64(i%17)
	}
	d := databases[1]
	db := d.open(t)
	for what, df := range map[string]func() []string{
		"seconds": func() []string { return at },
		"micro": func() []string {
			fine := make([]string, n)
			for i := range fine {
				fine[i] = at[i] + fmt.Sprintf(".%06d", 7919*i%1000000)
			}
			return fine
		},
	} {
		rows := frame(t, frames.Col("y", y), frames.Col("at", df()))
		s := must(source.Open(ctx, db, d.dialect, d.load(t, db, rows, map[string]string{"at": "DATETIME"})))
		got, _, err := moments(s, "y ~ at", source.Pushed)
		if err != nil {
			t.Fatal(err)
		}
		want := must(must(frames.Design(rows, "y ~ at")).Moments())
		if what == "seconds" {
			compare(t, what, got, want)
		}
		statedDigits(t, rows, s, "y ~ at", "")
	}
}

// Values that a database pads are what it compares: texts of a fixed length, and dates that
// are infinite are no dates.
func TestTypesOfServers(t *testing.T) {
	t.Run("DuckDB", func(t *testing.T) {
		db := databases[0].open(t)
		run(t, db, "CREATE TABLE t AS SELECT i + 0.5 AS y, CASE WHEN i = 7 THEN 'infinity'::DATE ELSE DATE '2024-01-01' + i::INTEGER END AS d, CASE WHEN i = 7 THEN '-infinity'::TIMESTAMP ELSE TIMESTAMP '2024-01-01' + to_hours(i::INTEGER) END AS at FROM range(40) AS r(i)")
		s := must(source.Open(ctx, db, source.DuckDB, "t"))
		for _, formula := range []string{"y ~ d", "y ~ at", "y ~ I(d - \"2024-01-01\")"} {
			for _, route := range routes {
				if m, _, err := moments(s, formula, route); err == nil {
					t.Errorf("%s %v: %v", formula, route, m)
				}
			}
		}
		some := must(s.Where(ctx, "y < 7"))
		sameByRoutes(t, some, "y ~ d", "y ~ at")
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		db := databases[2].open(t)
		run(t, db, "CREATE TABLE padded AS SELECT i + 0.5 AS y, ('g' || i % 3)::char(6) AS c, (i % 3)::oid AS o, i::int8 AS k FROM generate_series(1, 40) AS r(i)")
		s := must(source.Open(ctx, db, source.PostgreSQL, "padded"))
		sameByRoutes(t, s, "y ~ c", "y ~ factor(o) + k", "y ~ I(c == \"g1\")")
		for _, route := range routes {
			if m, _, err := moments(must(s.Where(ctx, "c == \"g1\"")), "y ~ 1", route); err != nil || m.NObs() != 14 {
				t.Errorf("%v: %v rows: %v", route, m, err)
			}
		}
	})
	t.Run("ClickHouse", func(t *testing.T) {
		db := databases[3].open(t)
		run(t, db, "CREATE TABLE padded ENGINE = MergeTree ORDER BY tuple() AS SELECT number + 0.5 AS y, toFixedString(concat('g', toString(number % 3)), 6) AS c FROM numbers(40)")
		s := must(source.Open(ctx, db, source.ClickHouse, "padded"))
		sameByRoutes(t, s, "y ~ c", "y ~ I(c == \"g1\")")
	})
}
