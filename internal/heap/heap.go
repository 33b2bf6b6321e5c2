// Package heap measures for tests how much memory a call needs.
package heap

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Growth returns by how many bytes the live heap is larger after a call than before;
// what the call returns is kept until then.
func Growth(f func() any) float64 {
	before := collect()
	kept := f()
	after := collect()
	runtime.KeepAlive(kept)
	return after - before
}

// Peak returns the most bytes that live on the heap while f works, beyond those that
// did before. The collector runs whenever the heap has grown by a few hundredths, and
// what it finds alive is looked at every millisecond, so that a short peak may be missed.
// It also counts what f allocates while it marks, more on a busy machine; so f works
// three times, and the least counts.
func Peak(f func()) float64 { return leastPeak(3, math.Inf(-1), f) }

// PeakWithin is Peak for one who asks only whether it is above a limit: f works again only if
// it is, and then up to ten times, since the machine may be busy.
func PeakWithin(limit float64, f func()) float64 { return leastPeak(10, limit, f) }

func leastPeak(times int, limit float64, f func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(4))
	least := math.Inf(1)
	for range times {
		if least = min(least, peak(f)); least <= limit {
			break
		}
	}
	return least
}

func peak(f func()) float64 {
	before := collect()
	most := before
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				most = max(most, live())
			}
		}
	}()
	f()
	close(stop)
	<-done
	return most - before
}

func collect() float64 {
	runtime.GC()
	return live()
}

// live is what the last collection found alive.
func live() float64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return float64(sample[0].Value.Uint64())
}
