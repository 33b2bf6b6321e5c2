package mlreg

import (
	"fmt"
	"runtime/debug"

	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// PanicError is the panic of a function that was handed to this package and ran in
// a goroutine of its own: what fits a fold in CrossValidate, a Loss, a Progress. The
// call that it was handed to panics with a *PanicError, so that the caller can
// recover it:
//
//	defer func() {
//		if p, ok := recover().(*mlreg.PanicError); ok {
//			fmt.Println(p.Where, p.Value)
//		}
//	}()
type PanicError struct {
	Where string // such as "fold 3", counted from 0 as in Folds, or "CVSettings.Progress"
	Value any    // what the function panicked with
	stack []byte
}

// Error gives Where, Value and the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("mlreg: panic in %s: %v\n\n%s", e.Where, e.Value, e.stack)
}

// Stack returns the stack of the goroutine that panicked.
func (e *PanicError) Stack() []byte { return e.stack }

// Unwrap returns Value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// newPanicError is called while v is recovered, and keeps the stack.
func newPanicError(where string, v any) *PanicError {
	switch v := v.(type) {
	case *PanicError:
		return &PanicError{where + ": " + v.Where, v.Value, v.stack}
	case *gram.Panic:
		return &PanicError{where, v.Value, v.Stack()}
	}
	return &PanicError{where, v, debug.Stack()}
}

func init() {
	door.PanicOf = func(where string, value any) any { return newPanicError(where, value) }
}
