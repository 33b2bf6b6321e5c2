package ours

import (
	"errors"
	"testing"
	"time"
)

// Short work is repeated, and its time is that of one; long work is done once.
func TestTimed(t *testing.T) {
	times := 0
	work := func(d time.Duration) func() error {
		return func() error { times++; time.Sleep(d); return nil }
	}
	start := time.Now()
	seconds, err := timed(work(2 * time.Millisecond))
	if passed := time.Since(start).Seconds(); err != nil || times < 2 || passed < 0.2 || seconds*float64(times) > passed || seconds*float64(times) < 0.2 {
		t.Errorf("%d times of %v s in %v s: %v", times, seconds, passed, err)
	}
	times = 0
	if seconds, err := timed(work(short)); err != nil || times != 1 || seconds < 0.02 {
		t.Errorf("long work: %d times of %v s, %v", times, seconds, err)
	}
	if _, err := timed(func() error { return errors.ErrUnsupported }); err == nil {
		t.Error("a failure is lost")
	}
}
