package certify

import (
	"math"
	"testing"
)

// Shares stay shares when a weight far above all before raises the reference.
func TestTotalRaisesItsReference(t *testing.T) {
	sum := newTotal(2)
	for k, log := range []float64{0, 150} {
		w := sum.relative(log)
		sum.sum += w
		sum.parts[k] += w
	}
	if got, want := sum.share(0), math.Exp(-150); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("the share of the first is %g, want %g", got, want)
	}
	if got := sum.log(); got != 150 {
		t.Errorf("the log of the sum is %g, want 150", got)
	}
}

// The difference of two numbers by their logarithms: 3 - 1 = 2, and 3 - 2.
func TestLogDifference(t *testing.T) {
	for below, want := range map[float64]float64{1: 2, 2: 1} {
		if got := logDifference(math.Log(3), math.Log(below)); math.Abs(got-math.Log(want)) > 1e-14 {
			t.Errorf("log(3 - %g) is %g, want %g", below, got, math.Log(want))
		}
	}
	if got := logDifference(5, 5); got != -35 {
		t.Errorf("equal numbers have the difference %g, want 40 below", got)
	}
}

// The size of numbers that log weights are sums of takes in the prior of model sizes.
func TestMagnitudeHasThePriorOfSizes(t *testing.T) {
	p := &problem{size: []float64{0, -1e6, -10}}
	if got := p.magnitude(); got < 1e6 {
		t.Errorf("magnitude is %g with a log prior of -1e6", got)
	}
}
