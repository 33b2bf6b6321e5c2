package frames

import (
	"strings"

	"github.com/regbook/regbook/mlreg"
)

// takeAbsorbed takes the factor behind a bar from the model: y ~ x | zone. A bar beside a condition is
// "or".
func (f *Formula) takeAbsorbed() error {
	b, ok := f.model.(*binary)
	if !ok || b.op != "|" || isTruth(b.y) {
		return nil
	}
	if left, ok := b.x.(*binary); ok && left.op == "|" && !isTruth(left.y) {
		return formulaErrorf(ErrSyntax, f.src, b.y, "one factor is absorbed, and this is a second: write that of fewer levels among the terms")
	}
	switch by := stripped(b.y).(type) {
	case *name:
		if by.name == "." {
			return formulaErrorf(ErrSyntax, f.src, by, "the factor to absorb is one column, and the dot stands for many")
		}
		f.model, f.absorbed = b.x, by
		return nil
	case *call:
		if isFactorCall(by) && len(by.args) == 1 {
			if column, ok := by.args[0].value.(*name); ok {
				f.model, f.absorbed = b.x, column
				return nil
			}
		}
	case *binary:
		if by.op == "+" || by.op == "*" || by.op == "|" || by.op == ":" || by.op == "^" {
			return formulaErrorf(ErrSyntax, f.src, b.y, "one factor is absorbed, and behind the bar are several: write those of fewer levels among the terms (%s + ... | zone), or make one column of all, by frames.With", label(b.x))
		}
	}
	return formulaErrorf(ErrSyntax, f.src, b.y, "behind a bar is the column of a factor to absorb, and %s is not one; make it a column, by frames.With, or write I(a | b) for a condition", label(b.y))
}

// absorbed returns the column of the absorbed factor as an expression, none if there is none.
func (t *Terms) absorbed() []expression {
	if t.Absorb == "" {
		return nil
	}
	return []expression{columnExpression(t.Absorb)}
}

// absorb gives the rows of a design their levels of the absorbed factor.
func (b *builder) absorb(d *mlreg.Design) error {
	if d.Absorb = b.terms.Absorb; d.Absorb == "" {
		return nil
	}
	c, err := b.eval.named(d.Absorb)
	if err != nil {
		return err
	}
	if d.Levels = valuesAt(b.eval.rows, c.at); !b.eval.partial() {
		return nil
	}
	kept := make(map[string]string) // of a block, whose memory is used again while its design is
	for i, level := range d.Levels {
		own, ok := kept[level]
		if !ok {
			own = strings.Clone(level)
			kept[own] = own
		}
		d.Levels[i] = own
	}
	return nil
}
