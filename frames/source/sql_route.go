package source

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/frames/source/internal/vectors"
)

// manyRows stands for the number of rows where it is not known: the costs of a row decide
// then.
const manyRows = 1e6

// prefers estimates which route is faster. Where sums might be, on a table of a database that
// reads columns, it asks for the number of rows, which the engine has at hand; files and views are streamed, since
// each of the three passes of sums would compute their rows.
func (e *sqlEngine) prefers(ctx context.Context, p *table.Plan) (Route, string) {
	m, k := float64(len(p.Products)+1), float64(len(p.Used))
	route, why := e.d.route(manyRows, m, k)
	if route == Streamed || !e.d.byVectors || vectors.DuckDB == nil {
		return route, why
	}
	n, ok := e.tableRows(ctx)
	if !ok {
		return Streamed, fmt.Sprintf("sums would read %v three times", e)
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

// route returns the route that costs less for n rows, and why.
func (d *Dialect) route(n, m, k float64) (Route, string) {
	if d.Costs == nil {
		return Streamed, fmt.Sprintf("what sums by %v cost is not known", d)
	}
	pushed, streamed := d.Costs(n/1e6, m, k)
	streamed += n / 1e6 * (1e-4*m*(m+1)/2 + 0.01*m) // the cross-products of the rows
	if streamed < pushed {
		return Streamed, fmt.Sprintf("estimated to take %.2g of the time of sums by %v", streamed/pushed, d)
	}
	return Pushed, fmt.Sprintf("estimated to take %.2g of the time of reading the rows", pushed/streamed)
}
