package source

import (
	"errors"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/compressed"
)

func init() {
	compressed.WeightedOf = func(rows any, f func(*compressed.Weighted) error) error {
		if d, ok := rows.(*Design); ok && d != nil {
			return d.weigh(f)
		}
		return nil
	}
}

// weigh calls f with the sums of a likelihood, if a database is to compute them. What it cannot is compressed.ErrRows.
func (d *Design) weigh(f func(*compressed.Weighted) error) error {
	d.lock.Lock()
	defer d.lock.Unlock()
	plan, err := d.coder.Plan()
	if err != nil || d.route != Pushed || plan.Response == nil || plan.Counts || plan.Absorb != "" {
		return err
	}
	like, err := d.coder.Like(table.Counts{})
	if err != nil || like.Scaling != nil || len(like.Names) != len(plan.Names) {
		return err
	}
	e, end, err := hold(d.ctx, d.source.e)
	if err != nil {
		return err
	}
	err = ending(end, func() error {
		p, can := e.(pusher)
		if !can {
			return compressed.ErrRows
		}
		fields, err := e.fields(d.ctx)
		if err != nil {
			return err
		}
		return p.weigh(d.ctx, d.query(fields), plan, d.forced, func(w *compressed.Weighted, counts table.Counts, stamp string) (err error) {
			if w.Like, err = d.like(counts, stamp); err != nil {
				return err
			}
			return f(w)
		})
	})
	var not *notPushed
	if errors.As(err, &not) {
		return compressed.ErrRows
	}
	return err
}
