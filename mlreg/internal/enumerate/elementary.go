package enumerate

import "math"

// Logarithm and exponential to base 2 for many arguments that are normal
// numbers: a table of 128 entries and a Taylor polynomial on what remains, a
// few roundings in all. The standard library's take three times as long.
const (
	tableBits = 7
	tableSize = 1 << tableBits

	fractionBits = 52
	fractionMask = 1<<fractionBits - 1
	bias         = 1023

	// round added to x leaves x rounded to a multiple of 1/tableSize in the
	// low bits of the sum.
	round = 3 << (fractionBits - 1 - tableBits)
)

// Coefficients of log2(1+r), |r| <= 1/256, and of 2^f - 1, |f| <= 1/256.
const (
	l1 = 1 / math.Ln2
	l2 = -l1 / 2
	l3 = l1 / 3
	l4 = -l1 / 4
	l5 = l1 / 5
	l6 = -l1 / 6

	e1 = math.Ln2
	e2 = e1 * math.Ln2 / 2
	e3 = e2 * math.Ln2 / 3
	e4 = e3 * math.Ln2 / 4
	e5 = e4 * math.Ln2 / 5
)

// logEntry is for mantissas near c: 1/c and log2 c.
type logEntry struct{ center, inverse, log float64 }

var (
	logTable [tableSize]logEntry
	expTable [tableSize]uint64 // bits of 2^(j/128)
)

func init() {
	for j := range tableSize {
		c := 1 + (float64(j)+0.5)/tableSize
		logTable[j] = logEntry{c, 1 / c, math.Log2(c)}
		expTable[j] = math.Float64bits(math.Exp2(float64(j) / tableSize))
	}
}

// log2 returns the logarithm of a positive normal number.
func log2(x float64) float64 {
	b := math.Float64bits(x)
	t := &logTable[b>>(fractionBits-tableBits)&(tableSize-1)]
	r := (math.Float64frombits(b&fractionMask|bias<<fractionBits) - t.center) * t.inverse
	r2 := r * r
	return float64(int64(b>>fractionBits)-bias) + (t.log + (l1*r + r2*((l2+l3*r)+r2*((l4+l5*r)+r2*l6))))
}

// exp2 returns 2^x for -1022 <= x < 1024.
func exp2(x float64) float64 {
	t := x + round
	k := int64(math.Float64bits(t)<<(64-fractionBits)) >> (64 - fractionBits)
	f := x - (t - round)
	f2 := f * f
	p := e1*f + f2*((e2+e3*f)+f2*(e4+e5*f))
	s := math.Float64frombits(expTable[k&(tableSize-1)] + uint64(k>>tableBits)<<fractionBits)
	return s + s*p
}
