// Package stream has the envelope of results in gob streams, and the checks of what is decoded.
package stream

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/fnv"
	"reflect"
	"strings"
	"sync"

	"github.com/regbook/regbook/mlreg/internal/fault"
)

// What a result stores of itself in a gob stream is
//
//	"regbook", version (1 byte), length of the type's name (1 byte), the name,
//	layout (8 bytes), CRC-32C of all but itself (4 bytes), the parts by gob
//
// and is told from what another type, version or build has written, and from what damage
// has left of it, before anything is decoded.
const (
	Magic   = "regbook"
	version = 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Encode encodes the plain structs that a result consists of.
func Encode(result any, parts ...any) ([]byte, error) {
	var buf bytes.Buffer
	t := pointedTo(result)
	name := Name(t)
	buf.WriteString(Magic)
	buf.Write([]byte{version, byte(len(name))})
	buf.WriteString(name)
	buf.Write(binary.BigEndian.AppendUint64(nil, layoutOf(t, parts)))
	at := buf.Len()
	buf.Write(make([]byte, crc32.Size))
	enc := gob.NewEncoder(&buf)
	for _, part := range parts {
		if v := reflect.ValueOf(part); v.Kind() == reflect.Pointer && v.IsNil() {
			return nil, fmt.Errorf("the %s is empty: its %s is nil", name, Name(v.Type().Elem()))
		}
		if err := enc.Encode(part); err != nil {
			return nil, err
		}
	}
	b := buf.Bytes()
	binary.BigEndian.PutUint32(b[at:], Sum(b, at))
	return b, nil
}

// pointedTo returns the type of a value without its pointers.
func pointedTo(v any) reflect.Type {
	t := reflect.TypeOf(v)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// Name is the name of a type in its stream.
func Name(t reflect.Type) string {
	return strings.ReplaceAll(t.Name(), t.PkgPath()+".", "") // of a type's arguments
}

// Sum is the checksum of a stream that stores it at the given place.
func Sum(b []byte, at int) uint32 {
	return crc32.Update(crc32.Checksum(b[:at], castagnoli), castagnoli, b[at+crc32.Size:])
}

// Decode is the inverse of Encode for what result points to. The parts are its own, or
// those that it is made of afterwards; check, unless nil, looks at what gob has filled. If that
// fails, the error matches ErrStream, and the result is what it was.
func Decode(b []byte, result any, check func() error, parts ...any) (err error) {
	now := reflect.ValueOf(result).Elem()
	before := reflect.New(now.Type()).Elem()
	before.Set(now)
	defer func() {
		if v := recover(); v != nil { // gob, of bytes made up to have the checksum
			err = fmt.Errorf("%v", v)
		}
		if err != nil {
			now.Set(before)
			if !errors.Is(err, fault.ErrStream) {
				err = fmt.Errorf("%w: %s: %w", fault.ErrStream, Name(now.Type()), err)
			}
		}
	}()
	body, err := streamBody(b, now.Type(), parts)
	if err != nil {
		return err
	}
	now.SetZero() // gob does not store zeros
	rest := bytes.NewReader(body)
	dec := gob.NewDecoder(rest)
	for _, part := range parts {
		if err := dec.Decode(part); err != nil {
			return err
		}
	}
	if rest.Len() > 0 {
		return fmt.Errorf("%d bytes too many", rest.Len())
	}
	if check != nil {
		return check()
	}
	return nil
}

// streamBody returns the parts of a stream, which must be one of a type.
func streamBody(b []byte, t reflect.Type, parts []any) ([]byte, error) {
	want, head := Name(t), len(Magic)+2
	if len(b) < head || string(b[:len(Magic)]) != Magic {
		return nil, fmt.Errorf("%w: wanted a stream of type %s, and found other bytes", fault.ErrStream, want)
	}
	if got := b[len(Magic)]; got != version {
		return nil, fmt.Errorf("%w: wanted version %d of a stream of type %s, and found version %d", fault.ErrStream, version, want, got)
	}
	end := head + int(b[head-1]) // of the name
	at := end + 8
	if len(b) < at+crc32.Size || binary.BigEndian.Uint32(b[at:]) != Sum(b, at) {
		return nil, fmt.Errorf("%w: the stream of type %s is damaged: its checksum is another", fault.ErrStream, want)
	}
	if name := string(b[head:end]); name != want {
		return nil, fmt.Errorf("%w: wanted a stream of type %s, and found type %s", fault.ErrStream, want, name)
	}
	if found, layout := binary.BigEndian.Uint64(b[end:]), layoutOf(t, parts); found != layout {
		return nil, fmt.Errorf("%w: another build wrote the stream of type %s: wanted layout %016x, and found %016x", fault.ErrStream, want, layout, found)
	}
	return b[at+crc32.Size:], nil
}

var layouts sync.Map // by the type of the result

// layoutOf returns the layout of a result, computed once: a hash of the types that its parts
// have or point to.
func layoutOf(result reflect.Type, parts []any) uint64 {
	if known, ok := layouts.Load(result); ok {
		return known.(uint64)
	}
	l := layout{fnv.New64a(), map[reflect.Type]int{}}
	for _, part := range parts {
		l.add(pointedTo(part))
	}
	layouts.Store(result, l.Sum64())
	return l.Sum64()
}

// layout hashes what gob stores of types: the kinds that they are made of, and the names of
// exported fields. A type that encodes itself has a layout of its own, and counts by name.
type layout struct {
	hash.Hash64
	seen map[reflect.Type]int // a type that comes again counts by its number
}

func (l *layout) add(t reflect.Type) {
	if k, again := l.seen[t]; again {
		fmt.Fprintf(l, "#%d ", k)
		return
	}
	l.seen[t] = len(l.seen)
	switch kind := t.Kind(); {
	case encodesItself(t) || kind == reflect.Interface:
		fmt.Fprintf(l, "%v ", t)
	case kind == reflect.Struct:
		fmt.Fprint(l, "struct{")
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				fmt.Fprintf(l, "%s ", f.Name)
				l.add(f.Type)
			}
		}
		fmt.Fprint(l, "}")
	case kind == reflect.Array:
		fmt.Fprintf(l, "[%d]", t.Len())
		l.add(t.Elem())
	case kind == reflect.Map:
		fmt.Fprint(l, "map ")
		l.add(t.Key())
		l.add(t.Elem())
	case kind == reflect.Pointer || kind == reflect.Slice:
		fmt.Fprintf(l, "%v ", kind)
		l.add(t.Elem())
	default:
		fmt.Fprintf(l, "%v ", kind)
	}
}

// encodesItself tells whether gob has a value of the type encode itself.
func encodesItself(t reflect.Type) bool {
	for _, t := range []reflect.Type{t, reflect.PointerTo(t)} {
		if t.Implements(reflect.TypeFor[gob.GobEncoder]()) || t.Implements(reflect.TypeFor[encoding.BinaryMarshaler]()) {
			return true
		}
	}
	return false
}
