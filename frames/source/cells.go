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

// byCells returns the blocks of rows by cells, nil if these save nothing.
func (d *Design) byCells() (*compressed.Blocks, error) {
	if d.coder.Cells() == nil {
		return nil, nil
	}
	if err := d.findTypes(); err != nil {
		return nil, err
	}
	cells := d.coder.Cells() // the types may have made the coder anew
	if cells == nil {
		return nil, nil
	}
	like, err := d.coder.Like(table.Counts{})
	if err != nil {
		return nil, err
	}
	each := func(f func(numbers any, of []int) error) error {
		return d.pass(cells, func(numbers *mlreg.Design, of []int) error { return f(numbers, of) })
	}
	return &compressed.Blocks{Like: like, Columns: cells.Columns, Each: each}, nil
}
