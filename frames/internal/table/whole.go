package table

import (
	"math"
	"strconv"
)

// A whole number beyond 2^53 is a pair of float64: the nearest one, and what rounding took
// from the number, which is 0 for all numbers that a float64 holds. Pairs are equal if the
// numbers are, and sort as they do, the nearest first.

// Exact is from where on float64 does not hold every whole number.
const Exact = 1 << 53

// SplitInt returns a whole number as a pair.
func SplitInt(v int64) (num, low float64) {
	num = float64(v)
	if -Exact <= v && v <= Exact {
		return num, 0
	}
	return num, float64(v - 2*int64(num/2)) // num is even and may be 2^63
}

// SplitUint returns a whole number as a pair.
func SplitUint(v uint64) (num, low float64) {
	if v <= math.MaxInt64 {
		return SplitInt(int64(v))
	}
	num = float64(v)
	return num, float64(int64(v - 2*uint64(num/2)))
}

// SplitText reads a decimal whole number of up to 64 bits as a pair. It is false for
// other texts.
func SplitText(digits string) (num, low float64, ok bool) {
	if v, err := strconv.ParseInt(digits, 10, 64); err == nil {
		num, low = SplitInt(v)
		return num, low, true
	}
	if v, err := strconv.ParseUint(digits, 10, 64); err == nil {
		num, low = SplitUint(v)
		return num, low, true
	}
	return 0, 0, false
}

// WholeText writes the whole number of a pair whose low is not 0.
func WholeText(num, low float64) string {
	sign := ""
	if num < 0 {
		sign, num, low = "-", -num, -low
	}
	return sign + strconv.FormatUint(2*uint64(num/2)+uint64(int64(low)), 10)
}

// Int returns the number of a pair as an int; it is false for one with a fraction and
// beyond 64 bits.
func Int(num, low float64) (int, bool) {
	const most = 1 << 63
	switch {
	case num != math.Trunc(num) || num < -most || num > most || num == most && low >= 0 || num == -most && low < 0:
		return 0, false
	case low == 0 && math.Abs(num) <= Exact:
		return int(num), true
	}
	return int(2*int64(num/2) + int64(low)), true
}

// Compare returns the sign of the difference of two pairs.
func Compare(num, low, otherNum, otherLow float64) int {
	switch {
	case num < otherNum || num == otherNum && low < otherLow:
		return -1
	case num == otherNum && low == otherLow:
		return 0
	}
	return 1
}

// AppendNumber appends a pair to the values; the caller appends to Missing.
func (c *Column) AppendNumber(num, low float64) {
	if low != 0 && c.Low == nil {
		c.Low = make([]float64, len(c.Num), cap(c.Num))
	}
	c.Num = append(c.Num, num)
	if c.Low != nil {
		c.Low = append(c.Low, low)
	}
}

// Set sets value i to a pair.
func (c *Column) Set(i int, num, low float64) {
	if low != 0 && c.Low == nil {
		c.Low = make([]float64, len(c.Num))
	}
	if c.Num[i] = num; c.Low != nil {
		c.Low[i] = low
	}
}

// LowAt returns what rounding took from value i.
func (c *Column) LowAt(i int) float64 {
	if c.Low == nil {
		return 0
	}
	return c.Low[i]
}

// AppendRow appends value i of a column of the same type.
func (c *Column) AppendRow(from *Column, i int) {
	if from.Num != nil {
		c.AppendNumber(from.Num[i], from.LowAt(i))
	}
	if from.Text != nil {
		c.Text = append(c.Text, from.Text[i])
	}
	c.Missing = append(c.Missing, from.Missing[i])
	if from.Missing[i] {
		c.Count++
	}
}
