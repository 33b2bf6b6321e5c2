package format

import (
	"fmt"
	"math"
	"strings"
)

// Percent writes a level: 95%.
func Percent(level float64) string { return Number(100*level, 6) + "%" }

// PEquals writes "p = 0.0123" or "p < 0.0001".
func PEquals(p float64) string {
	if s := PValue(p); s[0] == '<' {
		return "p < " + s[1:]
	}
	return "p = " + PValue(p)
}

// PowerAbove returns the power of ten at or above x: a bound on what is only
// rounding, whose digits mean nothing.
func PowerAbove(x float64) string {
	if !(x > 0) || math.IsInf(x, 1) {
		return Number(x, 1)
	}
	return fmt.Sprintf("1e%d", int(math.Ceil(math.Log10(x))))
}

// AtLeastRounding is PowerAbove, but not less than 1e-10: what is below differs
// from processor to processor.
func AtLeastRounding(x float64) string { return PowerAbove(math.Max(x, 1e-10)) }

// CoarseBound returns one of 1e-12, 1e-9, ... that is not below x: rounding
// errors differ between processors.
func CoarseBound(x float64) string {
	if !(x < 1) {
		return Number(x, 1)
	}
	return fmt.Sprintf("1e%d", 3*int(math.Ceil(math.Log10(math.Max(x, 1e-12))/3)))
}

// Brackets writes some numbers in brackets.
func Brackets(v []float64) string {
	return "[" + strings.Join(Numbers(v, Digits), ", ") + "]"
}
