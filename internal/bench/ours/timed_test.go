package ours

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/regbook/regbook/internal/try"
)

// Short work is repeated, and its time is that of one; long work is done once.
func TestTimed(t *testing.T) {
	for _, c := range []struct {
		first, others time.Duration
		times         int
		seconds       float64
	}{
		{2 * time.Millisecond, 2 * time.Millisecond, 100, 0.002},
		{19 * time.Millisecond, 31 * time.Millisecond, 7, 0.205 / 7},
		{short, time.Hour, 1, 0.02},
		{time.Second, time.Hour, 1, 1},
	} {
		var clock time.Time
		times, takes := 0, c.first
		seconds := timed(func() time.Time { return clock }, func() {
			clock = clock.Add(takes)
			times, takes = times+1, c.others
		})
		if times != c.times || math.Abs(seconds-c.seconds) > 1e-12 {
			t.Errorf("work of %v: %d times of %v s, want %d of %v s", c.first, times, seconds, c.times, c.seconds)
		}
	}
	err := try.Do(func() { timed(time.Now, func() { try.Fail(errors.ErrUnsupported) }) })
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a failure is lost: %v", err)
	}
}
