package source

import (
	"context"
	"database/sql/driver"
	"strings"
	"testing"
	"time"

	"github.com/regbook/regbook/frames/internal/table"
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
		// Of a table of DuckDB, sums of up to some twenty columns are cheaper than its rows...
		{DuckDB, 1e7, 1, 2, true, Pushed},
		{DuckDB, 1e6, 1, 2, true, Pushed},
		{DuckDB, 1e7, 2, 3, true, Pushed},
		{DuckDB, 1e7, 5, 6, true, Pushed},
		{DuckDB, 1e6, 5, 6, true, Pushed},
		{DuckDB, 1e6, 20, 21, true, Pushed},
		{DuckDB, 1e6, 50, 21, true, Streamed},
		{DuckDB, 1e7, 50, 21, true, Streamed},
		{DuckDB, 1e7, 200, 21, true, Streamed},
		{DuckDB, 2e4, 1, 2, true, Streamed}, // ...if they are many
		{DuckDB, 1e3, 2, 3, true, Streamed},
		// Value by value, rows cost more.
		{DuckDB, 1e6, 5, 6, false, Pushed},
		{DuckDB, 1e6, 10, 11, false, Pushed},
		{DuckDB, 1e6, 50, 21, false, Pushed},
		{DuckDB, 1e6, 200, 21, false, Streamed},
		{PostgreSQL, 1e6, 1, 2, true, Streamed},
		{PostgreSQL, 1e6, 5, 6, true, Streamed},
		{PostgreSQL, 1e6, 20, 21, true, Streamed},
		{PostgreSQL, 1e6, 50, 21, true, Streamed},
		{PostgreSQL, 1e6, 200, 21, true, Streamed},
		{ClickHouse, 1e6, 1, 2, true, Pushed},
		{ClickHouse, 1e5, 5, 6, true, Pushed},
		{ClickHouse, 1e4, 5, 6, true, Streamed},
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

// Rows that come slowly are not streamed where sums would take less, however busy the machine is; the link is timed
// once for a table.
func TestSlowLink(t *testing.T) {
	defer func(before func() time.Time) { clock = before }(clock)
	const local = 4096e-6 * (0.4 + 0.08*8) // seconds of PostgreSQL's Costs
	for _, c := range []struct {
		times float64
		terms string
		want  Route
		why   string
	}{
		{0.1, "y ~ x", Streamed, "of the time of sums"},
		{slowLink - 1, "y ~ x", Streamed, "of the time of sums"},
		{10, "y ~ x", Pushed, "rows come 10 times slower"},
		{10, "y ~ poly(x, 80)", Streamed, "whose rows come 10 times slower"},
	} {
		calls, passed := 0, 3.0
		clock = func() time.Time { // queries take a second, three of them more
			calls++
			if passed++; calls <= 6 {
				passed += local * c.times
			}
			return time.Unix(0, int64(1e9*passed))
		}
		s, _, err := opened(t, PostgreSQL, answer{contains: "regbook_numbers", rows: [][]driver.Value{make([]driver.Value, 8)}}, answer{contains: "FROM \"t\"", rows: [][]driver.Value{{1.0, 2.0}}})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			plan := &table.Plan{Used: make([]string, 2)}
			for j := range strings.Count(c.terms, "80")*80 + 1 {
				plan.Products = append(plan.Products, []table.Part{{Index: j}})
			}
			route, why := s.e.(*sqlEngine).prefers(ctx, plan, true)
			if route != c.want || !strings.Contains(why, c.why) {
				t.Errorf("%v times slower, %s: %v, %s", c.times, c.terms, route, why)
			}
		}
		if calls != 12 {
			t.Errorf("the clock was read %d times", calls)
		}
	}
}
