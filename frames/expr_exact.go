package frames

import (
	"slices"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

// pairs computes a value for every row from the pairs of two columns.
func (e *evaluator) pairs(typ series.Type, x, y *column, f func(a, aLow, b, bLow float64) (num, low float64)) *column {
	n := e.size()
	c := &column{typ: typ, num: make([]float64, n)}
	c.missing, c.complete = missingOf(x, y, n)
	for i := range n {
		a, aLow := x.value(i)
		b, bLow := y.value(i)
		num, low := f(a, aLow, b, bLow)
		c.set(i, num, low)
	}
	return c
}

// comparePairs is pairwise of compareNumbers for columns that have whole numbers beyond
// 2^53.
func (e *evaluator) comparePairs(op string, x, y *column) *column {
	return e.pairs(series.Bool, x, y, func(a, aLow, b, bLow float64) (float64, float64) {
		if a != a || b != b {
			return indicator(op == "!="), 0
		}
		return indicator(holds(op, table.Compare(a, aLow, b, bLow))), 0
	})
}

// arithmetic computes x op y. Sums, differences, products, remainders and whole quotients of whole
// numbers are exact up to 64 bits, all else is of float64 numbers.
func (e *evaluator) arithmetic(op string, x, y *column) *column {
	if op != "+" && op != "-" && op != "*" && !isModulo(op) || !x.isWhole() || !y.isWhole() {
		return e.pairwise(arithmetic, op, series.Float, x, y)
	}
	if x.low == nil && y.low == nil {
		a, b := *x, *y
		a.temporary, b.temporary = false, false // they may be needed again
		if c := e.pairwise(arithmetic, op, series.Float, &a, &b); !slices.ContainsFunc(c.num, beyond) {
			c.whole = true
			return c
		}
	}
	c := e.pairs(series.Float, x, y, func(a, aLow, b, bLow float64) (float64, float64) { return exactly(op, a, aLow, b, bLow) })
	c.whole = true
	return c
}

// keepLow gives what a function of x computed the digits that whole numbers beyond 2^53
// keep: those of abs, floor, ceiling and trunc.
func (x *column) keepLow(c *column, fn string) {
	if fn != "abs" && fn != "floor" && fn != "ceiling" && fn != "trunc" {
		return
	}
	c.whole = x.isWhole()
	for i := range x.low {
		low := x.low[i]
		if fn == "abs" && x.num[i] < 0 {
			low = -low
		}
		c.set(i, c.num[i], low)
	}
}
