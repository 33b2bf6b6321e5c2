package source

import (
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg"
)

func init() {
	compressed.LevelsOf = ofDesign((*Design).levels)
	compressed.BlocksOf = ofDesign((*Design).byCells)
	compressed.CountedOf = ofDesign((*Design).countRows)
	compressed.WeightedOf = func(rows any, f func(*compressed.Weighted) error) error {
		if d, ok := rows.(*Design); ok && d != nil {
			return d.weigh(f)
		}
		return nil
	}
}

// ofDesign has a method find something of the rows of a Design, and nothing of others.
func ofDesign[T any](find func(d *Design) (*T, error)) func(rows any) (*T, error) {
	return func(rows any) (*T, error) {
		if d, ok := rows.(*Design); ok && d != nil {
			return find(d)
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
		return d.eachDesign(cells, func(numbers *mlreg.Design, of []int) error { return f(numbers, of) })
	}
	return &compressed.Blocks{Like: like, Columns: cells.Columns, Each: each}, nil
}
