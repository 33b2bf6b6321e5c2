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

// Times are those of UTC, whatever the zone of the session.
func TestTimesOfZones(t *testing.T) {
	n := 60
	when, y := make([]string, n), make([]float64, n)
	for i := range n {
		when[i], y[i] = fmt.Sprintf("2024-%02d-%02d %02d:30:00", 1+i%12, 1+i%28, (7*i)%24), float64(i*i%17)
	}
	df := frame(t, frames.Col("y", y), frames.Col("t", when))
	formula := "y ~ year(t) + factor(month(t)) + day(t) + hour(t) + weekday(t) + yday(t) + t"
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) {
			if d.dialect == source.SQLite {
				t.Skip("its times are texts")
			}
			db := d.open(t)
			db.SetMaxOpenConns(1)
			typ, cast := map[*source.Dialect]string{source.DuckDB: "TIMESTAMPTZ", source.PostgreSQL: "timestamptz", source.ClickHouse: "DateTime('Asia/Tokyo')", source.MariaDB: "TIMESTAMP NULL"}[d.dialect], "CAST('%s+00' AS timestamptz)"
			engine, float := "", "double precision"
			switch d.dialect {
			case source.ClickHouse:
				engine, cast, float = " ENGINE = MergeTree ORDER BY y", "toDateTime('%s', 'UTC')", "Float64"
			case source.PostgreSQL:
				run(t, db, "SET TIME ZONE 'Asia/Tokyo'")
			case source.MariaDB:
				cast, float = "CONVERT_TZ('%s', '+00:00', '+09:00')", "DOUBLE"
				run(t, db, "SET time_zone = '+09:00'")
			case source.DuckDB:
				run(t, db, "SET TimeZone = 'Asia/Tokyo'")
			}
			run(t, db, "CREATE TABLE zones (y "+float+", t "+typ+")"+engine)
			var rows []string
			for i := range n {
				rows = append(rows, fmt.Sprintf("SELECT CAST('%v' AS %s), "+cast, y[i], float, when[i]))
			}
			run(t, db, "INSERT INTO zones "+strings.Join(rows, " UNION ALL "))
			s, err := source.Open(ctx, db, d.dialect, "zones")
			if err != nil {
				t.Fatal(err)
			}
			for _, route := range routes {
				sameMoments(t, s, df, formula, &source.DesignSettings{Route: route})
			}
		})
	}
}

// SQLite takes any text in a column of numbers, and converts it to 0.
func TestTextAmongNumbers(t *testing.T) {
	db := opened(t, "sqlite", t.TempDir()+"/t.db")
	for _, q := range []string{"CREATE TABLE t (y REAL, x INTEGER)", "INSERT INTO t VALUES (1, 2), (2, 'many'), (3, 5)"} {
		run(t, db, q)
	}
	s, err := source.Open(ctx, db, source.SQLite, "t")
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range routes {
		if _, _, err := moments(s, "y ~ x", route); !errors.Is(err, frames.ErrNotNumeric) || !strings.Contains(err.Error(), `"x"`) {
			t.Errorf("%v: %v", route, err)
		}
	}
}
