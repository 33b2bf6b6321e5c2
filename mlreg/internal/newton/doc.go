// Package newton maximizes likelihoods by Newton's method: of a linear predictor
// with any Datafit (Problem), and of the classes of a multinomial regression
// (Multinomial). A *Certificate tells how far a solution can be from the exact one,
// and Problem.Separation, by linear programming, whether there is one.
//
// It knows columns by their numbers. Parameters are the intercept, if there is one,
// and then the slopes.
package newton

import (
	"errors"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

var (
	// ErrNotFinite says that sums over the rows are no finite numbers.
	ErrNotFinite = errors.New("newton: sums over the rows are not finite")
	// ErrSingular says that some columns are linear combinations of others; the
	// Hessian of the solution tells which are left.
	ErrSingular = errors.New("newton: the second derivatives are singular")
)

const unit = dd.Unit

func square(x float64) float64 { return x * x }
