package keep

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"reflect"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/internal/keep/frame"
)

// HashValue is the hash of a value as a dependency: of what the value holds, in all
// fields, so that it is the same in every program. (The gob of equal values is not: it
// numbers types in the order in which a program first uses them.) The error is that
// of a function or another value without contents, and of a map, which has no order.
func HashValue(label string, v any) (Dependency, error) {
	if df, ok := v.(dataframe.DataFrame); ok {
		b, err := frame.Encode(df)
		return Hash(label, b), err
	}
	w := walker{hash: fnv.New128a(), seen: map[visited]int{}}
	w.text(fmt.Sprintf("%T", v))
	if err := w.walk(reflect.ValueOf(v), true); err != nil {
		return Dependency{}, fmt.Errorf("%s: %w", label, err)
	}
	return Dependency{Label: label, Hash: [16]byte(w.hash.Sum(nil))}, nil
}

// visited is a pointer of a type.
type visited struct {
	pointer uintptr
	typ     reflect.Type
}

// walker hashes what it reaches.
type walker struct {
	hash  hash.Hash
	seen  map[visited]int
	bytes [8]byte
}

func (w *walker) word(v uint64) {
	binary.LittleEndian.PutUint64(w.bytes[:], v)
	w.hash.Write(w.bytes[:])
}

func (w *walker) text(s string) {
	w.word(uint64(len(s)))
	w.hash.Write([]byte(s))
}

// walk hashes a value. What the user gives is open; what is inside a type of a package,
// in fields that it does not export, may have functions and maps that are no contents:
// those are passed over.
func (w *walker) walk(v reflect.Value, open bool) error {
	switch v.Kind() {
	case reflect.Bool:
		var b uint64
		if v.Bool() {
			b = 1
		}
		w.word(b)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.word(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		w.word(v.Uint())
	case reflect.Float32, reflect.Float64:
		w.word(math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		w.word(math.Float64bits(real(v.Complex())))
		w.word(math.Float64bits(imag(v.Complex())))
	case reflect.String:
		w.text(v.String())
	case reflect.Slice, reflect.Array:
		w.word(uint64(v.Len()))
		for i := range v.Len() {
			if err := w.walk(v.Index(i), open); err != nil {
				return err
			}
		}
	case reflect.Pointer, reflect.Interface:
		return w.follow(v, open)
	case reflect.Struct:
		for i := range v.NumField() {
			if err := w.walk(v.Field(i), open && v.Type().Field(i).IsExported()); err != nil {
				return err
			}
		}
	default: // a map, a function, a channel
		if open {
			return fmt.Errorf("a %s has no contents in a fixed order: give its values as a slice", v.Type())
		}
	}
	return nil
}

// follow hashes what a pointer or an interface leads to, once.
func (w *walker) follow(v reflect.Value, open bool) error {
	if v.IsNil() {
		w.word(0)
		return nil
	}
	if v.Kind() == reflect.Pointer {
		at := visited{v.Pointer(), v.Type()}
		if k, ok := w.seen[at]; ok {
			w.word(uint64(k))
			return nil
		}
		w.seen[at] = len(w.seen) + 1
	}
	w.word(1)
	if v.Kind() == reflect.Interface {
		w.text(v.Elem().Type().String())
	}
	return w.walk(v.Elem(), open)
}
