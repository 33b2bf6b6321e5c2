//go:build unix

package engines

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/internal/longids"
)

// Integers of 16 to 19 digits are what they are by both routes.
func TestLongIntegers(t *testing.T) {
	rows := longids.Make(400)
	df := must(rows.Frame())
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		wide := map[*source.Dialect]string{source.DuckDB: "BIGINT", source.PostgreSQL: "bigint", source.SQLite: "INTEGER", source.ClickHouse: "Nullable(Int64)", source.MariaDB: "BIGINT"}[d.dialect]
		name := d.load(t, db, df, map[string]string{"id": wide, "other": wide, "a": wide})
		rows.Check(t, must(source.Open(ctx, db, d.dialect, name)), source.Pushed, source.Streamed, source.Automatic)
	})
}

// Whole numbers beyond 64 bits, and those of decimals that a float64 does not hold, are refused by
// name; decimals of few digits and of a fraction are read.
func TestWholeDecimals(t *testing.T) {
	for dialect, columns := range map[*source.Dialect]string{
		source.DuckDB:     "CAST(12345678901234567 + i AS DECIMAL(20, 0)) AS id, CAST('123456789012345678901' AS HUGEINT) + i AS huge, CAST(i + 0.25 AS DECIMAL(18, 2)) AS price, 12345678901234567.5 + i AS far, CAST(18446744073709551614 + i % 2 AS UBIGINT) AS code",
		source.PostgreSQL: "CAST(12345678901234567 + i AS numeric(20, 0)) AS id, CAST('123456789012345678901' AS numeric) + i AS huge, CAST(i + 0.25 AS numeric(18, 2)) AS price, 12345678901234567.5 + i AS far",
	} {
		t.Run(dialect.String(), func(t *testing.T) {
			db := databases[0].open(t)
			from := "range(40) AS r(i)"
			if dialect == source.PostgreSQL {
				db, from = databases[2].open(t), "generate_series(1, 40) AS r(i)"
			}
			run(t, db, "DROP TABLE IF EXISTS decimals")
			run(t, db, "CREATE TABLE decimals AS SELECT i * i % 7 AS y, "+columns+" FROM "+from)
			s := must(source.Open(ctx, db, dialect, "decimals"))
			for _, route := range routes {
				for _, name := range []string{"id", "huge"} {
					if _, _, err := moments(s, "y ~ "+name, route); !errors.Is(err, frames.ErrNotNumeric) || !strings.Contains(err.Error(), `"`+name+`"`) || !strings.Contains(err.Error(), " whole numbers beyond 2^53") {
						t.Errorf("%s %v: %v", name, route, err)
					}
					if _, err := must(s.By(route)).GroupBy(name).Count(ctx); !errors.Is(err, frames.ErrNotNumeric) {
						t.Errorf("groups by %s %v: %v", name, route, err)
					}
				}
				if _, _, err := moments(s, "y ~ price + far", route); err != nil {
					t.Errorf("%v: %v", route, err)
				}
				if dialect == source.PostgreSQL {
					continue
				}
				if n := must(s.GroupBy().Summarise(ctx, "n_distinct(code)")); n.Elem(0, 0).Float() != 2 {
					t.Error(n)
				}
				if _, err := must(s.By(route)).GroupBy("code").Count(ctx); !errors.Is(err, frames.ErrSetting) || !strings.Contains(err.Error(), "18446744073709551614") {
					t.Errorf("%v: %v", route, err)
				}
			}
		})
	}
}
