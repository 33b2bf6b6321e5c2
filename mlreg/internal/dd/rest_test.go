package dd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The rest of a product by halves of the factors is that of a fused multiply-add, to the bit, where the numbers are
// extreme, too.
func TestRestOfParts(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 2))
	draw := func(exponents int) float64 {
		return math.Ldexp(math.Copysign(1+src.Float64(), src.Float64()-0.5), src.IntN(2*exponents+1)-exponents)
	}
	rests := 0
	for _, exponents := range []int{1, 30, 440, 1022} {
		for range 20_000 {
			a, b := draw(exponents), draw(exponents)
			p := a * b
			got, want := restOfParts(a, b, p), math.FMA(a, b, -p)
			if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("%v * %v: rest %v, want %v", a, b, got, want)
			}
			if want != 0 {
				rests++
			}
		}
	}
	if rests < 60_000 {
		t.Errorf("only %d products were rounded", rests)
	}
	for _, c := range [][2]float64{{0, 3}, {math.Copysign(0, -1), 3}, {3, 4}, {math.Inf(1), 2}, {0x1p1023, 0x1p1023}, {0x1p-1074, 0.7}, {math.NaN(), 1}} {
		p := c[0] * c[1]
		got, want := restOfParts(c[0], c[1], p), math.FMA(c[0], c[1], -p)
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%v * %v: rest %v, want %v", c[0], c[1], got, want)
		}
	}
}
