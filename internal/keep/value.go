package keep

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"fmt"
	"reflect"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/internal/keep/frame"
)

// Encode returns a value as bytes: a data frame as frame.Encode does, anything else
// by gob. The error names what would be lost.
func Encode(v any) ([]byte, error) {
	if df, ok := v.(dataframe.DataFrame); ok {
		return frame.Encode(df)
	}
	if e, ok := v.(gob.GobEncoder); ok && !reflect.ValueOf(v).IsZero() {
		return e.GobEncode() // what gob would wrap in a copy
	}
	if err := whole(reflect.TypeOf(v), map[reflect.Type]bool{}); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Decode reads what Encode wrote into the value that a pointer points to.
func Decode(b []byte, into any) error {
	if df, ok := into.(*dataframe.DataFrame); ok {
		var err error
		*df, err = frame.Decode(b)
		return err
	}
	v := reflect.ValueOf(into).Elem()
	if v.Kind() == reflect.Pointer && v.Type().Implements(reflect.TypeFor[gob.GobDecoder]()) && v.Type().Implements(reflect.TypeFor[gob.GobEncoder]()) {
		v.Set(reflect.New(v.Type().Elem()))
		return v.Interface().(gob.GobDecoder).GobDecode(b)
	}
	if d, ok := into.(gob.GobDecoder); ok && v.Type().Implements(reflect.TypeFor[gob.GobEncoder]()) {
		return d.GobDecode(b)
	}
	return gob.NewDecoder(bytes.NewReader(b)).Decode(into)
}

var encodes = []reflect.Type{reflect.TypeFor[gob.GobEncoder](), reflect.TypeFor[encoding.BinaryMarshaler](), reflect.TypeFor[encoding.TextMarshaler]()}

// whole returns an error if gob would lose a part of a type without a word: a data
// frame, an unexported field.
func whole(t reflect.Type, seen map[reflect.Type]bool) error {
	if t == nil {
		return fmt.Errorf("the value is nil")
	}
	if seen[t] {
		return nil
	}
	seen[t] = true
	if t == reflect.TypeFor[dataframe.DataFrame]() {
		return fmt.Errorf("a data frame inside another value cannot be kept: keep the frame itself")
	}
	for _, e := range encodes {
		if t.Implements(e) || reflect.PointerTo(t).Implements(e) {
			return nil
		}
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return whole(t.Elem(), seen)
	case reflect.Map:
		if err := whole(t.Key(), seen); err != nil {
			return err
		}
		return whole(t.Elem(), seen)
	case reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer:
		return fmt.Errorf("a %s cannot be kept", t)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() {
				return fmt.Errorf("field %q of %s would be lost: only exported fields are kept", f.Name, t)
			}
			if err := whole(f.Type, seen); err != nil {
				return err
			}
		}
	}
	return nil
}
