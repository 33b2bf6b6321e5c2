package frames

import (
	"runtime"
	"sync"
)

// inParts calls do for parts of 0 to n, at the same time on all processors if n is
// large; the parts must not touch each other's results.
func inParts(n int, do func(from, to int)) {
	const small = 1 << 15
	parts := min(runtime.GOMAXPROCS(0), n/small)
	if parts < 2 {
		do(0, n)
		return
	}
	var done sync.WaitGroup
	for p := range parts {
		done.Add(1)
		go func() {
			defer done.Done()
			do(p*n/parts, (p+1)*n/parts)
		}()
	}
	done.Wait()
}
