package frames

import (
	"fmt"
	"slices"
	"strings"
)

// node is a node of a formula's syntax tree. Its place in the formula text is
// [pos, end); write appends it as R would print it.
type node interface {
	place() (pos, end int)
	write(b *strings.Builder)
}

type span struct{ pos, end int }

func (s span) place() (pos, end int) { return s.pos, s.end }

type (
	number struct {
		span
		value float64
		low   float64 // what rounding took from a whole number beyond 2^53
	}
	name struct {
		span
		name string
	}
	text struct {
		span
		value string
	}
	call struct {
		span
		fn   string
		args []arg
	}
	arg struct {
		name  string // "" if given by position
		value node
	}
	truth struct { // TRUE or FALSE
		span
		value bool
	}
	binary struct {
		span
		op   string // ~ + - * / : ^ %in% %% %/%, a comparison, & |
		x, y node
	}
	unary struct {
		span
		op string // + - !
		x  node
	}
	paren struct {
		span
		x node
	}
)

func (n *number) write(b *strings.Builder) { b.WriteString(exactText(n.value, n.low)) }
func (n *text) write(b *strings.Builder)   { b.WriteString(quote(n.value, '"')) }
func (n *name) write(b *strings.Builder)   { b.WriteString(nameText(n.name)) }
func (n *truth) write(b *strings.Builder)  { b.WriteString(truthText(n.value)) }

func (n *call) write(b *strings.Builder) {
	if written, ok := writtenLag(n); ok {
		b.WriteString(written)
		return
	}
	b.WriteString(n.fn)
	b.WriteByte('(')
	for i, a := range n.args {
		if i > 0 {
			b.WriteString(", ")
		}
		if a.name != "" {
			b.WriteString(nameText(a.name))
			b.WriteString(" = ")
		}
		a.value.write(b)
	}
	b.WriteByte(')')
}

func (n *binary) write(b *strings.Builder) {
	n.x.write(b)
	if strings.Contains("/:^", n.op) || isModulo(n.op) {
		b.WriteString(n.op)
	} else {
		b.WriteString(" " + n.op + " ")
	}
	n.y.write(b)
}

func (n *unary) write(b *strings.Builder) {
	b.WriteString(n.op)
	n.x.write(b)
}

func (n *paren) write(b *strings.Builder) {
	b.WriteByte('(')
	n.x.write(b)
	b.WriteByte(')')
}

// operands returns the expressions directly below a node.
func operands(n node) []node {
	switch n := n.(type) {
	case *paren:
		return []node{n.x}
	case *unary:
		return []node{n.x}
	case *binary:
		return []node{n.x, n.y}
	case *call:
		all := make([]node, len(n.args))
		for i, a := range n.args {
			all[i] = a.value
		}
		return all
	}
	return nil
}

// withOperands returns a copy of a node in which f has replaced its operands.
func withOperands(n node, f func(node) node) node {
	switch n := n.(type) {
	case *paren:
		return &paren{n.span, f(n.x)}
	case *unary:
		return &unary{n.span, n.op, f(n.x)}
	case *binary:
		return &binary{n.span, n.op, f(n.x), f(n.y)}
	case *call:
		args := slices.Clone(n.args)
		for i := range args {
			args[i].value = f(args[i].value)
		}
		return &call{n.span, n.fn, args}
	}
	return n
}

// label returns a node as R would print it.
func label(n node) string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

// maxDepth bounds how deep parentheses and signs may be nested.
const maxDepth = 500

// parser is a recursive-descent parser; each method parses one level of R's
// operator precedence, which from loose to tight is
//
//	~   |   &   !   == != < <= > >=   + -   * /   %in% %% %/%   :   unary + -   ^ (to the right)
type parser struct {
	src   string
	toks  []token
	next  int
	depth int
}

func (p *parser) peek() token { return p.toks[p.next] }

func (p *parser) isOp(ops ...string) bool {
	t := p.peek()
	return t.kind == tokOp && slices.Contains(ops, t.text)
}

// deeper counts one level of nesting; the caller subtracts it again.
func (p *parser) deeper(t token) error {
	if p.depth++; p.depth > maxDepth {
		return p.fail(t, "nested too deeply")
	}
	return nil
}

func (p *parser) fail(t token, format string, args ...any) error {
	return &FormulaError{ErrSyntax, fmt.Sprintf(format, args...), p.src, t.pos, t.end}
}

// parseTree parses a whole text: a formula or one side of it.
func parseTree(src string) (node, error) { return parseBars(src, false) }

// parseBars is parseTree of a formula in which || may have a meaning.
func parseBars(src string, bars bool) (node, error) {
	n, err := parseBare(src, bars)
	if err != nil {
		return nil, err
	}
	return expandLags(src, n)
}

// parseBare is parseBars with the calls of lag as they are written.
func parseBare(src string, bars bool) (node, error) {
	toks, err := lexBars(src, bars)
	if err != nil {
		return nil, err
	}
	p := &parser{src: src, toks: toks}
	var left node
	if !p.isOp("~") {
		if left, err = p.or(); err != nil {
			return nil, err
		}
	}
	if p.isOp("~") {
		tilde := p.peek()
		p.next++
		right, err := p.or()
		if err != nil {
			return nil, err
		}
		if left == nil {
			_, end := right.place()
			left = &unary{span{tilde.pos, end}, "~", right}
		} else {
			left = joined("~", left, right)
		}
	}
	if t := p.peek(); t.kind != tokEnd {
		switch {
		case t.text == "~":
			return nil, p.fail(t, "a formula has only one ~")
		case t.text == "=":
			return nil, p.fail(t, "= has no meaning here; write ~ after the response, and == to compare")
		}
		return nil, p.fail(t, "expected an operator such as + before %v", t)
	}
	return left, nil
}

func joined(op string, x, y node) node {
	pos, _ := x.place()
	_, end := y.place()
	return &binary{span{pos, end}, op, x, y}
}

// leftToRight parses operands joined by any of ops, which bind to the left.
func (p *parser) leftToRight(operand func() (node, error), ops ...string) (node, error) {
	x, err := operand()
	for err == nil && p.isOp(ops...) {
		op := p.peek().text
		p.next++
		var y node
		if y, err = operand(); err == nil {
			x = joined(op, x, y)
		}
	}
	return x, err
}

func (p *parser) or() (node, error)      { return p.leftToRight(p.and, "|", "||") }
func (p *parser) and() (node, error)     { return p.leftToRight(p.not, "&") }
func (p *parser) sum() (node, error)     { return p.leftToRight(p.product, "+", "-") }
func (p *parser) product() (node, error) { return p.leftToRight(p.nested, "*", "/") }
func (p *parser) nested() (node, error)  { return p.leftToRight(p.colon, "%in%", "%%", "%/%") }
func (p *parser) colon() (node, error)   { return p.leftToRight(p.signed, ":") }

func (p *parser) not() (node, error) { return p.prefixed(p.comparison, p.not, "!") }

// comparison parses at most one comparison, as R does.
func (p *parser) comparison() (node, error) {
	x, err := p.sum()
	if err != nil || !p.isOp(comparisons...) {
		return x, err
	}
	op := p.peek().text
	p.next++
	y, err := p.sum()
	if err != nil {
		return nil, err
	}
	if t := p.peek(); p.isOp(comparisons...) {
		return nil, p.fail(t, "comparisons do not chain; join two with &, such as a > 2 & a < 5")
	}
	return joined(op, x, y), nil
}

func (p *parser) signed() (node, error) { return p.prefixed(p.power, p.signed, "+", "-") }

// prefixed parses an operand, or a sign from ops and its operand.
func (p *parser) prefixed(operand, again func() (node, error), ops ...string) (node, error) {
	if !p.isOp(ops...) {
		return operand()
	}
	t := p.peek()
	if err := p.deeper(t); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	p.next++
	x, err := again()
	if err != nil {
		return nil, err
	}
	_, end := x.place()
	return &unary{span{t.pos, end}, t.text, x}, nil
}

func (p *parser) power() (node, error) {
	x, err := p.primary()
	if err != nil || !p.isOp("^") {
		return x, err
	}
	if err := p.deeper(p.peek()); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	p.next++
	y, err := p.signed()
	if err != nil {
		return nil, err
	}
	return joined("^", x, y), nil
}

func (p *parser) primary() (node, error) {
	t := p.peek()
	at := span{t.pos, t.end}
	switch {
	case t.kind == tokNumber:
		p.next++
		return &number{at, t.value, t.low}, nil
	case t.kind == tokString:
		p.next++
		return &text{at, t.text}, nil
	case t.kind == tokName:
		p.next++
		bare := p.src[t.pos] != '`'
		if p.isOp("(") && bare {
			return p.call(t)
		}
		if bare && (t.text == "TRUE" || t.text == "FALSE") {
			return &truth{at, t.text == "TRUE"}, nil
		}
		return &name{at, t.text}, nil
	case p.isOp("!"): // takes all that binds tighter than ! after it, as in R
		return p.not()
	case p.isOp("("):
		if err := p.deeper(t); err != nil {
			return nil, err
		}
		defer func() { p.depth-- }()
		p.next++
		x, err := p.or()
		if err != nil {
			return nil, err
		}
		end := p.peek()
		if !p.isOp(")") {
			return nil, p.fail(t, "this parenthesis is not closed before %v", end)
		}
		p.next++
		return &paren{span{t.pos, end.end}, x}, nil
	}
	return nil, p.fail(t, "expected a column, a number or a function before %v", t)
}

// call parses the arguments of the function whose name fn was just read.
func (p *parser) call(fn token) (node, error) {
	open := p.peek()
	if err := p.deeper(open); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	p.next++
	c := &call{fn: fn.text}
	for !p.isOp(")") {
		if len(c.args) > 0 {
			if t := p.peek(); !p.isOp(",") {
				if t.text == "~" && fn.text == "case_when" {
					return nil, p.fail(t, "%s", caseWhenForm)
				}
				return nil, p.fail(t, "expected , or ) in the arguments of %s before %v", fn.text, t)
			}
			p.next++
		}
		var a arg
		if t := p.peek(); (t.kind == tokName || t.kind == tokString) && p.toks[p.next+1].text == "=" && p.toks[p.next+1].kind == tokOp {
			a.name = t.text
			p.next += 2
		}
		var err error
		if a.value, err = p.or(); err != nil {
			return nil, err
		}
		c.args = append(c.args, a)
	}
	c.span = span{fn.pos, p.peek().end}
	p.next++
	return c, nil
}
