package dd

import (
	"math"
	"runtime"
)

// Rest returns what rounding took from a product: a b - p, where p is float64(a*b). It is exact unless it
// underflows.
func Rest(a, b, p float64) float64 {
	if runtime.GOARCH == "wasm" { // which has no fused multiply-add: math.FMA takes as long as ten products
		return restOfParts(a, b, p)
	}
	return math.FMA(a, b, -p)
}

// restOfParts computes the same from halves of the factors, whose products are exact (Dekker 1971, 5.14).
func restOfParts(a, b, p float64) float64 {
	const (
		splitter     = 1<<27 + 1
		large, small = 0x1p900, 0x1p-900 // far from where a part overflows, or a product of parts underflows
	)
	if size := math.Abs(p); !(size > small && size < large && math.Abs(a) < large && math.Abs(b) < large) {
		return math.FMA(a, b, -p)
	}
	t := float64(splitter * a)
	aHi := t - (t - a)
	aLo := a - aHi
	t = float64(splitter * b)
	bHi := t - (t - b)
	bLo := b - bHi
	e := float64(aHi*bHi) - p
	e += float64(aHi * bLo)
	e += float64(aLo * bHi)
	return e + float64(aLo*bLo)
}
