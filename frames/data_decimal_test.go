package frames

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// The quotient is what strconv reads, at random and where rounding is a near thing.
func TestDecimalQuotient(t *testing.T) {
	same := func(m uint64, k int) {
		t.Helper()
		digits := strconv.FormatUint(m, 10)
		if len(digits) <= k {
			digits = strings.Repeat("0", k-len(digits)+1) + digits
		}
		text := digits[:len(digits)-k] + "." + digits[len(digits)-k:]
		want := get(strconv.ParseFloat(strings.TrimSuffix(text, "."), 64))(t)
		if got := decimalQuotient(m, k); got != want {
			t.Fatalf("%s is %v, want %v", text, got, want)
		}
	}
	rnd := rand.New(rand.NewPCG(13, 14))
	trials := 100_000
	if testing.Short() {
		trials = 5_000
	}
	for range trials {
		same(rnd.Uint64()>>rnd.IntN(64), rnd.IntN(20))
		near := uint64(1)<<53 + uint64(rnd.IntN(1<<20)) // half-way cases: odd numbers beyond 2^53
		same(near, 0)
		k := rnd.IntN(3)
		same(near*tensWhole[k], k)
		same(near*tensWhole[k]+1, k)
		same(near*tensWhole[k]-1, k)
	}
	for k := range tensWhole {
		for _, m := range []uint64{0, 1, 9, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<64 - 1, tensWhole[k], tensWhole[k] - 1} {
			same(m, k)
		}
	}
}
