package source

import (
	"context"
	"errors"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/compressed"
)

// This file asks a database for the sums of a plan. One statement has all of it, about shifts that some rows tell
// (sql_once.go). What that statement cannot decide passes do: counts (sql_count.go), then means and ranges, with the
// name of what is wrong (sql_first.go), then products of deviations from the means. Rows are dealt to blocks in
// sql_blocks.go, whose sums are added up and judged in sql_cells.go.

// refuses returns why the sums of a plan cannot be computed by SQL.
func (e *sqlEngine) refuses(ctx context.Context, q query, p *table.Plan) error {
	if _, err := e.write(ctx, q, p); refused(err) {
		return err
	}
	return nil // other errors are those of sums
}

// sums computes the sums of cells in one session.
func (e *sqlEngine) sums(ctx context.Context, q query, p *table.Plan, f *folding, known *levelSums) ([][]compressed.Cell, table.Counts, string, error) {
	w, err := e.write(ctx, q, p)
	if err != nil {
		return nil, table.Counts{}, "", err
	}
	if known != nil && f == nil {
		if cells, ok := known.cellsOf(w); ok {
			return [][]compressed.Cell{cells}, known.counts, known.stamp, nil
		}
	}
	var found *foundSums
	err = e.computed(ctx, func(s *session) error {
		if found, err = w.atOnce(ctx, s, f); err == nil && found == nil {
			found, err = w.byPasses(ctx, s, f)
		}
		return err
	})
	if err != nil {
		return nil, table.Counts{}, "", err
	}
	cells := make([][]compressed.Cell, len(found.cells))
	for fold := range cells {
		cells[fold] = w.cellsOf(found.cells[fold])
	}
	return cells, found.counts, found.stamp, nil
}

// foundSums are sums of cells, by folds, of rows that are counted and stamped.
type foundSums struct {
	cells  [][]numberedCell
	counts table.Counts
	stamp  string
}

// outOfRange tells whether a database refused to compute a value, as PostgreSQL does
// where others give an infinite one, or 0.
func (d *Dialect) outOfRange(err error) bool {
	var q *queryError
	return d.Overflow != nil && errors.As(err, &q) && d.Overflow(q.err)
}

// mostShifts is how often sums are computed about shifts that the last ones corrected.
const mostShifts = 3

// byPasses computes the sums by passes: counts, means and ranges of the numbers, which names what is wrong with a row,
// and the products of deviations from the means.
func (w *sqlPlan) byPasses(ctx context.Context, s *session, f *folding) (*foundSums, error) {
	folds := 1
	if f != nil {
		folds = f.k
	}
	counts, stamp, err := w.count(ctx, s)
	if err != nil {
		return nil, err
	}
	n := counts.N - counts.Omitted
	if n == 0 {
		return &foundSums{make([][]numberedCell, folds), counts, stamp}, nil
	}
	passes, beyond, err := w.first(ctx, s, n)
	if err != nil {
		return nil, err
	}
	counts.AddBeyond(beyond...)
	by, err := w.grouping(ctx, s, n, f)
	if err != nil {
		return nil, err
	}
	for range mostShifts {
		g, err := w.products(ctx, s, passes, by, nil)
		if err != nil {
			return nil, err
		}
		if g.rows != n {
			return nil, w.e.otherRows()
		}
		cells, again, err := g.finish(w, passes)
		if err != nil {
			return nil, err
		}
		if !again {
			return &foundSums{cells, counts, stamp}, w.unchanged(ctx, s, stamp)
		}
	}
	return nil, refuse("the means found by the first pass are too far off")
}
