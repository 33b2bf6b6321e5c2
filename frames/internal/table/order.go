package table

import (
	"context"
	"fmt"
	"runtime"
	"sync"
)

// job is an item that is worked on, and what came of it.
type job[T, R any] struct {
	item   T
	result R
	err    error
	done   chan struct{}
}

func (j *job[T, R]) handOver(ctx context.Context, collect func(R) error) error {
	if j.err != nil {
		return j.err
	}
	if err := collect(j.result); err != nil {
		return err
	}
	return ctx.Err()
}

// InOrder makes a pass: produce emits items, work works on several of them at the same
// time, and collect gets the results in the order of the items, in this goroutine. The
// error is that of the first item that has one, and otherwise that of produce.
func InOrder[T, R any](ctx context.Context, produce func(ctx context.Context, emit func(item T) error) error, work func(T) (R, error), collect func(R) error) error {
	inner, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer func() { // also if collect panics: the caller may close then what produce reads
		cancel()
		all.Wait()
	}()
	workers := runtime.GOMAXPROCS(0)
	jobs, queue := make(chan *job[T, R]), make(chan *job[T, R], workers+1)
	for range workers {
		all.Add(1)
		go func() {
			defer all.Done()
			for j := range jobs {
				j.result, j.err = protected(work, j.item)
				close(j.done)
			}
		}()
	}
	var produced error
	all.Add(1)
	go func() {
		defer all.Done()
		defer close(jobs)
		defer close(queue)
		_, produced = protected(func(emit func(item T) error) (struct{}, error) { return struct{}{}, produce(inner, emit) }, func(item T) error {
			j := &job[T, R]{item: item, done: make(chan struct{})}
			select {
			case queue <- j:
			case <-inner.Done():
				return inner.Err()
			}
			jobs <- j // a worker is free sooner or later
			return nil
		})
	}()
	var err error
	for j := range queue {
		<-j.done
		if err == nil {
			err = j.handOver(ctx, collect)
		}
		if err != nil {
			cancel()
		}
	}
	cancel()
	all.Wait()
	if err != nil {
		return err
	}
	return produced
}

// protected calls f; a panic is an error that does not take the program with it.
func protected[T, R any](f func(T) (R, error), item T) (result R, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a panic while rows were read: %v", v)
		}
	}()
	return f(item)
}
