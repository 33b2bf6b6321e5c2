// Package parquet reads Parquet files as sources, in pure Go. It is a module of its own,
// so that no program links the decoder that does not use it.
package parquet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-gota/gota/series"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/frames/source"
)

// ErrParquet says that a file cannot be read.
var ErrParquet = errors.New("cannot read the Parquet file")

// blockRows is how many rows are decoded at a time.
const blockRows = 8192

// Open returns a Parquet file as a source. Passes decode the columns that they need, some
// thousand rows at a time, in memory that does not depend on the number of rows.
//
// Integers, and decimals without a fraction, keep all digits up to 64 bits; more are an error
// that names the column. Other numbers and decimals are float64; dates and timestamps are
// dates (in UTC); text has to be UTF-8. Columns that are nested or repeated are left out,
// and an error names one that is asked for. The error matches ErrParquet, or
// source.ErrChanged if the file is not the one that an earlier pass read.
func Open(path string) (*source.Source, error) {
	r := &reader{path: path}
	err := r.with(func(f *parquet.File) error {
		return r.decoding(func() (err error) {
			r.fields, r.leaves, err = columnsOf(f)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	s, ok := table.Frames.Source("Parquet file "+filepath.Base(path), r).(*source.Source)
	if !ok {
		return nil, fmt.Errorf("parquet: package source is another")
	}
	return s, nil
}

// leaf is a column of the file, and what reads one of its values into row i of a block.
type leaf struct {
	column int
	read   func(to *table.Column, i int, v parquet.Value) error
}

// number reads a value that a float64 holds.
func number(of func(v parquet.Value) float64) func(*table.Column, int, parquet.Value) error {
	return func(to *table.Column, i int, v parquet.Value) error {
		to.Set(i, of(v), 0)
		return nil
	}
}

// text reads a text, which shares the memory of the one before if that is equal.
func text(of func(v parquet.Value) string) func(*table.Column, int, parquet.Value) error {
	return func(to *table.Column, i int, v parquet.Value) error {
		if to.Text[i] = of(v); i > 0 && to.Text[i] == to.Text[i-1] {
			to.Text[i] = to.Text[i-1]
		}
		return nil
	}
}

type reader struct {
	path   string
	fields []table.Field
	leaves []leaf
}

// Fields returns the columns.
func (r *reader) Fields() []table.Field { return r.fields }

// with opens the file.
func (r *reader) with(f func(*parquet.File) error) (err error) {
	file, err := os.Open(r.path)
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	defer func() {
		if closeErr := file.Close(); err == nil && closeErr != nil {
			err = fmt.Errorf("parquet: %w", closeErr)
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	var p *parquet.File
	err = r.decoding(func() error {
		if p, err = parquet.OpenFile(file, info.Size(), parquet.SkipBloomFilters(true)); err != nil {
			return fmt.Errorf("%s: %w: %w", r.path, ErrParquet, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return f(p)
}

// decoding calls f; a panic of the decoder, on bytes that are no Parquet, is an ErrParquet.
func (r *reader) decoding(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s: %w: %v", r.path, ErrParquet, v)
		}
	}()
	return f()
}

// columnsOf returns the columns that are neither nested nor repeated.
func columnsOf(f *parquet.File) (fields []table.Field, leaves []leaf, err error) {
	var left []string
	for _, path := range f.Schema().Columns() {
		at, ok := f.Schema().Lookup(path...)
		name := strings.Join(path, ".")
		field := table.Field{Name: name}
		if ok = ok && len(path) == 1 && at.MaxRepetitionLevel == 0; ok {
			of := leaf{column: at.ColumnIndex}
			if of.read = typeOf(&field, at.Node.Type()); of.read != nil {
				fields, leaves = append(fields, field), append(leaves, of)
				continue
			}
		}
		left = append(left, name)
	}
	if len(fields) == 0 {
		return nil, nil, fmt.Errorf("%w: no column is neither nested nor of an unknown type: %s", ErrParquet, strings.Join(left, ", "))
	}
	return fields, leaves, nil
}

// typeOf sets the type of a column and returns how it is read, nil if it is not.
func typeOf(field *table.Field, t parquet.Type) func(*table.Column, int, parquet.Value) error {
	field.Type = series.Float
	if l := t.LogicalType(); l != nil {
		switch {
		case l.Date != nil:
			field.Type, field.Dates = series.String, true
			return text(func(v parquet.Value) string { return time.Unix(int64(v.Int32())*86400, 0).UTC().Format("2006-01-02") })
		case l.Timestamp != nil:
			field.Type, field.Dates = series.String, true
			unit := unitOf(l.Timestamp.Unit)
			return text(func(v parquet.Value) string { return instant(v.Int64(), unit).Format("2006-01-02 15:04:05.999999") })
		case l.Decimal != nil && l.Decimal.Scale == 0:
			field.Type = series.Int
			return wholeDecimal
		case l.Decimal != nil:
			scale := math.Pow(10, float64(l.Decimal.Scale))
			return number(func(v parquet.Value) float64 { return decimal(v) / scale })
		}
	}
	switch t.Kind() {
	case parquet.Boolean:
		field.Type = series.Bool
		return number(func(v parquet.Value) float64 {
			if v.Boolean() {
				return 1
			}
			return 0
		})
	case parquet.Int32:
		field.Type = series.Int
		if unsigned(t) {
			return number(func(v parquet.Value) float64 { return float64(v.Uint32()) })
		}
		return number(func(v parquet.Value) float64 { return float64(v.Int32()) })
	case parquet.Int64:
		field.Type = series.Int
		split := func(v parquet.Value) (num, low float64) { return table.SplitInt(v.Int64()) }
		if unsigned(t) {
			split = func(v parquet.Value) (num, low float64) { return table.SplitUint(v.Uint64()) }
		}
		return func(to *table.Column, i int, v parquet.Value) error {
			num, low := split(v)
			to.Set(i, num, low)
			return nil
		}
	case parquet.Float:
		return number(func(v parquet.Value) float64 { return float64(v.Float()) })
	case parquet.Double:
		return number(func(v parquet.Value) float64 { return v.Double() })
	case parquet.ByteArray:
		field.Type = series.String
		return text(func(v parquet.Value) string { return string(v.ByteArray()) })
	}
	return nil
}

func unsigned(t parquet.Type) bool {
	l := t.LogicalType()
	return l != nil && l.Integer != nil && !l.Integer.IsSigned
}

func unitOf(u format.TimeUnit) time.Duration {
	switch {
	case u.Millis != nil:
		return time.Millisecond
	case u.Micros != nil:
		return time.Microsecond
	}
	return time.Nanosecond
}

func instant(v int64, unit time.Duration) time.Time {
	per := int64(time.Second / unit)
	whole, rest := v/per, v%per
	return time.Unix(whole, rest*int64(unit)).UTC()
}

// wholeDecimal reads a decimal that has no fraction.
func wholeDecimal(to *table.Column, i int, v parquet.Value) error {
	x, ok := unscaled(v)
	if !ok {
		return errors.New("an integer of more than 64 bits; write it as text, or as a float")
	}
	num, low := table.SplitInt(x)
	to.Set(i, num, low)
	return nil
}

// unscaled returns the digits of a decimal as a whole number; it is false for one of more than 64 bits.
func unscaled(v parquet.Value) (int64, bool) {
	switch v.Kind() {
	case parquet.Int32:
		return int64(v.Int32()), true
	case parquet.Int64:
		return v.Int64(), true
	}
	b := v.ByteArray() // two's complement, the highest byte first
	for len(b) > 8 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
		b = b[1:] // of the sign
	}
	x := int64(0)
	for i, digit := range b {
		if x = x<<8 | int64(digit); i == 0 {
			x = int64(int8(digit))
		}
	}
	return x, len(b) <= 8
}

// decimal is unscaled as a float64.
func decimal(v parquet.Value) float64 {
	if x, ok := unscaled(v); ok {
		return float64(x)
	}
	sum := 0.0
	for i, x := range v.ByteArray() {
		if i == 0 {
			sum = float64(int8(x))
			continue
		}
		sum = sum*256 + float64(x)
	}
	return sum
}

// Scan decodes all rows.
func (r *reader) Scan(ctx context.Context, columns []string, work func(*table.Block) (any, error), collect func(any) error) (string, error) {
	var at []int
	for j, f := range r.fields {
		if slices.Contains(columns, f.Name) {
			at = append(at, j)
		}
	}
	rows := 0
	err := r.with(func(f *parquet.File) error {
		err := r.decoding(func() error {
			fields, _, err := columnsOf(f)
			if err == nil && !slices.Equal(fields, r.fields) {
				err = fmt.Errorf("%s: %w: its columns are others", r.path, source.ErrChanged)
			}
			return err
		})
		if err != nil {
			return err
		}
		return table.InOrder(ctx, func(ctx context.Context, emit func(*table.Block) error) error {
			return r.decoding(func() error {
				for _, g := range f.RowGroups() {
					if err := r.group(g, at, rows, func(b *table.Block) error {
						rows += b.N
						return emit(b)
					}); err != nil {
						return err
					}
				}
				if int64(rows) != f.NumRows() {
					return fmt.Errorf("%s: %w: %d rows of %d", r.path, ErrParquet, rows, f.NumRows())
				}
				return nil
			})
		}, work, collect)
	})
	info := fmt.Sprintf("%d rows", rows)
	if written, statErr := r.Written(); statErr == nil {
		info += ", " + written
	}
	return info, err
}

// Written returns a text that is another after the file was written.
func (r *reader) Written() (string, error) {
	about, err := os.Stat(r.path)
	if err != nil {
		return "", fmt.Errorf("parquet: %w", err)
	}
	return fmt.Sprintf("%d bytes, written %d", about.Size(), about.ModTime().UnixNano()), nil
}

// group decodes the rows of a group, the columns at the same time.
func (r *reader) group(g parquet.RowGroup, at []int, first int, emit func(*table.Block) error) error {
	chunks := g.ColumnChunks()
	readers := make([]parquet.ColumnChunkValueReader, len(at))
	for k, j := range at {
		readers[k] = parquet.NewColumnChunkValueReader(chunks[r.leaves[j].column])
	}
	var err error
	total := int(g.NumRows())
	for done := 0; done < total && err == nil; {
		b := &table.Block{N: min(blockRows, total-done), First: first + done, Columns: make([]*table.Column, len(at))}
		errs := make([]error, len(at))
		var all sync.WaitGroup
		for k, j := range at {
			all.Add(1)
			go func() {
				defer all.Done()
				defer func() {
					if v := recover(); v != nil {
						errs[k] = fmt.Errorf("%v", v)
					}
				}()
				b.Columns[k], errs[k] = r.column(j, readers[k], b.N)
			}()
		}
		all.Wait()
		for k, wrong := range errs {
			if wrong != nil {
				err = fmt.Errorf("%s: %w: column %q after row %d: %w", r.path, ErrParquet, r.fields[at[k]].Name, b.First, wrong)
				break
			}
		}
		if err == nil {
			err = emit(b)
		}
		done += b.N
	}
	for _, c := range readers {
		if closeErr := c.Close(); err == nil && closeErr != nil {
			err = fmt.Errorf("%s: %w: %w", r.path, ErrParquet, closeErr)
		}
	}
	return err
}

// column decodes n values.
func (r *reader) column(j int, from parquet.ColumnChunkValueReader, n int) (*table.Column, error) {
	f, read := r.fields[j], r.leaves[j].read
	c := &table.Column{Field: f, Missing: make([]bool, n)}
	if f.Type == series.String {
		c.Text = make([]string, n)
	} else {
		c.Num = make([]float64, n)
	}
	var values [512]parquet.Value
	for i := 0; i < n; {
		k, err := from.ReadValues(values[:min(len(values), n-i)])
		for _, v := range values[:k] {
			missing := v.IsNull()
			if !missing {
				if err := read(c, i, v); err != nil {
					return nil, err
				}
				missing = c.Num != nil && math.IsNaN(c.Num[i])
			}
			if missing {
				c.Missing[i] = true
				c.Count++
				if c.Num != nil {
					c.Set(i, math.NaN(), 0)
				}
			}
			i++
		}
		if err != nil && (!errors.Is(err, io.EOF) || i < n) {
			if errors.Is(err, io.EOF) {
				return nil, io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
	return c, nil
}
