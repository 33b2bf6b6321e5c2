package frames

import (
	"math"

	"github.com/go-gota/gota/series"
)

// arithmetic computes a op b, element by element.
func arithmetic(op string, out, a, b []float64) {
	b = b[:len(a)]
	out = out[:len(a)]
	switch op {
	case "+":
		for i, v := range a {
			out[i] = v + b[i]
		}
	case "-":
		for i, v := range a {
			out[i] = v - b[i]
		}
	case "*":
		for i, v := range a {
			out[i] = v * b[i]
		}
	case "/":
		for i, v := range a {
			out[i] = v / b[i]
		}
	default:
		for i, v := range a {
			out[i] = apply(op, v, b[i])
		}
	}
}

// compareNumbers sets out to 1 where the comparison is true and to 0 elsewhere.
func compareNumbers(op string, out, a, b []float64) {
	b = b[:len(a)]
	out = out[:len(a)]
	switch op {
	case "==":
		for i, v := range a {
			out[i] = bit(v == b[i])
		}
	case "!=":
		for i, v := range a {
			out[i] = bit(v != b[i])
		}
	case "<":
		for i, v := range a {
			out[i] = bit(v < b[i])
		}
	case "<=":
		for i, v := range a {
			out[i] = bit(v <= b[i])
		}
	case ">":
		for i, v := range a {
			out[i] = bit(v > b[i])
		}
	default:
		for i, v := range a {
			out[i] = bit(v >= b[i])
		}
	}
}

// truthTable computes & and | of 1 and 0.
func truthTable(op string, out, a, b []float64) {
	b = b[:len(a)]
	out = out[:len(a)]
	if op == "&" {
		for i, v := range a {
			out[i] = v * b[i]
		}
		return
	}
	for i, v := range a {
		out[i] = max(v, b[i])
	}
}

// pairwise computes x op y. A constant is spread over one block at a time.
func (e *evaluator) pairwise(kernel func(op string, out, a, b []float64), op string, typ series.Type, x, y *column) *column {
	n := e.size()
	c := &column{typ: typ, temporary: true}
	switch {
	case x.temporary:
		c.num = x.num
	case y.temporary:
		c.num = y.num
	default:
		c.num = e.results(n)
	}
	c.missing, c.complete = missingOf(x, y, n)
	if !x.scalar && !y.scalar {
		kernel(op, c.num, x.num, y.num)
		return c
	}
	const block = 512
	var left, right [block]float64
	for i := range block {
		if x.scalar {
			left[i] = x.num[0]
		}
		if y.scalar {
			right[i] = y.num[0]
		}
	}
	for from := 0; from < n; from += block {
		to := min(n, from+block)
		a, b := left[:to-from], right[:to-from]
		if !x.scalar {
			a = x.num[from:to]
		}
		if !y.scalar {
			b = y.num[from:to]
		}
		kernel(op, c.num[from:to], a, b)
	}
	return c
}

// missingOf returns where x or y is missing, and whether neither is anywhere.
func missingOf(x, y *column, n int) ([]bool, bool) {
	switch {
	case x.scalar && y.scalar:
		return make([]bool, n), true
	case y.complete && !x.scalar:
		return x.missing, x.complete
	case x.complete:
		return y.missing, y.complete
	}
	return either(x.missing, y.missing), false
}

// operands computes both sides of an operator; a number is left a constant.
func (e *evaluator) operands(n *binary, compute func(node) (*column, error)) (x, y *column, err error) {
	side := func(n node) (*column, error) {
		if v, ok := stripped(n).(*number); ok {
			return v.constant(), nil
		}
		return compute(n)
	}
	if x, err = side(n.x); err == nil {
		y, err = side(n.y)
	}
	return x, y, err
}

// spread returns a column with a value for every row.
func (e *evaluator) spread(c *column) *column {
	if !c.scalar {
		return c
	}
	out := e.same(c.typ, func(out *column, i int) { num, low := c.value(0); out.set(i, num, low) })
	out.whole = c.whole
	return out
}

// constant returns a number as a column of one value for all rows.
func (n *number) constant() *column {
	c := &column{typ: series.Float, num: make([]float64, 1), missing: []bool{false}, complete: true, scalar: true, whole: n.value == math.Trunc(n.value)}
	c.set(0, n.value, n.low)
	return c
}

// bit is indicator without a jump, which random data would mispredict.
func bit(v bool) float64 {
	var u uint64
	if v {
		u = 1
	}
	return math.Float64frombits(u * 0x3ff0000000000000)
}

// either marks the rows that a or b marks.
func either(a, b []bool) []bool {
	out := make([]bool, len(a))
	for i, v := range a {
		out[i] = v || b[i]
	}
	return out
}
