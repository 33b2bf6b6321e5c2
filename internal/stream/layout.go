package stream

import (
	"encoding"
	"encoding/gob"
	"fmt"
	"hash"
	"hash/fnv"
	"reflect"
	"sync"
)

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
