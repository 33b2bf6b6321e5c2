package source

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg"
)

// countRows counts the complete rows by the levels of the factors, response and weight, by one GROUP BY. Nothing is summed but
// rows, so that no digit depends on the database.
func (e *sqlEngine) countRows(ctx context.Context, q query, p *table.Plan) (rows any, counts table.Counts, stamp string, err error) {
	w, err := e.write(ctx, q, p)
	if err != nil {
		return nil, counts, "", err
	}
	if w.off[0] != "" {
		return nil, counts, "", refuse("values of the response differ in their last digits")
	}
	err = e.computed(ctx, func(s *session) error {
		if counts, stamp, err = w.count(ctx, s); err != nil {
			return err
		}
		if rows, err = w.countRows(ctx, s, counts.N-counts.Omitted, p); err != nil {
			return err
		}
		return w.unchanged(ctx, s, stamp)
	})
	return rows, counts, stamp, err
}

// countRows counts n rows.
func (w *sqlPlan) countRows(ctx context.Context, s *session, n int, p *table.Plan) (any, error) {
	items, keys := w.keyItems()
	response := w.prefix + "y"
	items, values := append(items, binding{response, w.columns[0]}), append(slices.Clone(keys), response)
	if w.weight != "" {
		items, values = append(items, binding{w.prefix + "w", w.weight}), append(values, w.prefix+"w")
	}
	d := &mlreg.Design{Response: p.Response.Text, Classes: slices.Clone(p.Response.Levels)}
	var of, times []int
	total := 0
	text := w.from(items, append(slices.Clone(values), "count(*)"), strings.Join(values, ", ")) + fmt.Sprintf(" LIMIT %d", compressed.MostCounted+1)
	err := s.each(ctx, text, len(values)+1, func(row []driver.Value) error {
		cell, err := w.cellOf(row[:len(keys)])
		if err != nil {
			return err
		}
		count := numberOrNaN(row[len(values)])
		if !(count > 0) {
			return errorf(ErrSource, "%v: a group has %v rows", w.e, row[len(values)])
		}
		of, times, total = append(of, cell), append(times, int(count)), total+int(count)
		d.Y = append(d.Y, numberOrNaN(row[len(keys)]))
		if w.weight != "" {
			d.Weights = append(d.Weights, numberOrNaN(row[len(keys)+1]))
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(of) > compressed.MostCounted:
		return nil, refuse("there are too many different rows to be counted")
	case total != n:
		return nil, w.e.otherRows()
	case n == 0:
		return nil, nil
	}
	d.X = &mat.Dense{}
	d.X.SetRawMatrix(blas64.General{Rows: len(of), Stride: 1, Data: make([]float64, len(of))})
	rows := compressed.CountRows(d, of, times)
	if rows == nil {
		return nil, refuse("a response or a weight is no number")
	}
	return rows, nil
}
