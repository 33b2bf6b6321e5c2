// Package frame stores data frames as bytes: gob would store nothing of them, without a word.
package frame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// A frame is written as
//
//	columns, rows, and of every column: name, type, and its values:
//	float  8 bytes each, NaN where missing
//	int    8 bytes each, after a byte each that is 1 where missing
//	bool   a byte each, 2 where missing
//	string a byte each that is 1 where missing, then length and bytes each
//
// with numbers as in encoding/binary's varints, unless their bytes are given.

// Encode returns a frame as bytes.
func Encode(df dataframe.DataFrame) ([]byte, error) {
	if df.Err != nil {
		return nil, df.Err
	}
	b := binary.AppendUvarint(nil, uint64(df.Ncol()))
	b = binary.AppendUvarint(b, uint64(df.Nrow()))
	for _, name := range df.Names() {
		s := df.Col(name)
		b = appendText(appendText(b, name), string(s.Type()))
		b = slices.Grow(b, 8*s.Len())
		switch s.Type() {
		case series.Float:
			for _, v := range s.Float() {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			}
		case series.Int:
			for i := range s.Len() {
				v, err := s.Elem(i).Int()
				b = append(b, truth(err != nil))
				b = binary.LittleEndian.AppendUint64(b, uint64(v))
			}
		case series.Bool:
			for i := range s.Len() {
				v, err := s.Elem(i).Bool()
				if b = append(b, truth(v)); err != nil {
					b[len(b)-1] = 2
				}
			}
		case series.String:
			missing := s.IsNaN()
			for i, text := range s.Records() {
				if b = append(b, truth(missing[i])); !missing[i] {
					b = appendText(b, text)
				}
			}
		default:
			return nil, fmt.Errorf("column %q has the type %q", name, s.Type())
		}
	}
	return b, nil
}

func truth(v bool) byte {
	if v {
		return 1
	}
	return 0
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

var errFrame = errors.New("the bytes do not hold a data frame")

// reader takes numbers and texts off bytes; after the first failure it gives zeros.
type reader struct {
	b      []byte
	failed bool
	from   element
}

func (r *reader) take(n uint64) []byte {
	if r.failed || n > uint64(len(r.b)) {
		r.failed = true
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) count() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > math.MaxInt32 {
		r.failed = true
		return 0
	}
	r.take(uint64(n))
	return v
}

func (r *reader) text() string { return string(r.take(r.count())) }

func (r *reader) flag() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) word() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// element is one value on its way into a series: gota takes it without the
// allocation that a float64 in an interface costs.
type element struct {
	series.Element
	float float64
	int   int
	text  string
}

func (e *element) Float() float64    { return e.float }
func (e *element) Int() (int, error) { return e.int, nil }
func (e *element) String() string    { return e.text }

// Decode returns the frame of bytes that Encode wrote.
func Decode(b []byte) (dataframe.DataFrame, error) {
	r := &reader{b: b}
	columns, rows := r.count(), r.count()
	if r.failed || columns == 0 || columns > uint64(len(b)) || rows > uint64(len(b)) {
		return dataframe.DataFrame{}, errFrame
	}
	all := make([]series.Series, columns)
	for j := range all {
		name, typ := r.text(), series.Type(r.text())
		if r.failed || !slices.Contains([]series.Type{series.Float, series.Int, series.Bool, series.String}, typ) {
			return dataframe.DataFrame{}, errFrame
		}
		all[j] = series.New(make([]bool, rows), typ, name)
		for i := range int(rows) {
			r.value(all[j].Elem(i), typ)
		}
	}
	if r.failed || len(r.b) > 0 {
		return dataframe.DataFrame{}, errFrame
	}
	df := dataframe.New(all...)
	return df, df.Err
}

// value sets an element of a series to the next value.
func (r *reader) value(to series.Element, typ series.Type) {
	from := &r.from
	switch typ {
	case series.Float:
		from.float = math.Float64frombits(r.word())
		to.Set(from)
	case series.Int:
		if missing := r.flag(); missing == 1 {
			r.word()
			to.Set("NaN")
			return
		}
		from.int = int(r.word())
		to.Set(from)
	case series.Bool:
		switch r.flag() {
		case 0:
			to.Set(false)
		case 1:
			to.Set(true)
		default:
			to.Set("NaN")
		}
	default:
		if missing := r.flag(); missing == 1 {
			to.Set("NaN")
			return
		}
		from.text = r.text()
		to.Set(from)
	}
}
