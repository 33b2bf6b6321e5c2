package frames

import (
	"math"
	"math/bits"
	"strconv"
)

// tensWhole are the powers of ten that 64 bits hold.
var tensWhole = func() (p [20]uint64) {
	p[0] = 1
	for k := 1; k < len(p); k++ {
		p[k] = 10 * p[k-1]
	}
	return p
}()

// decimalQuotient returns the float64 nearest to m/10^k, k at most 19, ties to even: what
// strconv.ParseFloat returns of the number that has these digits. One division of 128 bits
// by 64 leaves 64 bits of the quotient and a remainder, which decide on the rounding.
func decimalQuotient(m uint64, k int) float64 {
	if m == 0 {
		return 0
	}
	d := tensWhole[k]
	up, down := bits.LeadingZeros64(m), bits.LeadingZeros64(d)
	m, d = m<<up, d<<down
	high, low, exponent := m, uint64(0), down-up-64
	if m >= d { // the quotient of the halves is below 1, and at least a half
		high, low, exponent = m>>1, m<<63, exponent+1
	}
	q, r := bits.Div64(high, low, d)
	const dropped, half = 11, 1 << 10
	rest := q & (1<<dropped - 1)
	q >>= dropped
	if rest > half || rest == half && (r != 0 || q&1 == 1) {
		q++
	}
	return float64(q) * math.Float64frombits(uint64(1023+exponent+dropped)<<52)
}

// numberKind is what plainNumber read.
type numberKind int

const (
	notPlain numberKind = iota
	wholeNumber
	decimalNumber
)

var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// plainNumber reads a number of which no report tells: -12, 0.5, 1.5e-3, without plus
// sign, leading zeros, or more digits of an integer than float64 keeps. The result is
// the float64 nearest to it: with 15 digits or fewer by one division of exact numbers
// (Clinger 1990, PLDI), with 19 by decimalQuotient, otherwise by strconv.
func plainNumber(s string) (float64, numberKind) {
	i, n := 0, len(s)
	if n == 0 {
		return 0, notPlain
	}
	negative := s[0] == '-'
	if negative {
		i++
	}
	start := i
	var mantissa uint64
	for i < n && s[i]-'0' < 10 {
		mantissa = mantissa*10 + uint64(s[i]-'0')
		i++
	}
	whole := i - start
	if whole == 0 || whole > 1 && s[start] == '0' {
		return 0, notPlain
	}
	if i == n {
		if whole > 15 {
			return 0, notPlain
		}
		return withSign(negative, float64(mantissa)), wholeNumber
	}
	digits, point := whole, 0
	if s[i] == '.' {
		i++
		from := i
		for i < n && s[i]-'0' < 10 {
			mantissa = mantissa*10 + uint64(s[i]-'0')
			i++
		}
		point = i - from
		if digits += point; point == 0 {
			return 0, notPlain
		}
	}
	if i == n && digits <= 19 && mantissa < 1<<53 && point < len(tens) {
		return withSign(negative, float64(mantissa)/tens[point]), decimalNumber
	}
	if i == n && digits <= 19 && point < len(tensWhole) {
		return withSign(negative, decimalQuotient(mantissa, point)), decimalNumber
	}
	if i < n && !isExponent(s[i:]) {
		return 0, notPlain
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, notPlain
	}
	return v, decimalNumber
}

func withSign(negative bool, v float64) float64 {
	if negative {
		return -v
	}
	return v
}

// isExponent reports whether s is like e-3.
func isExponent(s string) bool {
	i := 1
	if s[0]|0x20 != 'e' {
		return false
	}
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	if i == len(s) {
		return false
	}
	for ; i < len(s); i++ {
		if s[i]-'0' >= 10 {
			return false
		}
	}
	return true
}
