package plotting

import "github.com/regbook/regbook/internal/format"

// defaultDigits is the number of significant digits of a table.
const defaultDigits = format.Digits

// Number formats x to the given number of significant digits, without an
// exponent where 1e-4 <= |x| < 1e7 and without trailing zeros: 0.0123, 1234567,
// 1.5e-08. Digits before the point are never rounded away: 1234567.8 to three
// digits is 1234568. Missing values (NaN) are "NA", infinite ones "Inf" and
// "-Inf".
func Number(x float64, digits int) string { return format.Number(x, digits) }

// PValue formats a probability to four decimals, and below 0.0001 as "<0.0001". A
// missing value (NaN) is "NA".
func PValue(p float64) string { return format.PValue(p) }
