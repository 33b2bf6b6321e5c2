package engines

import (
	_ "github.com/ClickHouse/clickhouse-go/v2" // driver "clickhouse"
	_ "github.com/go-sql-driver/mysql"         // driver "mysql"
	_ "github.com/jackc/pgx/v5/stdlib"         // driver "pgx"
	_ "modernc.org/sqlite"                     // driver "sqlite"

	_ "github.com/regbook/regbook/frames/source/duckdb" // driver "duckdb"
)
