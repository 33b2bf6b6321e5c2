package door

import (
	"fmt"
	"sync"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// PanicOf makes the *mlreg.PanicError of what a function panicked with, while that is recovered.
// This package cannot import mlreg, which sets it.
var PanicOf func(where string, value any) any

// NamePanic is deferred where a function of the user's is called in a goroutine: a
// panic goes on as a *mlreg.PanicError.
func NamePanic(where string) {
	if v := recover(); v != nil {
		panic(PanicOf(where, v))
	}
}

// Progress is progress, whose panics are named.
func Progress(where string, progress func(done, total float64) error) func(done, total float64) error {
	if progress == nil {
		return nil
	}
	return func(done, total float64) error {
		defer NamePanic(where)
		return progress(done, total)
	}
}

// Each does n tasks, such as folds, at the same time and tells progress. It returns what
// is done of them until progress has an error, that error, and the one of the first
// task that fails, whatever task ends first.
func Each[T any](what string, n int, progress func(done, total float64) error, do func(k int) (T, error)) (out []T, halted, failed error) {
	var (
		mu   sync.Mutex
		done int
		at   = n
	)
	out = make([]T, n)
	task := func(k int) (T, error) {
		defer NamePanic(fmt.Sprintf("%s %d", what, k))
		return do(k)
	}
	gram.Each(n, func(k int) {
		mu.Lock()
		stop := failed != nil && at < k || halted != nil // a task before the one that failed is done: it may be the first
		mu.Unlock()
		if stop {
			return
		}
		value, err := task(k)
		mu.Lock()
		defer mu.Unlock()
		if halted != nil {
			return
		}
		out[k] = value
		done++
		switch {
		case err != nil && (failed == nil || k < at):
			failed, at = fmt.Errorf("%s %d: %w", what, k, err), k
		case err == nil && progress != nil && failed == nil:
			halted = progress(float64(done), float64(n))
		}
	})
	return out, halted, failed
}
