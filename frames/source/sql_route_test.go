package source

import (
	"context"
	"testing"

	"github.com/regbook/regbook/frames/source/internal/vectors"
)

// The automatic choice by numbers of rows and columns, as internal/engines/bench measured the
// routes. A change of the costs that moves a choice is seen here.
func TestChoiceOfRoute(t *testing.T) {
	defer func(before vectors.Reader) { vectors.DuckDB = before }(vectors.DuckDB)
	for _, c := range []struct {
		d         *Dialect
		rows      float64
		terms     float64
		columns   float64 // of the table
		byVectors bool
		want      Route
	}{
		// Of a table of DuckDB, sums of one or two columns are cheaper than its rows...
		{DuckDB, 1e7, 1, 2, true, Pushed},
		{DuckDB, 1e6, 1, 2, true, Pushed},
		{DuckDB, 1e7, 2, 3, true, Pushed},
		{DuckDB, 1e7, 3, 4, true, Streamed},
		{DuckDB, 1e7, 5, 6, true, Streamed},
		{DuckDB, 1e6, 20, 21, true, Streamed},
		{DuckDB, 1e7, 50, 21, true, Streamed},
		{DuckDB, 1e7, 200, 21, true, Streamed},
		{DuckDB, 2e4, 1, 2, true, Streamed}, // ...if they are many
		{DuckDB, 1e3, 2, 3, true, Streamed},
		// Value by value, rows cost more.
		{DuckDB, 1e6, 5, 6, false, Pushed},
		{DuckDB, 1e6, 10, 11, false, Pushed},
		{DuckDB, 1e6, 50, 21, false, Streamed},
		{DuckDB, 1e6, 200, 21, false, Streamed},
		{PostgreSQL, 1e6, 1, 2, true, Streamed},
		{PostgreSQL, 1e6, 5, 6, true, Streamed},
		{PostgreSQL, 1e6, 20, 21, true, Streamed},
		{PostgreSQL, 1e6, 50, 21, true, Streamed},
		{PostgreSQL, 1e6, 200, 21, true, Streamed},
		{ClickHouse, 1e6, 1, 2, true, Streamed},
		{ClickHouse, 1e6, 20, 21, true, Streamed},
		{ClickHouse, 1e6, 200, 21, true, Streamed},
		{ClickHouse, 1e4, 200, 21, true, Streamed},
		{SQLite, 1e6, 20, 21, true, Streamed},
	} {
		if vectors.DuckDB = nil; c.byVectors {
			vectors.DuckDB = func(context.Context, any, string, func(int, []vectors.Column) error) error { return vectors.ErrNot }
		}
		if got, why := c.d.route(c.rows, c.terms+1, c.columns); got != c.want || why == "" {
			t.Errorf("%v, %g rows, %g terms of %g columns, by vectors %v: %v (%s), want %v", c.d, c.rows, c.terms, c.columns, c.byVectors, got, why, c.want)
		}
	}
}
