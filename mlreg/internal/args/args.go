// Package args has the checks of arguments that functions of every topic do.
package args

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/internal/limit"
	"github.com/regbook/regbook/mlreg/internal/fault"
)

// OrDefaults returns settings, of which nil are the defaults.
func OrDefaults[S any](settings *S) S {
	if settings == nil {
		return *new(S)
	}
	return *settings
}

// Given returns ErrNoData if an argument is nil, or an interface that holds a nil.
func Given(what string, argument any) error {
	if v := reflect.ValueOf(argument); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("%w: %s is nil", fault.ErrNoData, what)
	}
	return nil
}

// Source refuses a nil source of randomness.
func Source(src rand.Source) error {
	if src == nil {
		return fmt.Errorf("%w: the source of randomness is nil; rand.NewPCG(1, 2) is one", fault.ErrSetting)
	}
	return nil
}

// Size refuses a result of so many numbers, if they are too many, and says what to do
// in its place.
func Size(what string, numbers float64, instead string) error {
	if limit.Exceeded(numbers) {
		return fmt.Errorf("%w: %s", fault.ErrTooLarge, limit.Text(what, numbers, instead))
	}
	return nil
}

// Columns refuses a basis of so many columns, if they are too many.
func Columns(what string, columns float64) error {
	if columns > limit.Columns {
		return fmt.Errorf("%w: %s have %.0f columns; a basis has at most 2^17", fault.ErrTooLarge, what, columns)
	}
	return nil
}

// Positions returns where the names stand among the terms.
func Positions(names, terms []string) ([]int, error) {
	cols := make([]int, len(names))
	find := func(name string) int { return slices.Index(terms, name) }
	if len(names) > 8 {
		at := make(map[string]int, len(terms))
		for j, term := range slices.Backward(terms) {
			at[term] = j
		}
		find = func(name string) int {
			if j, ok := at[name]; ok {
				return j
			}
			return -1
		}
	}
	for k, name := range names {
		if cols[k] = find(name); cols[k] < 0 {
			return nil, fmt.Errorf("%w: no term %q among %s", fault.ErrShape, name, format.Quoted(terms))
		}
	}
	return cols, nil
}

// NotFinite tells whether a number is NaN or infinite.
func NotFinite(v float64) bool { return v-v != 0 }

// Finite names the first value that is not a finite number.
func Finite(what string, v []float64) error {
	for i, x := range v {
		if NotFinite(x) {
			return fmt.Errorf("%w: element %d of %s is %v", fault.ErrNotFinite, i+1, what, x)
		}
	}
	return nil
}

// ResidualDoF refuses to estimate a variance from no degree of freedom.
func ResidualDoF(dof float64) error {
	if !(dof > 0) {
		return fmt.Errorf("%w: %v residual degrees of freedom, so sigma cannot be estimated; "+
			"use fewer terms, or give OLSSettings.Sigma2", fault.ErrSaturated, dof)
	}
	return nil
}
