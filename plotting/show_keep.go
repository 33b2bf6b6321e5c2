package plotting

import (
	"fmt"
	"os"
	"reflect"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/internal/keep"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// File is the path of a file that a kept value depends on: see Keep.
type File string

// Keep returns the value that was kept under a name, or computes and keeps it. In a
// notebook each cell is a program that runs the declarations of the cells before it
// again; what takes long to read or to fit is read or fitted once:
//
//	var flights = must.M1(plotting.Keep("flights", func() (*frames.CSV, error) {
//		return frames.ReadCSV("flights.csv", nil)
//	}, plotting.File("flights.csv")))
//
// A value is stale, and computed again, when one of its dependencies changes: the
// contents of a File (read again if its size or time differs), any other value that is given (a fit, a frame, a number, a
// slice, a struct), the type, or the lines in which the function stands, as far as
// their source is at hand, as it is in a cell. Keep prints which one changed. It
// does not see a change in what the function calls: give that as a dependency, or
// Forget the name.
//
// Fits, designs, moments, frames and what encoding/gob takes can be kept, by name in
// the folder of the notebook, in the user's cache folder. A value that would lose a
// part (unexported fields, functions), or a dependency that has no fixed order (a
// map) is an error that matches mlreg.ErrSetting; so is a name of other than letters,
// digits, blanks and _.-. Errors of compute are returned as they are, and nothing is
// kept. If the file cannot be written, Keep says so and returns the value.
func Keep[T any](name string, compute func() (T, error), dependencies ...any) (T, error) {
	var v T
	if compute == nil {
		return v, check.Nothing("keep", "the function is nil")
	}
	if t := reflect.TypeFor[T](); t.Kind() == reflect.Interface {
		return v, fmt.Errorf("plotting: keep %q: %w: the function returns a %s, which may be of any type; return the type itself", name, mlreg.ErrSetting, t)
	}
	all, err := dependenciesOf(compute, dependencies)
	if err != nil {
		return v, fmt.Errorf("plotting: keep %q: %w", name, err)
	}
	// Not in the kernel's own cache, which ends a program at its start where it cannot make a folder,
	// goes by the name alone, and stores a data frame as nothing without a word; but in the user's
	// cache folder, which nobody else can write.
	store, err := keep.Open()
	if err != nil {
		say("%q is not kept: %v", name, err)
		return compute()
	}
	typ := reflect.TypeFor[T]().String()
	body, found, why, err := store.Load(name, typ, all)
	if err != nil {
		return v, fmt.Errorf("plotting: keep: %w", err)
	}
	if found && why == "" {
		if err := keep.Decode(body, &v); err == nil {
			return v, nil
		}
		why = "its file cannot be read"
	}
	if why != "" {
		say("%q is computed again: %s", name, why)
	}
	if v, err = compute(); err != nil {
		return v, err
	}
	if body, err = keep.Encode(v); err != nil {
		return v, fmt.Errorf("plotting: keep %q: %w: %w", name, mlreg.ErrSetting, err)
	}
	if err := store.Save(name, typ, all, body); err != nil {
		say("%q is not kept: %v", name, err)
	}
	return v, nil
}

// Forget removes a value that was kept in this folder: the next Keep computes it
// again. There need not be one. The error matches mlreg.ErrSetting for a name that
// Keep does not take.
func Forget(name string) error {
	store, err := keep.Open()
	if err == nil {
		err = store.Forget(name)
	}
	if err != nil {
		return fmt.Errorf("plotting: forget: %w", err)
	}
	return nil
}

// dependenciesOf hashes what a value depends on.
func dependenciesOf(compute any, values []any) ([]keep.Dependency, error) {
	var all []keep.Dependency
	if text, ok := keep.FunctionText(compute); ok {
		all = append(all, keep.Hash("the function", []byte(text)))
	}
	for i, v := range values {
		label := fmt.Sprintf("dependency %d", i+1)
		if path, ok := v.(File); ok {
			d, err := keep.FileDependency(string(path))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", label, format.Error(err))
			}
			all = append(all, d)
			continue
		}
		if check.IsNil(v) {
			return nil, fmt.Errorf("%w: %s is nil", mlreg.ErrNoData, label)
		}
		d, err := keep.HashValue(label, v)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", mlreg.ErrSetting, err)
		}
		all = append(all, d)
	}
	return all, nil
}

// say displays a line.
func say(format string, args ...any) {
	if err := put([]Bundle{plain("plotting: " + fmt.Sprintf(format, args...))}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
