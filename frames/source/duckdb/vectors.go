//go:build linux

package duckdb

/*
// In duckdb.h, and in the library that the driver links; its bindings leave it out.
extern int duckdb_pending_prepared_streaming(void *prepared_statement, void **out_result);
*/
import "C"

import (
	"context"
	"errors"
	"reflect"
	"time"
	"unsafe"

	"github.com/duckdb/duckdb-go/mapping"
	driver "github.com/duckdb/duckdb-go/v2"

	"github.com/regbook/regbook/frames/source/internal/vectors"
)

func init() { vectors.DuckDB = readVectors }

// connection returns the engine's own handle of a connection of the driver, which does not
// show it; false for another driver, or if the driver's type has changed.
func connection(conn any) (c mapping.Connection, ok bool) {
	of, ok := conn.(*driver.Conn)
	if !ok || of == nil {
		return c, false
	}
	field := reflect.ValueOf(of).Elem().FieldByName("conn")
	if !field.IsValid() || field.Type() != reflect.TypeFor[mapping.Connection]() {
		return c, false
	}
	c.Ptr = field.FieldByName("Ptr").UnsafePointer()
	return c, c.Ptr != nil
}

// readVectors reads a result by the engine's vectors while it is computed: the driver waits
// for the end and holds all of it.
func readVectors(ctx context.Context, conn any, query string, f func(rows int, columns []vectors.Column) error) (err error) {
	c, ok := connection(conn)
	if !ok {
		return vectors.ErrNot
	}
	var statement mapping.PreparedStatement
	defer mapping.DestroyPrepare(&statement)
	if mapping.Prepare(c, query, &statement) == mapping.StateError {
		return errors.New(mapping.PrepareError(statement))
	}
	for j := range mapping.PreparedStatementColumnCount(statement) {
		switch mapping.PreparedStatementColumnType(statement, j) {
		case mapping.TypeDouble, mapping.TypeBigInt, mapping.TypeUBigInt, mapping.TypeBoolean, mapping.TypeVarchar, mapping.TypeDate, mapping.TypeTimestamp, mapping.TypeTimestampS, mapping.TypeTimestampMS, mapping.TypeTimestampNS, mapping.TypeTimestampTZ:
		default:
			return vectors.ErrNot
		}
	}
	// A context that ends interrupts the engine, also while it waits for a file: again and again, since
	// the engine forgets an interruption that comes before it has begun with the query.
	ended, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-ctx.Done():
		case <-ended:
			return
		}
		for {
			mapping.Interrupt(c)
			select {
			case <-ended:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	defer func() { // after the results are gone
		close(ended)
		<-watched
		if ctx.Err() != nil {
			err = ctx.Err()
		}
	}()
	var pending mapping.PendingResult
	defer mapping.DestroyPending(&pending)
	if C.duckdb_pending_prepared_streaming(statement.Ptr, &pending.Ptr) != 0 {
		return errors.New(mapping.PendingError(pending))
	}
	var result mapping.Result
	defer mapping.DestroyResult(&result)
	if mapping.ExecutePending(pending, &result) == mapping.StateError {
		return errors.New(mapping.ResultError(&result))
	}
	for more := true; more && err == nil; {
		if more, err = nextChunk(&result, f); err == nil {
			err = ctx.Err()
		}
	}
	return err
}

// nextChunk calls f with the next rows, if there are more.
func nextChunk(result *mapping.Result, f func(rows int, columns []vectors.Column) error) (more bool, err error) {
	chunk := mapping.FetchChunk(*result)
	if chunk.Ptr == nil { // the end, or an error
		if text := mapping.ResultError(result); text != "" {
			return false, errors.New(text)
		}
		return false, nil
	}
	defer mapping.DestroyDataChunk(&chunk) // also if f panics
	n := int(mapping.DataChunkGetSize(chunk))
	if n == 0 {
		return false, nil
	}
	return true, f(n, columnsOf(chunk, result, n))
}

// columnsOf reads the vectors of a chunk of n rows; numbers and truth values stay where they
// are.
func columnsOf(chunk mapping.DataChunk, result *mapping.Result, n int) []vectors.Column {
	var columns []vectors.Column
	for j := range mapping.DataChunkGetColumnCount(chunk) {
		v := mapping.DataChunkGetVector(chunk, j)
		data := mapping.VectorGetData(v)
		var c vectors.Column
		if valid := (*uint64)(mapping.VectorGetValidity(v)); valid != nil {
			bits := unsafe.Slice(valid, (n+63)/64)
			for i := range n {
				if bits[i/64]>>(i%64)&1 == 0 {
					if c.Missing == nil {
						c.Missing = make([]bool, n)
					}
					c.Missing[i] = true
				}
			}
		}
		typ := mapping.ColumnType(result, j)
		switch typ {
		case mapping.TypeDouble:
			c.Num = unsafe.Slice((*float64)(data), n)
		case mapping.TypeBigInt:
			c.Int = unsafe.Slice((*int64)(data), n)
		case mapping.TypeUBigInt:
			c.Uint = unsafe.Slice((*uint64)(data), n)
		case mapping.TypeBoolean:
			c.Bool = unsafe.Slice((*bool)(data), n)
		case mapping.TypeVarchar:
			c.Text = make([]string, n)
			for i, s := range unsafe.Slice((*stringT)(data), n) {
				if c.Missing == nil || !c.Missing[i] {
					c.Text[i] = s.text()
				}
			}
		case mapping.TypeDate:
			c.Time = make([]time.Time, n)
			for i, days := range unsafe.Slice((*int32)(data), n) {
				c.Time[i] = time.Unix(int64(days)*86400, 0).UTC()
			}
		default:
			c.Time = make([]time.Time, n)
			for i, x := range unsafe.Slice((*int64)(data), n) {
				c.Time[i] = timeOf(typ, x)
			}
		}
		columns = append(columns, c)
	}
	return columns
}

// timeOf returns the time of a timestamp.
func timeOf(typ mapping.Type, x int64) time.Time {
	switch typ {
	case mapping.TypeTimestampS:
		return time.Unix(x, 0).UTC()
	case mapping.TypeTimestampMS:
		return time.UnixMilli(x).UTC()
	case mapping.TypeTimestampNS:
		return time.Unix(0, x).UTC()
	}
	return time.UnixMicro(x).UTC()
}

// stringT is duckdb_string_t of duckdb.h: a length, then the text if it has at most 12
// bytes, and otherwise its first four and where it is.
type stringT struct {
	length uint32
	inline [4]byte
	rest   uint64
}

// text copies a text.
func (s *stringT) text() string {
	at := unsafe.Pointer(&s.inline)
	if s.length > 12 {
		at = *(*unsafe.Pointer)(unsafe.Pointer(&s.rest))
	}
	return string(unsafe.Slice((*byte)(at), s.length))
}
