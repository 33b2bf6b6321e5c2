package frames

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/mlreg"
)

// mathFunctions are the functions of one number; log is the natural logarithm.
var mathFunctions = map[string]func(float64) float64{
	"abs": math.Abs, "ceiling": math.Ceil, "cos": math.Cos, "exp": math.Exp, "floor": math.Floor, "log": math.Log, "log10": math.Log10,
	"log1p": math.Log1p, "log2": math.Log2, "sign": signum, "sin": math.Sin, "sqrt": math.Sqrt, "trunc": math.Trunc,
}

// signum is -1, 0 or 1.
func signum(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return v
}

// basisFunction is a function such as poly that turns data into several columns
// by constants learned on the training rows. One of fit and fitText is set.
type basisFunction struct {
	// params are the names of the parameters in order, the first of which takes
	// data and the others constants. If the first is "...", all arguments without
	// a name are data.
	params  []string
	fit     func(x [][]float64, o *options) (mlreg.Basis, error)
	fitText func(x []string, o *options) (*mlreg.Words, error)
	// suffixes returns what the names of the columns add to the text of the term;
	// nil is 1, 2 ..., or nothing if there is one column, as in R.
	suffixes func(b mlreg.Basis) []string
}

var basisFunctions = map[string]basisFunction{}

// registerBasis adds a function to the formula language.
func registerBasis(fn string, f basisFunction) { basisFunctions[fn] = f }

// functionNames returns the names of all functions in sorted order.
func functionNames() []string {
	names := append([]string{"I"}, factorFunctions...)
	for fn := range mathFunctions {
		names = append(names, fn)
	}
	for fn := range basisFunctions {
		names = append(names, fn)
	}
	for fn := range valueFunctions {
		names = append(names, fn)
	}
	slices.Sort(names)
	return names
}

// options are the constants in a call, by parameter name.
type options struct {
	src  string
	call *call
	args map[string]node
	data []node // the data for the first parameter or "..."
}

// matchArgs assigns the arguments of c to the parameters, by name and then by
// position. The first parameter must be given; if it is "...", all arguments
// without a name are its.
func matchArgs(src string, c *call, params []string) (*options, error) {
	o := &options{src: src, call: c, args: make(map[string]node, len(c.args))}
	how := usage(c.fn, params)
	for _, a := range c.args {
		if a.name == "" {
			continue
		}
		if a.name == "..." || !slices.Contains(params, a.name) {
			return nil, formulaErrorf(ErrSyntax, src, a.value, "%s has no argument %q%s; it is %s", c.fn, a.name, nearest(a.name, params), how)
		}
		if o.args[a.name] != nil {
			return nil, formulaErrorf(ErrSyntax, src, a.value, "argument %q of %s is given twice", a.name, c.fn)
		}
		o.args[a.name] = a.value
	}
	k := 0
	for _, a := range c.args {
		if a.name != "" {
			continue
		}
		if params[0] == "..." {
			o.data = append(o.data, a.value)
			continue
		}
		for k < len(params) && o.args[params[k]] != nil {
			k++
		}
		if k == len(params) {
			return nil, formulaErrorf(ErrSyntax, src, a.value, "too many arguments for %s", how)
		}
		o.args[params[k]] = a.value
	}
	if x := o.args[params[0]]; x != nil {
		o.data = []node{x}
	}
	if o.data == nil {
		what := fmt.Sprintf("argument %q is missing", params[0])
		if params[0] == "..." {
			what = "a column is missing"
		}
		return nil, formulaErrorf(ErrSyntax, src, c, "%s: %s", what, how)
	}
	return o, nil
}

// usage returns how a function is called.
func usage(fn string, params []string) string { return fn + "(" + strings.Join(params, ", ") + ")" }

func formulaErrorf(kind error, src string, at node, format string, args ...any) error {
	pos, end := at.place()
	return &FormulaError{kind, fmt.Sprintf(format, args...), src, pos, end}
}

// checker walks a formula before any data is seen. It checks that every
// function exists and is called as it should be.
type checker struct {
	src string
	of  expressionOf
}

// expressionOf says what an expression is computed on, and so which functions it may have.
type expressionOf int

const (
	ofTerms  expressionOf = iota // a formula: lag(y, 1:3) is a term
	ofBlocks                     // a row at a time: verbs of a source, and the values that a summary takes
	ofFrame                      // all rows: summaries such as mean(x), and functions such as cumsum(x)
)

func (c checker) fail(at node, format string, args ...any) error {
	return formulaErrorf(ErrSyntax, c.src, at, format, args...)
}

// model checks an expression of terms, where + - * / : ^ join terms.
func (c checker) model(n node) error {
	switch n := n.(type) {
	case *name:
		return nil
	case *number:
		if n.value != 0 && n.value != 1 {
			return c.fail(n, "the only numbers among terms are 0 and 1, for the intercept; put arithmetic inside I()")
		}
		return nil
	case *text:
		return c.fail(n, "text is not a term; put a column name that is not a word in backquotes")
	case *paren:
		return c.model(n.x)
	case *unary:
		if n.op == "!" {
			return c.arithmetic(n)
		}
		return c.model(n.x)
	case *binary:
		if n.op == "^" {
			if v, ok := n.y.(*number); !ok || v.value < 1 || v.value != math.Trunc(v.value) {
				return c.fail(n.y, "the power of terms is a whole number of at least 1; for arithmetic write I(a^2)")
			}
			return c.model(n.x)
		}
		if n.op == "%in%" {
			return c.nesting(n)
		}
		if isModulo(n.op) {
			return c.arithmetic(n)
		}
		if isCondition(n.op) {
			return c.condition(n)
		}
		if err := c.model(n.x); err != nil {
			return err
		}
		return c.model(n.y)
	case *call:
		return c.term(n)
	}
	return c.fail(n, "not a term")
}

// term checks a function call used as a term.
func (c checker) term(n *call) error {
	f, isBasis := basisFunctions[n.fn]
	switch {
	case isFactorCall(n):
		_, err := factorArgs(c.src, n)
		return err
	case isBasis:
		o, err := matchArgs(c.src, n, f.params)
		if err != nil {
			return err
		}
		for _, x := range o.data {
			_, isName := x.(*name)
			switch {
			case f.fitText == nil:
				err = c.arithmetic(x)
			case !isName:
				err = c.fail(x, "%s takes the name of a text column", n.fn)
			}
			if err == nil && f.params[0] == "..." && len(columnNames(x)) == 0 {
				err = c.fail(x, "%s is not a column; arguments of %s other than columns are named: %s", label(x), n.fn, usage(n.fn, f.params))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return c.arithmetic(n)
}

// response checks a left-hand side: a calculation, or a factor.
func (c checker) response(n node) error {
	if f, ok := n.(*call); ok && isFactorCall(f) {
		_, err := factorArgs(c.src, f)
		return err
	}
	if f, ok := n.(*call); ok && f.fn == "cbind" {
		return c.counts(f)
	}
	return c.arithmetic(n)
}

// arithmetic checks an expression whose value is one number, or one of TRUE and
// FALSE, a row.
func (c checker) arithmetic(n node) error {
	switch n := n.(type) {
	case *name:
		if n.name == "." {
			return c.fail(n, "the dot stands for terms; it cannot be part of a calculation")
		}
		return nil
	case *number, *truth:
		return nil
	case *text:
		if _, date := isoDays(n.value); date {
			return nil
		}
		return c.fail(n, "text cannot be used in arithmetic")
	case *paren:
		return c.arithmetic(n.x)
	case *unary:
		return c.arithmetic(n.x)
	case *binary:
		check := c.arithmetic
		switch {
		case n.op == ":":
			return c.fail(n, ": joins terms, not numbers")
		case n.op == "%in%":
			return c.membership(n)
		case slices.Contains(comparisons, n.op):
			check = c.comparable
		}
		if err := check(n.x); err != nil {
			return err
		}
		return check(n.y)
	case *call:
		if f, ok := summaryFunctions[n.fn]; ok && c.of == ofFrame {
			return c.summary(n, f)
		}
		if f, ok := valueFunctionOf(n); ok && (c.of != ofTerms || n.fn != "lag") {
			return c.value(n, f)
		}
		return c.ofOneNumber(n)
	}
	return c.fail(n, "not a number")
}

// ofOneNumber checks a call of log(x) and its likes.
func (c checker) ofOneNumber(n *call) error {
	_, known := mathFunctions[n.fn]
	_, basis := basisFunctions[n.fn]
	one := len(n.args) == 1
	switch {
	case known || n.fn == "I":
	case basis || isFactorCall(n):
		return c.fail(n, "%s gives columns, not a number; it cannot be part of a calculation", n.fn)
	case n.fn == "offset":
		return c.fail(n, "offset(a) takes one number, and stands among the terms, after a plus sign: y ~ b + offset(log(a))")
	case n.fn == "cbind":
		return c.fail(n, "cbind(yes, no) is a response of counts, on the left side")
	default:
		return c.fail(n, "%s", c.noFunction(n))
	}
	switch {
	case one && n.args[0].name == "":
		return c.arithmetic(n.args[0].value)
	case one:
		return c.fail(n, "%s takes one number; the comparison is ==", n.fn)
	case n.fn == "log" && len(n.args) == 2:
		return c.fail(n, "log takes one number, and is natural; there are log2(a) and log10(a), and for a base b I(log(a)/log(b))")
	}
	return c.fail(n, "%s takes one number", n.fn)
}

// suggestFunction is suggest for a function that does not exist. With a blank
// before its parenthesis it may be a column such as "size (cm)".
func (c checker) suggestFunction(n *call) string {
	if text := c.src[n.pos:n.end]; strings.HasPrefix(text, n.fn+" ") {
		return fmt.Sprintf("; a column of this name is written %s, in backquotes", quote(text, '`'))
	}
	names := functionNames()
	if c.of == ofFrame {
		names = append(names, slices.Sorted(maps.Keys(summaryFunctions))...)
	}
	fn := n.fn
	if _, after, dotted := strings.Cut(fn, "."); dotted && slices.Contains(names, after) { // np.log
		fn = after
	}
	return suggest(fn, names)
}
