// Package fatal lets tests call what returns an error in one expression.
package fatal

import "testing"

// On returns v, or ends the test with the error: fit := fatal.On(mlreg.FitOLS(d, nil))(t).
func On[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
