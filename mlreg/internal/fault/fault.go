// Package fault has the errors that mlreg and the packages below it return alike. They are
// exported by mlreg, under the same names.
package fault

import (
	"errors"
	"fmt"
)

// The errors of which mlreg says when they are returned.
var (
	ErrShape     = errors.New("mlreg: shapes do not match")
	ErrNoData    = errors.New("mlreg: no observations")
	ErrSetting   = errors.New("mlreg: invalid setting")
	ErrNotFinite = errors.New("mlreg: value is not finite")
	ErrSaturated = errors.New("mlreg: no residual degrees of freedom")
	ErrTooLarge  = errors.New("mlreg: too large")
	ErrStream    = errors.New("mlreg: stream does not hold this result")
)

// Level refuses a confidence level that is not between 0 and 1.
func Level(level float64) error {
	if !(level > 0 && level < 1) {
		return fmt.Errorf("%w: level = %v; it lies between 0 and 1, 0.95 for example", ErrSetting, level)
	}
	return nil
}
