package frames

import (
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

// whereCondition is a condition on blocks.
type whereCondition struct {
	src    string
	n      node
	fields []table.Field
}

func whereBlocks(src string, fields []table.Field) (table.Condition, error) {
	n, err := parseExpression(src)
	if err != nil {
		return nil, err
	}
	if err := (checker{src, ofBlocks}).arithmetic(n); err != nil {
		return nil, err
	}
	e := onFields(fields).in(src)
	if err := e.checkNames(n); err != nil {
		return nil, err
	}
	typ, err := e.kind(n)
	if err == nil && typ != series.Bool {
		err = formulaErrorf(ErrSetting, src, n, "%s is not a condition; compare it, for example %s > 0", label(n), label(n))
	}
	return &whereCondition{src, n, fields}, err
}

func (w *whereCondition) Node() *table.Node { return tree(w.n) }

func (w *whereCondition) String() string { return label(w.n) }

// Columns returns the columns that the condition reads.
func (w *whereCondition) Columns() []string {
	return inTable([]expression{{w.src, w.n}}, w.fields)
}

// Mask returns the rows in which the condition is true.
func (w *whereCondition) Mask(b *table.Block) ([]bool, error) {
	if b.N == 0 {
		return nil, nil
	}
	e := onBlock(b)
	mask, _, err := e.condition(w.src)
	return mask, err
}
