package mlreg

import (
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/internal/wholefile"
	"github.com/regbook/regbook/mlreg/internal/stream"
)

// Save writes a result, such as a fit, a path or a cross-validation, to a file, R's saveRDS and joblib's
// dump. The file has no data, is written whole or not at all, and says of which type and build it is;
// Load reads it.
//
//	err := mlreg.Save("ols.fit", ols)
//
// Errors: ErrNoData for nil, ErrSetting for what is no result of this module, and those of the file.
func Save(path string, result any) error {
	if v := reflect.ValueOf(result); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("%w: the result to be saved is nil", ErrNoData)
	}
	encoder, ok := result.(gob.GobEncoder)
	if !ok {
		return fmt.Errorf("%w: a %T is no result that Save stores; give a fit as its function returns it, a pointer", ErrSetting, result)
	}
	b, err := encoder.GobEncode()
	if err != nil {
		return err
	}
	return wholefile.Write(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// Load reads what Save has written, of the type given:
//
//	ols, err := mlreg.Load[mlreg.OLS]("ols.fit")
//
// A fit to a design of a formula predicts frames as before; a program that does so imports package frames.
// Errors: those of the file; ErrStream for a file of another type, which it names, of another version or
// build, and for one that is damaged.
func Load[T any](path string) (*T, error) {
	result := new(T)
	decoder, ok := any(result).(gob.GobDecoder)
	if !ok {
		return nil, fmt.Errorf("%w: a %T is no result that Save stores", ErrSetting, result)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, format.Error(err)
	}
	if err := decoder.GobDecode(b); err != nil {
		return nil, err
	}
	return result, nil
}

// notJSON is the error of a result, given by a pointer, for encoding/json, which would write {} of it.
func notJSON(result any) error {
	return fmt.Errorf("%w: a %s is not written as JSON; mlreg.Save and mlreg.Load store it, and frames.Tidy and frames.Glance give tables of numbers, which frames.WriteCSV writes", ErrSetting, stream.Name(reflect.TypeOf(result).Elem()))
}

// MarshalJSON is an error that names Save.
func (r stored[T, S]) MarshalJSON() ([]byte, error) { return nil, notJSON(new(T)) }

// MarshalJSON is an error that names Save.
func (f linear) MarshalJSON() ([]byte, error) { return nil, notJSON(&f) }

// MarshalJSON is an error that names Save.
func (p Path[F]) MarshalJSON() ([]byte, error) { return nil, notJSON(&p) }

// MarshalJSON is an error that names Save.
func (m Moments) MarshalJSON() ([]byte, error) { return nil, notJSON(&m) }

// MarshalJSON is an error that names Save.
func (f Folds) MarshalJSON() ([]byte, error) { return nil, notJSON(&f) }

// MarshalJSON is an error that names Save.
func (g Grouping) MarshalJSON() ([]byte, error) { return nil, notJSON(&g) }

// MarshalJSON is an error that names Save.
func (s LinearGaussian) MarshalJSON() ([]byte, error) { return nil, notJSON(&s) }

// MarshalJSON is an error that names Save.
func (f BayesLogistic) MarshalJSON() ([]byte, error) { return nil, notJSON(&f) }
