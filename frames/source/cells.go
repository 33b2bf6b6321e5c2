package source

import (
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg"
)

func init() {
	compressed.BlocksOf = func(rows any) (*compressed.Blocks, error) {
		if d, ok := rows.(*Design); ok && d != nil {
			return d.byCells()
		}
		return nil, nil
	}
}

// byCells returns the blocks of rows by cells, nil if these save nothing or are not of all columns of the design.
func (d *Design) byCells() (*compressed.Blocks, error) {
	plan, err := d.coder.Plan()
	if err != nil {
		return nil, err
	}
	cells := d.coder.Cells()
	if cells == nil || plan.Response == nil || plan.Counts || plan.Absorb != "" {
		return nil, nil
	}
	like, err := d.coder.Like(table.Counts{})
	if err != nil || like.Scaling != nil || len(like.Names) != len(plan.Names) {
		return nil, err
	}
	return &compressed.Blocks{Like: like, Columns: cells.Columns, Each: func(f func(d any, of []int) error) error { return d.eachByCells(cells, f) }}, nil
}

// eachByCells makes a pass over the rows by cells.
func (d *Design) eachByCells(cells *table.Cells, f func(numbers any, of []int) error) error {
	fields, err := d.source.e.fields(d.ctx)
	if err != nil {
		return err
	}
	type coded struct {
		numbers *mlreg.Design
		of      []int
		counts  table.Counts
	}
	var counts table.Counts
	stamp, err := d.scan(d.query(fields), func(b *table.Block) (any, error) {
		numbers, of, counts, err := d.coder.CodeCells(b, cells)
		return coded{numbers, of, counts}, err
	}, func(r any) error {
		c := r.(coded)
		counts.Add(c.counts)
		if c.numbers == nil {
			return nil
		}
		return f(c.numbers, c.of)
	})
	if err != nil {
		return err
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	return d.counted(counts, stamp)
}
