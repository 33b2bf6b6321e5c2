package mlreg

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
)

// stored is what a result of type T consists of: its state, and the methods by which gob
// stores it. Results embed it, but for fits that embed linear: their methods store both, and
// go/doc would not show those of linear through another type that is not exported.
type stored[T, S any] struct{ s S }

// store makes the stored of a state.
func store[T, S any](s S) stored[T, S] { return stored[T, S]{s} }

// GobEncode implements gob.GobEncoder.
func (r *stored[T, S]) GobEncode() ([]byte, error) { return gobEncode(new(T), &r.s) }

// GobDecode implements gob.GobDecoder.
func (r *stored[T, S]) GobDecode(b []byte) error {
	var s S
	err := gobDecode(b, new(T), &s)
	if err == nil {
		r.s = s
	}
	return err
}

// What a result stores of itself in a gob stream is
//
//	"regbook", version (1 byte), length of the type's name (1 byte), the name,
//	layout (8 bytes), CRC-32C of all but itself (4 bytes), the parts by gob
//
// and is told from what another type, version or build has written, and from what damage
// has left of it, before anything is decoded.
const (
	streamMagic   = "regbook"
	streamVersion = 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// gobEncode returns the stream of a T: the plain structs that it consists of.
func gobEncode[T any](_ *T, parts ...any) ([]byte, error) {
	var buf bytes.Buffer
	name := streamName(reflect.TypeFor[T]())
	buf.WriteString(streamMagic)
	buf.Write([]byte{streamVersion, byte(len(name))})
	buf.WriteString(name)
	buf.Write(binary.BigEndian.AppendUint64(nil, layoutOf[T](parts)))
	at := buf.Len()
	buf.Write(make([]byte, crc32.Size))
	enc := gob.NewEncoder(&buf)
	for _, part := range parts {
		if v := reflect.ValueOf(part); v.Kind() == reflect.Pointer && v.IsNil() {
			return nil, fmt.Errorf("the %s is empty: its %s is nil", name, streamName(v.Type().Elem()))
		}
		if err := enc.Encode(part); err != nil {
			return nil, err
		}
	}
	b := buf.Bytes()
	binary.BigEndian.PutUint32(b[at:], streamSum(b, at))
	return b, nil
}

func streamName(t reflect.Type) string {
	return strings.ReplaceAll(t.Name(), t.PkgPath()+".", "") // of a type's arguments
}

// streamSum is the checksum of a stream that stores it at the given place.
func streamSum(b []byte, at int) uint32 {
	return crc32.Update(crc32.Checksum(b[:at], castagnoli), castagnoli, b[at+crc32.Size:])
}

// gobDecode is the inverse of gobEncode. The parts are those of the result, or of what it is
// made of afterwards; where they or the result have a method restored, it checks what gob
// has filled. If that fails, the error matches ErrStream, and the result is what it was.
func gobDecode[T any](b []byte, result *T, parts ...any) (err error) {
	body, err := streamBody[T](b, parts)
	if err != nil {
		return err
	}
	before := *result
	defer func() {
		if v := recover(); v != nil { // of bytes made up to have the checksum
			err = fmt.Errorf("%v", v)
		}
		if err != nil {
			*result = before
			if !errors.Is(err, ErrStream) {
				err = fmt.Errorf("%w: %s: %w", ErrStream, streamName(reflect.TypeFor[T]()), err)
			}
		}
	}()
	var none T
	*result = none // gob does not store zeros
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
	for _, part := range append(parts, result) {
		if p, ok := part.(interface{ restored() error }); ok {
			if err := p.restored(); err != nil {
				return err
			}
		}
	}
	return nil
}

// streamBody returns the bytes of the parts in a stream, which must be that of a T.
func streamBody[T any](b []byte, parts []any) ([]byte, error) {
	want, head := streamName(reflect.TypeFor[T]()), len(streamMagic)+2
	if len(b) < head || string(b[:len(streamMagic)]) != streamMagic {
		return nil, fmt.Errorf("%w: wanted a stream of type %s, and found other bytes", ErrStream, want)
	}
	if version := b[len(streamMagic)]; version != streamVersion {
		return nil, fmt.Errorf("%w: wanted version %d of a stream of type %s, and found version %d", ErrStream, streamVersion, want, version)
	}
	end := head + int(b[head-1]) // of the name
	at := end + 8
	if len(b) < at+crc32.Size || binary.BigEndian.Uint32(b[at:]) != streamSum(b, at) {
		return nil, fmt.Errorf("%w: the stream of type %s is damaged: its checksum is another", ErrStream, want)
	}
	if name := string(b[head:end]); name != want {
		return nil, fmt.Errorf("%w: wanted a stream of type %s, and found type %s", ErrStream, want, name)
	}
	if found, layout := binary.BigEndian.Uint64(b[end:]), layoutOf[T](parts); found != layout {
		return nil, fmt.Errorf("%w: another build wrote the stream of type %s: wanted layout %016x, and found %016x", ErrStream, want, layout, found)
	}
	return b[at+crc32.Size:], nil
}

var layouts sync.Map // of the type that the parts are of

// layoutOf returns the layout of the parts of a T, computed once: a hash of the types that
// the parts have or point to.
func layoutOf[T any](parts []any) uint64 {
	whole := reflect.TypeFor[T]()
	if known, ok := layouts.Load(whole); ok {
		return known.(uint64)
	}
	l := layout{fnv.New64a(), map[reflect.Type]int{}}
	for _, part := range parts {
		t := reflect.TypeOf(part)
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		l.add(t)
	}
	layouts.Store(whole, l.Sum64())
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
