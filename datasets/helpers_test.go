package datasets

import (
	"testing"

	"github.com/regbook/regbook/internal/fatal"
)

// get returns v, or ends the test with the error: df := get(Prostate())(t).
func get[T any](v T, err error) func(testing.TB) T { return fatal.On(v, err) }
