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
		// Servers sum a few columns of many rows. The seconds are those of sums and of rows.
		{PostgreSQL, 1e6, 1, 2, true, Pushed},     // 0.28 and 0.33
		{PostgreSQL, 1e5, 1, 2, true, Streamed},   // 0.04 and 0.03
		{PostgreSQL, 1e6, 5, 6, true, Pushed},     // 0.53 and 0.62, on another machine 0.71 and 1.00
		{PostgreSQL, 1e5, 5, 6, true, Streamed},   // 0.07 and 0.06
		{PostgreSQL, 1e6, 10, 11, true, Streamed}, // 1.01 and 0.92
		{PostgreSQL, 1e5, 10, 11, true, Streamed}, // 0.12 and 0.09
		{PostgreSQL, 1e6, 20, 21, true, Streamed}, // 2.42 and 1.61
		{PostgreSQL, 1e5, 20, 21, true, Streamed}, // 0.27 and 0.15
		{PostgreSQL, 1e7, 9, 10, true, Pushed},    // 5.52 and 7.94, compiled
		{PostgreSQL, 1e7, 12, 13, true, Pushed},   // 7.81 and 10.13
		{PostgreSQL, 1e7, 20, 21, true, Streamed},
		{PostgreSQL, 1e6, 2, 4, true, Pushed}, // with a factor of 300 levels 0.62 and 1.57, with 10^4 absorbed 0.66 and 2.02
		{PostgreSQL, 1e5, 2, 4, true, Pushed}, // 0.09 and 0.20; 0.10 and 0.21
		{PostgreSQL, 1e6, 50, 21, true, Streamed},
		{PostgreSQL, 1e6, 200, 21, true, Streamed},
		{ClickHouse, 1e6, 1, 2, true, Pushed},
		{ClickHouse, 1e6, 5, 6, true, Pushed}, // 0.14 and 0.41
		{ClickHouse, 1e5, 5, 6, true, Pushed}, // 0.04 and 0.05
		{ClickHouse, 1e4, 5, 6, true, Streamed},
		{ClickHouse, 1e6, 10, 11, true, Pushed},   // 0.38 and 0.72
		{ClickHouse, 1e5, 10, 11, true, Streamed}, // 0.10 and 0.07
		{ClickHouse, 1e6, 2, 4, true, Pushed},     // with a factor of 300 levels 0.18 and 1.28, with 10^4 absorbed 0.17 and 1.87
		{ClickHouse, 1e5, 2, 4, true, Pushed},     // 0.05 and 0.15; 0.06 and 0.18
		{ClickHouse, 1e6, 20, 21, true, Streamed}, // 1.40 and 1.27
		{ClickHouse, 1e5, 20, 21, true, Streamed}, // 0.28 and 0.13
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
	const local = 4096e-6 * (0.3 + 0.09*8) // seconds of PostgreSQL's Costs
	for _, c := range []struct {
		times float64
		terms string
		want  Route
		why   string
	}{
		{0.1, "y ~ poly(x, 20)", Streamed, "of the time of sums"},
		{slowLink - 1, "y ~ poly(x, 20)", Streamed, "of the time of sums"},
		{10, "y ~ poly(x, 20)", Pushed, "rows come 10 times slower"},
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
			for j := range 20 + strings.Count(c.terms, "80")*60 {
				plan.Products = append(plan.Products, []table.Part{{Index: j}})
			}
			route, why := s.e.(*sqlEngine).prefers(ctx, plan, true)
			if route != c.want || !strings.Contains(why, c.why) {
				t.Errorf("%v times slower, %s: %v, %s", c.times, c.terms, route, why)
			}
		}
		// A likelihood of five columns of two numbers: 6.2 s of sums, and 4.6 of rows that come as on one machine.
		likelihood := &table.Plan{Names: make([]string, 5), Used: make([]string, 2), Products: [][]table.Part{{{}}}}
		if err := s.e.(*sqlEngine).prefersSteps(ctx, likelihood, &sqlPlan{}); (err == nil) != (c.times > slowLink) {
			t.Errorf("%v times slower: steps %v", c.times, err)
		}
		if calls != 12 {
			t.Errorf("the clock was read %d times", calls)
		}
	}
}

// Likelihoods by sums where these take less time, as internal/engines/bench measured them: at every step, beside rows that are
// read at every step, or once if they are few. Seconds are those of sums and of rows.
func TestChoiceOfSteps(t *testing.T) {
	defer func(before vectors.Reader) { vectors.DuckDB = before }(vectors.DuckDB)
	vectors.DuckDB = func(context.Context, any, string, func(int, []vectors.Column) error) error { return vectors.ErrNot }
	for _, c := range []struct {
		d           *Dialect
		rows, terms float64
		slower      float64
		want        bool
	}{
		{DuckDB, 1e7, 5, 1, true},      // 10.5 and 33.6
		{DuckDB, 1e6, 5, 1, true},      // 1.0 and 3.5
		{DuckDB, 1e5, 5, 1, false},     // 0.21 and 0.13: the rows are read once
		{DuckDB, 1e6, 1, 1, true},      // 0.44 and 0.92
		{DuckDB, 1e6, 10, 1, true},     // 1.8 and 5.1
		{DuckDB, 1e5, 10, 1, false},    // 0.40 and 0.20
		{ClickHouse, 1e6, 5, 1, true},  // 1.8 and 3.4
		{ClickHouse, 1e5, 5, 1, false}, // 0.75 and 0.14
		{ClickHouse, 1e6, 1, 1, false}, // 1.2 and 0.75
		{PostgreSQL, 1e6, 5, 1, false}, // 6.3 and 4.3
		{PostgreSQL, 1e5, 5, 1, false}, // 0.66 and 0.17
		{PostgreSQL, 1e6, 1, 1, false}, // 3.4 and 0.92
		{PostgreSQL, 1e6, 5, 5, true},
		{PostgreSQL, 1e5, 5, 5, false},
	} {
		steps, rows := c.d.stepCosts(likelihoodSize{c.rows, c.terms + 1, c.terms + 1, c.terms + 1, 0}, c.slower)
		if got := steps <= rows; got != c.want {
			t.Errorf("%v, %g rows, %g terms, %g times slower: %.3g and %.3g s", c.d, c.rows, c.terms, c.slower, steps, rows)
		}
	}
	// Of other columns, by 20, 68 and 372 operations.
	for _, c := range []struct {
		d    *Dialect
		size likelihoodSize
		want bool
	}{
		{ClickHouse, likelihoodSize{1e6, 11, 6, 11, 20}, false}, // five numbers and their squares: 8.1 and 4.1
		{DuckDB, likelihoodSize{1e6, 5, 3, 5, 68}, true},        // poly(x1, 3) + log(x2 + 1): 2.2 and 4.1
		{DuckDB, likelihoodSize{1e6, 8, 3, 8, 372}, false},      // bs(x1, df = 6) + x2: 7.2 and 4.0
	} {
		steps, rows := c.d.stepCosts(c.size, 1)
		if got := steps <= rows; got != c.want {
			t.Errorf("%v, %+v: %.3g and %.3g s", c.d, c.size, steps, rows)
		}
	}
}

// Operations are counted in what SQL computes of a row, and in the bounds of its errors.
func TestOperations(t *testing.T) {
	w := &sqlPlan{bindings: []binding{{"b", "ln(x + 1)"}}, columns: []string{"b", "(b * b - 2) / 3"}, off: []string{"", "abs(b)"}}
	if n := w.operations(); n != 5 {
		t.Errorf("%d operations", n)
	}
}
