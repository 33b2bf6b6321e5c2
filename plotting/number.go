package plotting

import (
	"math"
	"strconv"
	"strings"

	"github.com/regbook/regbook/plotting/internal/check"
)

// defaultDigits is the number of significant digits of a table.
const defaultDigits = 4

// Number formats x to the given number of significant digits, without an
// exponent where 1e-4 <= |x| < 1e7 and without trailing zeros: 0.0123, 1234567,
// 1.5e-08. What is before the point keeps its digits: 1234567.8 to three of them
// is 1234568. Missing values (NaN) are "NA", infinite ones "Inf" and "-Inf".
func Number(x float64, digits int) string {
	switch {
	case math.IsNaN(x):
		return "NA"
	case math.IsInf(x, 1):
		return "Inf"
	case math.IsInf(x, -1):
		return "-Inf"
	case x == 0:
		return "0"
	}
	digits = max(digits, 1)
	s := strconv.FormatFloat(x, 'e', digits-1, 64)
	e := strings.IndexByte(s, 'e')
	exponent, err := strconv.Atoi(s[e+1:])
	if err != nil || exponent < -4 || exponent >= 7 {
		return trimZeros(s[:e]) + s[e:]
	}
	decimals := max(0, digits-1-exponent)
	return trimZeros(strconv.FormatFloat(x, 'f', decimals, 64))
}

// trimZeros removes zeros, and then a point, from the end of a decimal number.
func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// numbers formats a column: all values with the same number of decimals if
// that shows the largest to the given significant digits and the smallest to
// two, in at most ten characters; each value by itself otherwise. Whole
// numbers are written without decimals.
func numbers(xs []float64, digits int) []string {
	cells := make([]string, len(xs))
	decimals, common := commonDecimals(xs, digits)
	for i, x := range xs {
		if common {
			cells[i] = decimal(x, decimals)
		} else {
			cells[i] = Number(x, digits)
		}
	}
	if common {
		dropCommonZeros(cells, decimals)
	}
	return cells
}

// dropCommonZeros removes the last decimals of numbers that all have the given
// number of them, as long as all end in 0.
func dropCommonZeros(cells []string, decimals int) {
	for ; decimals > 0; decimals-- {
		for _, s := range cells {
			if c := s[len(s)-1]; c >= '1' && c <= '9' {
				return
			}
		}
		for i, s := range cells {
			if strings.HasSuffix(s, "0") {
				cells[i] = strings.TrimSuffix(s[:len(s)-1], ".")
			}
		}
	}
}

// commonDecimals returns the number of decimals that suits all finite values,
// and whether there is one.
func commonDecimals(xs []float64, digits int) (decimals int, ok bool) {
	smallest, largest := math.Inf(1), 0.0
	whole := true
	for _, x := range xs {
		a := math.Abs(x)
		if math.IsNaN(a) || math.IsInf(a, 0) || a == 0 {
			continue
		}
		smallest, largest = math.Min(smallest, a), math.Max(largest, a)
		whole = whole && a == math.Trunc(a)
	}
	if largest == 0 {
		return 0, true
	}
	if whole {
		return 0, largest < 1e15
	}
	order := func(a float64) int { return int(math.Floor(math.Log10(a))) }
	decimals = max(digits-1-order(largest), 1-order(smallest), 0)
	return decimals, decimals <= 8 && max(order(largest), 0)+2+decimals <= 10
}

// decimal formats x with so many decimals; zero has no sign, and what is not
// finite is written as Number does.
func decimal(x float64, decimals int) string {
	if !check.IsFinite(x) {
		return Number(x, 1)
	}
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-") // no -0.00
	}
	return s
}

// PValue formats a probability to four decimals, and below 0.0001 as "<0.0001". A
// missing value (NaN) is "NA".
func PValue(p float64) string {
	if p < 1e-4 {
		return "<0.0001"
	}
	return decimal(p, 4)
}
