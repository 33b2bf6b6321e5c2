// Package heap measures for tests how much memory a call needs: the same each time, whatever else
// the machine does.
package heap

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"
)

// debugging stops the program while the collector marks, since what is allocated meanwhile counts as
// alive, and while it sweeps, since the next collection waits for that. Goroutines take turns at calls
// only, where the collector knows what they hold.
const debugging = "gcstoptheworld=2,asyncpreemptoff=1"

// Alone reports whether this process measures memory: on one processor, and running the calling test
// only. If it does not, Alone runs the test in such a process, and the caller returns.
// With -short it skips the test.
func Alone(t *testing.T) bool {
	t.Helper()
	if testing.Short() {
		t.Skip("measures memory")
	}
	if alone() {
		return true
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.timeout=10m", "-test.run=^"+regexp.QuoteMeta(t.Name())+"$")
	child.Env = append(os.Environ(), "GODEBUG="+debugging, "GOMAXPROCS=1", "GOGC=100", "GOMEMLIMIT=off")
	out, err := child.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Errorf("alone in a process: %v", err)
	}
	return false
}

func alone() bool { return os.Getenv("GODEBUG") == debugging && runtime.GOMAXPROCS(0) == 1 }

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
// all that it finds is looked at. Where a busy machine lets one collection follow another too soon for that, f
// works again, at most three times, and the most counts. Peak panics in a process that is not Alone.
func Peak(f func()) float64 {
	if !alone() {
		panic("heap: memory is measured in a process of its own: call Alone first")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(4))
	most := 0.0
	for range 3 {
		found, missed := peak(f)
		if most = max(most, found); missed == 0 {
			break
		}
	}
	return most
}

// A collection puts the goroutine that allocates at the end of the queue of all. A processor takes
// at most 128 from there at a time, so that one of so many readers is ahead of it.
const readers = 160

// peak also returns how many collections were not looked at.
func peak(f func()) (most float64, missed uint64) {
	var (
		stop   atomic.Bool
		all    sync.WaitGroup
		cycles uint64
	)
	look := func(found []metrics.Sample) {
		metrics.Read(found)
		most = max(most, float64(found[0].Value.Uint64()))
		if now := found[1].Value.Uint64(); now > cycles {
			missed += now - cycles - 1
			cycles = now
		}
	}
	for range readers {
		found := samples()
		all.Add(1)
		go func() {
			defer all.Done()
			for !stop.Load() {
				look(found)
				runtime.Gosched()
			}
		}()
	}
	found, before := samples(), collect()
	look(found)
	most, missed = 0, 0
	f()
	look(found)
	stop.Store(true)
	all.Wait()
	return most - before, missed
}

// collect returns the live heap.
func collect() float64 {
	runtime.GC()
	found := samples()
	metrics.Read(found)
	return float64(found[0].Value.Uint64())
}

// samples are what the last collection found alive, and the number of collections.
func samples() []metrics.Sample {
	return []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
}
