// Package fault has the errors that mlreg and the packages below it return alike. They are
// exported by mlreg, under the same names.
package fault

import "errors"

// The errors of which mlreg says when they are returned.
var (
	ErrShape   = errors.New("mlreg: shapes do not match")
	ErrNoData  = errors.New("mlreg: no observations")
	ErrSetting = errors.New("mlreg: invalid setting")
)
