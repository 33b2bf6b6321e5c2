// Package hostile holds ranges that tests try on figures.
package hostile

import (
	"math"
	"testing"
	"time"
)

// Ranges are ranges at which a count in floats, a division by the width or a
// logarithm of it goes wrong.
var Ranges = [][2]float64{
	{0.3, math.Nextafter(0.3, 1)}, // neighbors, here and below
	{3e15, 3e15 + 0.5},
	{3e15, 3e15 + 1},
	{1 << 53, 1<<53 + 2},
	{-1 << 53, -1<<53 + 2},
	{1, math.Nextafter(1, 2)},
	{math.Nextafter(1, 0), 1},
	{1e16, 1e16 + 10},
	{1e9, 1e9 + 1e-4},
	{1, 1 + 1e-14},
	{1, 1 + 1e-13},
	{-1e-300, 1e-300},
	{0, math.SmallestNonzeroFloat64},
	{math.SmallestNonzeroFloat64, 2 * math.SmallestNonzeroFloat64},
	{-1e-322, 1e-322},
	{0, 1e-310},
	{5e-324, 1e308},
	{1e308, 1.1e308},
	{0, 1e308},
	{0, math.MaxFloat64},
	{-math.MaxFloat64, math.MaxFloat64},
	{math.Nextafter(math.MaxFloat64, 0), math.MaxFloat64},
	{0, 0},
	{5, 5},
	{0.3, 0.3},
	{-1e308, -1e308},
	{2, 1},
	{math.Nextafter(0.3, 1), 0.3},
	{math.Inf(-1), math.Inf(1)},
	{0, math.Inf(1)},
	{math.Inf(-1), 0},
	{math.Inf(1), math.Inf(1)},
	{math.NaN(), 1},
	{0, math.NaN()},
	{math.NaN(), math.NaN()},
}

// Within fails the test if f takes longer than five minutes.
func Within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		f()
	}()
	select {
	case failed := <-done:
		if failed != nil {
			t.Errorf("%s: panic: %v", what, failed)
		}
	case <-time.After(5 * time.Minute):
		t.Fatalf("%s: still at it after five minutes", what)
	}
}
