// Package limit is the bound on what a call makes of a number that it is given: rows to
// divide, columns to make, numbers of a matrix. Data that are in memory have no bound.
package limit

import (
	"fmt"
	"math"
)

// Numbers is how many numbers a result takes at most: 2^28, two gigabytes of float64.
const Numbers = 1 << 28

// Exceeded tells whether a result is larger. A product of sizes is given as one of float64,
// which cannot overflow to a small number.
func Exceeded(numbers float64) bool { return !(numbers <= Numbers) }

// Text says what is too large, how large it is, and what to do.
func Text(what string, numbers float64, instead string) string {
	size := fmt.Sprintf("%.3g numbers (%.3g GB)", numbers, numbers*8/1e9)
	if math.IsNaN(numbers) || math.IsInf(numbers, 0) {
		size = "more numbers than can be counted"
	}
	return fmt.Sprintf("%s takes %s, and at most 2^28 are made; %s", what, size, instead)
}

// Columns is how many columns a basis has, or candidates a grid, at most: 2^17.
const Columns = 1 << 17
