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

// prefers estimates which route is faster. Where sums might be, on a table of DuckDB, it asks
// for the number of rows, which the engine has at hand; files and views are streamed, since
// each of the three passes of sums would compute their rows.
func (e *sqlEngine) prefers(ctx context.Context, p *table.Plan) (Route, string) {
	m, k, byVectors := float64(len(p.Products)+1), float64(len(p.Used)), vectors.DuckDB != nil
	route, why := e.d.route(manyRows, m, k, byVectors)
	if route == Streamed || e.d != DuckDB || !byVectors {
		return route, why
	}
	n, ok := e.tableRows(ctx)
	if !ok {
		return Streamed, fmt.Sprintf("sums would read %v three times", e)
	}
	return e.d.route(n, m, k, byVectors)
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
func (d Dialect) route(n, m, k float64, byVectors bool) (Route, string) {
	pushed, streamed := d.costs(n, m, k, byVectors)
	if streamed < pushed {
		return Streamed, fmt.Sprintf("estimated to take %.2g of the time of sums by %v", streamed/pushed, d)
	}
	return Pushed, fmt.Sprintf("estimated to take %.2g of the time of reading the rows", pushed/streamed)
}

// costs are seconds of processors for n rows of m columns of the design, the response among
// them, made of k of the table: those of every query and those of the rows. byVectors says
// that the rows of DuckDB come by columns. They were measured by internal/engines/bench on
// two processors that had other work to do, those of SQLite apart, which are older; there is
// no network between. Only their ratio is used.
func (d Dialect) costs(n, m, k float64, byVectors bool) (pushed, streamed float64) {
	pairs := m * (m + 1) / 2
	n /= 1e6
	kernel := n * (1e-4*pairs + 0.01*m)
	switch d {
	case PostgreSQL:
		return 0.01 + n*(0.6+0.22*m+0.03*pairs), 0.005 + n*(0.4+0.24*k) + kernel
	case DuckDB:
		pushed = 0.005 + 0.0018*m + n*(0.02+0.085*m+0.0085*pairs)
		if byVectors {
			return pushed, 0.0015 + n*(0.24+0.033*k) + kernel
		}
		return pushed, 0.0015 + n*(0.05+0.18*k) + kernel
	case ClickHouse:
		return 0.03 + 0.003*pairs + n*(1.1+0.6*m+0.1*pairs), 0.01 + n*(0.4+0.2*k) + kernel
	}
	return 0.005 + n*(0.3+0.1*pairs), 0.003 + n*(0.2+0.15*k) + kernel
}
