package frames

import "testing"

// get returns v, or ends the test with the error: fit := get(Design(df, formula))(t).
func get[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
