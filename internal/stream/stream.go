// Package stream has the envelope of what a value stores of itself by gob:
//
//	"regbook", version (1 byte), length of the type's name (1 byte), the name,
//	layout (8 bytes), CRC-32C of all but itself (4 bytes), the parts by gob
//
// so that what another type, version or build has written, and what damage has left, is
// refused before any of it is decoded.
package stream

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"hash/crc32"
	"reflect"
	"strings"
)

const (
	// Magic is what every stream begins with. The version follows.
	Magic = "regbook"
	// Version is that of the envelope, and of what the parts mean.
	Version = 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Encode returns the stream of a T, which consists of the parts or of what they point to.
func Encode[T any](parts ...any) ([]byte, error) {
	var buf bytes.Buffer
	name := Name(reflect.TypeFor[T]())
	buf.WriteString(Magic)
	buf.Write([]byte{Version, byte(len(name))})
	buf.WriteString(name)
	buf.Write(binary.BigEndian.AppendUint64(nil, layoutOf[T](parts)))
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
	binary.BigEndian.PutUint32(b[at:], sum(b, at))
	return b, nil
}

// Name is what streams call a type.
func Name(t reflect.Type) string {
	return strings.ReplaceAll(t.Name(), t.PkgPath()+".", "") // of a type's arguments
}

// sum is the checksum of a stream that stores it at the given place.
func sum(b []byte, at int) uint32 {
	return crc32.Update(crc32.Checksum(b[:at], castagnoli), castagnoli, b[at+crc32.Size:])
}

// Resum gives a stream that has been changed the checksum that it would have, for tests.
func Resum(b []byte) {
	if at, ok := sumAt(b); ok {
		binary.BigEndian.PutUint32(b[at:], sum(b, at))
	}
}

// sumAt returns where a stream has its checksum; ok is false if it is too short for one.
func sumAt(b []byte) (at int, ok bool) {
	head := len(Magic) + 2
	if len(b) < head {
		return 0, false
	}
	at = head + int(b[head-1]) + 8
	return at, len(b) >= at+crc32.Size
}

// Decode is the inverse of Encode: it fills what the parts point to, and then calls
// restored, which may refuse them. Whatever the bytes are, it returns an error and does
// not panic; the parts are then of no use.
func Decode[T any](b []byte, restored func() error, parts ...any) (err error) {
	body, err := open[T](b, parts)
	if err != nil {
		return err
	}
	defer func() {
		if v := recover(); v != nil { // of bytes made up to have the checksum
			err = fmt.Errorf("%v", v)
		}
		if err != nil {
			err = fmt.Errorf("the stream of type %s: %w", Name(reflect.TypeFor[T]()), err)
		}
	}()
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
	return restored()
}

// open returns the bytes of the parts in a stream, which must be that of a T.
func open[T any](b []byte, parts []any) ([]byte, error) {
	want, head := Name(reflect.TypeFor[T]()), len(Magic)+2
	if len(b) < head || string(b[:len(Magic)]) != Magic {
		return nil, fmt.Errorf("wanted a stream of type %s, and found other bytes", want)
	}
	if version := b[len(Magic)]; version != Version {
		return nil, fmt.Errorf("wanted version %d of a stream of type %s, and found version %d", Version, want, version)
	}
	at, ok := sumAt(b)
	if !ok || binary.BigEndian.Uint32(b[at:]) != sum(b, at) {
		return nil, fmt.Errorf("the stream of type %s is damaged: its checksum is another", want)
	}
	if name := string(b[head : at-8]); name != want {
		return nil, fmt.Errorf("wanted a stream of type %s, and found type %s", want, name)
	}
	if layout := binary.BigEndian.Uint64(b[at-8:]); layout != layoutOf[T](parts) {
		return nil, fmt.Errorf("another build wrote the stream: wanted layout %016x of type %s, and found layout %016x", layoutOf[T](parts), want, layout)
	}
	return b[at+crc32.Size:], nil
}
