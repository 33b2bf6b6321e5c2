package assess

import (
	"math"
	"testing"
)

// The Monte Carlo error of a quantile of 99 equidistant replicates is sqrt(p(1-p)/99), in ranks, as far as there are replicates.
func TestErrorOfQuantile(t *testing.T) {
	var s sortedReplicates
	for i := range 99 {
		s.t = append(s.t, float64(i+1))
	}
	for p, want := range map[float64]float64{0.5: 5.025, 0.2: 4.020, 0.03: 1.714, 0.97: 1.714, 0.02: math.Inf(1), 0.98: math.Inf(1)} {
		if got := s.errAt(p); got != want && !(math.Abs(got-want) < 0.06) {
			t.Errorf("at %g: %g, want %g", p, got, want)
		}
	}
}
