// Package check holds what figures ask of their data, and how errors and texts
// say it.
package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
)

// OrDefaults returns settings, of which nil are the defaults.
func OrDefaults[S any](settings *S) S {
	if settings == nil {
		return *new(S)
	}
	return *settings
}

// Source returns src, or the source of settings that name none.
func Source(src rand.Source) rand.Source {
	if IsNil(src) {
		return rand.NewPCG(0, 1)
	}
	return src
}

// Series is a named list of numbers of a layer, for messages.
type Series struct {
	Name   string
	Values []float64
}

// Lengths reports if the series have not all as many values as the first,
// or none. What is the layer, for the message: `points "train"`.
func Lengths(what string, all ...Series) error {
	n := len(all[0].Values)
	for _, s := range all {
		if len(s.Values) != n {
			return fmt.Errorf("plotting: %s: %w: %d values of %s for %d of %s",
				what, mlreg.ErrShape, len(s.Values), format.Line(s.Name), n, format.Line(all[0].Name))
		}
	}
	if n == 0 {
		return fmt.Errorf("plotting: %s: %w", what, mlreg.ErrNoData)
	}
	return nil
}

// Finite reports values that are NaN or infinite: how many, and the first.
func Finite(what string, all ...Series) error {
	for _, s := range all {
		bad, first := 0, -1
		for i, v := range s.Values {
			if !IsFinite(v) {
				bad++
				if first < 0 {
					first = i
				}
			}
		}
		if bad > 0 {
			return fmt.Errorf("plotting: %s: %w: %d of %d values of %s; the first is %v in row %d; leave these rows out",
				what, mlreg.ErrNotFinite, bad, len(s.Values), format.Line(s.Name), s.Values[first], first+1)
		}
	}
	return nil
}

// XY are the coordinates of a layer.
func XY(x, y []float64) []Series { return []Series{{"x", x}, {"y", y}} }

// Drawable returns the error of Lengths or, if there is none, that of Finite.
func Drawable(what string, all ...Series) error {
	if err := Lengths(what, all...); err != nil {
		return err
	}
	return Finite(what, all...)
}

// Named puts the name of a figure before the error that drawing it returns, if there is one.
func Named(what string, err *error) {
	if *err != nil {
		*err = fmt.Errorf("plotting: %s: %w", what, *err)
	}
}

// Nothing is the error of what has nothing to show: `posterior table`, "the fit is
// nil".
func Nothing(what, why string) error {
	return fmt.Errorf("plotting: %s: %w: %s", what, mlreg.ErrNoData, format.Line(why))
}

// IsFinite tells whether v is a number, neither NaN nor infinite.
func IsFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// IsNil tells whether v is nil, or an interface that holds a nil.
func IsNil(v any) bool {
	if v == nil {
		return true
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Map, reflect.Chan, reflect.Interface:
		return rv.IsNil()
	}
	return false
}

// Plural returns "1 row", "2 rows".
func Plural(n int, noun string) string { return format.Plural(n, noun) }

// SameTerms reports if the slopes of a fit, whose coefficients have these names, are not those of the columns of d.
func SameTerms(names []string, d *mlreg.Design) error {
	if len(names) > 0 && names[0] == mlreg.InterceptName {
		names = names[1:]
	}
	if len(names) != len(d.Names) {
		return fmt.Errorf("%w: the fit has %s and the design %d columns", mlreg.ErrShape, Plural(len(names), "term"), len(d.Names))
	}
	for k, name := range names {
		if name != d.Names[k] {
			return fmt.Errorf("%w: term %d of the fit is %q, and column %d of the design %q", mlreg.ErrShape, k+1, name, k+1, d.Names[k])
		}
	}
	return nil
}
