package frames

import (
	"math"
	"math/bits"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

// This file keeps whole numbers beyond 2^53 whole. Such a number is a pair, num + low, of
// the float64 nearest to it and of what rounding took (see table.SplitInt); the column low
// is nil in columns that have none, which are computed as float64 numbers.

// beyond reports whether a float64 may be a rounded whole number.
func beyond(v float64) bool { return math.Abs(v) >= table.Exact }

// value returns value i of a column, or a constant, as a pair.
func (c *column) value(i int) (num, low float64) {
	if c.scalar {
		i = 0
	}
	if c.low != nil {
		low = c.low[i]
	}
	return c.num[i], low
}

// set sets value i to a pair.
func (c *column) set(i int, num, low float64) {
	c.num[i] = num
	switch {
	case c.low != nil:
		c.low[i] = low
	case low != 0:
		c.low = make([]float64, len(c.num))
		c.low[i] = low
	}
}

// allLow returns what rounding took from every number.
func (c *column) allLow() []float64 {
	if c.low == nil {
		return make([]float64, len(c.num))
	}
	return c.low
}

// lowFrom takes what rounding took from the integers of a series to the numbers of the
// column, from a row of the series on.
func (c *column) lowFrom(s series.Series, start int) {
	c.low = nil
	for i, v := range c.num {
		if !beyond(v) {
			continue
		}
		if whole, err := s.Elem(start + i).Int(); err == nil {
			num, low := table.SplitInt(int64(whole))
			c.set(i, num, low)
		}
	}
}

// isWhole reports whether a column has whole numbers by its type, or is computed from such
// columns by +, - and *.
func (c *column) isWhole() bool {
	return c.whole || c.typ == series.Int || c.typ == series.Bool
}

// exactText writes a pair as formatNumber does a number, and -0 as 0, which it equals.
func exactText(num, low float64) string {
	if low != 0 {
		return table.WholeText(num, low)
	}
	return formatNumber(num + 0)
}

// exactly computes x op y of whole numbers. What is beyond 64 bits is a float64 number.
func exactly(op string, x, xLow, y, yLow float64) (num, low float64) {
	a, isA := table.Int(x, xLow)
	b, isB := table.Int(y, yLow)
	if isA && isB {
		if v, ok := wholeResult(op, int64(a), int64(b)); ok {
			return table.SplitInt(v)
		}
	}
	return apply(op, x, y), 0
}

// wholeResult computes a op b; it is false beyond 64 bits.
func wholeResult(op string, a, b int64) (int64, bool) {
	switch op {
	case "+":
		sum := a + b
		return sum, (sum > a) == (b > 0)
	case "-":
		difference := a - b
		return difference, (difference < a) == (b > 0)
	case "%%", "%/%":
		return wholeModulo(op, a, b)
	}
	high, product := bits.Mul64(size(a), size(b))
	negative := (a < 0) != (b < 0)
	switch {
	case high != 0 || product > 1<<63 || product == 1<<63 && !negative:
		return 0, false
	case negative:
		return -int64(product), true
	}
	return int64(product), true
}

// wholeModulo computes a %% b or a %/% b; it is false for a b of 0 and beyond 64 bits.
func wholeModulo(op string, a, b int64) (int64, bool) {
	if b == 0 || a == math.MinInt64 && b == -1 {
		return 0, false
	}
	quotient, rest := a/b, a%b
	if rest != 0 && (rest < 0) != (b < 0) {
		quotient, rest = quotient-1, rest+b
	}
	if op == "%%" {
		return rest, true
	}
	return quotient, true
}

// size returns |v|.
func size(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// int128 is a whole number of 128 bits, in two's complement.
type int128 struct{ high, low uint64 }

func (t *int128) add(v int128) {
	var carry uint64
	t.low, carry = bits.Add64(t.low, v.low, 0)
	t.high, _ = bits.Add64(t.high, v.high, carry)
}

// int128Of returns the number of a pair; it is false for one with a fraction and beyond 2^100.
func int128Of(num, low float64) (int128, bool) {
	if num != math.Trunc(num) || low != math.Trunc(low) || !(math.Abs(num) < 1<<100) {
		return int128{}, false
	}
	var t int128
	for _, v := range []float64{num, low} {
		f, exp := math.Frexp(math.Abs(v))
		m := uint64(f * table.Exact) // exp bits less 53 are to follow
		part := int128{low: m}
		switch shift := exp - 53; {
		case shift >= 64:
			part = int128{high: m << (shift - 64)}
		case shift > 0:
			part = int128{high: m >> (64 - shift), low: m << shift}
		case shift < 0:
			part.low = m >> -shift
		}
		if v < 0 {
			part = part.negative()
		}
		t.add(part)
	}
	return t, true
}

func (t int128) negative() int128 {
	low, borrow := bits.Sub64(0, t.low, 0)
	high, _ := bits.Sub64(0, t.high, borrow)
	return int128{high, low}
}

// pair returns the number as a pair, rounded to a float64 number if it is beyond 64 bits.
func (t int128) pair() (num, low float64) {
	switch {
	case t.high == 0 && t.low <= math.MaxInt64, t.high == math.MaxUint64 && t.low > math.MaxInt64:
		return table.SplitInt(int64(t.low))
	case int64(t.high) < 0:
		num, _ := t.negative().pair()
		return -num, 0
	}
	return math.Ldexp(float64(t.high), 64) + float64(t.low), 0
}

// runningSum is a sum of float64 numbers with Neumaier's compensation (1974, ZAMM 54:39-51), to
// which whole numbers beyond 2^53 are added exactly.
type runningSum struct {
	sum, low float64
	long     int128
	hasLong  bool
}

// add adds a pair.
func (t *runningSum) add(v, low float64) {
	if low != 0 {
		if whole, ok := int128Of(v, low); ok {
			t.long.add(whole)
			t.hasLong = true
			return
		}
	}
	t.addFloat(v)
}

// addFloat adds a float64 number.
func (t *runningSum) addFloat(v float64) {
	s := t.sum + v
	if math.Abs(t.sum) >= math.Abs(v) {
		t.low += (t.sum - s) + v
	} else {
		t.low += (v - s) + t.sum
	}
	t.sum = s
}

// pair returns the sum as a pair, which is that of a whole number if all terms are whole.
func (t *runningSum) pair() (num, low float64) {
	num = t.sum + t.low
	if num-num != 0 { // infinite
		return t.sum, 0
	}
	low = t.low - (num - t.sum)
	if !t.hasLong {
		return num, low
	}
	rest, ok := int128Of(num, low)
	if !ok { // with a fraction
		long, longLow := t.long.pair()
		return long + (longLow + num), 0
	}
	rest.add(t.long)
	return rest.pair()
}

// float returns the sum as a float64 number.
func (t *runningSum) float() float64 {
	num, low := t.pair()
	return num + low
}

// mean returns the sum divided by n.
func (t *runningSum) mean(n float64) float64 {
	num, low := t.pair()
	q := num / n
	if !t.hasLong {
		return q
	}
	if rest := math.FMA(-q, n, num) + low; rest-rest == 0 {
		return q + rest/n
	}
	return q
}
