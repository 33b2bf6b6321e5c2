package frames

import (
	"encoding/gob"
	"fmt"
	"math"
	"slices"
	"strings"
)

// mathFunctions are the functions of one number; log is the natural logarithm.
var mathFunctions = map[string]func(float64) float64{
	"abs": math.Abs, "cos": math.Cos, "exp": math.Exp, "log": math.Log, "log10": math.Log10,
	"log1p": math.Log1p, "log2": math.Log2, "sin": math.Sin, "sqrt": math.Sqrt,
}

// Basis is a function such as poly that turns a variable into several columns
// by constants learnt on the training rows. The exported fields of a Basis are
// those constants.
type Basis interface {
	// Columns returns what each column's name adds to the text of the term.
	Columns() []string
	// expand returns the columns at the given values.
	expand(x []values) ([][]float64, error)
}

// values are the values of one argument of a basis: numbers, or text if the
// basis takes text.
type values struct {
	num  []float64
	text []string
}

// basisFunction says how a basis is called and fitted. Its first parameters
// take columns of the data, the others constants.
type basisFunction struct {
	params []string // names of the parameters in order, for example x, degree, raw
	data   int      // how many of them take data
	text   bool     // whether the data are text
	fit    func(x []values, o *options) (Basis, error)
}

var basisFunctions = map[string]basisFunction{}

// registerBasis adds a function to the formula language; example is a pointer
// to the type that its fit returns.
func registerBasis(fn string, f basisFunction, example Basis) {
	basisFunctions[fn] = f
	gob.Register(example)
}

// functionNames returns the names of all functions in sorted order.
func functionNames() []string {
	names := []string{"I", "factor"}
	for fn := range mathFunctions {
		names = append(names, fn)
	}
	for fn := range basisFunctions {
		names = append(names, fn)
	}
	slices.Sort(names)
	return names
}

// options are the constants given to a call, by parameter name.
type options struct {
	src  string
	call *call
	args map[string]node
}

// matchArgs assigns the arguments of c to the parameters, by name and then by
// position. The first required parameters must be given.
func matchArgs(src string, c *call, params []string, required int) (*options, error) {
	o := &options{src, c, make(map[string]node, len(c.args))}
	usage := fmt.Sprintf("%s(%s)", c.fn, strings.Join(params, ", "))
	for _, a := range c.args {
		if a.name == "" {
			continue
		}
		if !slices.Contains(params, a.name) {
			return nil, formulaErrorf(ErrSyntax, src, a.value, "%s has no argument %q; it is %s", c.fn, a.name, usage)
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
		for k < len(params) && o.args[params[k]] != nil {
			k++
		}
		if k == len(params) {
			return nil, formulaErrorf(ErrSyntax, src, a.value, "too many arguments for %s", usage)
		}
		o.args[params[k]] = a.value
	}
	for _, p := range params[:required] {
		if o.args[p] == nil {
			return nil, formulaErrorf(ErrSyntax, src, c, "argument %q is missing: %s", p, usage)
		}
	}
	return o, nil
}

func formulaErrorf(kind error, src string, at node, format string, args ...any) error {
	pos, end := at.place()
	return &FormulaError{kind, fmt.Sprintf(format, args...), src, pos, end}
}

// integer returns a whole-number option of at least 1, or otherwise if it is
// not given.
func (o *options) integer(param string, otherwise int) (int, error) {
	n := o.args[param]
	if n == nil {
		return otherwise, nil
	}
	if v, ok := n.(*number); ok && v.value >= 1 && v.value <= 1e6 && v.value == math.Trunc(v.value) {
		return int(v.value), nil
	}
	return 0, formulaErrorf(ErrSyntax, o.src, n, "%s of %s is a whole number of at least 1, not %s", param, o.call.fn, label(n))
}

// boolean returns an option that is TRUE or FALSE, false if it is not given.
func (o *options) boolean(param string) (bool, error) {
	n := o.args[param]
	if n == nil {
		return false, nil
	}
	if v, ok := n.(*name); ok {
		switch strings.ToUpper(v.name) {
		case "TRUE", "T":
			return true, nil
		case "FALSE", "F":
			return false, nil
		}
	}
	return false, formulaErrorf(ErrSyntax, o.src, n, "%s of %s is TRUE or FALSE, not %s", param, o.call.fn, label(n))
}

// checker walks a formula before any data is seen. It checks that every
// function exists and is called as it should be.
type checker struct{ src string }

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
			return c.fail(n, "only 0 and 1 stand alone in a formula, for the intercept; arithmetic goes inside I()")
		}
		return nil
	case *text:
		return c.fail(n, "text is not a term; a column whose name is not a word goes in backquotes")
	case *paren:
		return c.model(n.x)
	case *unary:
		return c.model(n.x)
	case *binary:
		if n.op == "^" {
			if v, ok := n.y.(*number); !ok || v.value < 1 || v.value != math.Trunc(v.value) {
				return c.fail(n.y, "the power of terms is a whole number of at least 1; for arithmetic write I(a^2)")
			}
			return c.model(n.x)
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

// term checks a function call that stands as a term.
func (c checker) term(n *call) error {
	f, isBasis := basisFunctions[n.fn]
	switch {
	case n.fn == "factor":
		_, err := factorArgs(c.src, n)
		return err
	case isBasis:
		o, err := matchArgs(c.src, n, f.params, f.data)
		if err != nil {
			return err
		}
		for _, p := range f.params[:f.data] {
			if f.text {
				if _, ok := o.args[p].(*name); !ok {
					return c.fail(o.args[p], "%s takes the name of a text column", n.fn)
				}
			} else if err := c.arithmetic(o.args[p]); err != nil {
				return err
			}
		}
		return nil
	}
	return c.arithmetic(n)
}

// response checks a left-hand side: a calculation, or a factor.
func (c checker) response(n node) error {
	if f, ok := n.(*call); ok && f.fn == "factor" {
		_, err := factorArgs(c.src, f)
		return err
	}
	return c.arithmetic(n)
}

// arithmetic checks an expression whose value is one number a row.
func (c checker) arithmetic(n node) error {
	switch n := n.(type) {
	case *name:
		if n.name == "." {
			return c.fail(n, "the dot stands for columns as terms; it cannot be part of a calculation")
		}
		return nil
	case *number:
		return nil
	case *text:
		return c.fail(n, "text cannot be calculated with")
	case *paren:
		return c.arithmetic(n.x)
	case *unary:
		return c.arithmetic(n.x)
	case *binary:
		if n.op == ":" {
			return c.fail(n, ": joins terms, not numbers")
		}
		if err := c.arithmetic(n.x); err != nil {
			return err
		}
		return c.arithmetic(n.y)
	case *call:
		if _, ok := mathFunctions[n.fn]; !ok && n.fn != "I" {
			if _, ok := basisFunctions[n.fn]; ok || n.fn == "factor" {
				return c.fail(n, "%s gives columns, not a number; it cannot be part of a calculation", n.fn)
			}
			if n.fn == "offset" {
				return c.fail(n, "there is no offset; subtract it from the response: I(y - a) ~ ...")
			}
			return c.fail(n, "no function %q%s", n.fn, suggest(n.fn, functionNames()))
		}
		if len(n.args) != 1 || n.args[0].name != "" {
			return c.fail(n, "%s takes one number", n.fn)
		}
		return c.arithmetic(n.args[0].value)
	}
	return c.fail(n, "not a number")
}
