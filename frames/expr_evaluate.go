package frames

import (
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"
)

// kind returns the type that the values of an expression have.
func (e *evaluator) kind(n node) (series.Type, error) {
	switch n := stripped(n).(type) {
	case *text:
		return series.String, nil
	case *truth:
		return series.Bool, nil
	case *name:
		if isNA(n) {
			return series.Float, nil
		}
		if v := e.constantName(n); v != nil {
			return e.kind(v)
		}
		c, err := e.column(n)
		if err != nil {
			return "", err
		}
		return c.typ, nil
	case *unary:
		if n.op == "!" {
			return series.Bool, nil
		}
	case *binary:
		if isCondition(n.op) {
			return series.Bool, nil
		}
	case *call:
		if f, ok := summaryFunctions[n.fn]; ok {
			return e.kindOfSummary(n, f)
		}
		f, ok := valueFunctionOf(n)
		switch {
		case ok && f.typ != "":
			return f.typ, nil
		case ok:
			return f.kind(e, n)
		}
	}
	return series.Float, nil
}

// constantName returns the constant that a name stands for if there is no such
// column: pi, and R's T and F for TRUE and FALSE.
func (e *evaluator) constantName(n *name) node {
	if n.name != "pi" && n.name != "T" && n.name != "F" || e.cols[n.name] != nil || e.has(n.name) {
		return nil
	}
	if n.name == "pi" {
		return &number{n.span, math.Pi, 0}
	}
	return &truth{n.span, n.name == "T"}
}

// onRows returns the evaluator of the given rows.
func (e *evaluator) onRows(rows []int) *evaluator {
	other := *e
	other.rows, other.whole = rows, false
	return &other
}

// computed returns the values of an expression as a column, in which rows other
// than those of the evaluator are missing.
func (e *evaluator) computed(n node) (*column, error) {
	v, err := e.evaluate(n)
	if err != nil {
		return nil, err
	}
	c := blank(v.typ, e.height())
	c.name, c.whole = label(n), v.whole
	for i := range c.missing {
		c.missing[i] = true
	}
	for i := range e.size() {
		c.take(e.row(i), v, i)
	}
	for i, m := range c.missing {
		if m {
			c.count++
			if c.num != nil {
				c.num[i] = math.NaN()
			}
		}
	}
	return c, nil
}

// take sets value i to value k of v; a text column stores any type as text.
func (c *column) take(i int, v *column, k int) {
	c.missing[i] = v.missing[k]
	switch {
	case c.typ == series.String:
		c.text[i] = v.at(k)
	default:
		num, low := v.value(k)
		c.set(i, num, low)
	}
}

// evaluate returns the values of an expression in the rows of the evaluator,
// with those that are missing marked.
func (e *evaluator) evaluate(n node) (*column, error) {
	switch n := stripped(n).(type) {
	case *number:
		return e.spread(n.constant()), nil
	case *text:
		return e.same(series.String, func(c *column, i int) { c.text[i] = n.value }), nil
	case *truth:
		return e.same(series.Bool, func(c *column, i int) { c.num[i] = indicator(n.value) }), nil
	case *name:
		if v := e.constantName(n); v != nil {
			return e.evaluate(v)
		}
		return e.columnInRows(n)
	case *unary:
		return e.signed(n)
	case *binary:
		switch {
		case n.op == "%in%":
			return e.member(n)
		case slices.Contains(comparisons, n.op):
			return e.compare(n)
		}
		return e.combine(n)
	case *call:
		return e.apply(n)
	}
	return nil, formulaErrorf(ErrSyntax, e.src, n, "%s is not a value", label(n))
}

// columnInRows returns the values of a column in the rows of the evaluator.
func (e *evaluator) columnInRows(n *name) (*column, error) {
	col, err := e.column(n)
	if err != nil || e.whole {
		return col, err
	}
	c := e.same(col.typ, func(c *column, i int) { c.take(i, col, e.row(i)) })
	c.whole, c.notDates = col.whole, col.notDates
	if days, ok := col.dates(); ok {
		c.days = picked(e.rows, days)
	}
	return c, nil
}

// signed computes -x, +x and !x.
func (e *evaluator) signed(n *unary) (*column, error) {
	x, err := e.number(n.x)
	if err != nil {
		return nil, err
	}
	if n.op == "!" {
		return e.same(series.Bool, func(c *column, i int) { c.num[i], c.missing[i] = indicator(x.num[i] == 0), x.missing[i] }), nil
	}
	sign := 1.0
	if n.op == "-" {
		sign = -1
	}
	c := e.same(series.Float, func(c *column, i int) { c.num[i], c.missing[i] = sign*x.num[i], x.missing[i] })
	if c.whole = x.isWhole(); x.low != nil {
		c.low = make([]float64, len(c.num))
		for i := range c.low {
			_, low := x.value(i)
			c.low[i] = sign * low
		}
	}
	return c, nil
}

// same returns a value for every row; set fills each of them.
func (e *evaluator) same(typ series.Type, set func(c *column, i int)) *column {
	c := blank(typ, e.size())
	for i := range c.missing {
		set(c, i)
	}
	return c
}

// number is evaluate for an operand that has to be a number or a truth value.
func (e *evaluator) number(n node) (*column, error) {
	c, err := e.evaluate(n)
	if err != nil || c.typ != series.String {
		return c, err
	}
	if e.size() == 0 && e.givesDates(n) { // of no rows, as when a formula is checked
		return &column{typ: series.Float}, nil
	}
	if days, ok := e.daysOf(c); ok {
		return &column{typ: series.Float, num: days, missing: c.missing, count: c.count}, nil
	}
	if col, ok := stripped(n).(*name); ok && e.constantName(col) == nil {
		of, err := e.column(col)
		if err != nil {
			return nil, err
		}
		return nil, formulaErrorf(ErrNotNumeric, e.src, n, "%s", of.notNumeric())
	}
	return nil, formulaErrorf(ErrNotNumeric, e.src, n, "%s is text, not a number", label(n))
}

// checked refuses values that are neither missing nor finite, or takes NaN for
// missing.
func (e *evaluator) checked(n node, c *column) (*column, error) {
	if e.undefined == takenMissing && slices.ContainsFunc(c.num, math.IsNaN) {
		c.missing, c.complete = slices.Clone(c.missing), false
		for i, v := range c.num {
			c.missing[i] = c.missing[i] || math.IsNaN(v)
		}
	}
	if e.undefined != refused {
		return c, nil
	}
	for i, v := range c.num {
		if v-v != 0 && !c.missing[i] {
			return nil, e.notFinite(n, i, v)
		}
	}
	return c, nil
}

// combine computes arithmetic, and & and | of truth values.
func (e *evaluator) combine(n *binary) (*column, error) {
	x, y, err := e.operands(n, e.number)
	if err != nil {
		return nil, err
	}
	if n.op != "&" && n.op != "|" {
		return e.checked(n, e.arithmetic(n.op, x, y))
	}
	if x.complete && y.complete && x.typ == series.Bool && y.typ == series.Bool {
		return e.pairwise(truthTable, n.op, series.Bool, x, y), nil
	}
	x, y = e.spread(x), e.spread(y)
	decides := indicator(n.op == "|") // the value that decides alone
	return e.same(series.Bool, func(c *column, i int) {
		a, b := indicator(x.num[i] != 0), indicator(y.num[i] != 0)
		switch {
		case !x.missing[i] && a == decides || !y.missing[i] && b == decides:
			c.num[i] = decides
		case x.missing[i] || y.missing[i]:
			c.missing[i] = true
		default:
			c.num[i] = 1 - decides
		}
	}), nil
}

// compare computes a comparison. Text is compared with numbers for equality
// only, as text; text by bytes.
func (e *evaluator) compare(n *binary) (*column, error) {
	x, y, err := e.operands(n, e.evaluate)
	if err != nil {
		return nil, err
	}
	if err := e.comparesTruth(n, x, y); err != nil {
		return nil, err
	}
	asText := x.typ == series.String || y.typ == series.String
	if asText && x.typ != y.typ && n.op != "==" && n.op != "!=" {
		return nil, formulaErrorf(ErrNotNumeric, e.src, n, "%s compares text with numbers, which cannot be ordered", label(n))
	}
	if err := e.checkLevel(n.x, n.y, x); err != nil {
		return nil, err
	}
	if err := e.checkLevel(n.y, n.x, y); err != nil {
		return nil, err
	}
	if x, y, err = e.sameDates(n, x, y); err != nil {
		return nil, err
	}
	asText = asText && (x.typ == series.String || y.typ == series.String)
	switch {
	case !asText && (x.low != nil || y.low != nil):
		return e.comparePairs(n.op, x, y), nil
	case !asText:
		return e.pairwise(compareNumbers, n.op, series.Bool, x, y), nil
	}
	x, y = e.spread(x), e.spread(y)
	return e.same(series.Bool, func(c *column, i int) {
		if c.missing[i] = x.missing[i] || y.missing[i]; !c.missing[i] {
			c.num[i] = indicator(holds(n.op, strings.Compare(x.at(i), y.at(i))))
		}
	}), nil
}

// checkLevel returns an error if numbers are compared with a text that is not a
// number.
func (e *evaluator) checkLevel(of, with node, x *column) error {
	t, ok := stripped(with).(*text)
	if !ok || x.typ == series.String {
		return nil
	}
	if _, err := dotted.number(t.value); x.typ != series.Bool && !err {
		return formulaErrorf(ErrNotNumeric, e.src, with, "%s is a number; it never equals the text %q", label(of), t.value)
	}
	return nil
}

// member computes a %in% c(...).
func (e *evaluator) member(n *binary) (*column, error) {
	x, err := e.evaluate(n.x)
	if err != nil {
		return nil, err
	}
	values, bad := setOf(n.y)
	if bad != nil {
		return nil, formulaErrorf(ErrSyntax, e.src, bad.at, "%s is not a constant", label(bad.at))
	}
	in := make(map[string]bool, len(values))
	for _, v := range values {
		in[v] = true
		switch { // TRUE is 1, and 1 is TRUE
		case x.typ == series.Bool && (v == "1" || v == "0"):
			in[truthText(v == "1")] = true
		case x.typ != series.String && (v == "TRUE" || v == "FALSE"):
			in[formatNumber(indicator(v == "TRUE"))] = true
		}
	}
	return e.same(series.Bool, func(c *column, i int) {
		c.num[i] = indicator(!x.missing[i] && in[x.at(i)])
	}), nil
}

// givesDates reports whether the values of an expression are dates, whatever the rows are.
func (e *evaluator) givesDates(n node) bool {
	switch n := stripped(n).(type) {
	case *text:
		_, ok := isoDays(n.value)
		return ok
	case *name:
		c, err := e.column(n)
		if err != nil {
			return false
		}
		_, ok := c.dates()
		return ok
	}
	f, ok := valueFunctionOf(stripped(n))
	if !ok || f.dates {
		return ok
	}
	c := stripped(n).(*call)
	if c.fn != "ifelse" && c.fn != "case_when" && c.fn != "coalesce" {
		return false
	}
	return !slices.ContainsFunc(branchesOf(c), func(b branch) bool { return !isNA(b.value) && !e.givesDates(b.value) })
}

// apply computes a call.
func (e *evaluator) apply(n *call) (*column, error) {
	if _, ok := summaryFunctions[n.fn]; ok {
		return e.summary(n)
	}
	if f, ok := valueFunctionOf(n); ok {
		return e.callValue(n, f)
	}
	x, err := e.number(n.args[0].value)
	if err != nil {
		return nil, err
	}
	f := mathFunctions[n.fn]
	c := e.same(series.Float, func(c *column, i int) { c.num[i], c.missing[i] = f(x.num[i]), x.missing[i] })
	x.keepLow(c, n.fn)
	return e.checked(n, c)
}

// mask returns a column that marks the rows of the frame in which an expression
// is missing, nil if these are the rows in which one of its columns is.
func (e *evaluator) mask(n node) (*column, error) {
	all := e.onRows(allRows(e.height()))
	all.undefined = kept
	parts := []node{n}
	var levels []string
	if f, ok := n.(*call); ok {
		if isFactorCall(f) {
			o, err := factorArgs(e.src, f)
			if err != nil {
				return nil, err
			}
			parts = o.data
			if levels, err = o.levels(); err != nil {
				return nil, err
			}
		} else if basis, ok := basisFunctions[f.fn]; ok {
			o, err := matchArgs(e.src, f, basis.params)
			if err != nil {
				return nil, err
			}
			parts = o.data
		}
	}
	if levels == nil && !slices.ContainsFunc(parts, stopsMissing) {
		return nil, nil
	}
	m := &column{name: label(n), missing: make([]bool, len(all.rows))}
	for _, part := range parts {
		c, err := all.evaluate(part)
		if err != nil {
			return nil, err
		}
		for i, missing := range c.missing {
			m.missing[i] = m.missing[i] || missing || levels != nil && !slices.Contains(levels, c.at(i))
		}
	}
	m.count = countTrue(m.missing)
	return m, nil
}
