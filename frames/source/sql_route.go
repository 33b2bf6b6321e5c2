package source

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/frames/source/internal/vectors"
)

// manyRows stands for the number of rows where it is not known: the costs of a row decide
// then.
const manyRows = 1e6

// prefers estimates which route is faster. Where sums might be, on a table of a database that
// reads columns, it asks for the number of rows, which the engine has at hand; files and views are streamed, since
// both statements of sums would compute their rows.
func (e *sqlEngine) prefers(ctx context.Context, p *table.Plan, timed bool) (Route, string) {
	m, k := float64(len(p.Cells().Numbers)+1), float64(len(p.Used))
	route, why := e.d.route(manyRows, m, k)
	if route == Streamed && timed {
		return e.overLink(ctx, why, m, k)
	}
	if route == Streamed || !e.d.byVectors || vectors.DuckDB == nil {
		return route, why
	}
	n, ok := e.tableRows(ctx)
	if !ok {
		return Streamed, fmt.Sprintf("sums may read %v twice", e)
	}
	return e.d.route(n, m, k)
}

// tableRows counts the rows of a table of DuckDB; false for a view, which has no rowid.
func (e *sqlEngine) tableRows(ctx context.Context) (float64, bool) {
	if slices.Contains(e.names, "rowid") {
		return 0, false
	}
	var row []driver.Value
	err := e.within(ctx, func(s *session) (err error) {
		row, err = s.one(ctx, "SELECT count(*) FROM (SELECT rowid FROM "+e.relation+") AS regbook_rows", 1)
		return err
	})
	if err != nil { // what else is wrong the sums will tell
		return 0, false
	}
	return numberOf(row[0])
}

// overLink is the choice where rows would be streamed, if the database is not slow to send them.
func (e *sqlEngine) overLink(ctx context.Context, why string, m, k float64) (Route, string) {
	slower := e.slower(ctx)
	if slower < slowLink {
		return Streamed, why
	}
	pushed, streamed := e.d.costs(manyRows, m, k)
	if streamed *= slower; streamed < pushed {
		return Streamed, fmt.Sprintf("estimated to take %.2g of the time of sums by %v, whose rows come %.2g times slower than on one machine", streamed/pushed, e.d, slower)
	}
	return Pushed, fmt.Sprintf("rows come %.2g times slower than on one machine", slower)
}

// slowLink is how many times slower than on one machine rows have to come to count as slow: a slower processor,
// or a busy one, does not change the route.
const slowLink = 5

// link is how many times slower than Costs says the rows of a database come, once it was measured.
type link struct {
	once   sync.Once
	slower float64
}

// clock is what times a link.
var clock = time.Now

// slower is how many times slower than Costs says rows come: the database makes 4,096 rows of eight numbers, and a
// single one, whose time is that of a query without its rows. It is 1 if there are none to be had.
func (e *sqlEngine) slower(ctx context.Context) float64 {
	const rows, columns = 4096, 8
	if e.link == nil || e.d.Numbers == nil || e.d.Costs == nil {
		return 1
	}
	e.link.once.Do(func() {
		e.link.slower = 1
		err := e.within(ctx, func(s *session) error {
			many, err := s.timed(ctx, rows, columns)
			if err != nil {
				return err
			}
			one, err := s.timed(ctx, 1, columns)
			_, costs := e.d.Costs(rows/1e6, 0, columns)
			_, without := e.d.Costs(0, 0, columns)
			e.link.slower = max(1, (many-one)/(costs-without))
			return err
		})
		if err != nil { // what is wrong the passes will tell
			e.link.slower = 1
		}
	})
	return e.link.slower
}

// timed reads rows of numbers three times, and returns the least time in seconds.
func (s *session) timed(ctx context.Context, rows, columns int) (float64, error) {
	number := s.e.d.Double("n")
	text := "SELECT " + strings.Repeat(number+", ", columns-1) + number + " FROM (" + s.e.d.Numbers(rows) + ") AS regbook_numbers"
	least := math.Inf(1)
	for range 3 {
		start := clock()
		if err := s.each(ctx, text, columns, func([]driver.Value) error { return nil }); err != nil {
			return 0, err
		}
		least = min(least, clock().Sub(start).Seconds())
	}
	return least, nil
}

// route returns the route that costs less for n rows, and why.
func (d *Dialect) route(n, m, k float64) (Route, string) {
	if d.Costs == nil {
		return Streamed, fmt.Sprintf("what sums by %v cost is not known", d)
	}
	pushed, streamed := d.costs(n, m, k)
	if streamed < pushed {
		return Streamed, fmt.Sprintf("estimated to take %.2g of the time of sums by %v", streamed/pushed, d)
	}
	return Pushed, fmt.Sprintf("estimated to take %.2g of the time of reading the rows", pushed/streamed)
}

// costs are Costs of n rows, and of their cross-products where they are streamed.
func (d *Dialect) costs(n, m, k float64) (pushed, streamed float64) {
	pushed, streamed = d.Costs(n/1e6, m, k)
	return pushed, streamed + n/1e6*(1e-4*m*(m+1)/2+0.01*m)
}
