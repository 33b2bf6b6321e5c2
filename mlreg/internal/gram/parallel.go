package gram

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

var started atomic.Int64

// Started returns how many goroutines the program has started by this package so far.
func Started() int64 { return started.Load() }

// Parallel calls worker once for each processor, at most n times, and the
// functions it returns for every task from 0 to n, each once, in any order.
//
// If one of them panics, no further task is started, and Parallel panics with a
// *Panic when those that run have ended. The caller can recover it; a panic in a
// goroutine of its own would end the process.
func Parallel(n int, worker func() func(task int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers == 0 {
		return
	}
	var (
		next atomic.Int64
		wg   sync.WaitGroup
		lost failure
	)
	run := func() {
		task, ended := -1, false
		defer func() {
			if !ended {
				next.Store(int64(n))
				lost.add(task, recover())
			}
		}()
		do := worker()
		for {
			task = int(next.Add(1)) - 1
			if task >= n {
				break
			}
			do(task)
		}
		ended = true
	}
	started.Add(int64(workers - 1))
	for range workers - 1 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			run()
		}()
	}
	defer func() {
		wg.Wait()
		lost.raise()
	}()
	run()
}

// Each calls do for every task from 0 to n, each once, in any order, on as many
// processors as there are.
func Each(n int, do func(task int)) {
	if n == 1 {
		do(0)
		return
	}
	Parallel(n, func() func(int) { return do })
}

// Chunks returns into how many parts n rows are cut: no more than 64, of at
// least 1024 rows.
func Chunks(n int) int { return max(1, min(64, n/1024)) }

// EachChunk calls work for every chunk of n rows, as many at a time as there
// are processors; newWork makes the work of one of them. Sums over chunks, taken
// in their order, are the same bits on any number of processors.
func EachChunk(n int, newWork func() func(chunk, start, end int)) { EachPart(n, Chunks(n), newWork) }

// EachPart is EachChunk of so many parts.
func EachPart(n, parts int, newWork func() func(part, start, end int)) {
	Parallel(parts, func() func(int) {
		work := newWork()
		return func(part int) { work(part, part*n/parts, (part+1)*n/parts) }
	})
}

// Panic is the panic of a task, with the stack of the goroutine that it ran in.
type Panic struct {
	Value any
	trace []byte
}

// Error gives the value and the stack.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.trace) }

// Stack returns the stack where the panic began.
func (p *Panic) Stack() []byte { return p.trace }

// failure is the panic of the first of the tasks that did not end.
type failure struct {
	lock  sync.Mutex
	any   bool
	task  int
	value any // nil if the task called runtime.Goexit
}

// add is called while the goroutine of the task panics. It keeps its stack, unless
// the value carries one.
func (f *failure) add(task int, value any) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.any && f.task < task {
		return
	}
	if _, carried := value.(interface{ Stack() []byte }); value != nil && !carried {
		value = &Panic{value, debug.Stack()}
	}
	f.any, f.task, f.value = true, task, value
}

// raise panics with what was added.
func (f *failure) raise() {
	switch {
	case f.value != nil:
		panic(f.value)
	case f.any:
		runtime.Goexit()
	}
}
