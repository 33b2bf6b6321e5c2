package gram

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func panicky(v any) { panic(v) }

// A panic of a task reaches the caller with its stack, whoever ran it; the first of
// the tasks counts, no task is started after it, and all have ended.
func TestParallelPanic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	own := errors.New("own")
	const tasks = 1 << 30 // more than can end before the panic is known
	for range 50 {
		var running, ran atomic.Int64
		var both sync.WaitGroup
		both.Add(2)
		got := recovered(func() {
			Each(tasks, func(task int) {
				running.Add(1)
				defer running.Add(-1)
				ran.Add(1)
				if task == 3 || task == 1 {
					both.Done()
					both.Wait()
					panicky(own)
				}
			})
		})
		p, ok := got.(*Panic)
		if !ok || p.Value != own || !strings.Contains(string(p.Stack()), "panicky") || !strings.Contains(p.Error(), "own\n\n") {
			t.Fatal(got)
		}
		if running.Load() != 0 {
			t.Fatal("returned before the tasks have ended")
		}
		if ran.Load() == tasks {
			t.Fatal("goes on after a panic")
		}
	}
	if got := recovered(func() { Parallel(5, func() func(int) { panic("made") }) }).(*Panic); got.Value != "made" {
		t.Error(got)
	}
	nested := recovered(func() { Each(4, func(int) { Each(4, func(int) { panicky(own) }) }) }).(*Panic)
	if nested.Value != own {
		t.Error(nested)
	}
	Each(0, func(int) { t.Error("no task is run") })
}

// A task that ends its goroutine, as t.FailNow does, ends the caller's.
func TestParallelGoexit(t *testing.T) {
	returned, done := false, make(chan struct{})
	go func() {
		defer close(done)
		Each(9, func(task int) {
			if task == 4 {
				runtime.Goexit()
			}
		})
		returned = true
	}()
	<-done
	if returned {
		t.Error("the caller goes on without a task")
	}
}

// Progress that panics stops the other tasks.
func TestProgressPanic(t *testing.T) {
	p := Progress{Total: 3, Tell: func(done, total float64) error {
		if done != 2 || total != 3 {
			t.Error(done, total)
		}
		panic("told")
	}}
	if recovered(func() { p.Add(2) }) != "told" || !p.Add(1) || p.Stopped() == nil {
		t.Error("not stopped")
	}
}
