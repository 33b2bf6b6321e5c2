// Package door hands what mlreg does not export to the packages beside it. This package cannot
// import mlreg, so mlreg sets its functions, and they take and return types of mlreg as any.
package door

import "github.com/regbook/regbook/mlreg/internal/problem"

// MomentsOf makes the *mlreg.Moments of sums over the rows of like, a *mlreg.Design with names,
// response, coding, intercept and omitted rows; its rows are not used. The error names a column
// whose squares leave the range of float64; varies tells whether a column, or column p, the
// response, has two values.
var MomentsOf func(like any, sums problem.Sums, varies func(column int) bool) (moments any, err error)
