package frames

import (
	"slices"

	"github.com/regbook/regbook/frames/internal/table"
)

// Plan returns the columns of the design as products.
func (c *coder) Plan() (*table.Plan, error) {
	t := c.terms
	vars, err := c.namedVariables()
	if err != nil {
		return nil, err
	}
	p := &table.Plan{Names: slices.Clone(t.Columns), Weights: t.Weights, Absorb: t.Absorb, Intercept: t.Intercept, Since: t.Since, Used: c.Columns(), Exact: true, Rows: c.rows}
	t.eachColumn(vars, func(_ int, _ string, parts []table.Part) { p.Products = append(p.Products, parts) })
	for _, x := range c.offsets {
		p.Offsets = append(p.Offsets, tree(x.n))
		p.Exact = p.Exact && !c.stops(x)
	}
	variable := func(x expression) table.Variable {
		v := table.Variable{Text: label(x.n), Expr: tree(factorInput(x))}
		p.Exact = p.Exact && !c.stops(x)
		return v
	}
	for k, v := range t.Variables {
		to := variable(c.exprs[k])
		to.Levels, to.Contrast, to.Basis, to.Words = v.Levels, vars[k].matrix, v.Basis, v.Words != nil
		if v.Basis != nil {
			n, ok := c.exprs[k].n.(*call)
			if !ok {
				return nil, errorf(ErrSyntax, "%s is not a call", v.Text)
			}
			o, err := matchArgs(c.exprs[k].src, n, basisFunctions[n.fn].params)
			if err != nil {
				return nil, err
			}
			to.Expr = nil
			for _, in := range o.data {
				to.Inputs = append(to.Inputs, tree(in))
				p.Exact = p.Exact && !stopsMissing(in)
			}
		}
		p.Variables = append(p.Variables, to)
	}
	if _, p.Counts = countsCall(c.response.n); c.response.n != nil && !p.Counts {
		y := variable(c.response)
		y.Levels = t.Classes
		p.Response = &y
	}
	return p, nil
}

// stops reports whether an expression may have a value where a column is missing, or the
// other way round.
func (c *coder) stops(x expression) bool {
	if f, ok := x.n.(*call); ok && isFactorCall(f) {
		o, err := factorArgs(x.src, f)
		if err != nil {
			return true
		}
		levels, err := o.levels()
		return err != nil || levels != nil || stopsMissing(o.args["x"])
	}
	return stopsMissing(x.n)
}

// tree returns an expression for a source that computes it itself.
func tree(n node) *table.Node {
	to := &table.Node{Src: label(n)}
	switch n := stripped(n).(type) {
	case *number:
		to.Kind, to.Value, to.Low = table.NumberNode, n.value, n.low
	case *text:
		to.Kind, to.Text = table.TextNode, n.value
	case *truth:
		to.Kind, to.Value = table.TruthNode, indicator(n.value)
	case *name:
		to.Kind, to.Text = table.ColumnNode, n.name
		if isNA(n) {
			to.Kind = table.NANode
		}
	case *unary:
		to.Kind, to.Text, to.Args = table.UnaryNode, n.op, []*table.Node{tree(n.x)}
	case *binary:
		to.Kind, to.Text, to.Args = table.BinaryNode, n.op, []*table.Node{tree(n.x), tree(n.y)}
	case *call:
		to.Kind, to.Text = table.CallNode, n.fn
		for _, a := range n.args {
			if a.name == "" {
				to.Args = append(to.Args, tree(a.value))
				continue
			}
			if to.Named == nil {
				to.Named = make(map[string]*table.Node)
			}
			to.Named[a.name] = tree(a.value)
		}
	}
	return to
}

// factorInput returns the expression whose values are the levels.
func factorInput(x expression) node {
	if f, ok := x.n.(*call); ok && isFactorCall(f) {
		if o, err := factorArgs(x.src, f); err == nil {
			return o.args["x"]
		}
	}
	return x.n
}
