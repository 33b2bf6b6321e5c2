package frames

import (
	"math"
	"slices"

	"github.com/go-gota/gota/series"
)

// Conditions follow R: a comparison with a missing value is missing, but
// FALSE & NA is FALSE, TRUE | NA is TRUE, and %in% and is.na are never missing.
// This file reads and checks them, expr_evaluate.go computes them.

var comparisons = []string{"==", "!=", "<=", ">=", "<", ">"}

// isCondition reports whether an operator gives TRUE or FALSE.
func isCondition(op string) bool {
	return op == "%in%" || op == "&" || op == "|" || op == "!" || slices.Contains(comparisons, op)
}

// isTruth reports whether an expression is a condition by its form.
func isTruth(n node) bool {
	switch n := stripped(n).(type) {
	case *truth:
		return true
	case *unary:
		return n.op == "!"
	case *binary:
		return isCondition(n.op)
	case *call:
		return n.fn == "is.na" || n.fn == "grepl"
	}
	return false
}

// stripped removes the parentheses and I() around an expression.
func stripped(n node) node {
	for {
		switch v := n.(type) {
		case *paren:
			n = v.x
			continue
		case *call:
			if v.fn == "I" && len(v.args) == 1 {
				n = v.args[0].value
				continue
			}
		}
		return n
	}
}

// isNA reports whether an expression is NA, the missing value that ifelse gives.
func isNA(n node) bool {
	v, ok := stripped(n).(*name)
	return ok && v.name == "NA"
}

// stopsMissing reports whether an expression may have a value where one of its
// columns is missing.
func stopsMissing(n node) bool {
	if b, ok := n.(*binary); ok && (b.op == "&" || b.op == "|" || b.op == "%in%") {
		return true
	}
	f, _ := valueFunctionOf(n)
	return f.fills || slices.ContainsFunc(operands(n), stopsMissing)
}

// condition checks a condition used as a term.
func (c checker) condition(n *binary) error {
	if n.op == "|" && !(isTruth(n.x) && isTruth(n.y)) {
		return c.fail(n, "| as a term is a random effect in lme4, which formulas do not have; for the condition write I(%s)", label(n))
	}
	return c.arithmetic(n)
}

// nesting checks a %in% b between terms.
func (c checker) nesting(n *binary) error {
	if err := c.set(n.y); err == nil {
		return c.fail(n, "as a term, %%in%% nests terms; for a test of membership write I(%s)", label(n))
	}
	if err := c.model(n.x); err != nil {
		return err
	}
	return c.model(n.y)
}

// comparable checks an operand that may be text.
func (c checker) comparable(n node) error {
	if _, ok := stripped(n).(*text); ok {
		return nil
	}
	if f, ok := stripped(n).(*call); ok && isFactorCall(f) && len(f.args) > 0 {
		return c.fail(n, "a comparison takes the column itself, %s, not the factor of it", label(f.args[0].value))
	}
	return c.arithmetic(n)
}

// membership checks a %in% c(...).
func (c checker) membership(n *binary) error {
	if err := c.comparable(n.x); err != nil {
		return err
	}
	return c.set(n.y)
}

// set checks the right side of %in%.
func (c checker) set(n node) error {
	_, err := setOf(n)
	if err != nil {
		return c.fail(err.at, "a set of %%in%% lists texts and numbers, such as c(\"a\", \"b\") or 1:3, not %s", label(err.at))
	}
	return nil
}

// notConstant is the part of a set that is not a constant.
type notConstant struct{ at node }

// maxSet bounds the number of values in a range such as 1:3.
const maxSet = 100_000

// setOf returns the values of a set such as c("a", "b") or c(1:3, 7) as text.
func setOf(n node) ([]string, *notConstant) {
	switch n := n.(type) {
	case *paren:
		return setOf(n.x)
	case *text:
		return []string{n.value}, nil
	case *truth:
		return []string{truthText(n.value)}, nil
	case *call:
		if n.fn != "c" || len(n.args) == 0 {
			return nil, &notConstant{n}
		}
		var all []string
		for _, a := range n.args {
			values, bad := setOf(a.value)
			if bad == nil && a.name != "" {
				bad = &notConstant{n}
			}
			if bad != nil {
				return nil, bad
			}
			all = append(all, values...)
		}
		return all, nil
	case *binary:
		if n.op != ":" {
			break
		}
		from, low, ok := constantPair(n.x)
		to, toLow, also := constantPair(n.y)
		width, _ := exactly("-", to, toLow, from, low)
		if !ok || !also || !(math.Abs(width) < maxSet) {
			return nil, &notConstant{n}
		}
		step := math.Copysign(1, width)
		var all []string
		for k := range int(math.Abs(width)+1e-10) + 1 {
			all = append(all, exactText(exactly("+", from, low, step*float64(k), 0)))
		}
		return all, nil
	}
	if v, low, ok := constantPair(n); ok && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return []string{exactText(v, low)}, nil
	}
	return nil, &notConstant{n}
}

// comparesTruth returns an error for a condition that is compared with a text that
// no condition is, such as "true", which R answers with FALSE in every row.
func (e *evaluator) comparesTruth(n *binary, x, y *column) error {
	for _, side := range []struct {
		c     *column
		a, of node
	}{{x, n.y, n.x}, {y, n.x, n.y}} {
		t, ok := stripped(side.a).(*text)
		if ok && side.c.typ == series.Bool && t.value != truthText(true) && t.value != truthText(false) {
			return formulaErrorf(ErrLevel, e.src, side.a, "%s is TRUE or FALSE, never %q", label(side.of), t.value)
		}
	}
	return nil
}
