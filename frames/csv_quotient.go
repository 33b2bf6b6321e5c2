package frames

import (
	"math"
	"math/bits"
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
