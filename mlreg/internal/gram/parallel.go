package gram

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls worker once for each processor, at most n times, and the
// functions it returns for every task from 0 to n, each once, in any order.
func parallel(n int, worker func() func(task int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var next atomic.Int64
	run := func() {
		do := worker()
		for {
			task := int(next.Add(1)) - 1
			if task >= n {
				return
			}
			do(task)
		}
	}
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			run()
		}()
	}
	if workers > 0 {
		run()
	}
	wg.Wait()
}
