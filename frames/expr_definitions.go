package frames

import (
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// This file reads the expressions that the verbs take, such as mpg > 20 or
// ratio = hp/wt, and computes them on all rows of a frame.

// definition is an expression and the column that it defines.
type definition struct {
	name string
	src  string
	n    node
}

// parseDefinition parses an expression, with or without name = before it. The
// name of an expression without one is its text as R prints it.
func parseDefinition(src string) (definition, error) {
	toks, err := lex(src)
	if err != nil {
		return definition{}, err
	}
	p := &parser{src: src, toks: toks}
	d := definition{src: src}
	first := toks[0].kind
	named := (first == tokName || first == tokString) && toks[1].kind == tokOp && toks[1].text == "="
	if named {
		d.name = toks[0].text
		p.next = 2
	}
	if d.n, err = p.expression(); err != nil {
		return d, err
	}
	if !named {
		d.name = label(stripped(d.n))
		if col, ok := stripped(d.n).(*name); ok {
			d.name = col.name
		}
	}
	if d.name == "" {
		return d, errorf(ErrSetting, "%q defines a column without a name", src)
	}
	return d, nil
}

// expression parses the rest of the text as an expression.
func (p *parser) expression() (node, error) {
	n, err := p.or()
	if err != nil {
		return nil, err
	}
	switch t := p.peek(); {
	case t.kind == tokEnd:
		return n, nil
	case t.text == "=":
		return nil, p.fail(t, "= does not compare; write ==")
	case t.text == "~":
		return nil, p.fail(t, "~ belongs to a formula; this is an expression such as mpg > 20")
	default:
		return nil, p.fail(t, "expected an operator such as + before %v", t)
	}
}

// parseExpression parses an expression.
func parseExpression(src string) (node, error) {
	toks, err := lex(src)
	if err != nil {
		return nil, err
	}
	return (&parser{src: src, toks: toks}).expression()
}

// onFrame returns the evaluator of all rows of a frame, whose columns have
// distinct names.
func onFrame(df dataframe.DataFrame) (*evaluator, error) {
	if err := checkFrame(df); err != nil {
		return nil, err
	}
	names := df.Names()
	slices.Sort(names)
	for i, name := range names[1:] {
		if name == names[i] {
			return nil, errorf(ErrSetting, "two columns of the frame are named %q; rename one with its SetNames", name)
		}
	}
	e := evaluatorOf(df)
	e.whole = true
	return e, nil
}

// named returns a column by its exact name.
func (e *evaluator) named(col string) (*column, error) {
	if c := e.cols[col]; c != nil {
		return c, nil
	}
	c, err := e.read(col)
	if err == nil {
		e.cols[col] = c
	}
	return c, err
}

// define computes an expression on all rows. Its values are the evaluator's
// own and may be shared.
func (e *evaluator) define(d definition) (*column, error) {
	if err := (checker{d.src, ofFrame}).comparable(d.n); err != nil {
		return nil, err
	}
	v, err := e.in(d.src).evaluate(d.n)
	if err != nil {
		return nil, err
	}
	c := *e.spread(v)
	c.name, c.count, c.temporary = d.name, countTrue(c.missing), false
	return &c, nil
}

// columnOrDefinition returns the column of the name given or, if there is no
// such column, what the text defines.
func (e *evaluator) columnOrDefinition(src string) (*column, error) {
	if e.has(src) {
		return e.named(src)
	}
	d, err := parseDefinition(src)
	if err != nil {
		if strings.HasPrefix(suggest(src, e.names()), "; did you mean") {
			return e.named(src) // whose error has the nearest name
		}
		return nil, err
	}
	c, err := e.define(d)
	if err == nil {
		c.computed = true
	}
	return c, err
}

// condition returns, for every row, whether a condition is true; where it is
// missing, it is not.
func (e *evaluator) condition(src string) ([]bool, node, error) {
	n, err := parseExpression(src)
	if err != nil {
		return nil, nil, err
	}
	if err := (checker{src, ofFrame}).arithmetic(n); err != nil {
		return nil, nil, err
	}
	e = e.in(src)
	e.undefined = takenMissing
	if columns, ok := e.inBlocks(n); ok {
		out := make([]bool, e.height())
		if typ, err := e.byBlocks(n, columns, out); err != nil || typ == series.Bool {
			return out, n, err
		}
	}
	c, err := e.evaluate(n)
	if err != nil {
		return nil, nil, err
	}
	if c.typ != series.Bool {
		return nil, nil, formulaErrorf(ErrSetting, src, n, "%s is not a condition; compare it, for example %s", label(n), comparison(n, c))
	}
	out := make([]bool, len(c.missing))
	for i, m := range c.missing {
		out[i] = !m && c.num[i] != 0
	}
	return out, n, nil
}

// comparison returns a comparison of an expression with its first value.
func comparison(n node, c *column) string {
	row := slices.Index(c.missing, false)
	switch {
	case row < 0:
		return "is.na(" + label(n) + ")"
	case c.typ == series.String:
		return label(n) + " == " + quote(c.at(row), '"')
	}
	return label(n) + " == " + c.at(row)
}
