// Package vectors is how package frames/source reads the rows of an engine by columns, where
// a driver of database/sql would hand on value by value, or hold all rows at once. A module
// that links such an engine sets its reader; frames/source links none.
package vectors

import (
	"context"
	"time"
)

// Column is a part of a column of a result. One of Num, Int, Uint, Bool, Text and Time is not nil;
// where Missing is true its value is any.
type Column struct {
	Num     []float64
	Int     []int64
	Uint    []uint64
	Bool    []bool
	Text    []string
	Time    []time.Time // in UTC
	Missing []bool      // nil if no value is
}

// Reader calls f with the rows of a SELECT, some at a time, in their order. The columns of a
// call are valid until f returns. It returns ErrNot, having called f never, for a connection
// that is not of its engine, or a type of columns that it does not read.
type Reader func(ctx context.Context, conn any, query string, f func(rows int, columns []Column) error) error

// ErrNot says that the rows are to be read by database/sql.
const ErrNot = notError("vectors: not read by columns")

type notError string

func (e notError) Error() string { return string(e) }

// DuckDB reads results of DuckDB; package frames/source/duckdb sets it.
var DuckDB Reader
