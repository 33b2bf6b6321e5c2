package frames

import (
	"slices"

	"github.com/go-gota/gota/series"
)

// valueFunction is a function that gives one value for every row, such as toupper(a). Formulas,
// verbs and sources find it in valueFunctions; what computes it is the same for all of them.
type valueFunction struct {
	params []string
	data   []string // the parameters that take expressions; the others take constants
	least  int      // how many of params must be given
	// of reads the constants of a call and returns what computes its values.
	of func(o *options) (compute, error)
	// typ is the type of the values; "" is that of kind.
	typ  series.Type
	kind func(e *evaluator, n *call) (series.Type, error)
	// check and value stand in for of, where a function takes no columns of values.
	check func(c checker, n *call) error
	value func(e *evaluator, n *call) (*column, error)
	// fills says that a value may be there where one of its arguments is missing.
	fills bool
	// dates says that its values are dates, as those of floor_date are.
	dates bool
	// numbers says that dates among its arguments are numbers of days.
	numbers bool
	// numeric says that its arguments are numbers, dates among them days.
	numeric bool
	// order says that the value of a row depends on other rows.
	order bool
}

// compute returns the values of a call of the values of its arguments, in the order of params.
type compute func(e *evaluator, x []*column) (*column, error)

// valueFunctions has every valueFunction by name; init functions fill it.
var valueFunctions = map[string]valueFunction{}

// registerValue adds a function to the formula language.
func registerValue(fn string, f valueFunction) {
	if f.data == nil && f.params != nil {
		f.data = f.params[:1]
	}
	f.least = max(f.least, 1)
	valueFunctions[fn] = f
}

// valueFunctionOf returns the function that a node calls.
func valueFunctionOf(n node) (valueFunction, bool) {
	c, ok := n.(*call)
	if !ok {
		return valueFunction{}, false
	}
	if _, columns := writtenLag(c); columns { // of a formula
		return valueFunction{}, false
	}
	f, ok := valueFunctions[c.fn]
	return f, ok
}

// options matches the arguments of a call.
func (f valueFunction) options(src string, n *call) (*options, error) {
	o, err := matchArgs(src, n, f.params)
	if err != nil {
		return nil, err
	}
	for _, p := range f.params[:f.least] {
		if p != "..." && o.args[p] == nil {
			return nil, formulaErrorf(ErrSyntax, src, n, "argument %q is missing: %s", p, usage(n.fn, f.params))
		}
	}
	if f.params[0] == "..." {
		return o, nil
	}
	o.data = nil
	for _, p := range f.data {
		if x := o.args[p]; x != nil {
			o.data = append(o.data, x)
		}
	}
	return o, nil
}

// expressions returns the arguments of a call that are expressions.
func (f valueFunction) expressions(n *call) []node {
	switch n.fn {
	case "ifelse", "case_when", "coalesce":
		return operands(n)
	case "recode":
		if len(n.args) == 0 {
			return nil
		}
		return []node{n.args[0].value}
	}
	o, err := f.options("", n)
	if err != nil {
		return nil // refused when the expression was checked
	}
	return o.data
}

// value checks a call of a valueFunction.
func (c checker) value(n *call, f valueFunction) error {
	if f.order && c.of != ofFrame {
		return c.fail(n, "%s looks at other rows, which formulas, sources and the values of a summary do not; make a column of a frame of it first, by With or GroupBy(...).With", n.fn)
	}
	if f.check != nil {
		return f.check(c, n)
	}
	o, err := f.options(c.src, n)
	if err != nil {
		return err
	}
	for _, x := range o.data {
		check := c.comparable
		if f.numeric {
			check = c.arithmetic
		}
		if err := check(x); err != nil {
			return err
		}
	}
	_, err = f.of(o)
	return err
}

// callValue computes a call of a valueFunction.
func (e *evaluator) callValue(n *call, f valueFunction) (*column, error) {
	if !f.order {
		return e.valueOf(n, f)
	}
	all, err := e.inOrder(n)
	if err != nil {
		return nil, err
	}
	v, err := all.valueOf(n, f)
	if err != nil || e.whole && e.block == nil {
		return v, err
	}
	c := e.same(v.typ, func(c *column, i int) { c.take(i, v, e.row(i)) })
	c.whole, c.notDates = v.whole, v.notDates
	return c, nil
}

// valueOf is callValue on the rows of the evaluator.
func (e *evaluator) valueOf(n *call, f valueFunction) (*column, error) {
	if f.value != nil {
		return f.value(e, n)
	}
	o, err := f.options(e.src, n)
	if err != nil {
		return nil, err
	}
	do, err := f.of(o)
	if err != nil {
		return nil, err
	}
	x := make([]*column, len(o.data))
	for k, at := range o.data {
		operand := e.evaluate
		if f.numeric {
			operand = e.number
		}
		if x[k], err = operand(at); err != nil {
			return nil, err
		}
		x[k] = e.spread(x[k])
	}
	return do(e, x)
}

// anyMissing reports whether one of the values of a row is missing.
func anyMissing(x []*column, i int) bool {
	return slices.ContainsFunc(x, func(c *column) bool { return c.missing[i] })
}

// kindOfFirst is the type of a function whose values are those of its argument x.
func kindOfFirst(e *evaluator, n *call) (series.Type, error) {
	o, err := valueFunctions[n.fn].options(e.src, n)
	if err != nil {
		return "", err
	}
	return e.kind(o.data[0])
}

// text returns an option that is a text, or otherwise if the call does not have it.
func (o *options) text(param, otherwise string) (string, error) {
	n := o.args[param]
	if n == nil {
		return otherwise, nil
	}
	if t, ok := stripped(n).(*text); ok {
		return t.value, nil
	}
	return "", formulaErrorf(ErrSyntax, o.src, n, "%s of %s is a text in quotes, not %s", param, o.call.fn, label(n))
}

// whole returns an option that is a whole number, or otherwise if the call does not have it.
func (o *options) whole(param string, otherwise int) (int, error) {
	v, given, err := o.real(param)
	switch {
	case err != nil:
		return 0, err
	case !given:
		return otherwise, nil
	case v != float64(int(v)):
		return 0, formulaErrorf(ErrSyntax, o.src, o.args[param], "%s of %s is a whole number, not %s", param, o.call.fn, label(o.args[param]))
	}
	return int(v), nil
}

// among returns an option that is one of a list of texts, the first if the call does not have it.
func (o *options) among(param string, list ...string) (string, error) {
	v, err := o.text(param, list[0])
	if err == nil && !slices.Contains(list, v) {
		err = formulaErrorf(ErrSyntax, o.src, o.args[param], "%s of %s is one of %q, not %q", param, o.call.fn, list, v)
	}
	return v, err
}
