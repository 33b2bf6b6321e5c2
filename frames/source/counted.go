package source

import (
	"errors"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg"
)

func init() {
	compressed.CountedOf = func(rows any) (*compressed.Counted, error) {
		if d, ok := rows.(*Design); ok && d != nil {
			return d.countRows()
		}
		return nil, nil
	}
}

// errMany ends a pass over rows that are too many to be counted, or not to be.
var errMany = errors.New("source: too many different rows")

// countRows returns the rows by cell, response and offset, by one pass or one GROUP BY, if all terms are of factors. It is
// nil if they are to be read.
func (d *Design) countRows() (found *compressed.Counted, err error) {
	d.lock.Lock()
	defer d.lock.Unlock()
	err = d.retried(func() error {
		found = nil
		plan, err := d.coder.Plan()
		if err != nil {
			return err
		}
		cells, err := d.countable(plan)
		if cells == nil || err != nil {
			return err
		}
		found = &compressed.Counted{Columns: cells.Columns}
		fields, err := d.source.e.fields(d.ctx)
		if err != nil {
			return err
		}
		q := d.query(fields)
		if p, can := d.source.e.(pusher); can && d.route == Pushed {
			err = d.countPushed(p, q, plan, found)
			var not *notPushed
			if !errors.As(err, &not) {
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

// countable returns the cells of a plan all of whose columns are constant in a cell, nil if they are not.
func (d *Design) countable(plan *table.Plan) (*table.Cells, error) {
	if plan.Response == nil || plan.Counts || plan.Absorb != "" {
		return nil, nil
	}
	const most = 1 << 53
	cells := plan.Cells()
	if len(cells.Numbers) > 0 || cells.Most() > most {
		return nil, nil
	}
	like, err := d.coder.Like(table.Counts{})
	if err != nil || like.Scaling != nil || len(like.Names) != len(plan.Names) {
		return nil, err
	}
	return cells, nil
}

// countPushed has the engine count the rows.
func (d *Design) countPushed(p pusher, q query, plan *table.Plan, found *compressed.Counted) error {
	rows, counts, stamp, err := p.countRows(d.ctx, q, plan)
	if err != nil {
		return err
	}
	found.Rows, found.Pushed = rows, true
	found.Like, err = d.like(counts, stamp)
	return err
}

// countStreamed counts the rows here.
func (d *Design) countStreamed(q query, cells *table.Cells, found *compressed.Counted) error {
	type part struct {
		rows   any
		counts table.Counts
	}
	var counts table.Counts
	stamp, err := d.scan(q, func(b *table.Block) (any, error) {
		design, of, counts, err := d.coder.CodeCells(b, cells)
		if design == nil || err != nil {
			return part{nil, counts}, err
		}
		rows := compressed.CountRows(design, of, nil)
		if rows == nil {
			return nil, errMany
		}
		return part{rows, counts}, nil
	}, func(r any) error {
		p := r.(part)
		counts.Add(p.counts)
		switch {
		case p.rows == nil:
		case found.Rows == nil:
			found.Rows = p.rows
		case !compressed.JoinCounted(found.Rows, p.rows):
			return errMany
		}
		return nil
	})
	if err != nil {
		return err
	}
	var like *mlreg.Design
	if like, err = d.like(counts, stamp); err == nil {
		found.Like = like
	}
	return err
}
