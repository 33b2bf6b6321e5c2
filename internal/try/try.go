// Package try is for functions whose errors have one way to go, out of the function that others
// call: a figure of the course, a comparison with R, a part of a benchmark. What they call stands
// in one expression, so that what they compute is to be seen:
//
//	func Fit(d *mlreg.Design) (fit *mlreg.OLS, err error) {
//		defer try.Handle(&err)
//		standardized := try.Get(d.Standardize(nil))
//		return try.Get(mlreg.FitOLS(standardized, nil)), nil
//	}
//
// The functions between, which are not exported, then return no error. What a package calls back,
// perhaps in a goroutine of its own, returns errors as ever.
package try

// failure is the panic of an error on its way to Handle.
type failure struct{ error }

// Fail ends with an error.
func Fail(err error) { panic(failure{err}) }

// Check goes on if there is no error.
func Check(err error) {
	if err != nil {
		Fail(err)
	}
}

// Get returns v if there is no error.
func Get[T any](v T, err error) T {
	Check(err)
	return v
}

// Get2 is Get for two values.
func Get2[T, U any](v T, w U, err error) (T, U) {
	Check(err)
	return v, w
}

// Handle, deferred, makes the error of Fail, Check or Get that of the function, as it is. Other panics
// go on.
func Handle(err *error) {
	switch failed := recover().(type) {
	case nil:
	case failure:
		*err = failed.error
	default:
		panic(failed)
	}
}

// Do calls f and returns its error, handled.
func Do(f func()) (err error) {
	defer Handle(&err)
	f()
	return nil
}
