package frames

import (
	"fmt"
	"math"
	"strings"
)

// constant returns the value of an expression of numbers and pi, such as 2*pi.
func constant(n node) (float64, bool) {
	v, _, ok := constantPair(n)
	return v, ok
}

// constantPair is constant with what rounding took from a whole number beyond 2^53.
func constantPair(n node) (num, low float64, ok bool) {
	switch n := n.(type) {
	case *number:
		return n.value, n.low, true
	case *name:
		return math.Pi, 0, n.name == "pi"
	case *paren:
		return constantPair(n.x)
	case *unary:
		num, low, ok := constantPair(n.x)
		if n.op == "-" {
			num, low = -num, -low
		}
		return num, low, ok
	case *binary:
		x, xLow, ok := constantPair(n.x)
		y, yLow, also := constantPair(n.y)
		switch ok = ok && also; n.op {
		case "+", "-", "*":
			num, low = exactly(n.op, x, xLow, y, yLow)
			return num, low, ok
		}
		return apply(n.op, x, y), 0, ok && strings.Contains("/^", n.op)
	}
	return 0, 0, false
}

// real returns an option that is a finite number; given is false, and the value
// 0, if the call does not have it.
func (o *options) real(param string) (v float64, given bool, err error) {
	n := o.args[param]
	if n == nil {
		return 0, false, nil
	}
	v, ok := constant(n)
	if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, true, formulaErrorf(ErrSyntax, o.src, n, "%s of %s is a number, not %s", param, o.call.fn, label(n))
	}
	return v, true, nil
}

// reals returns an option that is one number or c(...) of one or more, nil if
// it is not given.
func (o *options) reals(param string) ([]float64, error) {
	n := o.args[param]
	if n == nil {
		return nil, nil
	}
	elements := []node{n}
	if c, ok := n.(*call); ok && c.fn == "c" {
		elements = nil
		for _, a := range c.args {
			if a.name != "" {
				return nil, formulaErrorf(ErrSyntax, o.src, a.value, "the numbers of c() have no names")
			}
			elements = append(elements, a.value)
		}
	}
	values := make([]float64, len(elements))
	for i, e := range elements {
		v, ok := constant(e)
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, formulaErrorf(ErrSyntax, o.src, e, "%s of %s is a number or numbers such as c(1, 2.5), not %s", param, o.call.fn, label(e))
		}
		values[i] = v
	}
	if len(values) == 0 {
		return nil, formulaErrorf(ErrSyntax, o.src, n, "%s of %s has no numbers", param, o.call.fn)
	}
	return values, nil
}

// integer returns a whole-number option of at least 1, or otherwise if the call
// does not have it.
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
func (o *options) boolean(param string) (bool, error) { return o.booleanOr(param, false) }

// booleanOr returns an option that is TRUE or FALSE, or otherwise if it is not
// given.
func (o *options) booleanOr(param string, otherwise bool) (bool, error) {
	n := o.args[param]
	if n == nil {
		return otherwise, nil
	}
	if v, ok := n.(*truth); ok {
		return v.value, nil
	}
	if v, ok := n.(*name); ok {
		switch strings.ToUpper(v.name) {
		case "TRUE", "T":
			return true, nil
		case "FALSE", "F":
			return false, nil
		}
	}
	advice := ""
	if fn := o.call.fn; fn == "max" || fn == "min" {
		advice = fmt.Sprintf("; %s is of one column, and of two, row by row, it is ifelse(a %s b, a, b)", fn, map[string]string{"max": ">", "min": "<"}[fn])
	}
	return false, formulaErrorf(ErrSyntax, o.src, n, "%s of %s is TRUE or FALSE, not %s%s", param, o.call.fn, label(n), advice)
}
