package heap

import (
	"math"
	"runtime"
	"testing"
	"time"
)

const size = 8 << 20

var kept []byte

// What is held for a while counts, what is dropped at once does not add up.
func TestPeak(t *testing.T) {
	held := Peak(func() {
		kept = make([]byte, size)
		for range 20 {
			dropped := make([]byte, size/4)
			runtime.KeepAlive(dropped)
			time.Sleep(2 * time.Millisecond)
		}
		kept = nil
	})
	if held < size || held > 1.5*size {
		t.Errorf("%.1f MB, want 8 to 12", held/(1<<20))
	}
}

func TestGrowth(t *testing.T) {
	if got := Growth(func() any { return make([]byte, size) }); math.Abs(got-size) > size/8 {
		t.Errorf("%.1f MB, want 8", got/(1<<20))
	}
}

// A peak above the limit is measured ten times, another once.
func TestPeakWithin(t *testing.T) {
	for limit, want := range map[float64]int{size / 2: 10, 2 * size: 1} {
		calls := 0
		got := PeakWithin(limit, func() {
			calls++
			kept = make([]byte, size)
			time.Sleep(4 * time.Millisecond)
			runtime.GC()
			time.Sleep(4 * time.Millisecond)
			kept = nil
		})
		if calls != want || got < size {
			t.Errorf("limit %.0f MB: %d calls, %.1f MB", limit/(1<<20), calls, got/(1<<20))
		}
	}
}
