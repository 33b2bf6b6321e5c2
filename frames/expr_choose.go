package frames

import (
	"fmt"
	"slices"

	"github.com/go-gota/gota/series"
)

// This file has the functions that choose a value by conditions or by a list: ifelse, case_when,
// coalesce, recode and is.na.

func init() {
	registerValue("is.na", valueFunction{params: []string{"x"}, typ: series.Bool, fills: true, numbers: true, of: func(*options) (compute, error) {
		return func(e *evaluator, x []*column) (*column, error) {
			return e.same(series.Bool, func(c *column, i int) { c.num[i] = indicator(x[0].missing[i]) }), nil
		}, nil
	}})
	registerValue("ifelse", valueFunction{params: []string{"test", "yes", "no"}, fills: true, numbers: true, check: checker.ifelse, kind: (*evaluator).kindOfChoice, value: (*evaluator).choose})
	registerValue("case_when", valueFunction{params: []string{"..."}, fills: true, numbers: true, check: checker.caseWhen, kind: (*evaluator).kindOfChoice, value: (*evaluator).choose})
	registerValue("coalesce", valueFunction{params: []string{"..."}, fills: true, numbers: true, check: checker.coalesce, kind: (*evaluator).kindOfChoice, value: (*evaluator).choose})
	registerValue("recode", valueFunction{params: []string{"x"}, fills: true, check: checker.recode, kind: (*evaluator).kindOfRecode, value: (*evaluator).recode})
}

// ifelse checks ifelse(test, yes, no).
func (c checker) ifelse(n *call) error {
	if len(n.args) != 3 || slices.ContainsFunc(n.args, func(a arg) bool { return a.name != "" }) {
		return c.fail(n, "ifelse takes a condition and two values: ifelse(a > 2, \"high\", \"low\")")
	}
	return c.branches(n)
}

// caseWhen checks case_when(test, value, test, value, ...).
func (c checker) caseWhen(n *call) error {
	if len(n.args) == 0 || len(n.args)%2 == 1 || slices.ContainsFunc(n.args, func(a arg) bool { return a.name != "" }) {
		return c.fail(n, "%s", caseWhenForm)
	}
	return c.branches(n)
}

// coalesce checks coalesce(a, b, ...).
func (c checker) coalesce(n *call) error {
	if len(n.args) < 2 || slices.ContainsFunc(n.args, func(a arg) bool { return a.name != "" }) {
		return c.fail(n, "coalesce takes values, of which it gives the first that is not missing: coalesce(weight, last_weight, 70)")
	}
	return c.branches(n)
}

const caseWhenForm = `case_when takes conditions and values in turn, the last condition TRUE for all other rows: case_when(age < 18, "child", age < 65, "adult", TRUE, "senior")`

func (c checker) branches(n *call) error {
	for _, b := range branchesOf(n) {
		if b.test != nil {
			if err := c.arithmetic(b.test); err != nil {
				return err
			}
		}
		if err := c.comparable(b.value); err != nil {
			return err
		}
	}
	return nil
}

// branch is a value with the condition under which it is taken, if none before it is; nil is always.
type branch struct{ test, value node }

// branchesOf returns the branches of ifelse, case_when and coalesce.
func branchesOf(n *call) []branch {
	var all []branch
	switch n.fn {
	case "ifelse":
		return []branch{{n.args[0].value, n.args[1].value}, {nil, n.args[2].value}}
	case "coalesce":
		for _, a := range n.args {
			missing := &call{n.span, "is.na", []arg{{value: a.value}}}
			all = append(all, branch{&unary{n.span, "!", missing}, a.value})
		}
		return all
	}
	for k := 0; k+1 < len(n.args); k += 2 {
		all = append(all, branch{n.args[k].value, n.args[k+1].value})
	}
	return all
}

// kindOfChoice is text if one of the values is, a truth value if all are, and a number otherwise.
func (e *evaluator) kindOfChoice(n *call) (series.Type, error) {
	var kinds []series.Type
	for _, b := range branchesOf(n) {
		if isNA(b.value) {
			continue
		}
		kind, err := e.kind(b.value)
		if err != nil {
			return "", err
		}
		kinds = append(kinds, kind)
	}
	switch {
	case len(kinds) == 1:
		return kinds[0], nil
	case slices.Contains(kinds, series.String):
		return series.String, nil
	case len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k series.Type) bool { return k != series.Bool }):
		return series.Bool, nil
	}
	return series.Float, nil
}

// choose computes ifelse, case_when and coalesce. The value of a branch is computed only in the rows that take
// it. A missing condition makes ifelse missing, and case_when goes on to the next.
func (e *evaluator) choose(n *call) (*column, error) {
	typ, err := e.kind(n)
	if err != nil {
		return nil, err
	}
	out := blank(typ, e.size())
	out.whole = typ == series.Float
	for i := range out.missing {
		out.missing[i] = true
	}
	open := allRows(e.size()) // those that have no value yet
	for _, b := range branchesOf(n) {
		at := open
		if b.test != nil {
			in := e.onRows(valuesAt(open, e.row))
			test, err := in.number(b.test)
			if err != nil {
				return nil, err
			}
			var rest []int
			at, rest = divided(open, in.spread(test), n.fn == "ifelse")
			open = rest
		}
		if isNA(b.value) {
			continue
		}
		v, err := e.onRows(valuesAt(at, e.row)).evaluate(b.value)
		if err != nil {
			return nil, err
		}
		out.whole = out.whole && v.isWhole()
		for j, i := range at {
			out.take(i, v, j)
		}
	}
	return out, nil
}

// divided returns the values for which a test is true, and the others; those for which it is missing
// are left out if drop is set.
func divided(values []int, test *column, drop bool) (yes, no []int) {
	for j, i := range values {
		switch {
		case !test.missing[j] && test.num[j] != 0:
			yes = append(yes, i)
		case !test.missing[j] || !drop:
			no = append(no, i)
		}
	}
	return yes, no
}

const recodeForm = `recode(city, "NYC" = "New York", LA = "Los Angeles", .default = "other")`

// recoding is what a call of recode says.
type recoding struct {
	x        node
	to       map[string]node // by the old value as text
	olds     []string
	other    node // .default; nil keeps the value
	missings node // .missing; nil keeps it
}

func recodingOf(src string, n *call) (recoding, error) {
	fail := func(at node, format string, args ...any) (recoding, error) {
		return recoding{}, formulaErrorf(ErrSyntax, src, at, format, args...)
	}
	r := recoding{to: make(map[string]node)}
	for k, a := range n.args {
		switch {
		case k == 0 && a.name == "":
			r.x = a.value
		case a.name == "":
			return fail(a.value, "recode takes a column, and new values by the names of the old ones: %s", recodeForm)
		case a.name == ".default":
			r.other = a.value
		case a.name == ".missing":
			r.missings = a.value
		case r.to[a.name] != nil:
			return fail(a.value, "recode has %q twice", a.name)
		default:
			r.to[a.name], r.olds = a.value, append(r.olds, a.name)
		}
	}
	if r.x == nil || len(n.args) < 2 {
		return fail(n, "recode takes a column, and new values by the names of the old ones: %s", recodeForm)
	}
	for _, v := range r.values() {
		switch stripped(v).(type) {
		case *text, *truth:
			continue
		}
		if _, ok := constant(v); !ok && !isNA(v) {
			return fail(v, "a new value of recode is a constant, not %s", label(v))
		}
	}
	return r, nil
}

// values returns the new values.
func (r recoding) values() []node {
	var all []node
	for _, old := range r.olds {
		all = append(all, r.to[old])
	}
	for _, v := range []node{r.other, r.missings} {
		if v != nil {
			all = append(all, v)
		}
	}
	return all
}

func (c checker) recode(n *call) error {
	r, err := recodingOf(c.src, n)
	if err != nil {
		return err
	}
	return c.comparable(r.x)
}

// kindOfRecode is the type of the new values.
func (e *evaluator) kindOfRecode(n *call) (series.Type, error) {
	r, err := recodingOf(e.src, n)
	if err != nil {
		return "", err
	}
	kind := series.Type("")
	for _, v := range r.values() {
		if isNA(v) {
			continue
		}
		k, err := e.kind(v)
		switch {
		case err != nil:
			return "", err
		case kind != "" && kind != k:
			return "", formulaErrorf(ErrSetting, e.src, v, "the new values of recode are %s and %s; they are all of one kind", wordOf(kind), wordOf(k))
		}
		kind = k
	}
	if kind == "" {
		return e.kind(r.x)
	}
	return kind, nil
}

// wordOf names a type.
func wordOf(t series.Type) string {
	switch t {
	case series.String:
		return "text"
	case series.Bool:
		return "TRUE or FALSE"
	}
	return "numbers"
}

// recode computes recode(x, old = new, ...). A value that is not listed stays, which it can if it is
// of the kind of the new ones.
func (e *evaluator) recode(n *call) (*column, error) {
	r, err := recodingOf(e.src, n)
	if err != nil {
		return nil, err
	}
	typ, err := e.kindOfRecode(n)
	if err != nil {
		return nil, err
	}
	x, err := e.evaluate(r.x)
	if err != nil {
		return nil, err
	}
	x = e.spread(x)
	stays := (x.typ == series.String) == (typ == series.String) && (x.typ == series.Bool) == (typ == series.Bool)
	one := e.onRows([]int{0}) // constants have no rows
	news := make(map[node]*column)
	for _, v := range r.values() {
		if isNA(v) {
			continue
		}
		if news[v], err = one.evaluate(v); err != nil {
			return nil, err
		}
	}
	out := blank(typ, e.size())
	for i := range out.missing {
		to := r.to[x.at(i)]
		switch {
		case x.missing[i]:
			to = r.missings
		case to == nil:
			to = r.other
		}
		switch {
		case to != nil && isNA(to), to == nil && x.missing[i]:
			out.missing[i] = true
		case to != nil:
			out.take(i, news[to], 0)
		case stays:
			out.take(i, x, i)
		default:
			return nil, formulaErrorf(ErrSetting, e.src, n, "recode has no new value for %s of row %d, and it is not %s as the others are; list it, or set .default (NA is missing)",
				quotedValue(x, i), e.number1(e.row(i)), wordOf(typ))
		}
	}
	return out, nil
}

// quotedValue is a value as it is written in an expression.
func quotedValue(x *column, i int) string {
	if x.typ == series.String {
		return fmt.Sprintf("%q", x.at(i))
	}
	return x.at(i)
}
