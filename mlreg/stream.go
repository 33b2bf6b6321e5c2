package mlreg

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"reflect"
	"strings"
)

// What a result stores of itself in a gob stream is
//
//	"regbook", version (1 byte), length of the type's name (1 byte), the name,
//	CRC-32C of all that and of the parts (4 bytes), the parts by gob
//
// and is told from what another type, another version, or damage has left of it
// before anything is decoded.
const (
	streamMagic   = "regbook"
	streamVersion = 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// gobEncode encodes the plain structs that a result consists of.
func gobEncode(result any, parts ...any) ([]byte, error) {
	var buf bytes.Buffer
	buf.Write(streamHead(result))
	at := buf.Len()
	buf.Write(make([]byte, crc32.Size))
	enc := gob.NewEncoder(&buf)
	for _, part := range parts {
		if err := enc.Encode(part); err != nil {
			return nil, err
		}
	}
	b := buf.Bytes()
	binary.BigEndian.PutUint32(b[at:], streamSum(b, at))
	return b, nil
}

// streamHead returns what the stream of a result begins with.
func streamHead(result any) []byte {
	name := streamName(result)
	return append([]byte(streamMagic), append([]byte{streamVersion, byte(len(name))}, name...)...)
}

func streamName(result any) string {
	t := reflect.TypeOf(result)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return strings.ReplaceAll(t.Name(), t.PkgPath()+".", "") // of a type's arguments
}

// streamSum is the checksum of a stream that stores it at the given place.
func streamSum(b []byte, at int) uint32 {
	return crc32.Update(crc32.Checksum(b[:at], castagnoli), castagnoli, b[at+crc32.Size:])
}

// gobDecode is the inverse of gobEncode. The result is a pointer, and the parts are its, or
// of what it is made of afterwards. It checks what parts and result promise. If that
// fails, the error matches ErrStream, and the result is what it was.
func gobDecode(b []byte, result any, parts ...any) (err error) {
	value := reflect.ValueOf(result).Elem()
	before := reflect.New(value.Type()).Elem()
	before.Set(value)
	defer func() {
		if v := recover(); v != nil { // gob, of bytes made up to have the checksum
			err = fmt.Errorf("%v", v)
		}
		if err != nil {
			value.Set(before)
			if !errors.Is(err, ErrStream) {
				err = fmt.Errorf("%w: %s: %w", ErrStream, streamName(result), err)
			}
		}
	}()
	body, err := streamBody(b, result)
	if err != nil {
		return err
	}
	value.SetZero() // gob does not store zeros
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
		if p, promises := part.(interface{ ok() error }); promises {
			if err := p.ok(); err != nil {
				return err
			}
		}
	}
	return nil
}

// streamBody returns the parts of a stream, which must be one of the result.
func streamBody(b []byte, result any) ([]byte, error) {
	want, head := streamName(result), len(streamMagic)+2
	if len(b) < head || string(b[:len(streamMagic)]) != streamMagic {
		return nil, fmt.Errorf("%w: wanted a stream of type %s, and found other bytes", ErrStream, want)
	}
	version, at := b[len(streamMagic)], head+int(b[head-1])
	if version != streamVersion {
		return nil, fmt.Errorf("%w: wanted version %d of a stream of type %s, and found version %d", ErrStream, streamVersion, want, version)
	}
	if len(b) < at+crc32.Size || binary.BigEndian.Uint32(b[at:]) != streamSum(b, at) {
		return nil, fmt.Errorf("%w: the stream of type %s is damaged: its checksum is another", ErrStream, want)
	}
	if name := string(b[head:at]); name != want {
		return nil, fmt.Errorf("%w: wanted a stream of type %s, and found type %s", ErrStream, want, name)
	}
	return b[at+crc32.Size:], nil
}

// promises collects the first of the promises of a result that is not kept.
type promises struct{ broken error }

func (c *promises) keep(kept bool, format string, args ...any) {
	if c.broken == nil && !kept {
		c.broken = fmt.Errorf(format, args...)
	}
}

// length wants a number of values.
func (c *promises) length(what string, got, want int) {
	c.keep(got == want, "%d values of %s, wanted %d", got, what, want)
}

// perhaps wants none or a number of values.
func (c *promises) perhaps(what string, got, want int) {
	if got > 0 {
		c.length(what, got, want)
	}
}

// square wants n*n values.
func (c *promises) square(what string, got, n int) {
	c.keep(got/max(n, 1) == n && got%max(n, 1) == 0, "%d values of %s, wanted %d x %d", got, what, n, n)
}

func (c *promises) finite(what string, values ...float64) {
	for _, v := range values {
		if v-v != 0 {
			c.keep(false, "%s has the value %v", what, v)
			return
		}
	}
}

// probabilities wants values between 0 and 1, but for rounding.
func (c *promises) probabilities(what string, values ...float64) {
	for _, v := range values {
		if !(v >= 0 && v <= 1+1e-9) {
			c.keep(false, "%s has the value %v", what, v)
			return
		}
	}
}

// between wants integers from least to most.
func (c *promises) between(what string, least, most int, values ...int) {
	for _, v := range values {
		c.keep(least <= v && v <= most, "%s is %d, wanted %d to %d", what, v, least, most)
	}
}

// count wants a number of rows, steps or the like.
func (c *promises) count(what string, values ...int) { c.between(what, 0, math.MaxInt, values...) }

// unique wants names that differ.
func (c *promises) unique(names []string) {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		c.keep(!seen[name], "two terms are named %q", name)
		seen[name] = true
	}
}

// part wants what a part of the result promises.
func (c *promises) part(err error) {
	if c.broken == nil {
		c.broken = err
	}
}
