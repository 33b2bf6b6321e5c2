package frames

import (
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

func init() { table.Frames.With = withBlocks }

// blockDefinition is a column that an expression defines, for blocks.
type blockDefinition struct {
	definition
	field  table.Field
	fields []table.Field
}

func withBlocks(src string, fields []table.Field) (table.Definition, error) {
	d, err := parseDefinition(src)
	if err != nil {
		return nil, err
	}
	if err := (checker{src, ofBlocks}).comparable(d.n); err != nil {
		return nil, err
	}
	e := onFields(fields).in(src)
	if err := e.checkNames(d.n); err != nil {
		return nil, err
	}
	typ, err := e.kind(d.n)
	if err != nil {
		return nil, err
	}
	return &blockDefinition{d, table.Field{Name: d.name, Type: typ, Dates: typ == series.String && e.givesDates(d.n)}, fields}, nil
}

// Field returns the new column.
func (d *blockDefinition) Field() table.Field { return d.field }

// Columns returns the columns that the expression reads.
func (d *blockDefinition) Columns() ([]string, error) {
	return inTable([]expression{{d.src, d.n}}, d.fields), nil
}

// Column computes the column in the rows of a block.
func (d *blockDefinition) Column(b *table.Block) (*table.Column, error) {
	c, err := onBlock(b).define(d.definition)
	if err != nil {
		return nil, err
	}
	kinds := make([]table.Field, 0, len(d.fields)) // of the columns in a frame of these rows
	for _, f := range d.fields {
		if from := b.Column(f.Name); from != nil && from.Ints {
			f.Type = series.Int
		}
		kinds = append(kinds, f)
	}
	kind, err := onFields(kinds).in(d.src).kind(d.n)
	if err != nil {
		return nil, err
	}
	ints := d.field.Type == series.Float && kind == series.Int
	return &table.Column{Field: d.field, Num: c.num, Low: c.low, Whole: c.whole, Ints: ints, Text: c.text, Missing: c.missing, Count: c.count}, nil
}
