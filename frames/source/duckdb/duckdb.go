// Package duckdb brings DuckDB's driver, "duckdb" of database/sql, to package
// frames/source. It is a module of its own: no program links the engine that does not
// import it. It needs cgo.
package duckdb

import (
	_ "github.com/duckdb/duckdb-go/v2" // driver "duckdb"
)
