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
	"github.com/regbook/regbook/internal/compressed"
)

// manyRows stands for the number of rows where it is not known: the costs of a row decide
// then.
const manyRows = 1e6

// prefers estimates which route is faster, by the number of rows where sums would be and the engine has it at hand. Files and
// views of a database that reads columns are streamed, since both statements of sums would compute their rows.
func (e *sqlEngine) prefers(ctx context.Context, p *table.Plan, timed bool) (Route, string) {
	n, m, k := float64(manyRows), float64(len(p.Cells().Numbers)+1), float64(len(p.Used))
	route, why := e.d.route(n, m, k)
	// The number of rows is asked for where sums of that many, or of a hundred times as many, take less time.
	if large, _ := e.d.route(100*n, m, k); route == Pushed || large == Pushed {
		rows, known := e.tableRows(ctx)
		switch {
		case known:
			n = rows
			route, why = e.d.route(n, m, k)
		case e.d.byVectors && vectors.DuckDB != nil:
			return Streamed, fmt.Sprintf("sums may read %v twice", e)
		}
	}
	if route == Streamed && timed && n*k > timedRows*timedColumns {
		return e.overLink(ctx, why, n, m, k)
	}
	return route, why
}

// tableRows is how many rows the table has, or about so many, where that takes next to no time; false if it is not known.
func (e *sqlEngine) tableRows(ctx context.Context) (n float64, known bool) {
	if e.d.Rows == nil || e.opened == nil || e.relation != e.opened.relation {
		return 0, false
	}
	err := e.within(ctx, func(s *session) (err error) {
		if !s.rows.counted {
			s.rows.n, err = e.d.Rows(ctx, s.each, e.opened.parts)
			s.rows.counted = err == nil
		}
		n = s.rows.n
		return err
	})
	return n, err == nil && n > 0 // what else is wrong the sums will tell
}

// overLink is the choice where n rows would be streamed, if the database is not slow to send them.
func (e *sqlEngine) overLink(ctx context.Context, why string, n, m, k float64) (Route, string) {
	slower := e.slower(ctx)
	if slower < slowLink {
		return Streamed, why
	}
	pushed, streamed := e.d.costs(n, m, k)
	if streamed *= slower; streamed < pushed {
		return Streamed, fmt.Sprintf("estimated to take %.2g of the time of sums by %v, whose rows come %.2g times slower than on one machine", streamed/pushed, e.d, slower)
	}
	return Pushed, fmt.Sprintf("rows come %.2g times slower than on one machine", slower)
}

// newtonSteps is how many steps, or passes over the rows, Newton's method is taken to need.
const newtonSteps = 8

// prefersSteps refuses to sum a likelihood where the rows are if that is estimated to take longer than to read them: at
// every step, or once if they are few enough to be held.
func (e *sqlEngine) prefersSteps(ctx context.Context, p *table.Plan, w *sqlPlan) error {
	if e.d.Step == nil || e.d.Costs == nil {
		return refuse("what a step by %v costs is not known", e.d)
	}
	l := likelihoodSize{rows: manyRows, m: float64(len(p.Cells().Numbers) + 1), used: float64(len(p.Used)), columns: float64(len(p.Names) + 1), operations: float64(w.operations())}
	if n, known := e.tableRows(ctx); known {
		l.rows = n
	}
	steps, streamed := e.d.stepCosts(l, 1)
	if streamed >= steps {
		return nil
	}
	if slower := e.slower(ctx); slower >= slowLink {
		if steps, streamed = e.d.stepCosts(l, slower); streamed >= steps {
			return nil
		}
	}
	return refuse("steps by rows are estimated to take %.2g of the time of sums by %v", streamed/steps, e.d)
}

// likelihoodSize is what the costs of a likelihood depend on.
type likelihoodSize struct {
	rows, m, used float64 // n, m and k of Costs
	columns       float64 // of the design, dummies and the response included
	operations    float64
}

// operations counts those of arithmetic by which SQL makes the numbers, and bounds their errors.
func (w *sqlPlan) operations() (n int) {
	texts := slices.Concat(w.columns, w.off)
	for _, b := range w.bindings {
		texts = append(texts, b.sql)
	}
	for _, text := range texts {
		for _, operator := range []string{" * ", " + ", " - ", " / ", "abs("} {
			n += strings.Count(text, operator)
		}
	}
	return n
}

// stepCosts are the costs of maximizing a likelihood of rows that come so many times slower than Costs says, by sums
// and by rows. The sums begin with three statements, which cost as much as those of least squares.
func (d *Dialect) stepCosts(l likelihoodSize, slower float64) (steps, streamed float64) {
	n := l.rows / 1e6
	pushed, rows := d.Costs(n, l.m, l.used)
	steps, rows = pushed+newtonSteps*d.Step(n, l.m, l.operations), rows*slower
	one := n * (0.08 + 1e-4*l.m*(l.m+1)/2 + 0.01*l.m) // of a step here
	if l.rows*l.columns <= compressed.MostGathered {
		return steps, rows + newtonSteps*one
	}
	return steps, newtonSteps * (rows + one)
}

// slowLink is how many times slower than on one machine rows have to come to count as slow: a slower processor,
// or a busy one, does not change the route.
const slowLink = 5

// What a link is timed by.
const timedRows, timedColumns = 4096, 8

// link is how many times slower than Costs says the rows of a database come, once it was measured.
type link struct {
	once   sync.Once
	slower float64
}

// clock is what times a link.
var clock = time.Now

// slower is how many times slower than Costs says rows come: the database makes rows of eight numbers, and a single one, whose time is that of a query without its rows. It is 1 if there are none to be had.
func (e *sqlEngine) slower(ctx context.Context) float64 {
	const rows, columns = timedRows, timedColumns
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
