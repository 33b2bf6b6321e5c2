package mlreg

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/regbook/regbook/internal/limit"
)

// Checks of arguments that functions of every topic do, and how their errors quote names.

// orDefaults returns settings, of which nil are the defaults.
func orDefaults[S any](settings *S) S {
	if settings == nil {
		return *new(S)
	}
	return *settings
}

var errNilDesign = fmt.Errorf("%w: the design is nil", ErrNoData)

// given returns ErrNoData if an argument is nil, or an interface that holds a nil.
func given(what string, argument any) error {
	if d, ok := argument.(*Design); ok && d == nil {
		return errNilDesign
	}
	if v := reflect.ValueOf(argument); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("%w: %s is nil", ErrNoData, what)
	}
	return nil
}

// checkSource refuses a nil source of randomness.
func checkSource(src rand.Source) error {
	if src == nil {
		return fmt.Errorf("%w: the source of randomness is nil; rand.NewPCG(1, 2) is one", ErrSetting)
	}
	return nil
}

// checkSize refuses a result of so many numbers, if they are too many, and says what to do
// in its place.
func checkSize(what string, numbers float64, instead string) error {
	if limit.Exceeded(numbers) {
		return fmt.Errorf("%w: %s", ErrTooLarge, limit.Text(what, numbers, instead))
	}
	return nil
}

// checkColumns refuses a basis of so many columns, if they are too many.
func checkColumns(what string, columns float64) error {
	if columns > limit.Columns {
		return fmt.Errorf("%w: %s have %.0f columns; a basis has at most 2^17", ErrTooLarge, what, columns)
	}
	return nil
}
