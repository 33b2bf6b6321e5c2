package mlreg

import (
	"math"
	"testing"
)

func TestPowerAbove(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 3e-16: "1e-15", 1e-16: "1e-16", 2: "1e1", math.Inf(1): "Inf"} {
		if got := powerAbove(x); got != want {
			t.Errorf("powerAbove(%v) = %s, want %s", x, got, want)
		}
	}
}
