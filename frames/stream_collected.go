package frames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/regbook/regbook/frames/internal/table"
)

// collected is what one variable is learned from, block after block.
type collected struct {
	*wanted
	done bool

	distinct distinctValues
	in       [][]float64 // inputs of a basis
	fewest   int         // how many distinct inputs are too few, of a basis whose knots are given
	docs     []string
	moments  *polyMoments // of one input, once it is too long to be kept
	slip     slips
}

// addLevels collects the distinct values of a factor.
func (n *collected) addLevels(b *builder, most int) error {
	e := b.eval.in(n.x.src)
	c, err := e.factorOf(n.x.n)
	if err != nil {
		return err
	}
	if c == nil {
		return nil
	}
	n.slip.add(e, n.x.n, c)
	n.distinct.add(c, b.eval.rows)
	if d := len(n.distinct.kept); d > most {
		return n.tooManyLevels(most, fmt.Sprintf("%q in row %d", n.distinct.column("").at(d-1), e.number1(n.distinct.row)))
	}
	return nil
}

func (n *collected) tooManyLevels(most int, such string) error {
	return formulaErrorf(ErrLevel, n.x.src, n.x.n, "factor %s has more than %d levels, such as %s; raise DesignSettings.MaxLevels, group the levels, or put the factor behind a bar, as in y ~ x | zone, for mlreg.FitAbsorbed",
		label(n.x.n), most, such)
}

// standIn returns a column of the distinct values, and an evaluator whose rows are
// those of values in rows kept, of which there are more if values repeat.
func (n *collected) standIn(kept int) (*evaluator, *column) {
	d := &n.distinct
	c := d.column(label(n.x.n))
	if f, ok := n.x.n.(*call); ok && isFactorCall(f) {
		if o, err := factorArgs(n.x.src, f); err == nil {
			c.name = label(o.args["x"])
		}
	} else if col, ok := stripped(n.x.n).(*name); ok {
		c.name = col.name
	}
	block := &table.Block{N: len(d.kept), Columns: []*table.Column{{Field: table.Field{Name: c.name, Type: c.typ}, Num: c.num, Low: c.low, Text: c.text, Missing: c.missing}}}
	e := onBlock(block).in(n.x.src)
	e.whole, e.rows = false, []int{}
	for i, k := range d.kept {
		if k {
			e.rows = append(e.rows, i)
		}
	}
	if len(e.rows) > 0 && kept > len(e.rows) {
		e.rows = append(e.rows, e.rows[0]) // not every row has a level of its own
	}
	return e, c
}

// addValues collects the inputs of a basis.
func (n *collected) addValues(b *builder, most int) error {
	if n.independent() && len(n.in) > 0 && len(n.in[0]) > n.fewest {
		return nil
	}
	rows, err := b.learningRows(n.x, n.options)
	if err != nil || len(rows) == 0 {
		return err
	}
	in, docs, err := n.inputs(b.eval.onRows(rows))
	if err != nil {
		return err
	}
	if docs != nil {
		if len(n.docs)+len(docs) > most {
			return formulaErrorf(ErrSetting, n.x.src, n.x.n, "%s needs the texts of all rows at once, and there are more than %d", label(n.x.n), most)
		}
		for _, d := range docs {
			n.docs = append(n.docs, strings.Clone(d))
		}
		return nil
	}
	if n.moments != nil {
		return n.moments.add(in[0])
	}
	if n.in == nil {
		n.in = make([][]float64, len(in))
	}
	for k, x := range in {
		n.in[k] = append(n.in[k], x...)
	}
	if n.independent() {
		if n.fn == "ns" || n.fn == "bs" { // whose values must not be too few
			s, err := splineSettings(n.options)
			if err != nil {
				return err
			}
			_, n.fewest = splineKnots(n.fn, s)
			slices.Sort(n.in[0])
			n.in[0] = slices.Compact(n.in[0])
		}
		return nil
	}
	if len(n.in[0])*len(in) <= most {
		return nil
	}
	degree, ok := n.momentsDegree()
	if !ok {
		return formulaErrorf(ErrSetting, n.x.src, n.x.n, "%s needs the values of all rows at once, to find quantiles or prototypes, and there are more than %d%s", label(n.x.n), most, n.cure())
	}
	n.moments = newPolyMoments(degree)
	err = n.moments.add(n.in[0])
	n.in = nil
	return err
}
