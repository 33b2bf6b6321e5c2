package frames

import (
	"math"

	"github.com/regbook/regbook/mlreg"
)

func indicator(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// holds reports whether a comparison is true of operands whose difference has
// the given sign.
func holds(op string, sign int) bool {
	switch op {
	case "==":
		return sign == 0
	case "!=":
		return sign != 0
	case "<":
		return sign < 0
	case "<=":
		return sign <= 0
	case ">":
		return sign > 0
	}
	return sign >= 0
}

// apply computes a op b.
func apply(op string, a, b float64) float64 {
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "/":
		return a / b
	case "%%":
		return modulo(a, b)
	case "%/%":
		return wholeQuotient(a, b)
	}
	if k := smallPower(b); k > 0 {
		v, _ := mlreg.Power(a, k)
		return v
	}
	return math.Pow(a, b)
}

// isModulo reports whether an operator is R's %% or %/%.
func isModulo(op string) bool { return op == "%%" || op == "%/%" }

// modulo is a - b floor(a/b) of the exact quotient, which has the sign of b; NaN if b is 0.
func modulo(a, b float64) float64 {
	r := math.Mod(a, b)
	if r == 0 || (r < 0) == (b < 0) {
		return r
	}
	if r += b; r == b && !math.IsInf(b, 0) { // r was far below b
		return 0
	}
	return r
}

// wholeQuotient is floor(a/b) of the exact quotient; infinite if b is 0.
func wholeQuotient(a, b float64) float64 {
	r := math.Mod(a, b)
	switch {
	case math.IsNaN(r): // b is 0, or a is infinite
		return a / b
	case math.IsInf(b, 0):
		return -indicator(r != 0 && (r < 0) != (b < 0))
	}
	q := math.Round((a - r) / b) // toward zero
	if r != 0 && (r < 0) != (b < 0) {
		q--
	}
	return q
}

// maxPower is the largest power formed by repeated multiplication.
const maxPower = 64

// smallPower returns k if v is a whole number from 2 to maxPower, else 0.
func smallPower(v float64) int {
	if v >= 2 && v <= maxPower && v == math.Trunc(v) {
		return int(v)
	}
	return 0
}
