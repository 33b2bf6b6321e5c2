package source

import (
	"errors"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg"
)

// errMany ends a pass over rows that are too many to be counted, or not to be.
var errMany = errors.New("source: too many different rows")

// countRows returns the rows by cell, response and offset, by one pass or one GROUP BY, if all terms are of factors. It is
// nil if they are to be read.
func (d *Design) countRows() (found *compressed.Counted, err error) {
	d.lock.Lock()
	defer d.lock.Unlock()
	err = d.retried(func() error {
		found = nil
		plan, err := d.likelihoodPlan()
		if plan == nil || err != nil {
			return err
		}
		const most = 1 << 53
		cells := plan.Cells()
		if len(cells.Numbers) > 0 || cells.Most() > most {
			return nil
		}
		fields, err := d.source.e.fields(d.ctx)
		if err != nil {
			return err
		}
		q := d.query(fields)
		found = &compressed.Counted{Columns: cells.Columns}
		if d.route == Pushed {
			if err := d.countPushed(q, plan, found); !refused(err) {
				return err
			}
			found.Rows, found.Pushed = nil, false
		}
		if err = d.countStreamed(q, cells, found); errors.Is(err, errMany) {
			found, err = nil, nil
		}
		return err
	})
	return found, err
}

// likelihoodPlan returns the plan of a design whose columns are those of the plan, of a response that is a number or a class;
// nil of others.
func (d *Design) likelihoodPlan() (*table.Plan, error) {
	plan, err := d.coder.Plan()
	if err != nil || plan.Response == nil || plan.Counts || plan.Absorb != "" {
		return nil, err
	}
	like, err := d.coder.Like(table.Counts{})
	if err != nil || like.Scaling != nil || len(like.Names) != len(plan.Names) {
		return nil, err
	}
	return plan, nil
}

// countPushed has the engine count the rows.
func (d *Design) countPushed(q query, plan *table.Plan, found *compressed.Counted) error {
	rows, counts, stamp, err := d.source.e.(*sqlEngine).countRows(d.ctx, q, plan)
	if err != nil {
		return err
	}
	found.Rows, found.Pushed = rows, true
	found.Like, err = d.like(counts, stamp)
	return err
}

// countStreamed counts the rows here.
func (d *Design) countStreamed(q query, cells *table.Cells, found *compressed.Counted) error {
	like, err := d.pass(q, cells, func(_ *table.Block, design *mlreg.Design, of []int) (any, error) {
		if rows := compressed.CountRows(design, of, nil); rows != nil {
			return rows, nil
		}
		return nil, errMany
	}, func(rows any) error {
		switch {
		case found.Rows == nil:
			found.Rows = rows
		case !compressed.JoinCounted(found.Rows, rows):
			return errMany
		}
		return nil
	})
	if err == nil {
		found.Like = like
	}
	return err
}

// weigh calls f with the sums of a likelihood, if a database is to compute them. What it cannot is compressed.ErrRows.
func (d *Design) weigh(f func(*compressed.Weighted) error) error {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.route != Pushed {
		return nil
	}
	plan, err := d.likelihoodPlan()
	if plan == nil || err != nil {
		return err
	}
	err = held(d.ctx, d.source.e, func(e engine) error {
		fields, err := e.fields(d.ctx)
		if err != nil {
			return err
		}
		return e.(*sqlEngine).weigh(d.ctx, d.query(fields), plan, d.forced, func(w *compressed.Weighted, counts table.Counts, stamp string) (err error) {
			if w.Like, err = d.like(counts, stamp); err != nil {
				return err
			}
			return f(w)
		})
	})
	if refused(err) {
		return compressed.ErrRows
	}
	return err
}
